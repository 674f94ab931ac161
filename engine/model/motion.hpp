// SPDX-License-Identifier: BSD-3-Clause
// Prescribed motions of boundaries and bodies.
#pragma once

#include "engine/model/math.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace scree::model {

/// One prescribed motion; the motions of a boundary or body add up. Active for start <= t < stop, but for those by
/// rows.
struct Motion {
    enum class Kind : std::uint8_t { translation, rotation, oscillation, path, turning, belt, servo };
    /// path: a displacement; turning: an angle in x; servo: a force in x. Linear from row to row, constant before and
    /// behind.
    struct Row {
        double time = 0.0;  ///< [s], increasing
        Vec3 value;         ///< [m]; x [rad], x [N]
        bool operator==(const Row&) const = default;
    };
    Kind kind = Kind::translation;
    Vec3 velocity;               ///< translation: [m/s]; belt: of the surface, which stays where it is [m/s]
    Vec3 axis{0, 0, 1};          ///< rotation, turning: direction of the axis; servo: where it presses to
    Vec3 point;                  ///< rotation, turning: a point of the axis at t = 0 [m] (moves with the translations)
    double angular_speed = 0.0;  ///< rotation: [rad/s], right-hand rule about `axis`
    Vec3 amplitude;              ///< oscillation: displacement amplitude [m]
    double frequency = 0.0;      ///< oscillation: [Hz]
    double phase =
        0.0;  ///< oscillation: [rad], displacement = amplitude (sin(2 pi f (t - start) + phase) - sin(phase))
    std::vector<Row> rows;       ///< path, turning; the first row is where it is at t = 0; servo, or empty
    double force = 0.0;          ///< servo: what it presses with, where there are no rows [N]
    double largest_speed = 0.0;  ///< servo: [m/s]
    double start = 0.0;          ///< [s]
    double stop = std::numeric_limits<double>::infinity();  ///< [s]
};

}  // namespace scree::model
