// SPDX-License-Identifier: BSD-3-Clause
// NcpStep: which roots of the equations are motions of the bodies, and what a step that was solved did.
#include "engine/reference/ncp_step.hpp"
#include "engine/reference/step_input.hpp"

#include <algorithm>
#include <cmath>

namespace scree::reference {

using Eigen::Vector3d;
using Eigen::VectorXd;

bool NcpStep::admissible() { return on_surfaces() && gains_no_energy() && passes_through_none(); }

bool NcpStep::on_surfaces() {
    const VectorXd q = world_.moved(state_.q, found_.v, h_);
    const double slack = 10.0 * tolerance_;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const NearestPair& near = found_.pairs[i];
        if (near.multipliers_a.minCoeff() < -slack || near.multipliers_b.minCoeff() < -slack)
            return reject("inadmissible root: the contact points of " + names(pairs_[i]) +
                          " are not on the sides that face each other");
        const auto excess = [&](std::size_t body, const Vector3d& point) {
            return outside(world_.bodies[body].shape, world_.pose(body, state_.time + h_, q).to_body(point),
                           world_.planar);
        };
        const double off = std::max(excess(pairs_[i].first, near.on_a), excess(pairs_[i].second, near.on_b));
        if (off > slack * units_.length)
            return reject("inadmissible root: a contact point of " + names(pairs_[i]) + " is " + in_digits(off) +
                          " m off its body");
    }
    return true;
}

bool NcpStep::passes_through_none() {
    for (const NearPair& pair : near_) {
        const auto [a, b] = pair.bodies;
        const double allowed = 0.5 * std::min(thickness(world_.bodies[a].shape), thickness(world_.bodies[b].shape)) -
                               std::min(0.0, pair.gap);
        const double deepest = overlap_on_way(world_, pair.bodies, state_, found_.v, h_);
        if (deepest > allowed)
            return reject("inadmissible root: " + names(pair.bodies) + " overlap by " + in_digits(deepest) +
                          " m on the way");
    }
    return true;
}

bool NcpStep::gains_no_energy() {
    constexpr double most = 0.01;
    const double before = 0.5 * free_.dot(inertia_ * free_);
    double gained = 0.5 * found_.v.dot(inertia_ * found_.v) - before, scale = before, parting = 0.0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        // Bodies that move as prescribed do work: only what is gained against them counts.
        const ContactOutcome c = outcome_of(i);
        const double drive = c.normal_impulse * c.contact.drift_normal + c.tangent_impulse.dot(c.contact.drift_tangent);
        gained += drive;
        scale += std::abs(drive);
        // Overlaps part at the speed that their floor asks for.
        const auto known =
            std::find_if(near_.begin(), near_.end(), [&](const NearPair& p) { return p.bodies == pairs_[i]; });
        parting += c.normal_impulse * std::max(0.0, floors_[i] - known->gap) / h_;
    }
    if (gained <= most * scale + parting) return true;
    return reject("inadmissible root: the impulses of the contacts of " + names(pairs_.front()) +
                  (pairs_.size() > 1 ? " and others" : "") + " add " + in_digits(gained) +
                  " J to a kinetic energy of " + in_digits(before) + " J");
}

/// The contact in whose rows the impulses acted: those of the end of the step, or of its start.
ContactOutcome NcpStep::outcome_of(std::size_t i) const {
    const NcpContact& solved = solved_[i];
    const BodyPair& pair = pairs_[i];
    const VectorXd& p = found_.impulses[i];
    const ContactFrame& frame = frames_[i];
    const double when = solved.frozen ? state_.time : state_.time + h_;
    const VectorXd where = solved.frozen ? state_.q : world_.moved(state_.q, found_.v, h_);
    const Vector3d centre_a = world_.pose(pair.first, when, where).position;
    const Vector3d centre_b = world_.pose(pair.second, when, where).position;
    const Vector3d point = 0.5 * (centre_a + frame.arm_a + centre_b + frame.arm_b);
    ContactOutcome c;
    c.contact = world_.contact_at(pair.first, pair.second, point, frame.normal, found_.pairs[i].gap, when, where);
    c.contact.identity = identity_of(pair);
    c.normal_impulse = p[0];
    const VectorXd e = friction_extents(world_, pair);
    // The iteration keeps the axis of its tangents, the world chooses by the normal: they may be a quarter turn apart.
    Vector3d along = Vector3d::Zero();
    if (e.size() > 0) along += e[0] * p[1] * frame.tangent_1;
    if (e.size() > 1) along += e[1] * p[2] * frame.tangent_2;
    const auto [t1, t2] = tangents_of(frame.normal, world_.planar);
    c.tangent_impulse = VectorXd::Constant(world_.planar ? 1 : 2, along.dot(t1));
    if (!world_.planar) c.tangent_impulse[1] = along.dot(t2);
    if (e.size() == 3) c.twist_impulse = e[2] * p[3];
    return c;
}

/// A pair that is near and took no part.
ContactOutcome NcpStep::outcome_of(const NearPair& pair) const {
    const VectorXd q = world_.moved(state_.q, found_.v, h_);
    const auto [a, b] = pair.bodies;
    const PairGap near = pair_gap(world_, pair.bodies, state_.time + h_, q);
    ContactOutcome c;
    c.contact = world_.contact_at(a, b, 0.5 * (near.on_a + near.on_b), near.direction, near.gap, state_.time + h_, q);
    c.contact.identity = identity_of(pair.bodies);
    c.tangent_impulse = VectorXd::Zero(world_.planar ? 1 : 2);
    return c;
}

StepOutcome NcpStep::finish(State& state, ContactMemories& memories) const {
    StepOutcome outcome;
    outcome.iterations = iterations_;
    outcome.residual = residual_;
    outcome.converged = true;
    const State end{state_.time + h_, world_.moved(state_.q, found_.v, h_), found_.v};
    ContactMemories kept;
    std::size_t active = 0;
    for (const NearPair& pair : near_) {
        if (!pair.active) {
            outcome.contacts.push_back(outcome_of(pair));
            continue;
        }
        outcome.contacts.push_back(outcome_of(active));
        kept[identity_of(pair.bodies)] =
            memory_of(world_, pair.bodies, end.time, end.q, found_.pairs[active], found_.impulses[active]);
        ++active;
    }
    memories = std::move(kept);  // state_ and memories_ may be the arguments themselves: nothing is read from now on
    state = end;
    return outcome;
}

}  // namespace scree::reference
