// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/boundary_speed.hpp"

#include "engine/geometry/boundary_extent.hpp"
#include "engine/geometry/tessellate.hpp"
#include "engine/simulation/boundary_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>
#include <vector>

namespace scree::simulation {
namespace {

using model::Vec3;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int samples = 64;

/// Points among which the fastest one is: speeds are convex over a rigid body, so it is a corner of the hull. Of large
/// meshes the corners in many directions.
std::vector<Vec3> corners(const model::Boundary& boundary, const geometry::Extent& bodies) {
    constexpr std::size_t many = 256;
    const double size = 0.5 * geometry::largest_side(bodies);
    std::vector<Vec3> points = geometry::tessellate(boundary.shape, size > 0.0 && std::isfinite(size) ? size : 1.0,
                                                    0.5 * (bodies.lower + bodies.upper))
                                   .vertices;
    if (points.size() <= many) return points;
    std::vector<Vec3> outer;
    for (std::size_t k = 0; k < many; ++k) {
        // A spiral of golden angles covers the sphere evenly.
        const double z = 1.0 - (2.0 * double(k) + 1.0) / double(many), r = std::sqrt(1.0 - z * z);
        const double angle = double(k) * std::numbers::pi * (3.0 - std::sqrt(5.0));
        const Vec3 direction{r * std::cos(angle), r * std::sin(angle), z};
        outer.push_back(*std::max_element(points.begin(), points.end(),
                                          [&](Vec3 a, Vec3 b) { return dot(a, direction) < dot(b, direction); }));
    }
    return outer;
}

double period_of(const model::Motion& motion) {
    if (motion.kind == model::Motion::Kind::oscillation) return 1.0 / motion.frequency;
    if (motion.kind == model::Motion::Kind::rotation && motion.angular_speed != 0.0)
        return 2.0 * std::numbers::pi / std::abs(motion.angular_speed);
    return infinity;
}

/// The part of a point's velocity that moves the wall.
double sweep_of(const model::PlaneShape& plane, const Pose& pose, Vec3, Vec3 velocity) {
    return std::abs(dot(velocity, model::rotate(pose.rotation, model::normalized(plane.normal))));
}
double sweep_of(const model::RevolutionShape& shape, const Pose& pose, Vec3 at, Vec3 velocity) {
    const Vec3 axis = model::rotate(pose.rotation, model::normalized(shape.axis));
    const Vec3 start = model::rotate(pose.rotation, shape.start) + pose.displacement;
    return norm(velocity - cross(dot(pose.angular_velocity, axis) * axis, at - start));
}
double sweep_of(const model::BoxShape&, const Pose&, Vec3, Vec3 velocity) { return norm(velocity); }
double sweep_of(const model::MeshShape&, const Pose&, Vec3, Vec3 velocity) { return norm(velocity); }

}  // namespace

double shortest_oscillation(const std::vector<model::Motion>& motions) {
    double period = infinity;
    for (const model::Motion& motion : motions)
        if (motion.kind == model::Motion::Kind::oscillation) period = std::min(period, period_of(motion));
    return period;
}

namespace {

/// Calls visit(pose, velocity's moment) at times between 0 and `end`, or until the boundary is removed.
template <class Visit>
void sample_motions(const model::Boundary& boundary, double end, const Visit& visit) {
    const double last = std::min(end, boundary.remove_at);
    std::vector<double> events{0.0, last};
    double shortest = infinity;
    for (const model::Motion& motion : boundary.motions) {
        shortest = std::min(shortest, period_of(motion));
        for (const double t : {motion.start, motion.stop})
            if (t > 0.0 && t < last) events.push_back(t);
        for (const model::Motion::Row& row : motion.rows)
            if (row.time > 0.0 && row.time < last) events.push_back(row.time);
    }
    std::sort(events.begin(), events.end());
    for (std::size_t e = 0; e + 1 < events.size(); ++e) {
        const double length = events[e + 1] - events[e];
        if (!(length > 0.0) || !std::isfinite(length)) continue;
        // Velocities of a moment, not means over a step, within which an oscillation may come back.
        const double moment = 1e-4 * std::min(shortest, length);
        for (int k = 0; k < samples; ++k) {
            visit(pose_at(boundary, events[e] + length * double(k) / samples, moment));
            if (shortest < length) visit(pose_at(boundary, events[e] + shortest * double(k) / samples, moment));
        }
    }
    if (std::isfinite(last)) visit(pose_at(boundary, last, 1e-4 * std::min(shortest, last > 0.0 ? last : 1.0)));
}

}  // namespace

BoundarySpeed boundary_speed(const model::Boundary& boundary, double end, const geometry::Extent& bodies) {
    BoundarySpeed speed;
    if (boundary.motions.empty()) return speed;
    const std::vector<Vec3> points = corners(boundary, bodies);
    sample_motions(boundary, end, [&](const Pose& pose) {
        for (const Vec3 p : points) {
            const Vec3 at = model::rotate(pose.rotation, p) + pose.displacement;
            const Vec3 velocity = pose.velocity + cross(pose.angular_velocity, at - pose.reference);
            speed.largest = std::max(speed.largest, norm(velocity));
            speed.sweep = std::max(
                speed.sweep,
                std::visit([&](const auto& s) { return sweep_of(s, pose, at, velocity - pose.belt); }, boundary.shape));
        }
    });
    for (const model::Motion& motion : boundary.motions) {
        if (motion.kind != model::Motion::Kind::servo) continue;
        speed.largest += motion.largest_speed;
        speed.sweep += motion.largest_speed;
    }
    return speed;
}

BoundaryReach boundary_reach(const model::Boundary& boundary, double end) {
    BoundaryReach reach;
    reach.widest = reach.always = geometry::boundary_extent(boundary.shape);
    if (boundary.motions.empty()) return reach;
    const std::vector<Vec3> points = corners(boundary, {});
    sample_motions(boundary, end, [&](const Pose& pose) {
        geometry::Extent now;
        for (const Vec3 p : points) now.add(model::rotate(pose.rotation, p) + pose.displacement, 0.0);
        for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            reach.widest.lower.*axis = std::min(reach.widest.lower.*axis, now.lower.*axis);
            reach.widest.upper.*axis = std::max(reach.widest.upper.*axis, now.upper.*axis);
            reach.always.lower.*axis = std::max(reach.always.lower.*axis, now.lower.*axis);
            reach.always.upper.*axis = std::min(reach.always.upper.*axis, now.upper.*axis);
        }
    });
    return reach;
}

}  // namespace scree::simulation
