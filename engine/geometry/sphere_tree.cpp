// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/sphere_tree.hpp"

#include <algorithm>

namespace scree::geometry {
namespace {

constexpr int max_depth = 40;  // a size ratio of 10^12

}  // namespace

SphereTree::SphereTree(model::Vec3 lower, model::Vec3 upper)
    : cells_(1),
      center_(0.5 * lower + 0.5 * upper),
      // A little more than half the extent, so that no centre lies outside by rounding.
      half_width_(0.501 * std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z})) {}

void SphereTree::insert(model::Vec3 position, double radius, std::uint32_t label) {
    std::int32_t index = 0;
    model::Vec3 center = center_;
    double half = 0.5 * half_width_;
    const model::Vec3 d = position - center;
    const bool inside = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= half_width_;
    for (int depth = 0; inside && radius <= half && depth < max_depth; ++depth) {
        const std::size_t octant = octant_of(center, position);
        center = child_center(center, half, octant);
        half *= 0.5;
        std::int32_t child = cells_[static_cast<std::size_t>(index)].children[octant];
        if (child < 0) {
            child = static_cast<std::int32_t>(cells_.size());
            cells_.emplace_back();
            cells_[static_cast<std::size_t>(index)].children[octant] = child;
        }
        index = child;
    }
    Cell& cell = cells_[static_cast<std::size_t>(index)];
    entries_.push_back({position, radius, label, cell.first});
    cell.first = static_cast<std::int32_t>(entries_.size() - 1);
}

}  // namespace scree::geometry
