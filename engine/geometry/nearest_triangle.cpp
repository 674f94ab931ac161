// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/nearest_triangle.hpp"

#include "kernels/items/triangle_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace scree::geometry {
namespace {

kernels::Vector3d of(model::Vec3 v) { return {v.x, v.y, v.z}; }

double squared_distance(const BvhNode& node, kernels::Vector3d p) {
    kernels::MeshNode box{};
    std::copy(std::begin(node.lower), std::end(node.lower), std::begin(box.lower));
    std::copy(std::begin(node.upper), std::end(node.upper), std::begin(box.upper));
    return kernels::squared_distance(box, p);
}

}  // namespace

std::optional<std::size_t> NearestTriangle::find(model::Vec3 point) const {
    std::optional<std::size_t> nearest;
    if (tree_.nodes.empty()) return nearest;
    const kernels::Vector3d p = of(point);
    double best = std::numeric_limits<double>::infinity();
    std::array<std::int32_t, bvh_max_depth + 2> stack{};
    std::size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const BvhNode& node = tree_.nodes[std::size_t(stack[--top])];
        if (!(squared_distance(node, p) <= best)) continue;
        if (node.count == 0) {
            const auto child = [&](std::size_t k) {
                return squared_distance(tree_.nodes[std::size_t(node.left_or_first) + k], p);
            };
            // The nearer child last, so that it is visited first.
            const bool second_nearer = child(1) < child(0);
            stack[top++] = node.left_or_first + (second_nearer ? 0 : 1);
            stack[top++] = node.left_or_first + (second_nearer ? 1 : 0);
            continue;
        }
        for (std::int32_t k = node.left_or_first; k < node.left_or_first + node.count; ++k) {
            const std::size_t index = tree_.order[std::size_t(k)];
            const auto& [a, b, c] = mesh_->triangles[index];
            const kernels::Vector3d offset =
                kernels::nearest_on_triangle(p, of(mesh_->vertices[a]), of(mesh_->vertices[b]),
                                             of(mesh_->vertices[c])) -
                p;
            const double squared = kernels::dot(offset, offset);
            if (squared < best || (squared == best && nearest && index < *nearest)) {
                best = squared;
                nearest = index;
            }
        }
    }
    return nearest;
}

}  // namespace scree::geometry
