// SPDX-License-Identifier: BSD-3-Clause
// The rules of a scene that end a run before its end time.
#pragma once

#include "engine/model/settings.hpp"
#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/simulation.hpp"

#include <optional>
#include <string>

namespace scree::simulation {

/// The first rule of `rules` that holds after a step, in words with value and limit; nothing when none does.
/// `wall_seconds` of this process.
[[nodiscard]] std::optional<std::string> stop_reason(const model::StopSettings& rules, Simulation& simulation,
                                                     const RunStatistics& statistics, double wall_seconds);

}  // namespace scree::simulation
