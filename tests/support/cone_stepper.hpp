// SPDX-License-Identifier: BSD-3-Clause
// The half-implicit step with one cone per contact (papers/001, eq. 5 and 9) on any system, rigid and inelastic:
//
//   v+ = v* + M^-1 D r,   v* = v + h M^-1 k,   with r of the friction problem W = D^T M^-1 D, q = (gap / h, 0) + D^T v*
//
// `associated` is the paper's relaxation (the CCP of eq. 7), `coulomb` the same step without it.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "engine/reference/system.hpp"

#include <Eigen/Cholesky>

#include <algorithm>

namespace scree::reference {

class ConeStepper final : public Stepper {
public:
    explicit ConeStepper(complementarity::Friction friction, double tolerance = 1e-12) {
        settings_.friction = friction;
        settings_.tolerance = tolerance;
        settings_.max_iterations = 100000;
    }

    StepOutcome step(const System& system, State& state, double h) override {
        const Eigen::LLT<Eigen::MatrixXd> mass(system.mass(state.q));
        const Eigen::VectorXd free = state.v + h * mass.solve(system.force(state.time, state.q, state.v));
        const double speed = std::max(system.closing_speed(state.v), system.closing_speed(free));
        StepOutcome outcome;
        for (const Contact& contact : system.contacts(state.time, state.q, 2.0 * h * speed))
            outcome.contacts.emplace_back().contact = contact;
        outcome.converged = true;
        state.v = free;
        if (!outcome.contacts.empty()) solve(outcome, mass, h, state.v);
        state.q = system.moved(state.q, state.v, h);
        state.time += h;
        return outcome;
    }

private:
    void solve(StepOutcome& outcome, const Eigen::LLT<Eigen::MatrixXd>& mass, double h, Eigen::VectorXd& v) {
        const auto count = Index(outcome.contacts.size());
        const Index rows = 1 + outcome.contacts[0].contact.tangent.rows();
        Eigen::MatrixXd directions(rows * count, v.size());  // D^T
        complementarity::FrictionProblem problem;
        problem.dimension = int(rows);
        problem.mu.resize(count);
        Eigen::VectorXd gaps = Eigen::VectorXd::Zero(rows * count);
        for (Index i = 0; i < count; ++i) {
            const Contact& contact = outcome.contacts[std::size_t(i)].contact;
            directions.row(rows * i) = contact.normal;
            directions.middleRows(rows * i + 1, rows - 1) = contact.tangent;
            gaps[rows * i] = contact.gap / h;
            problem.mu[i] = contact.law.friction.sliding;
        }
        const Eigen::MatrixXd reach = mass.solve(directions.transpose());
        problem.W = Eigen::MatrixXd(directions * reach).sparseView();
        problem.q = gaps + directions * v;
        // The last step's impulses start this one's iteration when the contacts are as many.
        if (settings_.start.size() != problem.q.size()) settings_.start.resize(0);
        const complementarity::FrictionResult result = complementarity::solve_gauss_seidel(problem, settings_);
        settings_.start = result.r;
        v += reach * result.r;
        outcome.iterations = result.iterations;
        outcome.residual = result.residual;
        outcome.converged = result.status == complementarity::FrictionStatus::solved;
        for (Index i = 0; i < count; ++i) {
            ContactOutcome& contact = outcome.contacts[std::size_t(i)];
            contact.normal_impulse = result.r[rows * i];
            contact.tangent_impulse = result.r.segment(rows * i + 1, rows - 1);
        }
    }

    complementarity::FrictionSettings settings_;
};

}  // namespace scree::reference
