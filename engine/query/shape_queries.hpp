// SPDX-License-Identifier: BSD-3-Clause
// One convex shape against a line and against a region.
#pragma once

#include "engine/query/line.hpp"
#include "kernels/items/convex_shape.hpp"

namespace scree::query {

/// Where the line enters the shape, up to `limit` [m]. From inside: at once. A line that begins on the surface touches
/// it when it goes in. Accuracy: 1e-12 of the size along the normal; lines that pass within that touch.
///
/// Balls in closed form. Of the others the distance to the point of the line is a convex function of the way, and its
/// slope is known from the direction that separates most (separation.hpp): Newton's method comes from outside, never
/// passes the surface, and ends where the slope says that the line moves away. Smooth or flat surfaces take a handful
/// of steps, lines that graze them some twenty.
[[nodiscard]] Touch touch_shape(const kernels::ShapeView& view, const kernels::PlacedShape& shape, const Line& line,
                                double limit);

/// Whether the shape and the region, a convex shape too, share a point; to rounding where they just touch.
[[nodiscard]] bool reaches_into(const kernels::ShapeView& view, const kernels::PlacedShape& shape,
                                const kernels::PlacedShape& region);

}  // namespace scree::query
