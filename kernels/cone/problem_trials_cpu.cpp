// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set, SCREE_MAKE_CPU_PROBLEM being the name of its entry.
#include "kernels/cone/make_solver.hpp"
#include "kernels/cone/packed_problem.hpp"
#include "kernels/step/cpu_engine.hpp"

#include <array>
#include <chrono>
#include <memory>

namespace scree::kernels {
namespace {

class PackedTrials : public ProblemTrials {
public:
    PackedTrials(const ProblemDownload& problem, std::size_t threads) : cpu_(threads), problem_(problem) {}

    SolverOutcome try_solver(const SolverTrial& trial) override {
        if (!solver_ || trial.solver != name_) {
            solver_ = make_solver<Cpu, float>(trial.solver, scratch_);
            name_ = trial.solver;
            run({trial.solver, trial.tolerance, 1});  // memory and the spectral estimate
        }
        return run(trial);
    }
    [[nodiscard]] std::size_t threads() const override { return cpu_.threads(); }

private:
    SolverOutcome run(const SolverTrial& trial) {
        problem_.set_zero(solution_);
        const auto begin = std::chrono::steady_clock::now();
        const auto report = solver_->solve(cpu_, problem_.view(), problem_.contacts(),
                                           {trial.tolerance, trial.max_iterations, false}, solution_);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        return {time.count(), report.iterations, report.operator_products, report.converged, report.residual.rms};
    }

    Cpu cpu_;
    PackedProblem problem_;
    Scratch<Cpu> scratch_;
    SolverName name_ = SolverName::conjugate;
    std::unique_ptr<ConeSolver<Cpu, float>> solver_;
    ConeSolution<Cpu, float> solution_;
};

}  // namespace

std::unique_ptr<ProblemTrials> SCREE_MAKE_CPU_PROBLEM(const ProblemDownload& problem, std::size_t threads);
std::unique_ptr<ProblemTrials> SCREE_MAKE_CPU_PROBLEM(const ProblemDownload& problem, std::size_t threads) {
    return std::make_unique<PackedTrials>(problem, threads);
}

}  // namespace scree::kernels
