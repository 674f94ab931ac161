// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/scene_query.hpp"

#include "engine/geometry/periodic_images.hpp"
#include "engine/model/error.hpp"
#include "engine/query/boundary_queries.hpp"
#include "engine/query/placed_bodies.hpp"
#include "engine/simulation/boundary_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::query {
namespace {

using kernels::Vector3d;
using model::Vec3;

Vector3d of(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 of(Vector3d v) { return {v.x, v.y, v.z}; }

bool finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
std::string text(Vec3 v) { return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z); }

void require(bool holds, const std::string& what, const char* hint) {
    if (!holds) throw model::Error(model::ErrorKind::input, what, hint);
}

void check(const Ray& ray) {
    require(finite(ray.origin), "ray: the origin " + text(ray.origin) + " is not finite", "give a point in metres");
    const bool has_length = finite(ray.direction) && !(ray.direction == Vec3{});
    require(has_length, "ray: the direction " + text(ray.direction) + " is none",
            "give a finite vector of any length but 0");
    require(ray.max_distance >= 0.0, fmt::format("ray: max_distance = {:g} m (allowed: 0 or more)", ray.max_distance),
            "leave it out for rays without end");
}

/// Unit, of vectors however long or short.
Vec3 direction_of(const Ray& ray) {
    const Vec3 d = ray.direction;
    const double largest = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    return model::normalized({d.x / largest, d.y / largest, d.z / largest});
}

bool any_periodic(const model::Scene& scene) {
    return std::any_of(scene.periodic.begin(), scene.periodic.end(), [](const auto& faces) { return faces.active; });
}

struct PlacedBoundary {
    std::string name;
    BoundarySurface surface;
    bool active = true;
    model::Quat rotation;
    Vec3 displacement;
};

/// Whether the periodic face that the line meets first is nearer than `distance`; if so, sets it, the axis and the
/// side.
struct Crossing {
    std::size_t axis = 3;
    bool upward = false;
    double distance = 0.0;
};

Crossing first_crossing(Vec3 from, Vec3 along, const std::array<model::PeriodicFaces, 3>& periodic) {
    const double at[3] = {from.x, from.y, from.z}, way[3] = {along.x, along.y, along.z};
    Crossing first;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!periodic[axis].active || way[axis] == 0.0) continue;
        const bool upward = way[axis] > 0.0;
        const double face = upward ? periodic[axis].upper : periodic[axis].lower;
        const double distance = std::max(0.0, (face - at[axis]) / way[axis]);
        if (first.axis == 3 || distance < first.distance) first = {axis, upward, distance};
    }
    return first;
}

}  // namespace

struct SceneQuery::Impl {
    explicit Impl(const model::Scene& of_scene) : scene(of_scene), bodies(of_scene) {
        for (const model::Boundary& boundary : scene.boundaries) {
            const simulation::Pose pose = simulation::pose_at(boundary, 0.0, scene.settings.time.step);
            boundaries.push_back(
                {boundary.name, BoundarySurface(boundary.shape), pose.active, pose.rotation, pose.displacement});
        }
    }

    /// The nearest hit within `limit`, between the periodic faces.
    [[nodiscard]] std::optional<RayHit> nearest(Vec3 from, Vec3 along, double limit) const {
        const PlacedBodies::BodyTouch body = bodies.touch({of(from), of(along)}, limit);
        RayHit hit;
        Touch best = body.touch;
        hit.body = body.id;
        for (std::size_t b = 0; b < boundaries.size(); ++b) {
            const PlacedBoundary& boundary = boundaries[b];
            if (!boundary.active) continue;
            const model::Quat back = model::conjugate(boundary.rotation);
            const Line line{of(model::rotate(back, from - boundary.displacement)), of(model::rotate(back, along))};
            Touch touch = boundary.surface.touch(line, best.found ? best.distance : limit);
            if (!touch.found || (best.found && !(touch.distance < best.distance))) continue;
            touch.normal = of(model::rotate(boundary.rotation, of(touch.normal)));
            best = touch;
            hit.body = 0;
            hit.boundary = std::int32_t(b);
            hit.name = boundary.name;
        }
        if (!best.found) return std::nullopt;
        hit.distance = best.distance;
        hit.point = from + best.distance * along;
        hit.normal = of(best.normal);
        hit.inside = best.inside;
        return hit;
    }

    [[nodiscard]] std::vector<std::uint64_t> find(const kernels::ConvexShape& region, Vec3 center, Vec3 half) const {
        std::vector<std::uint64_t> ids;
        kernels::PlacedShape placed;
        placed.shape = &region;
        const auto look = [&](Vec3 at, bool) {
            placed.position = of(at);
            geometry::Extent box;
            box.add(at - half);
            box.add(at + half);
            bodies.find(placed, box, ids);
        };
        geometry::for_each_image(geometry::image_inside(center, scene.periodic), scene.periodic, look);
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    }

    const model::Scene& scene;
    PlacedBodies bodies;
    std::vector<PlacedBoundary> boundaries;
};

SceneQuery::SceneQuery(const model::Scene& scene) : impl_(std::make_unique<Impl>(scene)) {}
SceneQuery::SceneQuery(const model::Scene& scene, const model::Snapshot& snapshot) : SceneQuery(scene) {
    update(snapshot);
}
SceneQuery::~SceneQuery() = default;
SceneQuery::SceneQuery(SceneQuery&&) noexcept = default;
SceneQuery& SceneQuery::operator=(SceneQuery&&) noexcept = default;

void SceneQuery::update(const model::Snapshot& snapshot) {
    require(snapshot.boundaries.size() == impl_->boundaries.size(),
            fmt::format("the snapshot has {} boundaries, the scene {}", snapshot.boundaries.size(),
                        impl_->boundaries.size()),
            "take the snapshot from a simulation of this scene");
    const std::size_t sources = impl_->scene.sources.size();
    for (const std::uint32_t source : snapshot.source)
        require(source < sources,
                fmt::format("the snapshot has bodies of source {}, the scene {} sources", source, sources),
                "take the snapshot from a simulation of this scene");
    impl_->bodies.update(snapshot);
    for (std::size_t b = 0; b < snapshot.boundaries.size(); ++b) {
        PlacedBoundary& boundary = impl_->boundaries[b];
        boundary.active = snapshot.boundaries[b].active;
        boundary.rotation = snapshot.boundaries[b].rotation;
        boundary.displacement = snapshot.boundaries[b].displacement;
    }
}

std::optional<RayHit> SceneQuery::cast(const Ray& ray) const {
    check(ray);
    const auto& periodic = impl_->scene.periodic;
    const Vec3 along = direction_of(ray);
    if (!any_periodic(impl_->scene)) return impl_->nearest(ray.origin, along, ray.max_distance);
    Vec3 from = geometry::image_inside(ray.origin, periodic);
    double travelled = 0.0;
    for (int crossings = 0; crossings <= most_crossings; ++crossings) {
        const Crossing crossing = first_crossing(from, along, periodic);
        const double left = ray.max_distance - travelled;
        const bool ends = crossing.axis == 3 || crossing.distance >= left;
        if (auto hit = impl_->nearest(from, along, ends ? left : crossing.distance)) {
            hit->inside = hit->inside && travelled == 0.0;
            hit->distance += travelled;
            return hit;
        }
        if (ends) break;
        travelled += crossing.distance;
        from = from + crossing.distance * along;
        const model::PeriodicFaces& faces = periodic[crossing.axis];
        (crossing.axis == 0   ? from.x
         : crossing.axis == 1 ? from.y
                              : from.z) = crossing.upward ? faces.lower : faces.upper;
    }
    return std::nullopt;
}

std::vector<std::uint64_t> SceneQuery::bodies_in_sphere(Vec3 center, double radius) const {
    require(finite(center), "sphere: the centre " + text(center) + " is not finite", "give a point in metres");
    require(radius >= 0.0 && std::isfinite(radius),
            fmt::format("sphere: radius = {:g} m (allowed: 0 or more, finite)", radius), "0 asks for a point");
    kernels::ConvexShape ball;
    ball.rounding = ball.bounding_radius = radius;
    return impl_->find(ball, center, {radius, radius, radius});
}

std::vector<std::uint64_t> SceneQuery::bodies_in_box(Vec3 lower, Vec3 upper) const {
    require(finite(lower) && finite(upper), "box: " + text(lower) + " to " + text(upper) + " is not finite",
            "give two corners in metres");
    require(lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z,
            "box: " + text(lower) + " to " + text(upper) + " is turned inside out",
            "the first corner is the lower one along each axis");
    const Vec3 half = 0.5 * upper - 0.5 * lower;
    kernels::ConvexShape box;
    box.kind = kernels::ShapeKind::box;
    box.a = half.x, box.b = half.y, box.c = half.z;
    box.bounding_radius = norm(half);
    return impl_->find(box, 0.5 * lower + 0.5 * upper, half);
}

}  // namespace scree::query
