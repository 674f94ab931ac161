// SPDX-License-Identifier: BSD-3-Clause
// What arcs leave of a circle.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree::geometry {

/// Arcs of one circle, which may overlap. Reuse it: clear() keeps the memory.
class CoveredArcs {
public:
    void clear() {
        arcs_.clear();
        all_ = false;
    }
    /// Covers the points at angles phi [rad] with cos(phi - middle) > cosine: none from 1 on, all below -1. `middle`
    /// lies in [-pi, pi].
    void cover(double middle, double cosine) {
        if (!(cosine < 1.0)) return;
        if (cosine <= -1.0) {
            all_ = true;
            return;
        }
        const double half = std::acos(cosine);
        double begin = middle - half, end = middle + half;
        constexpr double turn = 2.0 * std::numbers::pi;
        if (begin < -std::numbers::pi) {
            arcs_.emplace_back(begin + turn, std::numbers::pi);
            begin = -std::numbers::pi;
        }
        if (end > std::numbers::pi) {
            arcs_.emplace_back(-std::numbers::pi, end - turn);
            end = std::numbers::pi;
        }
        arcs_.emplace_back(begin, end);
    }
    void cover_all() { all_ = true; }
    [[nodiscard]] bool covers_all() const { return all_; }

    /// Calls visit(begin, end) for each arc that is left, ascending in [-pi, pi]; an arc over pi comes in two pieces.
    template <class Visit>
    void for_each_gap(Visit&& visit) {
        if (all_) return;
        std::sort(arcs_.begin(), arcs_.end());
        double covered_to = -std::numbers::pi;
        for (const auto& [begin, end] : arcs_) {
            if (begin > covered_to) visit(covered_to, begin);
            covered_to = std::max(covered_to, end);
        }
        if (covered_to < std::numbers::pi) visit(covered_to, std::numbers::pi);
    }

private:
    std::vector<std::pair<double, double>> arcs_;
    bool all_ = false;
};

}  // namespace scree::geometry
