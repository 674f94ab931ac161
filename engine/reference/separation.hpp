// SPDX-License-Identifier: BSD-3-Clause
// Signed gap of two convex shapes: the maximum over unit directions d of the separating function
//
//   s(d) = min over b of d.b - max over a of d.a
//
// which is the distance of shapes apart and minus the least shift that parts shapes that overlap. The search has two
// parts: a global one that finds the direction to about 1e-7 (nearest.cpp, shallowest.cpp), and a local one that ends
// on the exact optimum, by Newton's method where surfaces are round, or on a face normal or square to an edge where
// they are not. Every candidate is judged by s(d) itself, so no step can make the answer worse.
#pragma once

#include "engine/reference/placed.hpp"

namespace scree::reference {

struct Separation {
    Eigen::Vector3d direction;   ///< Unit, from a to b, world axes
    double gap = 0.0;            ///< s(direction) [m]
    Eigen::Vector3d on_a, on_b;  ///< A nearest pair [world]: on_b - on_a = gap direction
};

/// Of shapes with a farthest point in each direction (not half-spaces). With lengths relative to the sum of the
/// bounding radii: the gap is exact to 1e-11 for shapes apart or overlapping by less than half of the thinner one, and
/// the deepest to 1e-7 beyond that. The points lie on the surfaces to 1e-10 and opposite each other to 2e-7, as
/// measured on random pairs; about one in 5000 (all but flat superquadrics, rims of cylinders) is on the surfaces to
/// 2e-6 only. Concentric shapes take a fixed direction as the start; finite input never gives NaN.
[[nodiscard]] Separation separation(const Placed& a, const Placed& b);

/// The same for sections in the plane y = 0, by trying all directions at which s can have a kink or a maximum and
/// bisecting its slope: exact to 1e-15 of the sizes, global for polygons and for round sections down to 1 : 100.
[[nodiscard]] Separation planar_separation(const Placed& a, const Placed& b);

}  // namespace scree::reference
