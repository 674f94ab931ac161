// SPDX-License-Identifier: BSD-3-Clause
// Polyhedra and polygons from points.
#pragma once

#include "engine/reference/shape.hpp"

#include <span>

namespace scree::reference {

/// Convex hull of points in space [m]: vertices in the order given (points inside, on faces or repeated are left out),
/// faces counter-clockwise from outside with unit outward normals. Points within 1e-10 of the extent of a face's plane
/// belong to it. The points stay where they are: see centred (mass_properties.hpp) for body axes. Throws model::Error
/// (input) for points that are not finite, fewer than 4, more than 10 000, or in one plane to 1e-9 of their extent.
[[nodiscard]] Polytope make_polytope(std::span<const Eigen::Vector3d> points);

/// Convex hull of points of the plane y = 0: a polygon, counter-clockwise as (x, z) from its first corner; face k is
/// the edge from corner k to the next. Throws model::Error (input) as above, for fewer than 3 points, in one line, or
/// off the plane.
[[nodiscard]] Polytope make_polygon(std::span<const Eigen::Vector3d> points);

/// Regular polygon with corners on a circle of `radius` [m], the first one on +x. Throws for fewer than 3 corners.
[[nodiscard]] Polytope regular_polygon(std::size_t corners, double radius);

/// A rod along x for planar worlds: a rectangle with these half-lengths [m], both positive.
[[nodiscard]] Polytope rod(double half_length, double half_thickness);

}  // namespace scree::reference
