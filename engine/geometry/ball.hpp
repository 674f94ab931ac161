// SPDX-License-Identifier: BSD-3-Clause
// A ball.
#pragma once

#include "engine/model/math.hpp"

namespace scree::geometry {

struct Ball {
    model::Vec3 position;  ///< [m]
    double radius = 0.0;   ///< [m]
};

}  // namespace scree::geometry
