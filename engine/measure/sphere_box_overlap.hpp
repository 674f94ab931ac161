// SPDX-License-Identifier: BSD-3-Clause
// The exact volume that a sphere shares with an axis-aligned box.
#pragma once

#include "engine/model/math.hpp"

namespace scree::measure {

/// Volume [m^3] of {|x - center| < radius, lower < x < upper}; bounds may be infinite. Closed form, error about 1e-14
/// of the sphere.
[[nodiscard]] double sphere_box_overlap(model::Vec3 center, double radius, model::Vec3 lower, model::Vec3 upper);

}  // namespace scree::measure
