// SPDX-License-Identifier: BSD-3-Clause
// A cone problem solved by one of the production solvers, with the result in plain vectors.
#pragma once

#include "kernels/cone/cone_solver.hpp"
#include "kernels/parallel/scratch.hpp"
#include "kernels/step/step_engine.hpp"
#include "tests/support/packed_problem.hpp"

#include <memory>

namespace scree::test {

struct Solved {
    kernels::SolveReport report;
    Eigen::VectorXd gamma;     ///< Rows per contact.
    Eigen::VectorXd velocity;  ///< (v, w) per body.
};

/// kernels::make_solver(), compiled once: in cpu_solvers.cpp and model_solvers.cpp.
template <class Backend, class R>
std::unique_ptr<kernels::ConeSolver<Backend, R>> new_solver(kernels::SolverName name,
                                                            kernels::Scratch<Backend>& scratch);

/// A solver and its backend, for one or more problems in turn.
template <class Backend, class R>
class SolverFixture {
public:
    SolverFixture(kernels::SolverName name, Backend backend) : backend_(std::move(backend)) {
        solver_ = new_solver<Backend, R>(name, scratch_);
    }
    Solved solve(const ReferenceProblem& p, const kernels::SolveSettings& settings,
                 const Eigen::VectorXd* start = nullptr) {
        const PackedProblem<Backend, R> packed(p);
        kernels::ConeSolution<Backend, R> solution;
        if (start != nullptr)
            packed.set_impulses(*start, solution);
        else
            packed.set_zero(solution);
        Solved result;
        result.report = solver_->solve(backend_, packed.view(), packed.real_contacts(), settings, solution);
        result.gamma = packed.impulses(solution);
        result.velocity = packed.velocities(solution.velocity);
        return result;
    }
    [[nodiscard]] kernels::ConeSolver<Backend, R>& solver() { return *solver_; }

private:
    Backend backend_;
    kernels::Scratch<Backend> scratch_;
    std::unique_ptr<kernels::ConeSolver<Backend, R>> solver_;
};

}  // namespace scree::test
