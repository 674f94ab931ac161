// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {

EnergyBalance::EnergyBalance(const model::Scene& scene) : gravity_(scene.gravity), step_(scene.settings.time.step) {
    const double g[3] = {gravity_.x, gravity_.y, gravity_.z};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (scene.periodic[axis].active && g[axis] != 0.0) closed_ = false;
    if (!scene.joints.empty()) closed_ = false;
}

EnergyBalance::Now EnergyBalance::of(const model::Snapshot& s) const {
    Now now;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const double mass = s.mass[i];
        if (!std::isfinite(mass)) continue;
        now.kinetic += 0.5 * mass * dot(s.velocity[i], s.velocity[i]) + model::rotational_energy(s, i);
        now.mass += mass;
        now.potential -= mass * dot(gravity_, s.position[i]);
        now.momentum += mass * dot(gravity_, s.velocity[i]);
    }
    return now;
}

void EnergyBalance::start(const model::Snapshot& snapshot) {
    const Now now = of(snapshot);
    kinetic_start_ = kinetic_max_ = now.kinetic;
    potential_start_ = now.potential;
    momentum_start_ = now.momentum;
}

void EnergyBalance::add(const kernels::StepReport& report, double free_mass) {
    contact_work_ += report.contact_work;
    scheme_ += 0.5 * (free_mass - report.sleeping_mass) * step_ * step_ * dot(gravity_, gravity_) + report.other_work;
    kinetic_max_ = std::max(kinetic_max_, report.kinetic_translation + report.kinetic_rotation);
    if (report.removed > 0 || !report.moves_by_end_velocity) closed_ = false;
}

std::optional<double> EnergyBalance::relative_defect(const model::Snapshot& snapshot) const {
    if (!closed_) return std::nullopt;
    const Now now = of(snapshot);
    const double change = now.kinetic - kinetic_start_ + now.potential - potential_start_;
    const double explained = contact_work_ + step_ * (momentum_start_ - now.momentum) + scheme_;
    // Of a run at rest nothing is left but rounding: no smaller than what gravity does to a body in one step counts.
    const double one_step = 0.5 * now.mass * step_ * step_ * dot(gravity_, gravity_);
    const double scale =
        std::max({kinetic_max_, std::abs(now.potential - potential_start_), std::abs(contact_work_), one_step});
    return scale > 0.0 ? (change - explained) / scale : 0.0;
}

std::vector<double> EnergyBalance::state() const {
    return {kinetic_start_, potential_start_, momentum_start_,    contact_work_,
            scheme_,        kinetic_max_,     closed_ ? 1.0 : 0.0};
}

void EnergyBalance::restore(std::span<const double> state) {
    kinetic_start_ = state[0];
    potential_start_ = state[1];
    momentum_start_ = state[2];
    contact_work_ = state[3];
    scheme_ = state[4];
    kinetic_max_ = state[5];
    closed_ = closed_ && state[6] > 0.0;
}

}  // namespace scree::simulation
