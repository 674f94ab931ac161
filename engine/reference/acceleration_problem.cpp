// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/acceleration_problem.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/contact_rates.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double friction_in_force(const FrictionLaw& law, bool sliding, double speed) {
    const double sticking = law.sticking < 0.0 ? law.sliding : law.sticking;
    if (!sliding) return sticking;
    if (law.fall_speed <= 0.0) return law.sliding;
    return law.sliding + (sticking - law.sliding) * std::exp(-speed / law.fall_speed);
}

/// Scales the second tangent by the aspect: an elliptic cone becomes round, and power and maximal dissipation stay.
MatrixXd round_frame(const Contact& contact) {
    const Index tangents = contact.tangent.rows();
    MatrixXd frame = MatrixXd::Identity(tangents, tangents);
    if (tangents == 2) frame(1, 1) = contact.law.friction.aspect;
    return frame;
}

ActiveContact active_contact(const ContactReport& report) {
    ActiveContact active;
    active.sliding = report.state == ContactState::sliding;
    active.mu = report.friction;
    active.frame = round_frame(report.contact);
    if (!active.sliding) return active;
    const VectorXd slip = active.frame * report.slip;
    active.slip_speed = slip.norm();
    const VectorXd along = slip / active.slip_speed;
    MatrixXd turn(slip.size(), slip.size());
    turn.row(0) = along.transpose();
    if (slip.size() == 2) turn.row(1) << -along[1], along[0];
    active.frame = turn * active.frame;
    return active;
}

void note_what_is_left_out(const std::vector<ContactReport>& contacts, const std::vector<std::size_t>& active,
                           std::vector<std::string>& notes) {
    std::size_t torsion = 0, two_coefficients = 0;
    for (const std::size_t i : active) {
        const FrictionLaw& law = contacts[i].contact.law.friction;
        if (law.torsion_radius > 0.0) ++torsion;
        if (contacts[i].state == ContactState::rolling && law.sticking > law.sliding) ++two_coefficients;
    }
    if (torsion > 0) notes.push_back(fmt::format("torsional friction of {} contacts is left out", torsion));
    if (two_coefficients > 0)
        notes.push_back(fmt::format(
            "{} rolling contacts are bounded by the coefficient of sticking, also where they begin to slide",
            two_coefficients));
}

void set_curvature(const System& system, const State& state, const std::vector<ContactReport>& contacts,
                   const std::vector<std::size_t>& active, AccelerationProblem& p, std::vector<std::string>& notes) {
    std::vector<Contact> followed;
    followed.reserve(active.size());
    for (const std::size_t i : active) followed.push_back(contacts[i].contact);
    const std::vector<ContactRate> rates = contact_rates(system, state, followed);
    p.curvature.resize(p.rows.rows());
    std::size_t lost = 0;
    for (std::size_t k = 0; k < active.size(); ++k) {
        const Index at = Index(k) * p.dimension;
        p.curvature[at] = rates[k].normal;
        p.curvature.segment(at + 1, p.dimension - 1) = p.contacts[k].frame * rates[k].tangent;
        if (!std::isfinite(rates[k].error)) ++lost;
    }
    if (lost > 0)
        notes.push_back(
            fmt::format("the curvature terms of {} contacts are taken as zero: the contact could not be "
                        "followed along the motion",
                        lost));
}

}  // namespace

std::vector<ContactReport> classify(const System& system, const State& state, const AnalysisSettings& settings) {
    std::vector<ContactReport> reports;
    for (Contact& contact : system.contacts(state.time, state.q, std::nextafter(settings.gap_tolerance, 1.0))) {
        ContactReport report;
        report.normal_speed = contact.normal.dot(state.v) + contact.drift_normal;
        report.slip = contact.tangent * state.v;
        if (contact.drift_tangent.size() > 0) report.slip += contact.drift_tangent;
        const double speed = report.slip.norm();
        if (report.normal_speed > settings.speed_tolerance)
            report.state = ContactState::separating;
        else if (report.normal_speed < -settings.speed_tolerance)
            report.state = ContactState::approaching;
        else
            report.state = speed > settings.speed_tolerance ? ContactState::sliding : ContactState::rolling;
        report.friction = friction_in_force(contact.law.friction, speed > settings.speed_tolerance, speed);
        report.contact = std::move(contact);
        reports.push_back(std::move(report));
    }
    return reports;
}

AccelerationProblem acceleration_problem(const System& system, const State& state,
                                         const std::vector<ContactReport>& contacts, std::vector<std::size_t>& active,
                                         std::vector<std::string>& notes) {
    active.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (contacts[i].state == ContactState::rolling || contacts[i].state == ContactState::sliding)
            active.push_back(i);
    AccelerationProblem p;
    if (!active.empty()) p.dimension = 1 + int(contacts[active[0]].contact.tangent.rows());
    p.mass.compute(system.mass(state.q));
    p.free_acceleration = p.mass.solve(system.force(state.time, state.q, state.v));
    p.rows.resize(Index(active.size()) * p.dimension, state.v.size());
    for (const std::size_t i : active) {
        const Contact& contact = contacts[i].contact;
        if (contact.tangent.rows() != p.dimension - 1)
            throw model::Error(model::ErrorKind::input, fmt::format("contact {} has {} tangents, another has {}", i,
                                                                    contact.tangent.rows(), p.dimension - 1));
        ActiveContact one = active_contact(contacts[i]);
        const Index at = p.count() * p.dimension;
        p.rows.row(at) = contact.normal;
        p.rows.middleRows(at + 1, p.dimension - 1) = one.frame * contact.tangent;
        p.contacts.push_back(std::move(one));
    }
    set_curvature(system, state, contacts, active, p, notes);
    p.A = MatrixXd::Zero(p.rows.rows(), p.rows.rows());
    if (p.rows.rows() > 0) p.A = p.rows * p.mass.solve(p.rows.transpose());
    p.b = p.curvature + p.rows * p.free_acceleration;
    if (p.size() > 0 && p.b.cwiseAbs().maxCoeff() > 0.0) p.scale = p.b.cwiseAbs().maxCoeff();
    for (Index k = 0; k < p.count(); ++k) {
        const double mean = p.A.diagonal().segment(k * p.dimension, p.dimension).mean();
        p.contacts[std::size_t(k)].weight = mean > 0.0 ? mean : 1.0;
    }
    note_what_is_left_out(contacts, active, notes);
    return p;
}

}  // namespace scree::reference
