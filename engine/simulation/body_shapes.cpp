// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/body_shapes.hpp"

#include <algorithm>
#include <variant>

namespace scree::simulation {
namespace {

void put(double (&to)[3], model::Vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

}  // namespace

kernels::ShapeLibrary library_of(const geometry::ConvexShapes& shapes) {
    return {.shapes = {shapes.shapes().begin(), shapes.shapes().end()},
            .vertices = shapes.vertices(),
            .vertex_blocks = shapes.vertex_blocks(),
            .first_neighbour = shapes.first_neighbour(),
            .neighbours = shapes.neighbours(),
            .planes = shapes.planes(),
            .plane_blocks = shapes.plane_blocks(),
            .ways = shapes.ways(),
            .first_corner = shapes.first_corner(),
            .corners = shapes.corners(),
            .face_beyond = shapes.face_beyond()};
}

void add_parts(const model::Scene& scene, const geometry::SourceSolids& solids, const geometry::SceneShapes& shapes,
               const std::vector<model::Sphere>& bodies, kernels::WorldDescription& world) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const model::Sphere& body = bodies[i];
        const kernels::Index collides = model::collides(scene.sources[body.source]) ? 1 : 0;
        for (const geometry::SceneShapes::Part& given : shapes.of_source(body.source)) {
            kernels::BodyPart part;
            part.body = kernels::Index(i);
            part.shape = given.shape;
            part.scale = solids.scale(body);
            part.collides = collides;
            put(part.offset, part.scale * given.offset);
            const model::Quat q = given.rotation;
            part.rotation[0] = q.w, part.rotation[1] = q.x, part.rotation[2] = q.y, part.rotation[3] = q.z;
            world.body_parts.push_back(part);
        }
        const model::Vec3 inertia = solids.facts(body).inertia;
        world.inertia.insert(world.inertia.end(), {inertia.x, inertia.y, inertia.z, 0.0, 0.0, 0.0});
    }
    const auto pushed = [&](const model::Sphere& body) -> const model::BodySource* {
        const auto* source = std::get_if<model::BodySource>(&scene.sources[body.source].what);
        const bool any = source != nullptr && !(source->force == model::Vec3{} && source->torque == model::Vec3{});
        return any ? source : nullptr;
    };
    if (std::any_of(bodies.begin(), bodies.end(), pushed))
        for (const model::Sphere& body : bodies) {
            const model::BodySource* source = pushed(body);
            const model::Vec3 f = source != nullptr ? source->force : model::Vec3{};
            const model::Vec3 t = source != nullptr ? source->torque : model::Vec3{};
            world.wrench.insert(world.wrench.end(), {f.x, f.y, f.z, t.x, t.y, t.z});
        }
}

void add_shapes(const model::Scene& scene, const geometry::SourceSolids& solids,
                const std::vector<model::Sphere>& bodies, kernels::WorldDescription& world) {
    if (!solids.any()) return;
    const geometry::SceneShapes shapes(scene, solids);
    add_parts(scene, solids, shapes, bodies, world);
    world.shapes = library_of(shapes.shapes());
}

}  // namespace scree::simulation
