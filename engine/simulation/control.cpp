// SPDX-License-Identifier: BSD-3-Clause
// What a program imposes on a Simulation: forces, velocities, walls, motors.
#include "engine/model/error.hpp"
#include "engine/simulation/motor_range.hpp"
#include "engine/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace scree::simulation {
namespace {

using model::Vec3;

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, message, hint);
}

void need_finite(Vec3 v, const std::string& what, const char* unit) {
    if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) return;
    refuse(fmt::format("{} of ({}, {}, {}) {}", what, v.x, v.y, v.z, unit), "finite numbers are needed");
}

void put(double (&to)[3], Vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

}  // namespace

void Simulation::need_free_body(std::uint64_t id) const {
    if (id == 0 || id > facts_.size())
        refuse(fmt::format("there is no body {}", id),
               fmt::format("ids count from 1; {} bodies have joined so far", facts_.size()));
    if (facts_[std::size_t(id - 1)].fixed)
        refuse(fmt::format("body {} is fixed: forces and velocities cannot be imposed on it", id),
               "a body without `fixed` and `motion`");
}

void Simulation::apply(std::span<const model::AppliedForce> forces) {
    std::vector<kernels::AppliedWrench> wrenches;
    for (const model::AppliedForce& applied : forces) {
        need_free_body(applied.id);
        need_finite(applied.force, fmt::format("body {}: a force", applied.id), "N");
        need_finite(applied.torque, fmt::format("body {}: a torque", applied.id), "N m");
        kernels::AppliedWrench& wrench = wrenches.emplace_back();
        wrench.id = kernels::Index(applied.id);
        put(wrench.force, applied.force);
        put(wrench.torque, applied.torque);
    }
    engine_->apply(wrenches);
}

void Simulation::set_velocities(std::span<const model::ImposedVelocity> velocities) {
    std::vector<kernels::ImposedVelocity> rows;
    for (const model::ImposedVelocity& imposed : velocities) {
        need_free_body(imposed.id);
        need_finite(imposed.velocity, fmt::format("body {}: a velocity", imposed.id), "m/s");
        need_finite(imposed.angular_velocity, fmt::format("body {}: an angular velocity", imposed.id), "rad/s");
        kernels::ImposedVelocity& row = rows.emplace_back();
        row.id = kernels::Index(imposed.id);
        put(row.velocity, imposed.velocity);
        put(row.angular_velocity, imposed.angular_velocity);
    }
    engine_->impose(rows);
}

void Simulation::wake() {
    if (!(scene_.settings.sleep.speed > 0.0)) return;
    const model::Snapshot now = snapshot(false);
    std::vector<model::ImposedVelocity> as_they_are;  // a sleeper has none
    for (std::size_t i = 0; i < now.id.size(); ++i)
        if (std::isfinite(now.mass[i])) as_they_are.push_back({now.id[i], now.velocity[i], now.angular_velocity[i]});
    set_velocities(as_they_are);
}

void Simulation::steer(std::size_t boundary, Vec3 velocity, Vec3 angular_velocity) {
    if (boundary >= scene_.boundaries.size())
        refuse(fmt::format("there is no boundary {}", boundary),
               fmt::format("the scene has {}", scene_.boundaries.size()));
    if (scene_.settings.stepper != model::Stepper::ccp)
        refuse("a reference stepper moves boundaries as their scene says", "use stepper: ccp");
    const std::string name = fmt::format("boundary '{}'", scene_.boundaries[boundary].name);
    need_finite(velocity, name + ": a velocity", "m/s");
    need_finite(angular_velocity, name + ": an angular velocity", "rad/s");
    steered_.steer(boundary, velocity, angular_velocity);
}

void Simulation::set_motor(std::size_t joint, bool turns, std::optional<double> target) {
    if (joint >= scene_.joints.size())
        refuse(fmt::format("there is no joint {}", joint), fmt::format("the scene has {}", scene_.joints.size()));
    const auto drive = std::find_if(drives_.begin(), drives_.end(),
                                    [&](const JointDrive& d) { return d.joint == joint && d.turns == turns; });
    const std::string name = fmt::format("joint '{}'", joint_name(scene_, joint));
    if (drive == drives_.end())
        refuse(fmt::format("{} has no motor of its {}", name, turns ? "turn" : "slide"),
               fmt::format("give it one in the scene: {}: {{motor: {{speed: 0}}}}", turns ? "turn" : "slide"));
    if (target && !(std::abs(*target) <= drive->largest)) {
        const model::JointAxis& axis = turns ? scene_.joints[joint].turn : scene_.joints[joint].slide;
        refuse(fmt::format("{}: {}", name, beyond_range(axis.motor, turns, *target, drive->largest)),
               "a finite target in the range");
    }
    drive->imposed = target;
}

}  // namespace scree::simulation
