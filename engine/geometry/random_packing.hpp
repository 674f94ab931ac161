// SPDX-License-Identifier: BSD-3-Clause
// Random, non-overlapping spheres in a region: random sequential insertion, largest first.
#pragma once

#include "engine/geometry/ball.hpp"
#include "engine/model/boundary.hpp"
#include "engine/model/source.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace scree::geometry {

struct Packing {
    std::vector<Ball> balls;        ///< Largest first.
    std::vector<double> rejected;   ///< Radii of the spheres without a place, largest first [m].
    std::size_t too_large = 0;      ///< Of the rejected: larger than the region.
    std::size_t not_tried = 0;      ///< Of the rejected: given up after many failures with spheres of their size.
    double solid_fraction = 0.0;    ///< Of the balls, in the region.
    std::vector<double> quantiles;  ///< Radii below which 10, 50 and 90 % of the inserted mass lies [m].
};

/// Fills the region, largest first (FreePlaces). Fractions up to about 0.38 for equal spheres come out this way, more
/// for wide mixtures. After 30 failures in a row, all spheres that are not smaller by 3 % than the last one are given
/// up.
///
/// No ball is closer than `gap` to another, to an obstacle, or to a periodic image of either.
/// Throws model::Error (input) when count and fraction, the sizes, the region or the gap make no sense, or when more
/// than `limit` spheres would be needed.
[[nodiscard]] Packing pack_randomly(const model::RandomSource& source, std::span<const model::Sphere> obstacles,
                                    const std::array<model::PeriodicFaces, 3>& periodic, std::size_t limit);

}  // namespace scree::geometry
