// SPDX-License-Identifier: BSD-3-Clause
// Prescribed motions of boundaries and bodies.
#pragma once

#include "engine/model/math.hpp"

#include <cstdint>
#include <limits>

namespace scree::model {

/// One prescribed motion; the motions of a boundary or body add up. Active for start <= t < stop.
struct Motion {
    enum class Kind : std::uint8_t { translation, rotation, oscillation };
    Kind kind = Kind::translation;
    Vec3 velocity;               ///< translation: [m/s]
    Vec3 axis{0, 0, 1};          ///< rotation: direction of the axis
    Vec3 point;                  ///< rotation: a point of the axis at t = 0 [m] (moves with the translations)
    double angular_speed = 0.0;  ///< rotation: [rad/s], right-hand rule about `axis`
    Vec3 amplitude;              ///< oscillation: displacement amplitude [m]
    double frequency = 0.0;      ///< oscillation: [Hz]
    double phase =
        0.0;  ///< oscillation: [rad], displacement = amplitude (sin(2 pi f (t - start) + phase) - sin(phase))
    double start = 0.0;                                     ///< [s]
    double stop = std::numeric_limits<double>::infinity();  ///< [s]
};

}  // namespace scree::model
