// SPDX-License-Identifier: BSD-3-Clause
// Simulation::snapshot: from slot order on the backend to id order on the host.
#include "engine/simulation/simulation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace scree::simulation {
namespace {

using model::Vec3;

Vec3 three(const std::vector<double>& rows, std::size_t at) { return {rows[at], rows[at + 1], rows[at + 2]}; }

}  // namespace

model::Snapshot Simulation::snapshot(Contacts which) {
    const double h = scene_.settings.time.step;
    model::Snapshot s;
    s.step = std::size_t(step_);
    s.time = time();
    s.step_size = h;

    kernels::BodyDownload bodies;
    engine_->download(bodies);
    const std::size_t n = bodies.id.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return bodies.id[a] < bodies.id[b]; });
    for (const std::size_t i : order) {
        const double inverse_mass = bodies.inverse_mass[2 * i], inverse_inertia = bodies.inverse_mass[2 * i + 1];
        const Vec3 v = three(bodies.velocity, 6 * i), w = three(bodies.velocity, 6 * i + 3);
        s.id.push_back(std::uint64_t(bodies.id[i]));
        s.position.push_back(three(bodies.position, 4 * i));
        s.radius.push_back(bodies.position[4 * i + 3]);
        s.orientation.push_back({bodies.orientation[4 * i], bodies.orientation[4 * i + 1],
                                 bodies.orientation[4 * i + 2], bodies.orientation[4 * i + 3]});
        s.velocity.push_back(v);
        s.angular_velocity.push_back(w);
        const bool free = inverse_mass > 0.0;
        s.mass.push_back(free ? 1.0 / inverse_mass : std::numeric_limits<double>::infinity());
        // Contacts change v* into v: their mean force over the step is m (v - v*) / h.
        const Vec3 dv = v - three(bodies.free_velocity, 6 * i), dw = w - three(bodies.free_velocity, 6 * i + 3);
        if (!bodies.load.empty()) {
            s.force.push_back(three(bodies.load, 6 * i));
            s.torque.push_back(three(bodies.load, 6 * i + 3));
        } else {
            s.force.push_back(free && step_ > 0 ? (1.0 / (inverse_mass * h)) * dv : Vec3{});
            s.torque.push_back(free && step_ > 0 ? (1.0 / (inverse_inertia * h)) * dw : Vec3{});
        }
        s.material.push_back(std::uint32_t(bodies.material[i]));
        const auto fact = std::size_t(bodies.id[i] - 1);
        s.source.push_back(facts_[fact].source);
        if (shapes_.empty()) continue;
        s.shape.push_back(shapes_[fact].shape);
        s.semi_axes.push_back(shapes_[fact].half_extents);
        s.inertia.push_back(shapes_[fact].inertia);
    }

    if (which != Contacts::none) {
        kernels::ContactDownload contacts;
        engine_->download(contacts);
        const bool all = which == Contacts::all;
        if (all) s.contacts.reserve(contacts.a.size());
        for (std::size_t c = 0; c < contacts.a.size(); ++c) {
            if (!all && contacts.partner[c] >= 0) continue;
            const auto a = std::size_t(contacts.a[c]);
            model::ContactRecord record;
            record.id_a = std::uint64_t(bodies.id[a]);
            if (contacts.partner[c] >= 0)
                record.id_b = std::uint64_t(bodies.id[std::size_t(contacts.partner[c])]);
            else
                record.boundary = -1 - contacts.partner[c];
            record.normal = three(contacts.normal, 3 * c);
            record.point = contacts.point.empty() ? three(bodies.position, 4 * a) + contacts.lever_a[c] * record.normal
                                                  : three(contacts.point, 3 * c);
            record.force = (1.0 / h) * three(contacts.impulse, 3 * c);
            if (!contacts.moment.empty()) record.moment = (1.0 / h) * three(contacts.moment, 3 * c);
            record.gap = contacts.gap[c];
            s.contacts.push_back(record);
        }
    }

    const auto loads = boundary_loads();
    for (std::size_t b = 0; b < scene_.boundaries.size(); ++b) {
        const Pose pose = pose_of(b);
        model::BoundaryState state;
        state.active = pose.active;
        state.displacement = pose.displacement;
        state.rotation = pose.rotation;
        state.velocity = pose.velocity;
        state.angular_velocity = pose.angular_velocity;
        if (b < loads.size()) {
            state.force = {loads[b].force[0], loads[b].force[1], loads[b].force[2]};
            state.torque = {loads[b].torque[0], loads[b].torque[1], loads[b].torque[2]};
        }
        s.boundaries.push_back(state);
    }
    s.joints = joints();
    s.removed_count = balance_.removed_by_outlet;
    s.removed_mass = balance_.removed_mass;
    return s;
}

std::vector<model::JointState> Simulation::joints() {
    std::vector<model::JointState> states;
    if (scene_.joints.empty()) return states;
    for (const kernels::JointLoad& load : engine_->joint_loads())
        states.push_back({load.turn,
                          load.slide,
                          {load.force[0], load.force[1], load.force[2]},
                          {load.torque[0], load.torque[1], load.torque[2]},
                          load.turn_motor,
                          load.slide_motor});
    return states;
}

}  // namespace scree::simulation
