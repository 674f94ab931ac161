// SPDX-License-Identifier: BSD-3-Clause
// What caps leave of the unit sphere: its area and moments.
#pragma once

#include "engine/model/math.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace scree::geometry {

/// The unit vectors n with n . axis > height. None from height 1 on, all below -1.
struct Cap {
    model::Vec3 axis;  ///< Unit.
    double height = 0.0;
};

/// Integrals over a part of the unit sphere: of 1, n_k, n_k n_l and n_k n_l n_m, axes numbered 0 to 2.
struct SphericalMoments {
    double area = 0.0;
    std::array<double, 3> first{};
    std::array<std::array<double, 3>, 3> second{};
    std::array<std::array<std::array<double, 3>, 3>, 3> third{};
};

/// Of the unit sphere without the caps. The integral around each circle of latitude is exact; across them Gauss and
/// Kronrod's rule of 15 points halves its intervals until it and Gauss's of 7 agree to 1e-11, when its own error is
/// about 1e-13 (QUADPACK's estimate, (200 x difference)^1.5). Intervals end where the arcs of a circle of latitude may
/// change their number or order, so that the integrand between is analytic. A height that rounding hides, of circles
/// that touch or of many in one point, costs halvings, not accuracy.
[[nodiscard]] SphericalMoments moments_outside_caps(std::span<const Cap> caps);

}  // namespace scree::geometry
