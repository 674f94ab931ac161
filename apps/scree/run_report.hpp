// SPDX-License-Identifier: BSD-3-Clause
// What a run says before its first step and after its last.
#pragma once

#include "apps/scree/command.hpp"
#include "engine/io/summary.hpp"
#include "engine/model/snapshot.hpp"
#include "engine/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace scree::app {

/// The scene as it will run: sources, backend, settings as resolved, cost. Shared by `run`, `restart` and `check`.
struct RunPlan {
    std::int64_t begin_step = 0, end_step = 0;
    std::vector<std::string> warnings;
};

[[nodiscard]] nlohmann::ordered_json plan_json(const simulation::Simulation& simulation, const RunPlan& plan);
void print_plan(const simulation::Simulation& simulation, const RunPlan& plan);

/// Timing table, balance, residual, probes, where the output lies.
void print_summary(const io::RunSummary& summary, const std::filesystem::path& directory, double body_steps);

}  // namespace scree::app
