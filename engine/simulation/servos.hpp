// SPDX-License-Identifier: BSD-3-Clause
// Walls that move until they press with a given force.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/simulation/boundary_motion.hpp"
#include "kernels/step/step_engine.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::simulation {

/// What a servo presses with at most [N].
[[nodiscard]] double largest_force(const model::Motion& motion);

/// The motions of kind servo of a scene's boundaries. Each goes on along its axis at
///     share x speed x (wanted + trim - borne) / wanted + drift, at most `speed`,
/// where `borne` is what contacts pressed against it with in the last step; a hundredth of the largest force stands for
/// less wanted. The share is 1 at first; it halves where the error changes its sign (the wall went further than what it
/// presses yields) and grows by a tenth of itself otherwise, between 1e-4 and 1. The drift is the integral part: what
/// flows away from a wall, or another motion of it, would leave an error; it grows by a fiftieth of the first part each
/// step up to share x speed (beyond, walls on stiff beds swing), and begins anew where nothing is borne. The trim makes
/// the mean force the one wanted where impacts make what is borne go up and down: it is the sum of the errors by 500,
/// at most what is wanted, and fades where the force is steady.
class Servos {
public:
    Servos() = default;
    explicit Servos(const model::Scene& scene);

    [[nodiscard]] bool empty() const { return servos_.empty(); }
    /// Those that have servos, once each.
    [[nodiscard]] std::vector<std::size_t> boundaries() const;
    /// Adds to the pose of boundary b where its servos have brought it and how fast they go.
    void apply(std::size_t b, Pose& pose) const;
    /// Moves by a step [s].
    void advance(double step);
    /// Sets the speeds of the step that begins at `time` [s] by what the boundaries bore in the one before.
    void decide(double time, std::span<const kernels::BoundaryLoad> loads);

    /// For checkpoints: eight numbers each.
    [[nodiscard]] std::vector<double> state() const;
    /// False where the state is that of other servos.
    [[nodiscard]] bool restore(std::span<const double> state);

private:
    struct Servo {
        std::size_t boundary = 0;
        model::Motion motion;
        model::Vec3 axis;
        double share = 1.0;
        double drift = 0.0;                         ///< [m/s]
        double error = 0.0;                         ///< Of the last step, wanted + trim - borne [N].
        double trim = 0.0;                          ///< [N]
        double mean_missed = 0.0, mean_size = 0.0;  ///< Of wanted - borne, lately [N].
        double way = 0.0;                           ///< [m]
        double speed = 0.0;                         ///< [m/s]
    };
    std::vector<Servo> servos_;
};

}  // namespace scree::simulation
