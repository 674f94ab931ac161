// SPDX-License-Identifier: BSD-3-Clause
// Bodies that feeds will bring.
#pragma once

#include "engine/model/source.hpp"

#include <vector>

namespace scree::geometry {

/// A sample of bodies, each of which stands for `copies` of them.
struct ExpectedBodies {
    std::vector<model::Sphere> bodies;
    std::vector<double> copies;
};

}  // namespace scree::geometry
