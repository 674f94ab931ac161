// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/disc_union.hpp"

#include "engine/geometry/covered_arcs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace scree::geometry {
namespace {

/// Covers the arcs of disc i's circle that disc j covers; of equal discs the first keeps its circle.
void cover(CoveredArcs& arcs, std::span<const Disc> discs, std::size_t i, std::size_t j) {
    const double dx = discs[j].x - discs[i].x, dy = discs[j].y - discs[i].y, distance = std::hypot(dx, dy);
    const double squares = discs[i].radius_squared - discs[j].radius_squared;
    if (distance == 0.0) {
        if (squares < 0.0 || (squares == 0.0 && j < i)) arcs.cover_all();
        return;
    }
    arcs.cover(std::atan2(dy, dx), (distance + squares / distance) / (2.0 * std::sqrt(discs[i].radius_squared)));
}

/// Length of the line at `offset` from discs' centres that they cover between `low` and `high`. `across`, `along`: the
/// coordinates of a disc's centre.
template <class Across, class Along>
double covered_length(std::span<const Disc> discs, double at, double low, double high, Across across, Along along) {
    std::vector<std::pair<double, double>> parts;
    for (const Disc& disc : discs) {
        const double off = at - across(disc), half2 = disc.radius_squared - off * off;
        if (!(half2 > 0.0)) continue;
        const double half = std::sqrt(half2);
        parts.emplace_back(std::max(low, along(disc) - half), std::min(high, along(disc) + half));
    }
    std::sort(parts.begin(), parts.end());
    double length = 0.0, to = low;
    for (const auto& [begin, end] : parts) {
        length += std::max(0.0, end - std::max(to, begin));
        to = std::max(to, end);
    }
    return length;
}

}  // namespace

double disc_union_area(std::span<const Disc> discs, const Rectangle& r) {
    constexpr double quarter = 0.5 * std::numbers::pi;
    CoveredArcs arcs;
    double twice = 0.0;
    for (std::size_t i = 0; i < discs.size(); ++i) {
        if (!(discs[i].radius_squared > 0.0)) continue;
        const double radius = std::sqrt(discs[i].radius_squared);
        const double x = discs[i].x - r.x_low, y = discs[i].y - r.y_low;  // from the lower corner
        arcs.clear();
        arcs.cover(2.0 * quarter, x / radius);
        arcs.cover(-quarter, y / radius);
        arcs.cover(0.0, (r.x_high - discs[i].x) / radius);
        arcs.cover(quarter, (r.y_high - discs[i].y) / radius);
        for (std::size_t j = 0; j < discs.size() && !arcs.covers_all(); ++j)
            if (j != i && discs[j].radius_squared > 0.0) cover(arcs, discs, i, j);
        arcs.for_each_gap([&](double begin, double end) {
            twice += radius * (x * (std::sin(end) - std::sin(begin)) + y * (std::cos(begin) - std::cos(end)) +
                               radius * (end - begin));
        });
    }
    const auto x_of = [](const Disc& d) { return d.x; };
    const auto y_of = [](const Disc& d) { return d.y; };
    twice += (r.x_high - r.x_low) * covered_length(discs, r.x_high, r.y_low, r.y_high, x_of, y_of);
    twice += (r.y_high - r.y_low) * covered_length(discs, r.y_high, r.x_low, r.x_high, y_of, x_of);
    return std::max(0.0, 0.5 * twice);
}

}  // namespace scree::geometry
