// SPDX-License-Identifier: BSD-3-Clause
// The periodic images of a point.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/math.hpp"

#include <array>
#include <cmath>

namespace scree::geometry {

/// The image of `point` between the faces of all active axes, lower faces included. Points between them stay as they
/// are.
[[nodiscard]] inline model::Vec3 image_inside(model::Vec3 point, const std::array<model::PeriodicFaces, 3>& periodic) {
    double* const coordinates[3] = {&point.x, &point.y, &point.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& [active, lower, upper] = periodic[axis];
        double& x = *coordinates[axis];
        if (!active || (x >= lower && x < upper)) continue;
        x -= (upper - lower) * std::floor((x - lower) / (upper - lower));
        if (!(x >= lower && x < upper)) x = lower;  // rounded onto a face
    }
    return point;
}

/// The way from `from` to `to`, or to its nearest image.
[[nodiscard]] inline model::Vec3 shortest_way(model::Vec3 from, model::Vec3 to,
                                              const std::array<model::PeriodicFaces, 3>& periodic) {
    model::Vec3 way = to - from;
    double* const along[3] = {&way.x, &way.y, &way.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!periodic[axis].active) continue;
        const double period = periodic[axis].upper - periodic[axis].lower;
        *along[axis] -= period * std::round(*along[axis] / period);
    }
    return way;
}

/// Calls visit(position, is_image) for the point itself, then for its images one period away along the active axes
/// (up to 26).
template <class Visit>
void for_each_image(model::Vec3 point, const std::array<model::PeriodicFaces, 3>& periodic, Visit&& visit) {
    visit(point, false);
    const auto period = [&](std::size_t axis) {
        return periodic[axis].active ? periodic[axis].upper - periodic[axis].lower : 0.0;
    };
    const auto reach = [&](std::size_t axis) { return period(axis) > 0.0 ? 1 : 0; };
    for (int k = -reach(2); k <= reach(2); ++k) {
        for (int j = -reach(1); j <= reach(1); ++j) {
            for (int i = -reach(0); i <= reach(0); ++i) {
                if (i == 0 && j == 0 && k == 0) continue;
                visit(point + model::Vec3{i * period(0), j * period(1), k * period(2)}, true);
            }
        }
    }
}

}  // namespace scree::geometry
