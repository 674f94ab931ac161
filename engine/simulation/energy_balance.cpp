// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {

EnergyBalance::EnergyBalance(const model::Scene& scene) : gravity_(scene.gravity), step_(scene.settings.time.step) {
    const double g[3] = {gravity_.x, gravity_.y, gravity_.z};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (scene.periodic[axis].active && g[axis] != 0.0) positions_tell_ = false;
    if (!scene.joints.empty()) closed_ = false;
    // What velocities get in a step is h g in their precision: at rest, its rounding would add up.
    const bool rounded =
        scene.settings.precision == model::Precision::mixed && scene.settings.stepper == model::Stepper::ccp;
    const auto as_added = [&](double component) {
        return rounded ? double(float(step_ * component)) / step_ : component;
    };
    added_gravity_ = {as_added(gravity_.x), as_added(gravity_.y), as_added(gravity_.z)};
}

EnergyBalance::Now EnergyBalance::of(const model::Snapshot& s) const {
    Now now;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const double mass = s.mass[i];
        if (!std::isfinite(mass)) continue;
        now.kinetic += 0.5 * mass * dot(s.velocity[i], s.velocity[i]) + model::rotational_energy(s, i);
        now.mass += mass;
        now.potential -= mass * dot(gravity_, s.position[i]);
        now.momentum += mass * dot(added_gravity_, s.velocity[i]);
    }
    return now;
}

void EnergyBalance::start(const model::Snapshot& snapshot) {
    const Now now = of(snapshot);
    kinetic_ = kinetic_start_ = kinetic_max_ = now.kinetic;
    potential_start_ = now.potential;
    momentum_ = now.momentum;
    mass_ = now.mass;
}

void EnergyBalance::add(const kernels::StepReport& report, double free_mass) {
    contact_work_ += report.contact_work;
    knows_laws_ = knows_laws_ && report.has_work_by_law;
    double work = report.contact_work;
    if (report.has_work_by_law) {
        const kernels::ContactWork& w = report.work;
        work_.normal += w.normal;
        work_.impact += w.impact;
        work_.friction += w.friction;
        work_.rolling += w.rolling;
        work_.spinning += w.spinning;
        work_.cohesion += w.cohesion;
        work_.driven += w.driven;
        work_.other += w.other;
        turning_ += report.turning_work;
        work = w.sum() + report.turning_work;
    }
    const double kick = step_ * (momentum_ - report.removed_momentum + report.inserted_momentum) +
                        0.5 * (free_mass - report.sleeping_mass) * step_ * step_ * dot(added_gravity_, added_gravity_);
    explained_ += work + report.force_work + report.other_work + kick;
    fallen_ += report.gravity_work;
    position_ += step_ * report.gravity_momentum - report.gravity_work;
    removed_kinetic_ += report.removed_kinetic;
    removed_potential_ += report.removed_potential;
    removed_kinetic_ -= report.inserted_kinetic;
    removed_potential_ -= report.inserted_potential;
    momentum_ = report.gravity_momentum;
    mass_ = free_mass;
    kinetic_ = report.kinetic_translation + report.kinetic_rotation;
    // What joins and goes in one step has had its energy, too.
    kinetic_max_ = std::max({kinetic_max_, kinetic_, report.inserted_kinetic, report.removed_kinetic});
    if (!report.moves_by_end_velocity) closed_ = false;
}

double EnergyBalance::relative(double kinetic, double fallen) const {
    const double missing = kinetic + removed_kinetic_ - kinetic_start_ - explained_ + fallen_ - fallen;
    // Of a run at rest nothing is left but rounding: no smaller than what gravity does to a body in one step counts.
    const double one_step = 0.5 * mass_ * step_ * step_ * dot(gravity_, gravity_);
    const double scale = std::max({kinetic_max_, std::abs(fallen_), std::abs(contact_work_), one_step});
    return scale > 0.0 ? missing / scale : 0.0;
}

std::optional<double> EnergyBalance::relative_defect() const {
    if (!closed_) return std::nullopt;
    return relative(kinetic_, fallen_);
}

std::optional<double> EnergyBalance::relative_defect(const model::Snapshot& snapshot) const {
    if (!closed_) return std::nullopt;
    const Now now = of(snapshot);
    const double fallen = potential_start_ - now.potential - removed_potential_;
    return relative(now.kinetic, positions_tell_ ? fallen : fallen_);
}

template <class Balance, class Visit>
void EnergyBalance::each(Balance& b, const Visit& visit) {
    for (auto* number : {&b.kinetic_start_, &b.potential_start_, &b.kinetic_,
                         &b.kinetic_max_,   &b.momentum_,        &b.mass_,
                         &b.contact_work_,  &b.work_.normal,     &b.work_.impact,
                         &b.work_.friction, &b.work_.rolling,    &b.work_.spinning,
                         &b.work_.cohesion, &b.work_.driven,     &b.work_.other,
                         &b.turning_,       &b.position_,        &b.explained_,
                         &b.fallen_,        &b.removed_kinetic_, &b.removed_potential_})
        visit(*number);
}

std::vector<double> EnergyBalance::state() const {
    std::vector<double> state;
    each(*this, [&](double value) { state.push_back(value); });
    state.push_back((closed_ ? 1.0 : 0.0) + (knows_laws_ ? 2.0 : 0.0));
    return state;
}

void EnergyBalance::restore(std::span<const double> state) {
    std::size_t at = 0;
    each(*this, [&](double& value) { value = state[at++]; });
    const int flags = int(state[at]);
    closed_ = closed_ && (flags & 1) != 0;
    knows_laws_ = (flags & 2) != 0;
}

}  // namespace scree::simulation
