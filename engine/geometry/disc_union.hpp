// SPDX-License-Identifier: BSD-3-Clause
// The area that discs in a plane fill together inside a rectangle.
#pragma once

#include <span>

namespace scree::geometry {

struct Disc {
    double x = 0.0, y = 0.0;      ///< Centre [m].
    double radius_squared = 0.0;  ///< Square of the radius [m^2].
};

/// An axis-aligned rectangle [m].
struct Rectangle {
    double x_low = 0.0, y_low = 0.0, x_high = 0.0, y_high = 0.0;
};

/// Area [m^2] of the union of the discs in the rectangle, in closed form: 2 area = int x . n ds over the free arcs in
/// the rectangle and the parts of its edges in discs, x from its lower corner, so that two edges give nothing. Squares
/// of radii and not radii: those of spheres cut by one plane differ exactly. Discs may coincide, touch or contain
/// others.
[[nodiscard]] double disc_union_area(std::span<const Disc> discs, const Rectangle& rectangle);

}  // namespace scree::geometry
