// SPDX-License-Identifier: BSD-3-Clause
// The measurements of `scree bench`.
#pragma once

#include "engine/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>

namespace scree::app {

struct BenchPlan {
    bool step = false, solver = false, broadphase = false, passes = false;
    bool trials = false;           ///< With solver: every solver on the last step's problem, to three residuals.
    std::int64_t warm_up = 3;      ///< Steps before the clock runs.
    std::int64_t least_steps = 3;  ///< Steps that are measured at least ...
    double seconds = 2.0;          ///< ... and for at least this long [s].
};

/// One row per measurement, from one series of steps: seconds are per step.
[[nodiscard]] nlohmann::ordered_json measure_steps(simulation::Simulation& simulation, const BenchPlan& plan);

/// Cold solves of a dumped cone problem on the CPU, mixed precision, `iterations` each.
[[nodiscard]] nlohmann::ordered_json measure_problem(const std::filesystem::path& file, std::size_t threads,
                                                     int iterations, const BenchPlan& plan);

}  // namespace scree::app
