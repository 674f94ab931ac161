// SPDX-License-Identifier: BSD-3-Clause
// Solids as the triangles of their surface, and what of them lies in a box.
#pragma once

#include "engine/model/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::geometry {

/// Triangles turn counter-clockwise seen from outside; each edge belongs to two of them, which run along it in opposite
/// senses. Convex or not.
struct ClosedSurface {
    std::vector<model::Vec3> points;  ///< [m]
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Volume [m^3] of the part in the box; sides may be infinite. Exact to rounding for any closed surface: each triangle
/// stands over its shadow on the box's floor, with the sign of its side, and the volume is the sum of what the box
/// holds of these columns. So nothing needs to know how the box's faces cut the solid. `points`: those of the surface
/// where it stands.
[[nodiscard]] double volume_in_box(std::span<const model::Vec3> points,
                                   std::span<const std::array<std::uint32_t, 3>> triangles, model::Vec3 lower,
                                   model::Vec3 upper);

[[nodiscard]] double volume_of(const ClosedSurface& surface);

}  // namespace scree::geometry
