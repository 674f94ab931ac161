// SPDX-License-Identifier: BSD-3-Clause
// Mass properties of what several spheres fill together: each point counts once.
#pragma once

#include "engine/geometry/ball.hpp"

#include <array>
#include <span>

namespace scree::geometry {

struct UnionMoments {
    double volume = 0.0;  ///< [m^3]
    model::Vec3 center;   ///< Of the volume [m].
    /// Integrals of (x - center)_k (x - center)_l over it [m^5].
    std::array<std::array<double, 3>, 3> second{};
};

/// The union of the balls, which may be apart, touch, contain one another or coincide; it may have holes. The
/// divergence theorem makes its integrals sums over the balls of moments of the part of their surface that no other one
/// covers
///   3 int dV = int x . n dA,   4 int x_k dV = int x_k x . n dA,   5 int x_k x_l dV = int x_k x_l x . n dA
/// with x = c + r n on the surface of a ball; see moments_outside_caps() for these. Errors are about 1e-12 of the
/// integrals of the ball around the union. Radii are positive and finite; without balls all is zero.
[[nodiscard]] UnionMoments union_moments(std::span<const Ball> balls);

/// Volume [m^3] of the part of the union in a box, whose sides may be infinite. The box's faces cut caps off the balls,
/// too; they add 3 V = int x . n dA over discs in rectangles (disc_union.hpp), x from the lower corner, so that three
/// faces give nothing.
[[nodiscard]] double union_volume_in_box(std::span<const Ball> balls, model::Vec3 lower, model::Vec3 upper);

}  // namespace scree::geometry
