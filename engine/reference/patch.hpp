// SPDX-License-Identifier: BSD-3-Clause
// Contact patches: where the faces and edges of two flat shapes lie opposite each other.
#pragma once

#include "engine/reference/collision.hpp"
#include "engine/reference/separation.hpp"

namespace scree::reference {

/// The supporting faces of both shapes, seen along the direction of separation, are cut with each other; up to 8
/// corners of what they share are the points: corners of b above the face of a, corners of a, crossings of edges. Each
/// has its own gap along the common direction, so a patch that opens like a wedge is told exactly. The nearest pair is
/// added where none of them has its gap. Points with a gap of `reach` or more are left out. Features: 2 bits kind (0
/// nearest pair, 1 corner of a, 2 corner of b, 3 crossing), 15 bits of a, 15 bits of b.
[[nodiscard]] std::vector<NearPoint> patch(const Placed& a, const Placed& b, const Separation& nearest, double reach);

/// A shape against the half-space under `plane`, normal into the solid. A box or a polytope gives each corner; round
/// shapes their lowest point. A cylinder that stands (axis within 45 degrees of the normal) gives four points at 0, 90,
/// 180 and 270 degrees of the lower rim and the lowest one, so that it neither tilts at rest nor rolls on a polygon;
/// one that lies gives both ends of its lowest line.
[[nodiscard]] std::vector<NearPoint> on_half_space(const Placed& shape, const Pose& plane, double reach);

}  // namespace scree::reference
