// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/compliant_stepper.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/compliant_laws.hpp"
#include "engine/reference/step_input.hpp"
#include "engine/reference/stepper_memory.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::VectorXd;

/// A new patch: deflected where it overlaps, so that an overlap at the start is not an impact.
VectorXd first_deflection(const PatchRows& rows) {
    VectorXd deflection = VectorXd::Zero(rows.rows.rows());
    deflection.head(rows.elements()) = (-rows.separation).cwiseMax(0.0);
    return deflection;
}

/// (Psi + delta_n) / h, of which overlaps take a share.
VectorXd offset_of(const PatchRows& rows, const VectorXd& deflection, double h, double reach, double share) {
    VectorXd offset(rows.elements());
    for (Index i = 0; i < offset.size(); ++i) {
        const double apart = rows.separation[i] + deflection[i];
        // Elements out of reach bear nothing: leave them out of the problem.
        if (!(apart < reach))
            offset[i] = std::numeric_limits<double>::infinity();
        else
            offset[i] = apart > 0.0 || share == 1.0 ? apart / h : share * (apart / h);
    }
    return offset;
}

}  // namespace

CompliantStepper::CompliantStepper(const CompliantSettings& settings) : settings_(settings) { check(settings); }

std::shared_ptr<const Viscoelastic> CompliantStepper::law_of(const System& system, const Contact& contact) {
    const auto* world = dynamic_cast<const World*>(&system);
    LawKey key{0, 0, contact.tangent.rows()};
    if (!settings_.lumped) {
        if (world == nullptr)
            throw model::Error(model::ErrorKind::input, "patches of contact need bodies with shapes",
                               "lumped contacts suit any system");
        std::get<0>(key) = world->bodies[std::size_t(contact.body_a)].material;
        std::get<1>(key) = world->bodies[std::size_t(contact.body_b)].material;
    }
    std::shared_ptr<const Viscoelastic>& law = laws_[key];
    if (law == nullptr)
        law = std::make_shared<const Viscoelastic>(
            settings_.lumped ? lumped(contact, settings_)
                             : distributed(*world, contact, grid_of(*world, settings_), settings_));
    return law;
}

PatchRows CompliantStepper::rows_of(const System& system, const Contact& contact, const State& state) const {
    if (settings_.lumped) return single_element(contact);
    const auto& world = dynamic_cast<const World&>(system);
    const auto before = patches_.find(contact.identity);
    return grid_elements(world, contact, grid_of(world, settings_), state.time, state.q,
                         before == patches_.end() ? nullptr : &before->second.state.tangents);
}

CompliantStepper::Begun CompliantStepper::begin(const System& system, const State& state, double h) {
    const VectorXd force = system.force(state.time, state.q, state.v);
    if (!force.allFinite())
        throw model::Error(model::ErrorKind::numerics, "a force is not finite at " + std::to_string(state.time) + " s");
    Begun begun{state.v, h};
    begun.mass = system.mass(state.q);
    const Eigen::LLT<Eigen::MatrixXd> factor(begun.mass);
    begun.free = state.v + h * factor.solve(force);
    begun.reach = settings_.reach >= 0.0
                      ? settings_.reach
                      : 2.0 * h * std::max(system.closing_speed(state.v), system.closing_speed(begun.free));
    const VectorXd change = begun.free - state.v;
    for (const Contact& contact : system.contacts(state.time, state.q, begun.reach)) {
        check(contact);
        begun.rows.push_back(rows_of(system, contact, state));
        Memory& memory = begun.now[contact.identity];
        memory.law = law_of(system, contact);
        const auto before = patches_.find(contact.identity);
        if (before != patches_.end() && (before->second.law == memory.law || before->second.law == nullptr) &&
            before->second.state.deflection.size() == memory.law->size())
            memory.state.deflection = before->second.state.deflection;
        double& overdraft = begun.overdraft[ContactAccounts::pair_of(contact)];
        overdraft = std::max(overdraft, ContactAccounts::overdraft(contact, change, factor));
    }
    deflect_new_patches(begun);
    return begun;
}

void CompliantStepper::deflect_new_patches(Begun& begun) const {
    std::map<ContactAccounts::Pair, double> stored;
    for (const PatchRows& patch : begun.rows) {
        const Memory& memory = begun.now.at(patch.contact.identity);
        if (memory.state.deflection.size() > 0)
            stored[ContactAccounts::pair_of(patch.contact)] += memory.law->energy(memory.state.deflection);
    }
    for (const PatchRows& patch : begun.rows) {
        Memory& memory = begun.now.at(patch.contact.identity);
        if (memory.state.deflection.size() > 0) continue;
        const ContactAccounts::Pair pair = ContactAccounts::pair_of(patch.contact);
        memory.state.deflection = first_deflection(patch);
        const double wanted = memory.law->energy(memory.state.deflection);
        const double paid =
            std::max(0.0, accounts_.left(pair, {.stored = stored[pair], .overdraft = begun.overdraft.at(pair)}));
        if (wanted > paid) memory.state.deflection *= std::sqrt(paid / wanted);
        stored[pair] += std::min(wanted, paid);
    }
}

CompliantStepper::Trial CompliantStepper::attempt(const Begun& begun, const Shares& shares) const {
    Trial trial;
    std::vector<PatchTerms> terms;
    for (const PatchRows& patch : begun.rows) {
        const Memory& memory = begun.now.at(patch.contact.identity);
        const ContactAccounts::Pair pair = ContactAccounts::pair_of(patch.contact);
        const auto share = shares.find(pair);
        const bool speed = settings_.rule == SeparationRule::speed;
        terms.push_back({&patch, memory.law.get(), &memory.state.deflection,
                         offset_of(patch, memory.state.deflection, begun.h, begun.reach,
                                   speed                   ? 0.0
                                   : share == shares.end() ? 1.0
                                                           : share->second)});
        PairStep& step = trial.pairs[pair];
        step.overdraft = begun.overdraft.at(pair);
        step.pushed = step.pushed || terms.back().offset.minCoeff() < 0.0;
    }
    trial.solution = solve_patches(begun.mass, begun.free, begun.h, terms, settings_.directions, settings_.lemke);
    if (!trial.solution.solved) return trial;
    const VectorXd middle = 0.5 * (begun.v + trial.solution.velocity);
    for (std::size_t i = 0; i < begun.rows.size(); ++i) {
        const PatchRows& patch = begun.rows[i];
        const VectorXd& force = trial.solution.forces[i];
        const Memory& memory = begun.now.at(patch.contact.identity);
        PairStep& step = trial.pairs.at(ContactAccounts::pair_of(patch.contact));
        step.work -= begun.h * force.dot(patch.rows * middle + patch.drift);
        step.stored += memory.law->energy(memory.law->deflected(memory.state.deflection, force, begun.h));
        for (Index k = 0; k < patch.elements(); ++k)
            if (const double apart = patch.separation[k] + memory.state.deflection[k]; apart < 0.0)
                step.slope -= force[k] * apart;
    }
    return trial;
}

CompliantStepper::Trial CompliantStepper::solve(const Begun& begun) const {
    Shares shares;
    std::map<ContactAccounts::Pair, double> unpaid;
    Trial trial = attempt(begun, shares);
    for (bool again = true; again && trial.solution.solved;) {
        again = false;
        for (const auto& [pair, step] : trial.pairs) {
            const double left = accounts_.left(pair, step);
            if (!step.pushed || left >= 0.0) continue;
            unpaid[pair] = -left;
            shares[pair] = 0.0;
            again = true;
        }
        if (again) trial = attempt(begun, shares);
    }
    if (unpaid.empty() || !trial.solution.solved) return trial;
    // To push a share x costs about slope x + (whole - slope) x^2, of what the step without a push leaves.
    bool some = false;
    for (const auto& [pair, missing] : unpaid) {
        const PairStep& none = trial.pairs.at(pair);
        const double left = std::max(0.0, accounts_.left(pair, none));
        const double bend = std::max(0.0, left + missing - none.slope);
        if (!(left > 0.0)) continue;
        shares[pair] = 2.0 * left / (none.slope + std::hypot(none.slope, 2.0 * std::sqrt(bend * left)));
        some = true;
    }
    if (!some) return trial;
    for (int tries = 0; tries < 2; ++tries) {
        Trial partly = attempt(begun, shares);
        if (!partly.solution.solved) return trial;
        bool paid = true;
        for (const auto& [pair, step] : partly.pairs) paid = paid && !(step.pushed && accounts_.left(pair, step) < 0.0);
        if (paid) return partly;
        for (const auto& [pair, missing] : unpaid) shares[pair] *= 0.5;
    }
    return trial;
}

StepOutcome CompliantStepper::step(const System& system, State& state, double h) {
    check_step(system, state, h);
    Begun begun = begin(system, state, h);
    const auto [solution, pairs] = solve(begun);
    if (!solution.solved || !solution.velocity.allFinite())
        throw model::Error(
            model::ErrorKind::numerics,
            "the contact problem at " + std::to_string(state.time) + " s with " + std::to_string(begun.rows.size()) +
                " compliant contacts has no certified solution (certificate " + in_digits(solution.certificate) + ")",
            "a smaller step, softer bodies or fewer elements");

    StepOutcome outcome;
    outcome.iterations = solution.pivots;
    outcome.residual = solution.certificate;
    outcome.converged = true;
    for (std::size_t i = 0; i < begun.rows.size(); ++i) {
        const PatchRows& patch = begun.rows[i];
        outcome.contacts.push_back(sum_of(patch, h * solution.forces[i]));
        Memory& memory = begun.now.at(patch.contact.identity);
        memory.state.deflection = memory.law->deflected(memory.state.deflection, solution.forces[i], h);
        memory.state.force = solution.forces[i];
        memory.state.slip = solution.slips[i];
        memory.state.separation = patch.separation;
        memory.state.tangents = patch.tangents;
    }
    accounts_.book(pairs);
    patches_ = std::move(begun.now);
    state.q = system.moved(state.q, solution.velocity, h);
    state.v = solution.velocity;
    state.time += h;
    return outcome;
}

std::vector<double> CompliantStepper::memory() const {
    MemoryWriter to;
    accounts_.write(to);
    for (const auto& [identity, patch] : patches_) {
        to.identity(identity);
        to.list(patch.state.deflection);
        for (const Eigen::Vector3d& t : patch.state.tangents) to.vector(t);
    }
    return to.take();
}

void CompliantStepper::restore(const std::vector<double>& memory) {
    std::map<std::uint64_t, Memory> patches;
    MemoryReader from(memory);
    ContactAccounts accounts;
    if (!from.is_empty()) accounts.read(from);
    while (!from.is_empty()) {
        PatchState& state = patches[from.identity()].state;
        state.deflection = from.list();
        for (Eigen::Vector3d& t : state.tangents) t = from.vector();
    }
    patches_ = std::move(patches);
    accounts_ = std::move(accounts);
}

const PatchState* CompliantStepper::patch(std::uint64_t identity) const {
    const auto found = patches_.find(identity);
    return found == patches_.end() ? nullptr : &found->second.state;
}

double CompliantStepper::elastic_energy() const {
    double energy = 0.0;
    for (const auto& [identity, memory] : patches_)
        if (memory.law != nullptr) energy += memory.law->energy(memory.state.deflection);
    return energy;
}

}  // namespace scree::reference
