// SPDX-License-Identifier: BSD-3-Clause
// Where a line leaves a convex shape: the undeformed surface over the elements of a patch of contact.
#pragma once

#include "engine/reference/world.hpp"

namespace scree::reference {

/// The largest s [m] with origin + s direction inside the shape; world axes, unit direction. Minus infinity when the
/// line misses it, infinity where it never leaves (half-spaces). For a hollow: the s at which the line, from a free
/// origin, comes out of the solid that lies behind it.
[[nodiscard]] double height_along(const Shape& shape, const Pose& pose, const Eigen::Vector3d& origin,
                                  const Eigen::Vector3d& direction);

/// Separation [m] of the surfaces of a and b along `normal` (unit, from a to b) over `point`: negative where they
/// overlap, infinity where the line misses one of them.
[[nodiscard]] double separation_along(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                      const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

}  // namespace scree::reference
