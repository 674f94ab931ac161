// SPDX-License-Identifier: BSD-3-Clause
// Deep overlaps between bodies that a scene gives.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/source.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace scree::geometry {

/// Overlaps of more than this share of the smaller radius are noted: more than rounded coordinates make.
inline constexpr double deep_overlap = 0.1;

/// Pairs that overlap by more than 10 % of the smaller radius, periodic images included.
struct Overlaps {
    std::size_t count = 0;
    std::size_t first = 0, second = 0;  ///< Indices of the worst pair.
    double worst = 0.0;                 ///< Its overlap over the smaller radius.
};

/// Overlaps by source of the later body of each pair (one entry per source). Pairs of two fixed bodies do not count,
/// nor do pairs whose later body is at an index for which `clean(index)` is true: these are known to be free.
/// `depth(i, j, position)` gives the overlap [m] of bodies i and j, j at an image, where the spheres around them
/// overlap; without it the bodies are these spheres.
[[nodiscard]] std::vector<Overlaps> find_overlaps(
    std::span<const model::Sphere> bodies, std::size_t source_count,
    const std::array<model::PeriodicFaces, 3>& periodic, const std::function<bool(std::size_t)>& clean,
    const std::function<double(std::size_t, std::size_t, model::Vec3)>& depth = {});

}  // namespace scree::geometry
