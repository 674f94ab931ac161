// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/lcp_stepper.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/step_input.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::VectorXd;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, what, hint);
}

double normal_speed(const Contact& contact, const VectorXd& v) { return contact.normal.dot(v) + contact.drift_normal; }

/// Length of the contact's velocity, normal and tangential, that belongs to a change of v.
double jump(const Contact& contact, const VectorXd& change) {
    return std::hypot(contact.normal.dot(change), (contact.tangent * change).norm());
}

std::vector<double> normals_of(const ContactLcp& lcp, const VectorXd& z) {
    std::vector<double> normals;
    for (std::size_t i = 0; i < lcp.contacts().size(); ++i) normals.push_back(lcp.normal_impulse(i, z));
    return normals;
}

void check(const LcpSettings& s) {
    if (s.directions < 4 || s.directions > 32 || s.directions % 2 != 0)
        refuse("friction directions: " + std::to_string(s.directions), "an even number from 4 to 32");
    if (std::isnan(s.reach) || std::isnan(s.restitution_threshold))
        refuse("reach and restitution threshold must be numbers", "negative for the automatic choice");
    if (!(s.rest_speed >= 0.0) || !(s.geometry_tolerance >= 0.0))
        refuse("rest speed and geometry tolerance must not be negative", {});
    if (s.geometry_iterations < 1 || s.friction_revisions < 1)
        refuse("geometry iterations and friction revisions must be at least 1", {});
}

}  // namespace

LcpStepper::LcpStepper(const LcpSettings& settings) : settings_(settings), friction_(settings.rest_speed) {
    check(settings);
}

LcpStepper::Motion LcpStepper::motion_of(const System& system, const State& state, double h) const {
    Motion motion;
    motion.force = system.force(state.time, state.q, state.v);
    if (!motion.force.allFinite())
        throw model::Error(model::ErrorKind::numerics, "a force is not finite at " + std::to_string(state.time) + " s");
    motion.h = h;
    motion.time = state.time;
    motion.before = state.v;
    const ContactLcp mass(system.mass(state.q), {}, settings_.directions);
    const VectorXd free = state.v + h * mass.solve_mass(motion.force);
    motion.reach = settings_.reach >= 0.0
                       ? settings_.reach
                       : 2.0 * h * std::max(system.closing_speed(state.v), system.closing_speed(free));
    for (const Contact& contact : system.contacts(state.time, state.q, motion.reach)) {
        const double approach = -normal_speed(contact, state.v);
        const double by_forces = std::abs(contact.normal.dot(free - state.v));
        if (-contact.gap > h * by_forces) motion.depths.emplace(contact.identity, -contact.gap - h * by_forces);
        const double threshold =
            settings_.restitution_threshold >= 0.0 ? settings_.restitution_threshold : 2.0 * by_forces;
        const double end = settings_.condition == ContactCondition::position
                               ? contact.gap + h * normal_speed(contact, free)
                               : contact.gap - h * approach;
        if (end < 0.0 && approach > threshold) motion.impacts.emplace(contact.identity, approach);
    }
    // What is pushed out of an overlap must see what it may be pushed into.
    for (const auto& [identity, depth] : motion.depths) motion.reach = std::max(motion.reach, 2.0 * depth);
    return motion;
}

std::vector<Contact> LcpStepper::contacts_of(const System& system, const State& state, const Motion& motion) const {
    std::vector<Contact> contacts = system.contacts(state.time, state.q, motion.reach);
    if (settings_.condition == ContactCondition::velocity)
        std::erase_if(contacts, [&](const Contact& contact) {
            return contact.gap + motion.h * normal_speed(contact, motion.before) >= 0.0;
        });
    return contacts;
}

double LcpStepper::gap_rate(const Contact& contact, const Motion& motion, const VectorXd& about) {
    // About the end point the gap is that of the end already: take its motion there off again.
    return contact.gap / motion.h - (about.size() > 0 ? normal_speed(contact, about) : 0.0);
}

VectorXd LcpStepper::parting(const ContactLcp& lcp, const Motion& motion, const VectorXd& about,
                             const VectorXd& v) const {
    if (motion.depths.empty() || settings_.condition != ContactCondition::position) return VectorXd::Zero(v.size());
    std::vector<double> rates;
    for (const Contact& contact : lcp.contacts())
        rates.push_back(gap_rate(contact, motion, about) + normal_speed(contact, v));
    return lcp.parting(rates, settings_.lemke);
}

std::vector<ContactTerms> LcpStepper::terms_of(const ContactLcp& lcp, const Motion& motion, const VectorXd& about,
                                               double restitution) const {
    std::vector<ContactTerms> terms;
    for (std::size_t i = 0; i < lcp.contacts().size(); ++i) {
        const Contact& contact = lcp.contacts()[i];
        ContactTerms term;
        term.sliding = friction_.coefficients()[i];
        const auto impact = motion.impacts.find(contact.identity);
        if (impact != motion.impacts.end()) {
            term.offset = -restitution * contact.law.restitution * impact->second;
            const double tangential = restitution * contact.law.tangential_restitution;
            if (tangential > 0.0) term.slip_offset = tangential * slip_of(contact, motion.before);
        } else if (settings_.condition == ContactCondition::position) {
            const auto overlap = motion.depths.find(contact.identity);
            term.offset = gap_rate(contact, motion, about);
            if (overlap != motion.depths.end()) term.offset += overlap->second / motion.h;
        }
        terms.push_back(term);
    }
    return terms;
}

ContactImpulses LcpStepper::newton(const ContactLcp& lcp, const Motion& motion, const VectorXd& about) const {
    const VectorXd free = motion.before + motion.h * lcp.solve_mass(motion.force);
    return lcp.solve(free, terms_of(lcp, motion, about, 1.0), settings_.lemke);
}

ContactImpulses LcpStepper::poisson(const ContactLcp& lcp, const Motion& motion, const VectorXd& about) const {
    const VectorXd forces = motion.h * lcp.solve_mass(motion.force);
    std::vector<ContactTerms> terms = terms_of(lcp, motion, about, 0.0);
    ContactImpulses compression = lcp.solve(motion.before + forces, terms, settings_.lemke);
    double jumped = 0.0, by_forces = 1e-12 * motion.before.norm();
    for (const Contact& contact : lcp.contacts()) {
        jumped = std::max(jumped, jump(contact, compression.velocity - motion.before));
        by_forces = std::max(by_forces, jump(contact, forces));
    }
    if (!compression.solved || jumped <= 10.0 * by_forces) return compression;

    std::vector<double> returned = normals_of(lcp, compression.z);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        returned[i] *= lcp.contacts()[i].law.restitution;
        terms[i].prior = returned[i];
    }
    ContactImpulses sum = lcp.solve(compression.velocity + lcp.pushed(returned), terms, settings_.lemke);
    sum.z += compression.z + lcp.normal_only(returned);
    sum.pivots += compression.pivots;
    return sum;
}

LcpStepper::Solved LcpStepper::solve(const ContactLcp& lcp, const Motion& motion, const VectorXd& about) {
    Solved solved;
    friction_.begin(lcp.contacts(), motion.before);
    for (int revision = 0;; ++revision) {
        solved.impulses =
            settings_.impact == ImpactLaw::newton ? newton(lcp, motion, about) : poisson(lcp, motion, about);
        if (!solved.impulses.solved || !solved.impulses.velocity.allFinite())
            throw model::Error(model::ErrorKind::numerics,
                               "the contact problem at " + std::to_string(motion.time) + " s with " +
                                   std::to_string(lcp.contacts().size()) +
                                   " contacts has no certified solution (certificate " +
                                   in_digits(solved.impulses.certificate) + ")",
                               "a smaller step, or fewer friction directions");
        if (!friction_.revise(lcp.contacts(), solved.impulses.velocity, normals_of(lcp, solved.impulses.z))) break;
        if (revision + 1 >= settings_.friction_revisions) {
            solved.settled = false;
            break;
        }
    }
    return solved;
}

StepOutcome LcpStepper::step(const System& system, State& state, double h) {
    check_step(system, state, h);
    const Motion motion = motion_of(system, state, h);
    StepOutcome outcome;
    VectorXd v = state.v, apart = VectorXd::Zero(v.size());
    const int iterations = settings_.geometry == Geometry::start ? 1 : settings_.geometry_iterations;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        State at = state;
        if (iteration > 0) at.q = system.moved(state.q, v + apart, h);
        const Eigen::MatrixXd mass = system.mass(at.q);
        const bool end = iteration > 0 && settings_.geometry == Geometry::contacts_at_end;
        if (end)
            at.time += h;
        else
            at.q = state.q;
        const ContactLcp lcp(mass, contacts_of(system, at, motion), settings_.directions);
        const VectorXd about = end ? VectorXd(v + apart) : VectorXd();
        const Solved solved = solve(lcp, motion, about);
        const double change = (solved.impulses.velocity - v).lpNorm<Eigen::Infinity>();
        v = solved.impulses.velocity;
        apart = parting(lcp, motion, about, v);
        outcome.iterations += solved.impulses.pivots;
        outcome.residual = solved.impulses.certificate;
        const bool fixed = iteration > 0 && change <= settings_.geometry_tolerance * v.lpNorm<Eigen::Infinity>();
        outcome.converged = solved.settled && (iterations == 1 || fixed);
        if (!fixed && iteration + 1 < iterations) continue;
        friction_.commit(lcp.contacts(), v, normals_of(lcp, solved.impulses.z));
        for (std::size_t i = 0; i < lcp.contacts().size(); ++i)
            outcome.contacts.push_back(lcp.outcome(i, solved.impulses.z));
        break;
    }
    state.q = system.moved(state.q, v + apart, h);
    state.v = v;
    state.time += h;
    return outcome;
}

}  // namespace scree::reference
