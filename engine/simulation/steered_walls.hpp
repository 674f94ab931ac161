// SPDX-License-Identifier: BSD-3-Clause
// Walls that a program moves, besides what their scene says.
#pragma once

#include "engine/simulation/boundary_motion.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace scree::simulation {

/// By boundary: how far a program has moved it from where its scene has it, and how fast it goes on. It turns about its
/// torque point, which motions of the scene carry along.
class SteeredWalls {
public:
    [[nodiscard]] bool empty() const { return walls_.empty(); }
    /// Velocities from now on [m/s], [rad/s], world axes.
    void steer(std::size_t boundary, model::Vec3 velocity, model::Vec3 angular_velocity);
    /// From the pose by the scene to the pose.
    void apply(std::size_t boundary, Pose& pose) const;
    /// Moves by a step [s].
    void advance(double step);

    /// For checkpoints: fourteen numbers per wall.
    [[nodiscard]] std::vector<double> state() const;
    /// False where these are no numbers of walls among `boundaries`.
    [[nodiscard]] bool restore(std::span<const double> state, std::size_t boundaries);

private:
    struct Wall {
        model::Vec3 way;  ///< [m]
        model::Quat turn;
        model::Vec3 velocity, angular_velocity;
    };
    std::map<std::size_t, Wall> walls_;
};

}  // namespace scree::simulation
