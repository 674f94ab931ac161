// SPDX-License-Identifier: BSD-3-Clause
// Random orientations.
#pragma once

#include "engine/geometry/random_stream.hpp"
#include "engine/model/math.hpp"

#include <cmath>
#include <numbers>

namespace scree::geometry {

/// Uniform over all rotations (Shoemake, "Uniform random rotations", Graphics Gems III, 1992).
[[nodiscard]] inline model::Quat turn_at_random(RandomStream& random) {
    const double u = random.unit(), a = random.between(0.0, 2.0 * std::numbers::pi),
                 b = random.between(0.0, 2.0 * std::numbers::pi);
    const double s = std::sqrt(1.0 - u), c = std::sqrt(u);
    return {c * std::cos(b), s * std::sin(a), s * std::cos(a), c * std::sin(b)};
}

}  // namespace scree::geometry
