// SPDX-License-Identifier: BSD-3-Clause
// Shapes of the reference steppers, convex but for the bowl, in body axes (centre of mass at the origin, principal
// axes). Lengths in metres.
#pragma once

#include <Eigen/Core>

#include <variant>
#include <vector>

namespace scree::reference {

struct Sphere {
    double radius = 0.5;
};
struct Box {
    Eigen::Vector3d half{0.5, 0.5, 0.5};
};
/// |x/a|^2 + |y/b|^2 + |z/c|^2 <= 1. Also the ellipse (planar worlds) and the disc seen from its side.
struct Ellipsoid {
    Eigen::Vector3d semi_axes{0.5, 0.5, 0.5};
};
/// ((x/a)^(2/e2) + (y/b)^(2/e2))^(e2/e1) + (z/c)^(2/e1) <= 1, 0 < e1, e2 <= 2 (convex).
struct Superquadric {
    Eigen::Vector3d semi_axes{0.5, 0.5, 0.5};
    double e1 = 1.0, e2 = 1.0;
};
/// Axis z.
struct Cylinder {
    double radius = 0.5, half_length = 0.5;
};
/// z <= 0: fixed bodies only. The free side is +z.
struct HalfSpace {};
/// Intersection of half-spaces a_k . x <= b_k (unit a_k, b_k > 0) with the vertices that they have: polyhedra, and
/// polygons in planar worlds (prisms along y; `vertices` then holds each corner once, with y = 0).
struct Polytope {
    std::vector<Eigen::Vector3d> vertices;
    std::vector<Eigen::Vector3d> normals;
    std::vector<double> offsets;
    /// The corners of face k (numbers of vertices), counter-clockwise seen from outside; two for each edge of a
    /// polygon. make_polytope and make_polygon (polytope.hpp) fill it; contacts with anything but a half-space need it.
    std::vector<std::vector<unsigned>> faces{};
};

/// The outside of a ball (of a circle in planar worlds): a bowl. Fixed bodies only; the free side is the inside.
struct Hollow {
    double radius = 1.0;
};

using Shape = std::variant<Sphere, Box, Ellipsoid, Superquadric, Cylinder, HalfSpace, Polytope, Hollow>;

}  // namespace scree::reference
