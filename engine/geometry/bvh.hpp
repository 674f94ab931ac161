// SPDX-License-Identifier: BSD-3-Clause
// A bounding volume hierarchy over the triangles of a mesh, for sphere queries on either backend, or over boxes.
//
// Invariants:
//  1. nodes[0] is the root; a mesh without triangles has no nodes. Children come after their parent, side by side.
//  2. Every box contains, in exact arithmetic, the double-precision triangles below it: bounds are rounded outwards.
//  3. A leaf holds 1 to 4 triangles; the leaves together hold each triangle exactly once.
//  4. The depth (number of edges from the root to a leaf) is at most `bvh_max_depth`: a stack of that many + 1 entries
//     is enough for any traversal.
//  5. The same mesh gives the same tree on every platform (no unstable partition, no threads).
// Of a tree over boxes the same holds, with boxes for triangles.
#pragma once

#include "engine/geometry/extent.hpp"
#include "engine/model/boundary.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::geometry {

inline constexpr int bvh_max_depth = 60;
inline constexpr std::int32_t bvh_leaf_size = 4;

/// One node, 32 bytes.
struct BvhNode {
    float lower[3];              ///< Box [m], in the axes of the mesh's vertices.
    float upper[3];              ///< [m]
    std::int32_t left_or_first;  ///< Inner node: index of the left child (right = left + 1); leaf: first in `order`.
    std::int32_t count;          ///< 0: inner node; else number of triangles of the leaf.
};

struct Bvh {
    std::vector<BvhNode> nodes;
    std::vector<std::uint32_t> order;  ///< Triangle indices; a leaf owns order[first .. first + count).
};

/// Builds the tree top down: binned surface-area splits, median splits below a depth or where all centroids coincide.
/// Throws model::Error (input) when a triangle names a missing vertex or a vertex is not finite, or above 2^30
/// triangles.
[[nodiscard]] Bvh build_bvh(const model::MeshShape& mesh);

/// The same over boxes, none of them empty: `order` holds their indices. Throws for bounds that are not finite.
[[nodiscard]] Bvh build_box_bvh(std::span<const Extent> boxes);

}  // namespace scree::geometry
