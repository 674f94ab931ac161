// SPDX-License-Identifier: BSD-3-Clause
// A run with its voice: echo, progress, result, exit code. Shared by `run` and `restart`.
#pragma once

#include "apps/scree/command.hpp"
#include "engine/simulation/run.hpp"

namespace scree::app {

/// Returns 0, or 130 after Ctrl-C. Throws model::Error.
int run_session(simulation::Simulation& simulation, simulation::RunOptions options, Voice voice,
                const simulation::RestartPoint* restart = nullptr);

}  // namespace scree::app
