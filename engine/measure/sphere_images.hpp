// SPDX-License-Identifier: BSD-3-Clause
// The spheres that matter for a box: those near it, and their images across periodic faces.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/probe.hpp"
#include "engine/model/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace scree::measure {

/// A sphere, or an image of one.
struct SphereImage {
    model::Vec3 center;    ///< [m]
    double radius = 0.0;   ///< [m]
    std::size_t body = 0;  ///< Index into the snapshot.
    bool original = true;  ///< false for a periodic image.
};

/// Spheres and images with the centre in `box`, or so near to it that they reach into it or touch a sphere whose centre
/// is in it. `tolerance`: touching means a gap below this times the mean diameter. In order of body, itself before its
/// images.
[[nodiscard]] std::vector<SphereImage> spheres_near(const model::Snapshot& snapshot,
                                                    const std::array<model::PeriodicFaces, 3>& periodic,
                                                    const model::ProbeBox& box, double tolerance);

/// Number of other bodies that each sphere touches, images included: |x_i - x_j| < (r_i + r_j) (1 + tolerance), and
/// `touch(i, j)`, where given: of spheres around bodies of other shapes, i and j places in the list.
/// Right for the spheres whose neighbourhood the list holds. Cost grows linearly with the number of spheres for size
/// ratios of 100 and more: spheres are sorted into one grid per octave of size, and look into their own grid and
/// coarser ones only.
[[nodiscard]] std::vector<std::uint32_t> contact_counts(
    const std::vector<SphereImage>& spheres, double tolerance,
    const std::function<bool(std::size_t, std::size_t)>& touch = {});

}  // namespace scree::measure
