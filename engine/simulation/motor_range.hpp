// SPDX-License-Identifier: BSD-3-Clause
// What motors can be asked for.
#pragma once

#include "engine/geometry/solid.hpp"
#include "engine/model/joint.hpp"

#include <array>
#include <optional>
#include <string>

namespace scree::simulation {

/// The largest target of a motor (in its own unit) with which the step can compute: of the speed that bodies may have
/// (geometry::fastest_speed) at their surfaces. Positions may ask for it in one step, forces may make it in one step.
[[nodiscard]] double largest_target(model::JointAxis::Motor motor, bool turns,
                                    const std::array<const model::Sphere*, 2>& bodies,
                                    const geometry::SourceSolids& solids, double step);

/// "1e+300 rad/s is beyond what the step can compute with (allowed: at most 1e+15 rad/s)".
[[nodiscard]] std::string beyond_range(model::JointAxis::Motor motor, bool turns, double value, double largest);

/// The first value of a constant or a table that is so, in such words; expressions are looked at as they come.
[[nodiscard]] std::optional<std::string> target_beyond(const model::JointAxis& axis, bool turns, double largest);

}  // namespace scree::simulation
