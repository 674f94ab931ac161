// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/boundary_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::simulation {
namespace {

using model::Motion;
using model::Quat;
using model::Vec3;

/// Seconds that the motion has run at time t.
double running_time(const Motion& motion, double t) { return std::clamp(t, motion.start, motion.stop) - motion.start; }

/// Of a path or turning, at time t, less that of t = 0.
Vec3 way_at(const Motion& motion, double t) {
    return motion.rows.empty() ? Vec3{} : value_at(motion.rows, t) - value_at(motion.rows, 0.0);
}

struct Placement {
    Quat rotation;
    Vec3 displacement;
};

Placement placement_at(std::span<const Motion> motions, double t) {
    Placement p;
    Vec3 shift;
    for (const Motion& motion : motions) {
        const double run = running_time(motion, t);
        switch (motion.kind) {
            case Motion::Kind::translation:
                shift = shift + run * motion.velocity;
                break;
            case Motion::Kind::oscillation: {
                const double angle = 2.0 * std::numbers::pi * motion.frequency * run;
                shift = shift + (std::sin(angle + motion.phase) - std::sin(motion.phase)) * motion.amplitude;
                break;
            }
            case Motion::Kind::path:
                shift = shift + way_at(motion, t);
                break;
            case Motion::Kind::belt:
            case Motion::Kind::servo:
                break;
            case Motion::Kind::rotation:
            case Motion::Kind::turning: {
                const bool by_rows = motion.kind == Motion::Kind::turning;
                const double angle = by_rows ? way_at(motion, t).x : motion.angular_speed * run;
                const Quat turn = model::from_axis_angle(motion.axis, angle);
                // x -> turn (x - point) + point, after what turned before.
                p.rotation = turn * p.rotation;
                p.displacement = model::rotate(turn, p.displacement - motion.point) + motion.point;
                break;
            }
        }
    }
    p.displacement = p.displacement + shift;
    return p;
}

/// Angular velocity that turns q0 into q1 within `step`.
Vec3 angular_velocity(Quat q0, Quat q1, double step) {
    Quat d = q1 * model::conjugate(q0);
    if (d.w < 0.0) d = {-d.w, -d.x, -d.y, -d.z};
    const Vec3 axis{d.x, d.y, d.z};
    const double s = model::norm(axis);
    if (s == 0.0) return {};
    return (2.0 * std::atan2(s, d.w) / (s * step)) * axis;
}

/// The velocity that belts give the surface, mean over the step.
Vec3 belt_velocity(std::span<const Motion> motions, Quat rotation, double time, double step) {
    Vec3 sum;
    for (const Motion& motion : motions)
        if (motion.kind == Motion::Kind::belt)
            sum = sum + ((running_time(motion, time + step) - running_time(motion, time)) / step) * motion.velocity;
    return model::rotate(rotation, sum);
}

}  // namespace

Vec3 value_at(std::span<const Motion::Row> rows, double time) {
    const auto later =
        std::upper_bound(rows.begin(), rows.end(), time, [](double t, const Motion::Row& row) { return t < row.time; });
    if (later == rows.begin()) return rows.front().value;
    if (later == rows.end()) return rows.back().value;
    const Motion::Row& from = *(later - 1);
    return from.value + ((time - from.time) / (later->time - from.time)) * (later->value - from.value);
}

Pose pose_at(const model::Boundary& boundary, double time, double step) {
    Pose pose;
    // Times are sums of steps: a removal at 1 s must not wait a step for round-off.
    pose.active = time < boundary.remove_at - 1e-9 * step;
    const Placement now = placement_at(boundary.motions, time);
    const Placement next = placement_at(boundary.motions, time + step);
    pose.rotation = now.rotation;
    pose.displacement = now.displacement;
    const auto place = [&](const Placement& p) {
        return model::rotate(p.rotation, boundary.torque_point) + p.displacement;
    };
    pose.reference = place(now);
    pose.belt = belt_velocity(boundary.motions, now.rotation, time, step);
    pose.velocity = (1.0 / step) * (place(next) - pose.reference) + pose.belt;
    pose.angular_velocity = angular_velocity(now.rotation, next.rotation, step);
    pose.moving = !(pose.velocity == Vec3{}) || !(pose.angular_velocity == Vec3{});
    return pose;
}

PrescribedPose prescribed_at(std::span<const model::Motion> motions, Vec3 position, Quat orientation, double time,
                             double step) {
    const Placement now = placement_at(motions, time), next = placement_at(motions, time + step);
    const auto place = [&](const Placement& p) { return model::rotate(p.rotation, position) + p.displacement; };
    return {place(now), now.rotation * orientation, (1.0 / step) * (place(next) - place(now)),
            angular_velocity(now.rotation, next.rotation, step)};
}

}  // namespace scree::simulation
