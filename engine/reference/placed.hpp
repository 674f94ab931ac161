// SPDX-License-Identifier: BSD-3-Clause
// A convex shape where it stands, as the distance algorithms see it: its farthest point along a direction.
#pragma once

#include "engine/reference/world.hpp"

namespace scree::reference {

/// In planar worlds the shape is its section with y = 0, and directions have y = 0.
struct Placed {
    const Shape& shape;
    const Pose& pose;
    bool planar = false;

    /// Farthest point along `direction` [world, any length but zero].
    [[nodiscard]] Eigen::Vector3d support(const Eigen::Vector3d& direction) const;
    /// How fast the farthest point moves as the unit direction turns [m]: the Hessian of the support function, by
    /// central differences in the plane across `direction`. Zero on flat shapes, whose farthest point is a corner.
    [[nodiscard]] Eigen::Matrix3d support_slope(const Eigen::Vector3d& direction) const;
    [[nodiscard]] Eigen::Vector3d to_body(const Eigen::Vector3d& direction) const {
        return pose.orientation.conjugate() * direction;
    }
};

/// Box, Cylinder, Polytope: shapes with faces or edges, whose contacts are patches.
[[nodiscard]] bool is_flat(const Shape& shape);

/// Throws model::Error (input) when a size is not positive and finite or an exponent is out of range, naming both.
void check(const Shape& shape);

/// Two unit vectors across the unit vector `d`; (d, first, second) is right-handed.
[[nodiscard]] std::pair<Eigen::Vector3d, Eigen::Vector3d> across(const Eigen::Vector3d& d);

}  // namespace scree::reference
