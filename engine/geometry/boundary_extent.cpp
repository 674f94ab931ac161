// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/boundary_extent.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;

Extent extent_of(const model::PlaneShape&) { return {}; }

Extent extent_of(const model::BoxShape& box) {
    Extent extent;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vec3 half = box.half_extents;
        extent.add(box.center + model::rotate(box.orientation, {(corner & 1U) != 0 ? half.x : -half.x,
                                                                (corner & 2U) != 0 ? half.y : -half.y,
                                                                (corner & 4U) != 0 ? half.z : -half.z}));
    }
    return extent;
}

Extent extent_of(const model::RevolutionShape& shape) {
    const Vec3 axis = model::normalized(shape.axis);
    Extent extent;
    const auto add_circle = [&](Vec3 center, double radius) {
        // A circle reaches along a world axis as far as that axis lies in its plane.
        const auto reach = [&](double along) { return radius * std::sqrt(std::max(0.0, 1.0 - along * along)); };
        const Vec3 half{reach(axis.x), reach(axis.y), reach(axis.z)};
        extent.add(center - half);
        extent.add(center + half);
    };
    add_circle(shape.start, shape.radius_start);
    add_circle(shape.start + shape.length * axis, shape.radius_end);
    return extent;
}

Extent extent_of(const model::MeshShape& mesh) {
    Extent extent;
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle) extent.add(mesh.vertices[corner]);
    return extent;
}

/// For each vertex the first of those at its place.
std::vector<std::uint32_t> welded(const std::vector<Vec3>& vertices) {
    std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::uint32_t i) { return std::tuple{vertices[i].x, vertices[i].y, vertices[i].z}; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool same = k > 0 && vertices[order[k]] == vertices[order[k - 1]];
        first[order[k]] = same ? first[order[k - 1]] : order[k];
    }
    return first;
}

}  // namespace

Extent boundary_extent(const model::BoundaryShape& shape) {
    return std::visit([](const auto& s) { return extent_of(s); }, shape);
}

std::size_t open_edges(const model::MeshShape& mesh) {
    const std::vector<std::uint32_t> first = welded(mesh.vertices);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges.push_back(std::minmax({first[triangle[k]], first[triangle[(k + 1) % 3]]}));
    std::sort(edges.begin(), edges.end());
    std::size_t open = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const bool like_last = k > 0 && edges[k] == edges[k - 1];
        const bool like_next = k + 1 < edges.size() && edges[k] == edges[k + 1];
        if (!like_last && !like_next) ++open;
    }
    return open;
}

double largest_side(const Extent& extent) {
    if (extent.empty) return 0.0;
    const Vec3 size = extent.upper - extent.lower;
    return std::max({size.x, size.y, size.z});
}

}  // namespace scree::geometry
