// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/solid.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"
#include "engine/reference/mass_properties.hpp"
#include "engine/reference/polytope.hpp"

#include <cmath>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

Vector3d convert(model::Vec3 v) { return {v.x, v.y, v.z}; }

struct Make {
    bool planar;

    Solid operator()(const model::SolidSphere& s) const { return {Sphere{s.radius}}; }
    Solid operator()(const model::SolidBox& s) const { return {Box{convert(s.half_extents)}}; }
    Solid operator()(const model::SolidEllipsoid& s) const { return {Ellipsoid{convert(s.semi_axes)}}; }
    Solid operator()(const model::SolidSuperquadric& s) const {
        return {Superquadric{convert(s.semi_axes), s.e1, s.e2}};
    }
    Solid operator()(const model::SolidCylinder& s) const { return {Cylinder{s.radius, s.half_length}}; }
    Solid operator()(const model::SolidCapsule&) const { return unknown(); }
    Solid operator()(const model::SolidCone&) const { return unknown(); }
    Solid operator()(const model::SolidCompound&) const { return unknown(); }
    [[noreturn]] static Solid unknown() {
        throw model::Error(model::ErrorKind::input, "the reference steppers have no such shape", "use stepper: ccp");
    }
    Solid operator()(const model::SolidPolytope& s) const {
        std::vector<Vector3d> points;
        for (const model::Vec3& v : s.vertices) points.push_back(convert(v));
        const CentredPolytope body = centred(planar ? make_polygon(points) : make_polytope(points), planar);
        Solid solid{body.shape};
        solid.axes = body.frame.orientation;
        solid.centre = body.frame.position;
        return solid;
    }
};

}  // namespace

Solid make_solid(const model::Solid& solid, bool planar) {
    if (model::only_in_production(solid)) Make::unknown();
    Solid made = std::visit(Make{planar}, solid);
    const MassProperties properties = mass_properties(made.shape, 1.0, planar);
    made.volume = properties.volume;
    made.inertia = properties.inertia / properties.volume;
    made.radius = bounding_radius(made.shape);
    for (Eigen::Index axis = 0; axis < 3; ++axis)
        made.half_extents[axis] = std::max(support(made.shape, Vector3d::Unit(axis))[axis],
                                           -support(made.shape, -Vector3d::Unit(axis))[axis]);
    return made;
}

}  // namespace scree::reference
