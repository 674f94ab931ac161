// SPDX-License-Identifier: BSD-3-Clause
// Walks through bounding volume hierarchies: along a line, nearer boxes first, and through a box.
#pragma once

#include "engine/geometry/bvh.hpp"
#include "engine/query/line.hpp"
#include "kernels/items/triangle_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace scree::query {

[[nodiscard]] inline std::int32_t first_of(const geometry::BvhNode& node) { return node.left_or_first; }
[[nodiscard]] inline std::int32_t first_of(const kernels::MeshNode& node) { return node.first; }

/// Distance at which the line enters the node's box, 0 from inside; infinity when it misses it or enters beyond
/// `limit`. Rounding errs on the side of a hit.
template <class Node>
[[nodiscard]] double entry_distance(const Node& node, const Line& line, double limit) {
    const double from[3] = {line.from.x, line.from.y, line.from.z};
    const double along[3] = {line.along.x, line.along.y, line.along.z};
    constexpr double none = std::numeric_limits<double>::infinity();
    constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
    double enter = 0.0, leave = limit;
    for (int k = 0; k < 3; ++k) {
        const double low = double(node.lower[k]) - from[k], high = double(node.upper[k]) - from[k];
        const double slack = rounding * std::max({std::abs(from[k]), std::abs(low), std::abs(high)});
        if (std::abs(along[k]) < std::numeric_limits<double>::min()) {
            if (low > slack || high < -slack) return none;
            continue;
        }
        const double near = (along[k] > 0.0 ? low : high) / along[k], far = (along[k] > 0.0 ? high : low) / along[k];
        const double widened = slack / std::abs(along[k]);
        enter = std::max(enter, near - widened);
        leave = std::min(leave, far + widened);
    }
    return enter <= leave ? enter : none;
}

/// Calls visit(place) for the places in leaves' order whose boxes the line may enter within `limit`, roughly nearest
/// first; visit may lower the limit.
template <class Node, class Visit>
void walk_along(std::span<const Node> nodes, const Line& line, double& limit, Visit&& visit) {
    constexpr double none = std::numeric_limits<double>::infinity();
    struct Open {
        std::int32_t node;
        double distance;
    };
    std::array<Open, geometry::bvh_max_depth + 2> stack;
    std::size_t top = 0;
    const auto push = [&](std::int32_t node, double distance) {
        if (distance < none) stack[top++] = {node, distance};
    };
    if (!nodes.empty()) push(0, entry_distance(nodes[0], line, limit));
    while (top > 0) {
        const Open open = stack[--top];
        if (open.distance > limit) continue;
        const Node& node = nodes[std::size_t(open.node)];
        const std::int32_t first = first_of(node);
        if (node.count > 0) {
            for (std::int32_t place = first; place < first + node.count; ++place) visit(std::size_t(place));
            continue;
        }
        const double left = entry_distance(nodes[std::size_t(first)], line, limit);
        const double right = entry_distance(nodes[std::size_t(first) + 1], line, limit);
        // The nearer one is taken from the stack first.
        push(left < right ? first + 1 : first, std::max(left, right));
        push(left < right ? first : first + 1, std::min(left, right));
    }
}

/// Calls visit(place) for the places whose boxes meet the box.
template <class Node, class Visit>
void walk_through(std::span<const Node> nodes, const geometry::Extent& box, Visit&& visit) {
    const auto meets = [&](const Node& node) {
        return double(node.lower[0]) <= box.upper.x && double(node.upper[0]) >= box.lower.x &&
               double(node.lower[1]) <= box.upper.y && double(node.upper[1]) >= box.lower.y &&
               double(node.lower[2]) <= box.upper.z && double(node.upper[2]) >= box.lower.z;
    };
    std::array<std::int32_t, geometry::bvh_max_depth + 2> stack;
    std::size_t top = 0;
    if (!nodes.empty()) stack[top++] = 0;
    while (top > 0) {
        const Node& node = nodes[std::size_t(stack[--top])];
        if (!meets(node)) continue;
        const std::int32_t first = first_of(node);
        if (node.count == 0) {
            stack[top++] = first + 1;
            stack[top++] = first;
            continue;
        }
        for (std::int32_t place = first; place < first + node.count; ++place) visit(std::size_t(place));
    }
}

}  // namespace scree::query
