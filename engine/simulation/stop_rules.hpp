// SPDX-License-Identifier: BSD-3-Clause
// The rules of a scene that end a run before its end time.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/simulation.hpp"

#include <optional>
#include <string>

namespace scree::simulation {

/// stop.rest_speed [m/s], worked out where it is automatic.
[[nodiscard]] double rest_speed(const model::Scene& scene);

/// Watches for rest: to be called once a step, before its checkpoint. In motion it costs nothing: where the mean
/// kinetic energy is that of stop.rest_speed, some body is as fast; else it takes a snapshot.
void watch_rest(Simulation& simulation, RunStatistics& statistics);

/// The first rule of `rules` that holds after a step, in words with value and limit; nothing when none does.
/// `wall_seconds` of this process.
[[nodiscard]] std::optional<std::string> stop_reason(const model::StopSettings& rules, Simulation& simulation,
                                                     const RunStatistics& statistics, double wall_seconds);

}  // namespace scree::simulation
