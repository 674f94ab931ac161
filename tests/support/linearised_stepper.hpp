// SPDX-License-Identifier: BSD-3-Clause
// Stepping with all geometry at the start of the step (papers/004, eq. 2.11, in the plane or with a round cone): what
// the geometrically implicit stepper is held against. Position after: q + h v.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "engine/reference/system.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace scree::test {

/// What stands for the gap at the end of the step: 0 <= p_n _|_ n v + .
enum class GapTerm {
    linearised,  ///< gap / h: the linearised gap is not negative at the end
    opened,      ///< max(gap, 0) / h: as above without pushing apart what overlaps
};

class LinearisedStepper final : public reference::Stepper {
public:
    LinearisedStepper(double reach, GapTerm term) : reach_(reach), term_(term) {}

    reference::StepOutcome step(const reference::System& system, reference::State& state, double h) override {
        using Eigen::Index;
        const auto contacts = system.contacts(state.time, state.q, reach_);
        const Eigen::LLT<Eigen::MatrixXd> mass(system.mass(state.q));
        Eigen::VectorXd v = state.v + h * mass.solve(system.force(state.time, state.q, state.v));
        const Index rows = contacts.empty() ? 0 : 1 + contacts[0].tangent.rows(), count = Index(contacts.size());
        Eigen::MatrixXd j(rows * count, system.velocities());
        complementarity::FrictionProblem problem;
        problem.dimension = std::max(2, int(rows));
        problem.q.setZero(rows * count);
        problem.mu.setZero(count);
        for (Index i = 0; i < count; ++i) {
            const reference::Contact& c = contacts[std::size_t(i)];
            j.row(rows * i) = c.normal;
            j.middleRows(rows * i + 1, rows - 1) = c.tangent;
            problem.q[rows * i] = (term_ == GapTerm::opened ? std::max(c.gap, 0.0) : c.gap) / h + c.drift_normal;
            problem.q.segment(rows * i + 1, rows - 1) = c.drift_tangent;
            problem.mu[i] = c.law.friction.sliding;
        }
        reference::StepOutcome outcome;
        outcome.converged = true;
        if (count > 0) {
            const Eigen::MatrixXd response = mass.solve(j.transpose());
            problem.W = Eigen::MatrixXd(j * response).sparseView();
            problem.q += j * v;
            complementarity::FrictionSettings settings;
            settings.tolerance = 1e-12;
            settings.max_iterations = 2000;
            auto solved = complementarity::solve_gauss_seidel(problem, settings);
            if (!(solved.residual < 1e-9)) {  // many contacts of one body: sweeps crawl
                settings.start = solved.r;
                settings.max_iterations = 0;
                solved = complementarity::solve_proximal(problem, settings);
            }
            outcome.residual = solved.residual;
            if (!(solved.residual < 1e-9)) throw std::runtime_error("the linearised step has no solution");
            v += response * solved.r;
        }
        state.q = system.moved(state.q, v, h);
        state.v = v;
        state.time += h;
        return outcome;
    }

private:
    double reach_;
    GapTerm term_;
};

}  // namespace scree::test
