// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/reference_world.hpp"

#include "engine/geometry/mass.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/solid.hpp"
#include "engine/scene/lines.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace scree::simulation {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d of(model::Vec3 v) { return {v.x, v.y, v.z}; }
Quaterniond of(model::Quat q) { return {q.w, q.x, q.y, q.z}; }

/// With the line of entry `index` of `list`.
[[noreturn]] void refuse(const model::Scene& scene, const char* list, std::size_t index, const std::string& what,
                         const std::string& hint) {
    throw model::Error(model::ErrorKind::input, what, hint, scene.path, scene::line_of(scene.path, list, index));
}
[[noreturn]] void refuse(const model::Scene& scene, const model::Boundary& boundary, const std::string& what,
                         const std::string& hint) {
    // Callers hold a reference into the scene's own list.
    refuse(scene, "boundaries", std::size_t(&boundary - scene.boundaries.data()),
           fmt::format("boundary '{}': ", boundary.name) + what, hint);
}

/// Steady motion of a wall: velocity of `point` and angular velocity about an axis through it.
struct SteadyMotion {
    Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();
    Vector3d axis_point = Vector3d::Zero();
};

SteadyMotion steady_motion(const model::Scene& scene, const model::Boundary& boundary) {
    SteadyMotion sum;
    if (std::isfinite(boundary.remove_at))
        refuse(scene, boundary, fmt::format("is removed at {:g} s", boundary.remove_at),
               "the reference world has walls that stay: leave out remove_at");
    for (const model::Motion& motion : boundary.motions) {
        const bool is_steady =
            motion.kind == model::Motion::Kind::translation || motion.kind == model::Motion::Kind::rotation;
        if (!is_steady || motion.start > 0.0 || std::isfinite(motion.stop))
            refuse(scene, boundary, "its motion is not steady",
                   "the reference world takes translations and rotations that last the whole run");
        if (motion.kind == model::Motion::Kind::translation) {
            sum.velocity += of(motion.velocity);
            continue;
        }
        if (!sum.spin.isZero(0.0)) refuse(scene, boundary, "has two rotations", "the reference world takes one");
        sum.spin = motion.angular_speed * of(model::normalized(motion.axis));
        sum.axis_point = of(motion.point);
    }
    return sum;
}

/// A point of the axis where the part may be anchored: on the plane (for half-spaces), or the centre itself.
reference::Body anchored(const model::Scene& scene, const model::Boundary& boundary, reference::Body body,
                         const SteadyMotion& motion) {
    body.fixed = true;
    body.material = boundary.material;
    body.velocity = motion.velocity;
    body.angular_velocity = motion.spin;
    if (motion.spin.isZero(0.0)) return body;
    const Vector3d axis = motion.spin.normalized();
    const Vector3d from = motion.axis_point - body.pose.position;
    const double scale = 1e-12 * (body.pose.position.norm() + motion.axis_point.norm());
    bool reachable = (from - from.dot(axis) * axis).norm() <= scale;
    if (std::holds_alternative<reference::HalfSpace>(body.shape)) {
        const Vector3d up = body.pose.orientation * Vector3d::UnitZ();
        const double climb = axis.dot(up), height = from.dot(up);
        const bool crosses = std::abs(climb) > 1e-9;
        reachable = crosses || std::abs(height) <= scale;
        // Any point of a plane serves as its anchor.
        if (reachable) body.pose.position = motion.axis_point - (crosses ? height / climb : 0.0) * axis;
    }
    if (!reachable)
        refuse(scene, boundary, fmt::format("its axis of rotation misses the part '{}'", body.name),
               "the reference world turns boxes about their centre and planes about an axis that meets them");
    return body;
}

reference::Body half_space(std::string name, const Vector3d& point, const Vector3d& normal) {
    reference::Body body;
    body.name = std::move(name);
    body.shape = reference::HalfSpace{};
    Eigen::Index least = 0;
    normal.cwiseAbs().minCoeff(&least);
    Eigen::Matrix3d frame;
    frame.col(2) = normal;
    frame.col(0) = normal.cross(Vector3d::Unit(least)).normalized();
    frame.col(1) = normal.cross(frame.col(0));
    body.pose = {point, Quaterniond(frame)};
    return body;
}

std::vector<reference::Body> parts_of(const model::Scene& scene, const model::Boundary& boundary) {
    if (const auto* plane = std::get_if<model::PlaneShape>(&boundary.shape))
        return {half_space(boundary.name, of(plane->point), of(plane->normal))};
    const auto* box = std::get_if<model::BoxShape>(&boundary.shape);
    if (box == nullptr) refuse(scene, boundary, "the reference world has no such shape", "it takes planes and boxes");
    if (!box->container) {
        reference::Body body;
        body.name = boundary.name;
        body.shape = reference::Box{of(box->half_extents)};
        body.pose = {of(box->center), of(box->orientation)};
        return {body};
    }
    constexpr std::array<const char*, 6> faces{"-x", "+x", "-y", "+y", "-z", "+z"};
    std::vector<reference::Body> parts;
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        if (box->open[std::size_t(face)] || (scene.settings.planar && axis == 1)) continue;
        const Vector3d out = of(box->orientation) * ((face % 2 == 0 ? -1.0 : 1.0) * Vector3d::Unit(axis));
        parts.push_back(half_space(fmt::format("{} {}", boundary.name, faces[std::size_t(face)]),
                                   of(box->center) + of(box->half_extents)[axis] * out, -out));
    }
    return parts;
}

reference::Body body_of(const model::Scene& scene, const model::Sphere& sphere, std::string name) {
    reference::Body body;
    body.name = std::move(name);
    const double density = scene.materials[sphere.material].density;
    if (const auto* source = std::get_if<model::BodySource>(&scene.sources[sphere.source].what)) {
        const geometry::SolidFacts facts = geometry::solid_facts(*source, density, scene.settings.planar);
        body.shape = reference::make_solid(source->shape, scene.settings.planar).shape;
        body.mass = facts.mass;
        body.inertia = of(facts.inertia);
    } else {
        body.shape = reference::Sphere{sphere.radius};
        body.mass = geometry::sphere_mass(density, sphere.radius);
        body.inertia.setConstant(geometry::sphere_inertia(body.mass, sphere.radius));
    }
    body.fixed = sphere.fixed;
    body.material = sphere.material;
    body.pose = {of(sphere.position), of(sphere.orientation)};
    body.velocity = of(sphere.velocity);
    body.angular_velocity = of(sphere.angular_velocity);
    return body;
}

std::vector<reference::ContactLaw> laws_of(const model::Scene& scene) {
    const std::size_t n = scene.materials.size();
    std::vector<reference::ContactLaw> laws(n * n);
    for (const model::MaterialPair& pair : scene.pairs) {
        if (pair.spinning_resistance > 0.0 || pair.cohesion > 0.0)
            refuse(scene, "pairs", std::size_t(&pair - scene.pairs.data()),
                   fmt::format("pair '{}', '{}': the reference world has neither spinning resistance nor cohesion",
                               scene.materials[pair.first].name, scene.materials[pair.second].name),
                   "set them to 0");
        reference::ContactLaw law;
        law.friction.sliding = pair.friction;
        law.friction.sticking = pair.static_friction;
        law.friction.fall_speed = pair.fall_speed;
        law.friction.aspect = pair.friction_aspect;
        law.friction.torsion_radius = pair.torsion_radius;
        law.friction.rolling = pair.rolling_resistance;
        law.restitution = pair.restitution;
        law.tangential_restitution = pair.tangential_restitution;
        laws[pair.first * n + pair.second] = laws[pair.second * n + pair.first] = law;
    }
    return laws;
}

/// The constant wrenches of the sources, by body; empty when there is none.
std::vector<reference::Wrench> applied(const model::Scene& scene, const std::vector<model::Sphere>& bodies) {
    std::vector<reference::Wrench> wrenches(bodies.size());
    bool any = false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto* source = std::get_if<model::BodySource>(&scene.sources[bodies[i].source].what);
        if (source == nullptr) continue;
        wrenches[i] = {of(source->force), of(source->torque)};
        any = any || !(source->force == model::Vec3{}) || !(source->torque == model::Vec3{});
    }
    if (!any) wrenches.clear();
    return wrenches;
}

}  // namespace

reference::World reference_world(const model::Scene& scene, const std::vector<model::Sphere>& bodies) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (scene.periodic[axis].active)
            refuse(scene, "periodic", 0,
                   fmt::format("periodic.{}: the reference world has no periodic faces", "xyz"[axis]),
                   "leave out periodic");
    reference::World world;
    world.planar = scene.settings.planar;
    world.gravity = of(scene.gravity);
    world.materials = scene.materials.size();
    world.laws = laws_of(scene);
    std::vector<std::size_t> made(scene.sources.size(), 0), seen(scene.sources.size(), 0);
    for (const model::Sphere& sphere : bodies) ++made[sphere.source];
    for (std::size_t s = 0; s < scene.sources.size(); ++s)
        if (const auto* body = std::get_if<model::BodySource>(&scene.sources[s].what);
            body != nullptr && (body->center_of_mass || body->inertia_axes || !body->collide))
            refuse(scene, "bodies", s,
                   "the reference world has homogeneous solids that touch: no center_of_mass, inertia_axes or "
                   "collide: false",
                   "leave them out");
    for (const model::Sphere& sphere : bodies) {
        std::string source = scene.sources[sphere.source].name;
        if (source.empty()) source = fmt::format("bodies[{}]", sphere.source);
        const std::size_t number = ++seen[sphere.source];
        world.bodies.push_back(
            body_of(scene, sphere, made[sphere.source] == 1 ? source : fmt::format("{}#{}", source, number)));
    }
    for (const model::Boundary& boundary : scene.boundaries) {
        const SteadyMotion motion = steady_motion(scene, boundary);
        for (reference::Body& part : parts_of(scene, boundary))
            world.bodies.push_back(anchored(scene, boundary, std::move(part), motion));
    }
    if (auto wrenches = applied(scene, bodies); !wrenches.empty())
        world.wrench = [wrenches = std::move(wrenches)](double, std::size_t body, const reference::Pose&,
                                                        const Vector3d&, const Vector3d&) { return wrenches[body]; };
    return world;
}

}  // namespace scree::simulation
