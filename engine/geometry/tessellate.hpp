// SPDX-License-Identifier: BSD-3-Clause
// Boundaries as triangles, for output only (walls.vtp): contact uses the exact shapes.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/math.hpp"

namespace scree::geometry {

/// Triangles of any boundary, in world axes at t = 0.
///
/// Plane: a square of side 2 `size_hint` [m] around the foot of `centre` on the plane. Box: its closed faces.
/// Cylinder, cone, funnel: 64 segments and the caps that it has (polygons inscribed in the circles). Mesh: a copy.
/// Triangles turn counter-clockwise as seen from the free side (for meshes: as in the file).
/// Throws model::Error (input) when `size_hint` is not positive or the shape is degenerate.
[[nodiscard]] model::MeshShape tessellate(const model::BoundaryShape& shape, double size_hint, model::Vec3 centre = {});

}  // namespace scree::geometry
