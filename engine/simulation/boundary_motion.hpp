// SPDX-License-Identifier: BSD-3-Clause
// Where a moving boundary is and how fast it moves, in closed form of time: no drift, restart needs no state. What
// servos add is in servos.hpp.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/source.hpp"

#include <span>

namespace scree::simulation {

/// Pose and velocity at one time. World position of a point p of the boundary: rotate(rotation, p) + displacement.
struct Pose {
    bool active = true;
    bool moving = false;  ///< Any motion is running.
    model::Quat rotation;
    model::Vec3 displacement;      ///< [m]
    model::Vec3 velocity;          ///< Of the world point `reference`, belts included [m/s].
    model::Vec3 belt;              ///< The part of it that moves the surface along itself and the wall nowhere [m/s].
    model::Vec3 angular_velocity;  ///< [rad/s]
    model::Vec3 reference;         ///< The boundary's torque point, now [m].
};

/// Of rows in increasing order of time, not empty: linear between them, constant before and behind.
[[nodiscard]] model::Vec3 value_at(std::span<const model::Motion::Row> rows, double time);

/// Pose at time t [s]. Velocities are the mean over [t, t + step], so that a step of that size lands on the next pose:
/// motions that start, stop or oscillate inside a step lose nothing.
///
/// Rotations apply in the order of the list, each about its own axis as given at t = 0; translations and oscillations
/// add up and carry the axes along.
[[nodiscard]] Pose pose_at(const model::Boundary& boundary, double time, double step);

/// A body whose motion is prescribed: where it is at time t and how fast it goes to where it is at t + step. `position`
/// and `orientation` are those at t = 0.
struct PrescribedPose {
    model::Vec3 position;
    model::Quat orientation;
    model::Vec3 velocity, angular_velocity;
};
[[nodiscard]] PrescribedPose prescribed_at(std::span<const model::Motion> motions, model::Vec3 position,
                                           model::Quat orientation, double time, double step);

}  // namespace scree::simulation
