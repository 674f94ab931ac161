// SPDX-License-Identifier: BSD-3-Clause
// The boundaries of a scene, for the plan of a run.
#pragma once

#include "engine/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

namespace scree::app {

/// A line each, of the first twenty: kind, extent, triangles and open edges of meshes, motion and its largest speed.
void print_boundaries(const simulation::Simulation& simulation);

/// All of them: name, kind, lower and upper [m] (null of planes), triangles and open_edges (of meshes), motion (kinds),
/// largest_speed [m/s], remove_at [s] (of gates).
[[nodiscard]] nlohmann::ordered_json boundaries_json(const simulation::Simulation& simulation);

}  // namespace scree::app
