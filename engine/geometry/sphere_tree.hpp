// SPDX-License-Identifier: BSD-3-Clause
// Which spheres are near a point: a loose octree for spheres of any mixture of sizes.
//
// A sphere lies in the deepest cell that holds its centre and has a half width of at least its radius, so it reaches
// at most one half width beyond its cell. Cells exist only where there are spheres; a query visits cells whose doubled
// box meets the query ball, so small spheres far from it cost nothing, however many they are.
#pragma once

#include "engine/model/math.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::geometry {

class SphereTree {
public:
    struct Entry {
        model::Vec3 position;
        double radius = 0.0;
        std::uint32_t label = 0;  ///< The caller's number of the sphere.
        std::int32_t next = -1;   ///< Of the same cell.
    };

    /// A tree for centres between `lower` and `upper` [m]; centres outside are found, but at a cost.
    SphereTree(model::Vec3 lower, model::Vec3 upper);

    void insert(model::Vec3 position, double radius, std::uint32_t label);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }

    /// Calls visit(entry, distance) for spheres with distance of the centres < reach + entry.radius, in a fixed
    /// order, until it returns true; returns whether it did. The cell of the point comes first.
    template <class Visit>
    bool visit_near(model::Vec3 point, double reach, Visit&& visit) const {
        return visit_cell(0, center_, half_width_, point, reach, visit);
    }

    /// True when a stored sphere is closer than `reach` to the point (surface to point).
    [[nodiscard]] bool any_near(model::Vec3 point, double reach) const {
        return visit_near(point, reach, [](const Entry&, double) { return true; });
    }

private:
    struct Cell {
        std::array<std::int32_t, 8> children{-1, -1, -1, -1, -1, -1, -1, -1};
        std::int32_t first = -1;  ///< Head of the list of its spheres.
    };

    /// Bit k of the octant is set on the upper side of axis k.
    static std::size_t octant_of(model::Vec3 center, model::Vec3 point) {
        return (point.x >= center.x ? 1U : 0U) | (point.y >= center.y ? 2U : 0U) | (point.z >= center.z ? 4U : 0U);
    }
    static model::Vec3 child_center(model::Vec3 center, double half, std::size_t octant) {
        return {center.x + ((octant & 1U) != 0 ? half : -half), center.y + ((octant & 2U) != 0 ? half : -half),
                center.z + ((octant & 4U) != 0 ? half : -half)};
    }

    template <class Visit>
    bool visit_cell(std::int32_t index, model::Vec3 center, double half_width, model::Vec3 point, double reach,
                    Visit& visit) const {
        const Cell& cell = cells_[static_cast<std::size_t>(index)];
        for (std::int32_t i = cell.first; i >= 0; i = entries_[static_cast<std::size_t>(i)].next) {
            const Entry& entry = entries_[static_cast<std::size_t>(i)];
            const model::Vec3 d = point - entry.position;
            const double limit = reach + entry.radius, square = dot(d, d);
            // The root decides the ties that squares round away, so that accepted gaps are never negative.
            if (square > limit * limit * (1.0 + 1e-14)) continue;
            const double distance = std::sqrt(square);
            if (distance < limit && visit(entry, distance)) return true;
        }
        const double half = 0.5 * half_width, margin = half_width + reach;  // doubled child box + ball
        const std::size_t own = octant_of(center, point);
        for (std::size_t k = 0; k < 8; ++k) {
            const std::size_t octant = own ^ k;
            const std::int32_t child = cell.children[octant];
            if (child < 0) continue;
            const model::Vec3 c = child_center(center, half, octant);
            if (std::abs(point.x - c.x) > margin || std::abs(point.y - c.y) > margin ||
                std::abs(point.z - c.z) > margin) {
                continue;
            }
            if (visit_cell(child, c, half, point, reach, visit)) return true;
        }
        return false;
    }

    std::vector<Cell> cells_;
    std::vector<Entry> entries_;
    model::Vec3 center_;
    double half_width_ = 0.0;
};

}  // namespace scree::geometry
