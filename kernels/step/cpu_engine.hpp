// SPDX-License-Identifier: BSD-3-Clause
// The CPU backend's step is compiled once per instruction set (cmake/ScreeInstructionSets.cmake); which one works is
// decided when the program runs.
#pragma once

#include "kernels/step/step_engine.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace scree::kernels {

struct InstructionSet {
    const char* name;  ///< sse2, avx2, avx512; in builds with one form only: native or generic.
    bool runs_here;    ///< Processor and operating system have all of it.
};

/// What this build has code for, narrowest first.
[[nodiscard]] std::span<const InstructionSet> instruction_sets();

/// The widest set that runs here, or the one that the environment variable SCREE_INSTRUCTION_SET names. Throws
/// DeviceError where that is no set of this build or does not run here, and where none does.
[[nodiscard]] const InstructionSet& instruction_set();

/// A problem at hand, without a world, for comparing solvers: in float, one operator as the step's.
class ProblemTrials {
public:
    virtual ~ProblemTrials() = default;
    /// From zero impulses. `trial.tolerance` and the outcome's residual are absolute here [m/s].
    virtual SolverOutcome try_solver(const SolverTrial& trial) = 0;
    [[nodiscard]] virtual std::size_t threads() const = 0;
};

/// `threads`: 0 for all.
[[nodiscard]] std::unique_ptr<ProblemTrials> make_cpu_problem(const ProblemDownload& problem, std::size_t threads);

}  // namespace scree::kernels
