// SPDX-License-Identifier: BSD-3-Clause
// The surfaces of convex shapes as triangles, for volumes and for pictures.
#pragma once

#include "engine/geometry/closed_surface.hpp"
#include "kernels/items/convex_shape.hpp"

namespace scree::geometry {

/// At unit scale in body axes. Boxes and polyhedra exactly. Round shapes by points on the surface, 64 around and 24
/// from pole to pole of each quarter of a circle, then scaled about the centre to `volume`, that of the shape [m^3]:
/// the surface lies now outside and now inside, so that a part cut off by planes differs by less than 1e-4 of the
/// volume, as the square of the distance of the points. Not for spheres (sphere_box_overlap.hpp is exact), the walls'
/// shapes and polyhedra with a rounding: std::logic_error.
[[nodiscard]] ClosedSurface surface_of(const kernels::ShapeView& view, const kernels::ConvexShape& shape,
                                       double volume);

/// At unit scale in body axes, to be looked at: round shapes and spheres by 16 points around and 4 pieces from pole to
/// equator, no points that coincide and no triangles without area. Throws as surface_of(), but for spheres.
[[nodiscard]] ClosedSurface picture_of(const kernels::ShapeView& view, const kernels::ConvexShape& shape);

}  // namespace scree::geometry
