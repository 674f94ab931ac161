// SPDX-License-Identifier: BSD-3-Clause
// Brute-force checks of sets of spheres.
#pragma once

#include "engine/model/source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace scree::test {

/// Least distance between surfaces of any two spheres, images one `period` away (0: none) included [m].
inline double least_gap(std::span<const model::Sphere> bodies, std::array<double, 3> period = {}) {
    double least = std::numeric_limits<double>::infinity();
    const auto along = [](double d, double p) {
        return p > 0.0 ? std::min({std::abs(d), std::abs(d - p), std::abs(d + p)}) : d;
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const model::Vec3 d = bodies[i].position - bodies[j].position;
            const model::Vec3 closest{along(d.x, period[0]), along(d.y, period[1]), along(d.z, period[2])};
            least = std::min(least, norm(closest) - bodies[i].radius - bodies[j].radius);
        }
    }
    return least;
}

/// How far the sphere that sticks out most does so from an axis-aligned box [m]; negative when all are inside.
inline double most_outside(std::span<const model::Sphere> bodies, model::Vec3 lower, model::Vec3 upper) {
    double most = -std::numeric_limits<double>::infinity();
    for (const model::Sphere& b : bodies) {
        const model::Vec3 p = b.position;
        most = std::max({most, lower.x - p.x + b.radius, p.x + b.radius - upper.x, lower.y - p.y + b.radius,
                         p.y + b.radius - upper.y, lower.z - p.z + b.radius, p.z + b.radius - upper.z});
    }
    return most;
}

}  // namespace scree::test
