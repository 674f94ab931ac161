// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/scene_shapes.hpp"

#include "engine/geometry/compound.hpp"
#include "engine/reference/solid.hpp"
#include "kernels/collide/shapes/find_manifold.hpp"

#include <algorithm>
#include <variant>

namespace scree::geometry {
namespace {

/// One alternative of model::Solid per line; polytopes in principal axes about their centre of mass.
struct AddShape {
    ConvexShapes& shapes;
    bool planar;

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
    /// make_compound() takes compounds apart.
    std::int32_t operator()(const model::SolidCompound&) const { return -1; }
    std::int32_t operator()(const model::SolidPolytope& s) const {
        const reference::Solid solid = reference::make_solid(s, planar);
        std::vector<model::Vec3> points;
        for (const Eigen::Vector3d& v : std::get<reference::Polytope>(solid.shape).vertices) {
            if (!planar) {
                points.push_back({v.x(), v.y(), v.z()});
                continue;
            }
            for (const double y : {-0.5, 0.5}) points.push_back({v.x(), y, v.z()});  // a prism, 1 m long
        }
        return shapes.add_polyhedron(points);
    }
};

kernels::Vector3d of(model::Vec3 v) { return {v.x, v.y, v.z}; }

/// Moves parts from the shape's own axes to those of the body.
void place(const SolidFacts& facts, std::vector<SceneShapes::Part>& parts) {
    if (facts.shift == model::Vec3{} && facts.turn == model::Quat{}) return;
    for (SceneShapes::Part& part : parts) {
        part.offset = facts.shift + model::rotate(facts.turn, part.offset);
        part.rotation = facts.turn * part.rotation;
    }
}

}  // namespace

SceneShapes::SceneShapes(const model::Scene& scene, const SourceSolids& solids) : solids_(solids) {
    const std::int32_t sphere = shapes_.add_sphere(1.0);
    for (std::size_t s = 0; s < scene.sources.size(); ++s) {
        std::vector<Part>& parts = parts_of_.emplace_back();
        const model::Solid* solid = solids.solid(s);
        try {
            if (solid == nullptr) {
                parts.push_back({sphere, {}, {}});
            } else if (const auto* compound = std::get_if<model::SolidCompound>(solid)) {
                for (const PlacedPart& part : make_compound(*compound, 1.0).parts)
                    parts.push_back(
                        {std::visit(AddShape{shapes_, scene.settings.planar}, part.shape), part.offset, part.rotation});
            } else {
                parts.push_back({std::visit(AddShape{shapes_, scene.settings.planar}, *solid), {}, {}});
            }
            if (solid != nullptr && std::holds_alternative<model::BodySource>(scene.sources[s].what))
                place(solids.of_source(s), parts);
        } catch (const model::Error& error) {
            throw error_of_source(scene, s, error);
        }
    }
}

std::vector<kernels::PlacedShape> SceneShapes::placed(const model::Sphere& body, model::Vec3 position) const {
    std::vector<kernels::PlacedShape> placed;
    const double scale = solids_.scale(body);
    for (const Part& part : parts_of_[body.source]) {
        kernels::PlacedShape& shape = placed.emplace_back();
        const model::Quat turn = body.orientation * part.rotation;
        shape.shape = &shapes_.shapes()[std::size_t(part.shape)];
        shape.position = of(position + scale * model::rotate(body.orientation, part.offset));
        shape.axis[0] = of(model::rotate(turn, {1, 0, 0}));
        shape.axis[1] = of(model::rotate(turn, {0, 1, 0}));
        shape.axis[2] = of(model::rotate(turn, {0, 0, 1}));
        shape.scale = scale;
    }
    return placed;
}

std::vector<kernels::PlacedShape> SceneShapes::placed(const model::Snapshot& snapshot, std::size_t i,
                                                      model::Vec3 position) const {
    model::Sphere body;
    body.orientation = snapshot.orientation[i];
    body.radius = snapshot.radius[i];
    body.source = snapshot.source[i];
    return placed(body, position);
}

Extent box_around(const kernels::ShapeView& view, const kernels::PlacedShape& shape) {
    Extent box;
    const double margin = 1e-12 * shape.bounding_radius();
    for (const double side : {-1.0, 1.0}) {
        const model::Vec3 far{kernels::support(view, shape, {side, 0, 0}).x + side * margin,
                              kernels::support(view, shape, {0, side, 0}).y + side * margin,
                              kernels::support(view, shape, {0, 0, side}).z + side * margin};
        (side < 0.0 ? box.lower : box.upper) = far;
    }
    box.empty = false;
    return box;
}

std::optional<PartOverlap> overlapping_parts(const SceneShapes& shapes, const SourceSolids& solids,
                                             std::size_t source) {
    model::Sphere body;
    body.source = source;
    body.radius = solids.of_source(source).radius;
    const std::vector<kernels::PlacedShape> parts = shapes.placed(body, {});
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
            const kernels::Vector3d way = parts[j].position - parts[i].position;
            if (norm(way) >= parts[i].bounding_radius() + parts[j].bounding_radius()) continue;
            const double depth = overlap_of(shapes, {parts[i]}, {parts[j]});
            if (depth > 1e-6 * body.radius) return PartOverlap{i, j, depth};
        }
    return std::nullopt;
}

namespace {

/// The smallest gap of two bodies' parts among those up to `reach` [m]; infinite when there is none.
double smallest_gap(const SceneShapes& shapes, const std::vector<kernels::PlacedShape>& a,
                    const std::vector<kernels::PlacedShape>& b, double reach) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const kernels::PlacedShape& of_a : a)
        for (const kernels::PlacedShape& of_b : b) {
            kernels::Manifold found;
            kernels::Vector3d axis{0, 0, 0};
            kernels::find_manifold(shapes.shapes().view(), of_a, of_b, reach, axis, found);
            for (int k = 0; k < found.count; ++k) smallest = std::min(smallest, found.point[k].gap);
        }
    return smallest;
}

}  // namespace

double overlap_of(const SceneShapes& shapes, const std::vector<kernels::PlacedShape>& a,
                  const std::vector<kernels::PlacedShape>& b) {
    return std::max(0.0, -smallest_gap(shapes, a, b, 0.0));
}

bool are_within(double gap, const SceneShapes& shapes, const std::vector<kernels::PlacedShape>& a,
                const std::vector<kernels::PlacedShape>& b) {
    return smallest_gap(shapes, a, b, gap) < gap;
}

}  // namespace scree::geometry
