// SPDX-License-Identifier: BSD-3-Clause
// What the narrow phase of convex shapes returns.
#pragma once

#include "kernels/items/convex_shape.hpp"

namespace scree::kernels {

/// A point of contact half way between the surfaces.
struct ManifoldPoint {
    Vector3d point;  ///< World [m].
    double gap;      ///< Along the normal [m]; negative when the shapes overlap.
    /// Tells the points of one pair apart, the same from step to step: 2 bits kind (0 nearest pair, 1 corner of A,
    /// 2 corner of B, 3 crossing of edges), 15 bits of A, 15 bits of B.
    std::int32_t feature;
};

/// All contacts of two shapes: their points share one normal, the direction of the least translation that parts them.
struct Manifold {
    static constexpr int capacity = 8;
    int count = 0;
    Vector3d normal{0, 0, 1};  ///< Unit, from A to B.
    ManifoldPoint point[capacity];
};

/// All contacts of a shape with a boundary. Walls that are no half-space (the inside of a drum, a mesh) push at each
/// point their own way, so each has its normal.
struct WallContacts {
    static constexpr int capacity = 16;
    int count = 0;
    Vector3d normal[capacity];  ///< Unit, from the shape into the wall.
    ManifoldPoint point[capacity];
};

SCREE_HD inline std::int32_t contact_feature(std::uint32_t kind, std::int32_t of_a, std::int32_t of_b) {
    return std::int32_t(kind << 30 | (std::uint32_t(of_a) & 0x7fffu) << 15 | (std::uint32_t(of_b) & 0x7fffu));
}

}  // namespace scree::kernels
