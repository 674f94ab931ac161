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
    double rounding = 0.0;  ///< Radius of edges and corners, inside the half extents; below the least of them.
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
    double rounding = 0.0;  ///< Radius of the rims, inside the sizes; below both.
};
/// A ball swept along the z axis from -half_length to half_length.
struct SolidCapsule {
    double radius = 0.0, half_length = 0.0;
};
/// Axis z, about its centre of mass: base at z = -height / 4, apex at z = 3 height / 4.
struct SolidCone {
    double radius = 0.0, height = 0.0;
};
/// The convex hull of points, in axes of their own: the centre of mass may lie anywhere among them. In planar scenes
/// all points have y = 0 and the solid is the prism over their polygon, 1 m long.
struct SolidPolytope {
    std::vector<Vec3> vertices;
};

using ConvexSolid = std::variant<SolidSphere, SolidBox, SolidEllipsoid, SolidSuperquadric, SolidCylinder, SolidPolytope,
                                 SolidCapsule, SolidCone>;
/// One part of a compound, in axes that its parts share. A part's place is that of its own centre of mass.
struct SolidPart {
    ConvexSolid shape;
    Vec3 position;
    Quat orientation;
};
/// Convex parts fixed to one another: concave bodies, clumps. Mass and moments of spheres alone are those of their
/// union, else the sums of those of the parts: where parts overlap both count.
struct SolidCompound {
    std::vector<SolidPart> parts;
};

using Solid = std::variant<SolidSphere, SolidBox, SolidEllipsoid, SolidSuperquadric, SolidCylinder, SolidPolytope,
                           SolidCapsule, SolidCone, SolidCompound>;

/// Shapes that only the production step knows.
[[nodiscard]] inline bool only_in_production(const Solid& solid) {
    if (const auto* box = std::get_if<SolidBox>(&solid)) return box->rounding > 0.0;
    if (const auto* cylinder = std::get_if<SolidCylinder>(&solid)) return cylinder->rounding > 0.0;
    return std::holds_alternative<SolidCapsule>(solid) || std::holds_alternative<SolidCone>(solid) ||
           std::holds_alternative<SolidCompound>(solid);
}

}  // namespace scree::model
