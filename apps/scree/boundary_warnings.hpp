// SPDX-License-Identifier: BSD-3-Clause
// Boundaries of another scale than the bodies, and ones that move too far in a step.
#pragma once

#include "engine/model/snapshot.hpp"
#include "engine/simulation/simulation.hpp"

#include <string>
#include <vector>

namespace scree::app {

/// Sentences about boundaries more than 100 times as large as all bodies together or smaller than a hundredth of the
/// smallest body (files in mm), about walls that move by more than the smallest body's radius (half its thickness) in a
/// step, about walls that reach past periodic faces without spanning the period, and about oscillations with less than
/// 20 steps in a period, those of bodies included.
void warn_of_boundaries(std::vector<std::string>& warnings, const simulation::Simulation& simulation,
                        const model::Snapshot& bodies);

}  // namespace scree::app
