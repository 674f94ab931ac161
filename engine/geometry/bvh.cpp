// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bvh.hpp"

#include "engine/model/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace scree::geometry {
namespace {

constexpr std::size_t bin_count = 16;
constexpr std::size_t max_triangles = std::size_t{1} << 30U;
// Surface-area splits may be lopsided, so they stop at this depth; halving 2^30 triangles down to a leaf then takes at
// most 28 more levels, which keeps invariant 4 with room to spare.
constexpr int surface_area_depth = 24;

struct Box {
    std::array<double, 3> lower{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::infinity()};
    std::array<double, 3> upper{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};

    void add(const std::array<double, 3>& point) {
        for (std::size_t k = 0; k < 3; ++k) {
            lower[k] = std::min(lower[k], point[k]);
            upper[k] = std::max(upper[k], point[k]);
        }
    }
    void merge(const Box& other) {
        for (std::size_t k = 0; k < 3; ++k) {
            lower[k] = std::min(lower[k], other.lower[k]);
            upper[k] = std::max(upper[k], other.upper[k]);
        }
    }
    [[nodiscard]] double half_area() const {
        const double x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
        return x < 0.0 ? 0.0 : x * y + y * z + z * x;
    }
};

/// Box and centroid (of the box) of one triangle, or of a box.
struct Item {
    Box box;
    std::array<double, 3> centroid{};
};

void set_centroid(Item& item) {
    for (std::size_t k = 0; k < 3; ++k) item.centroid[k] = 0.5 * item.box.lower[k] + 0.5 * item.box.upper[k];
}

/// The largest float that is <= value; finite values beyond the float range give -infinity or the largest float.
float round_down(double value) {
    constexpr double largest = std::numeric_limits<float>::max();
    if (value > largest) return std::numeric_limits<float>::max();
    if (value < -largest) return -std::numeric_limits<float>::infinity();
    const auto nearest = static_cast<float>(value);
    return static_cast<double>(nearest) > value ? std::nextafter(nearest, -std::numeric_limits<float>::infinity())
                                                : nearest;
}

float round_up(double value) { return -round_down(-value); }

std::vector<Item> make_items(const model::MeshShape& mesh) {
    const std::string name = mesh.path.empty() ? "mesh" : "mesh '" + mesh.path + "'";
    if (mesh.triangles.size() > max_triangles) {
        throw model::Error(model::ErrorKind::input, name + " has " + std::to_string(mesh.triangles.size()) +
                                                        " triangles, allowed: " + std::to_string(max_triangles));
    }
    std::vector<Item> items(mesh.triangles.size());
    for (std::size_t t = 0; t < items.size(); ++t) {
        for (const std::uint32_t index : mesh.triangles[t]) {
            if (index >= mesh.vertices.size()) {
                throw model::Error(model::ErrorKind::input, name + ": triangle " + std::to_string(t) +
                                                                " names vertex " + std::to_string(index) + " of " +
                                                                std::to_string(mesh.vertices.size()));
            }
            const model::Vec3 v = mesh.vertices[index];
            if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
                throw model::Error(model::ErrorKind::input,
                                   name + ": vertex " + std::to_string(index) + " is not finite");
            }
            items[t].box.add({v.x, v.y, v.z});
        }
        set_centroid(items[t]);
    }
    return items;
}

std::vector<Item> make_items(std::span<const Extent> boxes) {
    if (boxes.size() > max_triangles) {
        throw model::Error(
            model::ErrorKind::input,
            std::to_string(boxes.size()) + " boxes in one hierarchy, allowed: " + std::to_string(max_triangles));
    }
    std::vector<Item> items(boxes.size());
    for (std::size_t b = 0; b < items.size(); ++b) {
        for (const model::Vec3 v : {boxes[b].lower, boxes[b].upper}) {
            if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
                throw model::Error(model::ErrorKind::input, "box " + std::to_string(b) + " is not finite");
            }
            items[b].box.add({v.x, v.y, v.z});
        }
        set_centroid(items[b]);
    }
    return items;
}

class Builder {
public:
    explicit Builder(std::vector<Item> items) : items_(std::move(items)) {}

    Bvh build() {
        if (items_.empty()) return {};
        tree_.order.resize(items_.size());
        std::iota(tree_.order.begin(), tree_.order.end(), 0U);
        tree_.nodes.reserve(items_.size());
        tree_.nodes.emplace_back();
        std::vector<Range> open{{0, 0, items_.size(), 0}};
        while (!open.empty()) {
            const Range range = open.back();
            open.pop_back();
            const std::size_t middle = finish_node(range);
            if (middle == range.first) continue;  // a leaf
            const std::size_t left = tree_.nodes.size();
            tree_.nodes.resize(left + 2);
            tree_.nodes[range.node].left_or_first = static_cast<std::int32_t>(left);
            open.push_back({left + 1, middle, range.last, range.depth + 1});
            open.push_back({left, range.first, middle, range.depth + 1});
        }
        return std::move(tree_);
    }

private:
    struct Range {
        std::size_t node, first, last;
        int depth;
    };

    /// Sets the node's box; makes it a leaf and returns range.first, or splits `order` and returns the middle.
    std::size_t finish_node(const Range& range) {
        Box box, centroids;
        for (std::size_t i = range.first; i < range.last; ++i) {
            box.merge(items_[tree_.order[i]].box);
            centroids.add(items_[tree_.order[i]].centroid);
        }
        BvhNode& node = tree_.nodes[range.node];
        for (std::size_t k = 0; k < 3; ++k) {
            node.lower[k] = round_down(box.lower[k]);
            node.upper[k] = round_up(box.upper[k]);
        }
        const std::size_t size = range.last - range.first;
        if (size <= static_cast<std::size_t>(bvh_leaf_size)) {
            node.left_or_first = static_cast<std::int32_t>(range.first);
            node.count = static_cast<std::int32_t>(size);
            return range.first;
        }
        node.count = 0;
        if (range.depth < surface_area_depth) {
            const std::size_t middle = split_by_area(range, centroids);
            if (middle != range.first) return middle;
        }
        return split_at_median(range, centroids);
    }

    static std::size_t bin_of(double centroid, double lower, double width) {
        const auto bin = static_cast<std::size_t>(static_cast<double>(bin_count) * ((centroid - lower) / width));
        return std::min(bin, bin_count - 1);
    }

    /// Binned surface-area heuristic over three axes; returns range.first when no axis separates the centroids.
    std::size_t split_by_area(const Range& range, const Box& centroids) {
        double best_cost = std::numeric_limits<double>::infinity();
        std::size_t best_axis = 3, best_bin = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double lower = centroids.lower[axis], width = centroids.upper[axis] - lower;
            if (!(width > 0.0) || !std::isfinite(width)) continue;
            std::array<Box, bin_count> boxes;
            std::array<std::size_t, bin_count> counts{};
            for (std::size_t i = range.first; i < range.last; ++i) {
                const Item& item = items_[tree_.order[i]];
                const std::size_t bin = bin_of(item.centroid[axis], lower, width);
                boxes[bin].merge(item.box);
                ++counts[bin];
            }
            std::array<double, bin_count> right_cost{};
            Box box;
            std::size_t count = 0;
            for (std::size_t bin = bin_count - 1; bin > 0; --bin) {
                box.merge(boxes[bin]);
                count += counts[bin];
                right_cost[bin] = box.half_area() * static_cast<double>(count);
            }
            box = Box{};
            count = 0;
            for (std::size_t bin = 0; bin + 1 < bin_count; ++bin) {
                box.merge(boxes[bin]);
                count += counts[bin];
                if (count == 0 || count == range.last - range.first) continue;
                const double cost = box.half_area() * static_cast<double>(count) + right_cost[bin + 1];
                if (cost < best_cost) {
                    best_cost = cost;
                    best_axis = axis;
                    best_bin = bin;
                }
            }
        }
        if (best_axis == 3) return range.first;
        const double lower = centroids.lower[best_axis], width = centroids.upper[best_axis] - lower;
        const auto begin = tree_.order.begin();
        const auto middle = std::stable_partition(
            begin + static_cast<std::ptrdiff_t>(range.first), begin + static_cast<std::ptrdiff_t>(range.last),
            [&](std::uint32_t t) { return bin_of(items_[t].centroid[best_axis], lower, width) <= best_bin; });
        return static_cast<std::size_t>(middle - begin);
    }

    /// Halves the range along the widest axis of the centroids; equal centroids are told apart by their index.
    std::size_t split_at_median(const Range& range, const Box& centroids) {
        std::size_t axis = 0;
        for (std::size_t k = 1; k < 3; ++k) {
            if (centroids.upper[k] - centroids.lower[k] > centroids.upper[axis] - centroids.lower[axis]) axis = k;
        }
        const auto begin = tree_.order.begin();
        std::sort(begin + static_cast<std::ptrdiff_t>(range.first), begin + static_cast<std::ptrdiff_t>(range.last),
                  [&](std::uint32_t a, std::uint32_t b) {
                      const double x = items_[a].centroid[axis], y = items_[b].centroid[axis];
                      return x != y ? x < y : a < b;
                  });
        return range.first + (range.last - range.first) / 2;
    }

    std::vector<Item> items_;
    Bvh tree_;
};

}  // namespace

Bvh build_bvh(const model::MeshShape& mesh) { return Builder(make_items(mesh)).build(); }

Bvh build_box_bvh(std::span<const Extent> boxes) { return Builder(make_items(boxes)).build(); }

}  // namespace scree::geometry
