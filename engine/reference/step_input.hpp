// SPDX-License-Identifier: BSD-3-Clause
// What every stepper asks of its input before it steps.
#pragma once

#include "engine/model/error.hpp"
#include "engine/reference/system.hpp"

#include <cmath>
#include <sstream>
#include <string>

namespace scree::reference {

/// A number of any size in six digits.
[[nodiscard]] inline std::string in_digits(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

/// Throws model::Error (input) for a step that is not positive and finite, and a state that is not finite or has
/// another size than the system.
inline void check_step(const System& system, const State& state, double h) {
    const auto refuse = [](const std::string& what, const std::string& hint) {
        throw model::Error(model::ErrorKind::input, what, hint);
    };
    if (!(h > 0.0) || !std::isfinite(h)) refuse("step " + in_digits(h) + " s", "positive and finite");
    if (state.q.size() != system.coordinates() || state.v.size() != system.velocities())
        refuse("the state has " + std::to_string(state.q.size()) + " coordinates and " +
                   std::to_string(state.v.size()) + " velocities, the system " + std::to_string(system.coordinates()) +
                   " and " + std::to_string(system.velocities()),
               {});
    if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time))
        refuse("the state at " + std::to_string(state.time) + " s is not finite", {});
}

}  // namespace scree::reference
