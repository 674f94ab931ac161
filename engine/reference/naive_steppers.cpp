// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/naive_steppers.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/contact_lcp.hpp"
#include "engine/reference/step_input.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <Eigen/Cholesky>

namespace scree::reference {
namespace {

using Eigen::VectorXd;

ContactLcp frictionless(const System& system, const State& state, double h) {
    if (!(h > 0.0) || !std::isfinite(h) || !state.q.allFinite() || !state.v.allFinite())
        throw model::Error(model::ErrorKind::input, "step " + in_digits(h) + " s of a state at " +
                                                        std::to_string(state.time) + " s: not finite, or not positive");
    const VectorXd free = state.v + h * system.mass(state.q).llt().solve(system.force(state.time, state.q, state.v));
    const double speed = std::max(system.closing_speed(state.v), system.closing_speed(free));
    auto contacts = system.contacts(state.time, state.q, 2.0 * h * speed);
    for (Contact& contact : contacts) contact.law.friction = {};
    return {system.mass(state.q), std::move(contacts), 4};
}

/// Impulses for which n v+ + rest >= 0 [m/s] at each contact.
template <class Rest>
ContactImpulses pushed_out(const ContactLcp& lcp, const VectorXd& free, const Rest& rest, StepOutcome& outcome) {
    std::vector<ContactTerms> terms(lcp.contacts().size());
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].offset = rest(lcp.contacts()[i]);
    ContactImpulses impulses = lcp.solve(free, terms, {});
    if (!impulses.solved)
        throw model::Error(model::ErrorKind::numerics, "the contact problem has no certified solution");
    outcome.residual = impulses.certificate;
    outcome.iterations = impulses.pivots;
    outcome.converged = true;
    for (std::size_t i = 0; i < terms.size(); ++i) outcome.contacts.push_back(lcp.outcome(i, impulses.z));
    return impulses;
}

}  // namespace

StepOutcome MidpointStepper::step(const System& system, State& state, double h) {
    StepOutcome outcome;
    const ContactLcp lcp = frictionless(system, state, h);
    // Forces at the midpoint by two corrections; exact where they are constant.
    VectorXd end = state.v;
    for (int correction = 0; correction < 3; ++correction) {
        const VectorXd mean = 0.5 * (state.v + end);
        end = state.v +
              h * lcp.solve_mass(system.force(state.time + 0.5 * h, system.moved(state.q, mean, 0.5 * h), mean));
    }
    // gap + (h / 4) n (v + v+) >= 0.
    const auto rest = [&](const Contact& c) { return 4.0 * c.gap / h + c.normal.dot(state.v) + c.drift_normal; };
    const VectorXd after = pushed_out(lcp, end, rest, outcome).velocity;
    state.q = system.moved(state.q, 0.5 * (state.v + after), h);
    state.v = after;
    state.time += h;
    return outcome;
}

StepOutcome NewmarkStepper::step(const System& system, State& state, double h) {
    StepOutcome outcome;
    const ContactLcp lcp = frictionless(system, state, h);
    const VectorXd acceleration = lcp.solve_mass(system.force(state.time, state.q, state.v));
    // gap + h n (v + h a / 2 + M^-1 n^T p / 2) >= 0, written in the velocity v + h a + M^-1 n^T p.
    const VectorXd free = state.v + h * acceleration;
    const auto rest = [&](const Contact& c) { return 2.0 * c.gap / h + c.normal.dot(state.v) + c.drift_normal; };
    const VectorXd kick = pushed_out(lcp, free, rest, outcome).velocity - free;
    state.q = system.moved(state.q, state.v + 0.5 * h * acceleration + 0.5 * kick, h);
    state.v += h * lcp.solve_mass(system.force(state.time + h, state.q, free)) + kick;
    state.time += h;
    return outcome;
}

}  // namespace scree::reference
