// SPDX-License-Identifier: BSD-3-Clause
// Shapes of solid bodies that are not plain spheres, in body axes about the centre of mass. Lengths in metres.
#pragma once

#include "engine/model/math.hpp"

#include <variant>
#include <vector>

namespace scree::model {

struct SolidSphere {
    double radius = 0.0;
};
struct SolidBox {
    Vec3 half_extents;
};
/// |x/a|^2 + |y/b|^2 + |z/c|^2 <= 1
struct SolidEllipsoid {
    Vec3 semi_axes;
};
/// ((|x/a|)^(2/e2) + (|y/b|)^(2/e2))^(e2/e1) + (|z/c|)^(2/e1) <= 1 with 0 < e1, e2 <= 2.
struct SolidSuperquadric {
    Vec3 semi_axes;
    double e1 = 1.0, e2 = 1.0;
};
/// Axis z.
struct SolidCylinder {
    double radius = 0.0, half_length = 0.0;
};
/// The convex hull of points, in axes of their own: the centre of mass may lie anywhere among them. In planar scenes
/// all points have y = 0 and the solid is the prism over their polygon, 1 m long.
struct SolidPolytope {
    std::vector<Vec3> vertices;
};

using Solid = std::variant<SolidSphere, SolidBox, SolidEllipsoid, SolidSuperquadric, SolidCylinder, SolidPolytope>;

}  // namespace scree::model
