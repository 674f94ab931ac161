// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/solid_volumes.hpp"

#include "engine/geometry/compound.hpp"
#include "engine/geometry/mass.hpp"
#include "engine/geometry/shape_surface.hpp"
#include "engine/geometry/sphere_union.hpp"
#include "engine/measure/sphere_box_overlap.hpp"
#include "kernels/collide/shapes/find_manifold.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace scree::measure {
namespace {

using model::Vec3;

Vec3 of(kernels::Vector3d v) { return {v.x, v.y, v.z}; }

/// What places shapes and nothing else; meshes of boundaries may be large.
model::Scene bodies_of(const model::Scene& scene) {
    model::Scene reduced;
    reduced.path = scene.path;
    reduced.materials = scene.materials;
    reduced.sources = scene.sources;
    reduced.settings = scene.settings;
    return reduced;
}

double volume_of(const model::ConvexSolid& shape) {
    model::BodySource alone;
    alone.shape = std::visit([](const auto& solid) { return model::Solid(solid); }, shape);
    return geometry::solid_facts(alone, 1.0, false).mass;  // of unit density
}

/// In the order in which SceneShapes places them.
std::vector<model::ConvexSolid> parts_of(const model::Solid& solid) {
    return std::visit(
        []<class Shape>(const Shape& shape) {
            std::vector<model::ConvexSolid> parts;
            if constexpr (std::is_same_v<Shape, model::SolidCompound>)
                for (const model::SolidPart& part : shape.parts) parts.push_back(part.shape);
            else
                parts.emplace_back(shape);
            return parts;
        },
        solid);
}

bool is_inside(Vec3 center, double radius, Vec3 lower, Vec3 upper) {
    return center.x - radius >= lower.x && center.y - radius >= lower.y && center.z - radius >= lower.z &&
           center.x + radius <= upper.x && center.y + radius <= upper.y && center.z + radius <= upper.z;
}
bool is_apart(Vec3 center, double radius, Vec3 lower, Vec3 upper) {
    return center.x + radius <= lower.x || center.y + radius <= lower.y || center.z + radius <= lower.z ||
           center.x - radius >= upper.x || center.y - radius >= upper.y || center.z - radius >= upper.z;
}

}  // namespace

SolidVolumes::SolidVolumes(const model::Scene& scene)
    : scene_(bodies_of(scene)), solids_(scene_), shapes_(scene_, solids_) {
    const auto shapes = shapes_.shapes().shapes();
    for (std::size_t s = 0; s < scene_.sources.size(); ++s) {
        std::vector<Part>& parts = parts_.emplace_back();
        std::optional<double>& of_clump = of_clumps_.emplace_back();
        const model::Solid* solid = solids_.solid(s);
        if (solid == nullptr) continue;
        if (const auto* compound = std::get_if<model::SolidCompound>(solid))
            if (const auto balls = geometry::balls_of(*compound); !balls.empty()) {
                of_clump = geometry::union_moments(balls).volume;
                continue;
            }
        const std::vector<model::ConvexSolid> given = parts_of(*solid);
        for (std::size_t k = 0; k < given.size(); ++k) {
            Part part{volume_of(given[k]), {}};
            const kernels::ConvexShape& shape = shapes[std::size_t(shapes_.of_source(s)[k].shape)];
            if (shape.kind != kernels::ShapeKind::sphere)
                part.surface = geometry::surface_of(shapes_.shapes().view(), shape, part.volume);
            parts.push_back(std::move(part));
        }
    }
}

geometry::Extent SolidVolumes::extent(const Placed& body) const {
    geometry::Extent extent;
    for (const kernels::PlacedShape& part : body) {
        const geometry::Extent box = geometry::box_around(shapes_.shapes().view(), part);
        extent.add(box.lower);
        extent.add(box.upper);
    }
    return extent;
}

double SolidVolumes::part_in_box(const Part& part, const kernels::PlacedShape& shape, Vec3 lower, Vec3 upper) const {
    const Vec3 center = of(shape.position);
    const double radius = shape.bounding_radius(), scale = shape.scale;
    if (is_apart(center, radius, lower, upper)) return 0.0;
    if (is_inside(center, radius, lower, upper)) return scale * scale * scale * part.volume;
    if (shape.shape->kind == kernels::ShapeKind::sphere) return sphere_box_overlap(center, radius, lower, upper);
    std::vector<Vec3> points;
    points.reserve(part.surface.points.size());
    for (const Vec3 p : part.surface.points)
        points.push_back(center + of(shape.to_world_axes(kernels::Vector3d{scale * p.x, scale * p.y, scale * p.z})));
    return geometry::volume_in_box(points, part.surface.triangles, lower, upper);
}

double SolidVolumes::volume_in_box(const Placed& body, std::size_t source, Vec3 lower, Vec3 upper) const {
    if (!of_clumps_[source]) {
        if (parts_[source].empty())
            return sphere_box_overlap(of(body[0].position), body[0].bounding_radius(), lower, upper);
        double volume = 0.0;
        for (std::size_t k = 0; k < body.size(); ++k) volume += part_in_box(parts_[source][k], body[k], lower, upper);
        return volume;
    }
    std::vector<geometry::Ball> balls;
    bool all_inside = true;
    for (const kernels::PlacedShape& part : body) {
        const geometry::Ball ball{of(part.position), part.bounding_radius()};
        all_inside = all_inside && is_inside(ball.position, ball.radius, lower, upper);
        balls.push_back(ball);
    }
    const double scale = body[0].scale;
    if (all_inside) return scale * scale * scale * *of_clumps_[source];
    return geometry::union_volume_in_box(balls, lower, upper);
}

bool SolidVolumes::are_within(const Placed& a, const Placed& b, double reach) const {
    const kernels::ShapeView view = shapes_.shapes().view();
    for (const kernels::PlacedShape& of_a : a)
        for (const kernels::PlacedShape& of_b : b) {
            kernels::Manifold found;
            kernels::Vector3d axis{0, 0, 0};
            kernels::find_manifold(view, of_a, of_b, reach, axis, found);
            for (int k = 0; k < found.count; ++k)
                if (found.point[k].gap < reach) return true;
        }
    return false;
}

}  // namespace scree::measure
