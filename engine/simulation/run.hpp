// SPDX-License-Identifier: BSD-3-Clause
// Runs a simulation to its end: steps, outputs, stop rules, interruption, summary.
#pragma once

#include "engine/io/summary.hpp"
#include "engine/simulation/progress.hpp"
#include "engine/simulation/run_checkpoint.hpp"
#include "engine/simulation/simulation.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scree::simulation {

struct RunOptions {
    std::filesystem::path directory = "out";
    bool replace = false;                     ///< Deletes the files of an earlier run in the folder first.
    std::optional<double> until;              ///< Ends here instead of at time.end [s].
    std::optional<std::int64_t> steps;        ///< Ends after this many steps of this process.
    std::vector<std::int64_t> dump_problems;  ///< Steps whose cone problem is written as problem_N.json.
    /// What is written beside it for `scree solve`: "dat" (text), "hdf5" (FCLIB), "json" (nothing).
    std::string problem_format = "dat";
    const std::atomic<bool>* interrupt =
        nullptr;  ///< True: the run ends after the step it is in, or before (Simulation::watch).
    std::string interruption = "interrupted by a signal";  ///< What the flag stands for, for the summary.
    RunObserver* observer = nullptr;
    std::vector<std::string> warnings;  ///< Go into the summary.
    /// When the process began its work: the zero of wall times.
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

enum class RunStatus : std::uint8_t { done, stopped, interrupted };

struct RunResult {
    RunStatus status = RunStatus::done;
    io::RunSummary summary;
};

/// The step at which a run of `simulation` ends by its time.
[[nodiscard]] std::int64_t end_step(const Simulation& simulation, const RunOptions& options);

/// Runs from the state that `simulation` is in. `restart`: the point at which it was taken up; begins at t = 0 without.
///
/// A failure (numerics, device, disk) is thrown as model::Error after summary.json was written with the status
/// "failed" and the reason, as far as the disk allows; checkpoints written before stay. A folder that another run
/// writes to is left alone.
RunResult run(Simulation& simulation, const RunOptions& options, const RestartPoint* restart = nullptr);

}  // namespace scree::simulation
