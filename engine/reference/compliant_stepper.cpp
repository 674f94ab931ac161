// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/compliant_stepper.hpp"

#include "engine/model/error.hpp"
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

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, what, hint);
}

void check(const CompliantSettings& s) {
    if (s.directions < 4 || s.directions > 32 || s.directions % 2 != 0)
        refuse("friction directions: " + std::to_string(s.directions), "an even number from 4 to 32");
    if (!(s.compliance_scale > 0.0) || !std::isfinite(s.compliance_scale))
        refuse("compliance scale " + std::to_string(s.compliance_scale), "positive and finite");
    if (std::isnan(s.reach)) refuse("reach must be a number", "negative for the automatic choice");
    if (s.elastic.empty()) refuse("no elastic constants are given", "one for all materials, or one for each");
    if (s.elements < 1) refuse("elements per side: " + std::to_string(s.elements), "at least 1");
}

void check(const Contact& contact) {
    const FrictionLaw& friction = contact.law.friction;
    const std::string who = "contact of bodies " + std::to_string(contact.body_a) + " and " +
                            std::to_string(contact.body_b) + ": compliant contacts have no ";
    if (!(friction.sliding >= 0.0) || !std::isfinite(friction.sliding) || !(friction.aspect > 0.0))
        refuse("coefficient of friction " + std::to_string(friction.sliding), "zero or more, with a positive aspect");
    if (contact.law.restitution != 0.0 || contact.law.tangential_restitution != 0.0)
        refuse(who + "restitution coefficient", "damping returns the energy");
    if (friction.sticking >= 0.0 && friction.sticking != friction.sliding)
        refuse(who + "sticking coefficient of its own", "leave it out");
    if (friction.torsion_radius != 0.0 || friction.rolling != 0.0)
        refuse(who + "torsion radius or rolling coefficient", "a patch of several elements resists by itself");
}

/// Xi eps, K and C of a patch.
Viscoelastic distributed(const World& world, const Contact& contact, const PatchGrid& grid,
                         const CompliantSettings& settings) {
    const auto of = [&](Index body) {
        const std::size_t material = world.bodies[std::size_t(body)].material;
        if (settings.elastic.size() > 1 && material >= settings.elastic.size())
            refuse("material " + std::to_string(material) + " has no elastic constants", "one for each material");
        return settings.elastic[settings.elastic.size() > 1 ? material : 0];
    };
    const Eigen::MatrixXd xi = influence_matrix(grid, of(contact.body_a), of(contact.body_b), world.planar);
    return {settings.compliance_scale * xi, settings.damping};
}

Viscoelastic lumped(const Contact& contact, const CompliantSettings& settings) {
    VectorXd stiffness = VectorXd::Constant(1 + contact.tangent.rows(), settings.lump.tangent_stiffness);
    stiffness[0] = settings.lump.normal_stiffness;
    stiffness /= settings.compliance_scale;
    VectorXd damping(stiffness.size());
    for (Index k = 0; k < damping.size(); ++k) {
        const double given = k == 0 ? settings.lump.normal_damping : settings.lump.tangent_damping;
        damping[k] = given < 0.0 ? 2.0 * settings.damping * std::sqrt(stiffness[k]) : given;
    }
    return {stiffness, damping};
}

PatchGrid grid_of(const World& world, const CompliantSettings& settings) {
    return {settings.elements, world.planar ? 1 : settings.elements, settings.spacing};
}

/// A new patch: deflected where it overlaps, so that an overlap at the start is not an impact.
VectorXd first_deflection(const PatchRows& rows) {
    VectorXd deflection = VectorXd::Zero(rows.rows.rows());
    deflection.head(rows.elements()) = (-rows.separation).cwiseMax(0.0);
    return deflection;
}

}  // namespace

CompliantStepper::CompliantStepper(const CompliantSettings& settings) : settings_(settings) { check(settings); }

std::shared_ptr<const Viscoelastic> CompliantStepper::law_of(const System& system, const Contact& contact) {
    const auto* world = dynamic_cast<const World*>(&system);
    LawKey key{0, 0, contact.tangent.rows()};
    if (!settings_.lumped) {
        if (world == nullptr) refuse("patches of contact need bodies with shapes", "lumped contacts suit any system");
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

VectorXd CompliantStepper::offset_of(const PatchRows& rows, const VectorXd& deflection, double h, double reach) const {
    VectorXd offset(rows.elements());
    for (Index i = 0; i < offset.size(); ++i) {
        const double apart = rows.separation[i] + deflection[i];
        // Elements out of reach bear nothing: leave them out of the problem.
        if (!(apart < reach))
            offset[i] = std::numeric_limits<double>::infinity();
        else
            offset[i] = settings_.rule == SeparationRule::speed && apart <= 0.0 ? 0.0 : apart / h;
    }
    return offset;
}

StepOutcome CompliantStepper::step(const System& system, State& state, double h) {
    check_step(system, state, h);
    const VectorXd force = system.force(state.time, state.q, state.v);
    if (!force.allFinite())
        throw model::Error(model::ErrorKind::numerics, "a force is not finite at " + std::to_string(state.time) + " s");
    const Eigen::MatrixXd mass = system.mass(state.q);
    const VectorXd free = state.v + h * mass.llt().solve(force);
    const double reach = settings_.reach >= 0.0
                             ? settings_.reach
                             : 2.0 * h * std::max(system.closing_speed(state.v), system.closing_speed(free));

    std::vector<PatchRows> rows;
    std::map<std::uint64_t, Memory> now;
    for (const Contact& contact : system.contacts(state.time, state.q, reach)) {
        check(contact);
        rows.push_back(rows_of(system, contact, state));
        Memory& memory = now[contact.identity];
        memory.law = law_of(system, contact);
        const auto before = patches_.find(contact.identity);
        const bool known = before != patches_.end() &&
                           (before->second.law == memory.law || before->second.law == nullptr) &&
                           before->second.state.deflection.size() == memory.law->size();
        memory.state.deflection = known ? before->second.state.deflection : first_deflection(rows.back());
    }
    std::vector<PatchTerms> terms;
    for (const PatchRows& patch : rows) {
        const Memory& memory = now.at(patch.contact.identity);
        terms.push_back(
            {&patch, memory.law.get(), &memory.state.deflection, offset_of(patch, memory.state.deflection, h, reach)});
    }
    const PatchSolution solution = solve_patches(mass, free, h, terms, settings_.directions, settings_.lemke);
    if (!solution.solved || !solution.velocity.allFinite())
        throw model::Error(
            model::ErrorKind::numerics,
            "the contact problem at " + std::to_string(state.time) + " s with " + std::to_string(rows.size()) +
                " compliant contacts has no certified solution (certificate " + in_digits(solution.certificate) + ")",
            "a smaller step, softer bodies or fewer elements");

    StepOutcome outcome;
    outcome.iterations = solution.pivots;
    outcome.residual = solution.certificate;
    outcome.converged = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        outcome.contacts.push_back(sum_of(rows[i], h * solution.forces[i]));
        Memory& memory = now.at(rows[i].contact.identity);
        memory.state.deflection = memory.law->deflected(memory.state.deflection, solution.forces[i], h);
        memory.state.force = solution.forces[i];
        memory.state.slip = solution.slips[i];
        memory.state.separation = rows[i].separation;
        memory.state.tangents = rows[i].tangents;
    }
    patches_ = std::move(now);
    state.q = system.moved(state.q, solution.velocity, h);
    state.v = solution.velocity;
    state.time += h;
    return outcome;
}

std::vector<double> CompliantStepper::memory() const {
    MemoryWriter to;
    for (const auto& [identity, patch] : patches_) {
        to.identity(identity);
        to.list(patch.state.deflection);
        for (const Eigen::Vector3d& t : patch.state.tangents) to.vector(t);
    }
    return to.take();
}

void CompliantStepper::restore(const std::vector<double>& memory) {
    std::map<std::uint64_t, Memory> patches;
    for (MemoryReader from(memory); !from.is_empty();) {
        PatchState& state = patches[from.identity()].state;
        state.deflection = from.list();
        for (Eigen::Vector3d& t : state.tangents) t = from.vector();
    }
    patches_ = std::move(patches);
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
