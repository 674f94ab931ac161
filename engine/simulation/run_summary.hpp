// SPDX-License-Identifier: BSD-3-Clause
// What summary.json says about a run.
#pragma once

#include "engine/io/summary.hpp"
#include "engine/model/scene.hpp"
#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace scree::simulation {

/// Settings of the scene as JSON, with what "auto" became: backend, solver.kind, contact.stiffness,
/// contact.damping_time, contact.restitution_threshold.
[[nodiscard]] nlohmann::ordered_json resolved_settings(const Simulation& simulation);

/// What made the scene: the file's name, overrides, and materials and pairs with all their values.
[[nodiscard]] nlohmann::ordered_json provenance(const model::Scene& scene);

/// CPU seconds of this process, all threads.
[[nodiscard]] double cpu_seconds();
/// Largest resident size of this process [bytes].
[[nodiscard]] std::uint64_t peak_resident_bytes();

/// All but status, reason, wall time, phases beside those of the step, probes, warnings and state hash. Reads nothing
/// from the backend, so it also works after a failure. `last`: the final state, for the energy balance; null if
/// unknown.
[[nodiscard]] io::RunSummary summarise(const Simulation& simulation, const RunStatistics& statistics,
                                       const model::Snapshot* last);

/// What a user of the results must know: steps that missed the residual, deep overlaps, bodies that left everything.
/// One sentence each.
[[nodiscard]] std::vector<std::string> result_warnings(const io::RunSummary& summary);

[[nodiscard]] const char* name_of(model::Backend backend);
[[nodiscard]] const char* name_of(model::Precision precision);
[[nodiscard]] const char* name_of(model::SolverKind kind);
/// Of the production step's cone solver, as what `auto` became, or of the reference stepper.
[[nodiscard]] const char* solver_name(const Simulation& simulation);
[[nodiscard]] const char* name_of(model::FrictionLaw law);

}  // namespace scree::simulation
