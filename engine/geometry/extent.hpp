// SPDX-License-Identifier: BSD-3-Clause
// The box around things, along the world axes.
#pragma once

#include "engine/model/math.hpp"

#include <algorithm>

namespace scree::geometry {

struct Extent {
    model::Vec3 lower, upper;  ///< [m]
    bool empty = true;

    void add(model::Vec3 point, double radius = 0.0) {
        const model::Vec3 r{radius, radius, radius}, low = point - r, high = point + r;
        if (empty) {
            lower = low;
            upper = high;
            empty = false;
        }
        lower = {std::min(lower.x, low.x), std::min(lower.y, low.y), std::min(lower.z, low.z)};
        upper = {std::max(upper.x, high.x), std::max(upper.y, high.y), std::max(upper.z, high.z)};
    }
};

}  // namespace scree::geometry
