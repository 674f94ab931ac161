// SPDX-License-Identifier: BSD-3-Clause
// What a program imposes on a running simulation between two steps.
#pragma once

#include "engine/model/math.hpp"

#include <cstdint>

namespace scree::model {

/// A force on the centre of mass of a free body, and a torque; world axes.
struct AppliedForce {
    std::uint64_t id = 0;  ///< Body id.
    Vec3 force;            ///< [N]
    Vec3 torque;           ///< [N m]
};

/// Velocities that a free body is to go on with; world axes.
struct ImposedVelocity {
    std::uint64_t id = 0;   ///< Body id.
    Vec3 velocity;          ///< Of the centre of mass [m/s].
    Vec3 angular_velocity;  ///< [rad/s]
};

}  // namespace scree::model
