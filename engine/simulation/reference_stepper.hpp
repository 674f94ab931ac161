// SPDX-License-Identifier: BSD-3-Clause
// From the key `stepper` and its section to a reference stepper.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/reference/system.hpp"

#include <memory>

namespace scree::simulation {

/// One way of stepping that a scene can name. A new one is one line in the table of reference_stepper.cpp.
struct ReferenceStepperKind {
    model::Stepper name;
    std::unique_ptr<reference::Stepper> (*make)(const model::Scene&);
    /// x+ = x + h v+ with v+ = v* + what contacts add: the energy ledger of a run holds.
    bool moves_by_end_velocity;
};

/// Throws std::invalid_argument for the production stepper, model::Error (input) for settings out of range.
[[nodiscard]] const ReferenceStepperKind& reference_stepper(model::Stepper name);

}  // namespace scree::simulation
