// SPDX-License-Identifier: BSD-3-Clause
// Rates of the contact rows along the motion, times the velocity: the curvature terms of the acceleration-level model
// (papers/003, eq. 3 to 5: W_dot^T q_dot).
#pragma once

#include "engine/reference/system.hpp"

#include <vector>

namespace scree::reference {

struct ContactRate {
    double normal = 0.0;      ///< d/dt (normal v + drift) at constant v [m/s^2]
    Eigen::VectorXd tangent;  ///< As many as tangents [m/s^2]
    double error = 0.0;       ///< Estimate [m/s^2]; infinity where the contact could not be followed.
};

/// Central differences along System::moved, extrapolated (Ridders' method), with contacts matched by identity. Tangents
/// are turned back onto those of the contact: a frame that spins about the normal adds nothing.
[[nodiscard]] std::vector<ContactRate> contact_rates(const System& system, const State& state,
                                                     const std::vector<Contact>& contacts);

}  // namespace scree::reference
