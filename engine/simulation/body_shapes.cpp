// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/body_shapes.hpp"

#include "engine/geometry/convex_shapes.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/solid.hpp"

#include <variant>

namespace scree::simulation {
namespace {

/// One alternative of model::Solid per line; polytopes in principal axes about their centre of mass.
struct AddShape {
    geometry::ConvexShapes& shapes;

    std::int32_t operator()(const model::SolidSphere& s) const { return shapes.add_sphere(s.radius); }
    std::int32_t operator()(const model::SolidBox& s) const { 
        const double r = s.rounding;
        return shapes.add_box(s.half_extents - model::Vec3{r, r, r}, r);
    }
    std::int32_t operator()(const model::SolidEllipsoid& s) const { return shapes.add_ellipsoid(s.semi_axes); }
    std::int32_t operator()(const model::SolidSuperquadric& s) const {
        return shapes.add_superquadric(s.semi_axes, s.e1, s.e2);
    }
    std::int32_t operator()(const model::SolidCylinder& s) const {
        return shapes.add_cylinder(s.radius - s.rounding, s.half_length - s.rounding, s.rounding);
    }
    std::int32_t operator()(const model::SolidCapsule& s) const { return shapes.add_capsule(s.radius, s.half_length); }
    std::int32_t operator()(const model::SolidCone& s) const { return shapes.add_cone(s.radius, s.height); }
    std::int32_t operator()(const model::SolidPolytope& s) const {
        const reference::Solid solid = reference::make_solid(s, false);
        std::vector<model::Vec3> points;
        for (const Eigen::Vector3d& v : std::get<reference::Polytope>(solid.shape).vertices)
            points.push_back({v.x(), v.y(), v.z()});
        return shapes.add_polyhedron(points);
    }
};

}  // namespace

void add_shapes(const model::Scene& scene, const geometry::SourceSolids& solids,
                const std::vector<model::Sphere>& bodies, kernels::WorldDescription& world) {
    if (!solids.any()) return;
    geometry::ConvexShapes shapes;
    const std::int32_t sphere = shapes.add_sphere(1.0);
    std::vector<std::int32_t> shape_of(scene.sources.size(), sphere);
    for (std::size_t s = 0; s < scene.sources.size(); ++s) {
        const model::Solid* solid = solids.solid(s);
        if (solid == nullptr) continue;
        try {
            shape_of[s] = std::visit(AddShape{shapes}, *solid);
        } catch (const model::Error& error) {
            throw geometry::error_of_source(scene, s, error);
        }
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const model::Sphere& body = bodies[i];
        const std::int32_t shape = shape_of[body.source];
        kernels::BodyPart part;
        part.body = kernels::Index(i);
        part.shape = shape;
        part.scale = solids.scale(body);
        world.body_parts.push_back(part);
        const model::Vec3 inertia = solids.facts(body).inertia;
        world.inertia.insert(world.inertia.end(), {inertia.x, inertia.y, inertia.z, 0.0, 0.0, 0.0});
    }
    world.shapes.shapes.assign(shapes.shapes().begin(), shapes.shapes().end());
    world.shapes.vertices = shapes.vertices();
    world.shapes.vertex_blocks = shapes.vertex_blocks();
    world.shapes.first_neighbour = shapes.first_neighbour();
    world.shapes.neighbours = shapes.neighbours();
    world.shapes.planes = shapes.planes();
    world.shapes.first_corner = shapes.first_corner();
    world.shapes.corners = shapes.corners();
}

}  // namespace scree::simulation
