// SPDX-License-Identifier: BSD-3-Clause
// How large boundaries are, and where meshes are open.
#pragma once

#include "engine/geometry/extent.hpp"
#include "engine/model/boundary.hpp"

#include <cstddef>

namespace scree::geometry {

/// The box around a boundary at t = 0, exact; of a mesh around the vertices that its triangles use. Empty for planes.
[[nodiscard]] Extent boundary_extent(const model::BoundaryShape& shape);

/// Edges that belong to one triangle alone: rims and holes. Vertices with equal coordinates count as one, so that files
/// that repeat them are no meshes full of holes; ones that differ by a rounding stay two.
[[nodiscard]] std::size_t open_edges(const model::MeshShape& mesh);

/// The largest side of a box [m]; 0 of an empty one.
[[nodiscard]] double largest_side(const Extent& extent);

}  // namespace scree::geometry
