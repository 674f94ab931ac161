// SPDX-License-Identifier: BSD-3-Clause
// The line of a ray in some frame, and where it touches one surface.
#pragma once

#include "kernels/items/boundary_shapes.hpp"

namespace scree::query {

struct Line {
    kernels::Vector3d from{0, 0, 0};   ///< [m]
    kernels::Vector3d along{0, 0, 1};  ///< Unit.

    [[nodiscard]] kernels::Vector3d at(double distance) const { return from + distance * along; }
    /// How far along the point lies that is nearest `point` [m]. Surfaces are intersected from there, so that a far
    /// origin costs no digits.
    [[nodiscard]] double nearest_to(kernels::Vector3d point) const { return kernels::dot(point - from, along); }
};

struct Touch {
    bool found = false;
    bool inside = false;  ///< The line begins inside what is solid: distance 0.
    double distance = 0.0;
    kernels::Vector3d normal{0, 0, 1};  ///< Unit, towards where the line comes from.
};

/// Keeps the nearer of two.
inline void take_nearer(Touch& best, const Touch& other) {
    if (other.found && (!best.found || other.distance < best.distance)) best = other;
}

[[nodiscard]] inline kernels::Vector3d against(kernels::Vector3d along) { return {-along.x, -along.y, -along.z}; }

}  // namespace scree::query
