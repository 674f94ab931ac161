// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/difference.hpp"
#include "engine/reference/hull.hpp"

#include <algorithm>
#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

/// Of the farthest points along some directions the one for which `measure` is largest.
template <class Measure>
Vector3d best_of(const Difference& difference, std::initializer_list<Vector3d> directions, Measure measure) {
    Vector3d best = Vector3d::Zero();
    double largest = -1.0;
    for (const Vector3d& d : directions) {
        const Vector3d p = difference.lowest(d).offset;
        if (measure(p) > largest) {
            largest = measure(p);
            best = p;
        }
    }
    return best;
}

/// Four points of the difference body that span a tetrahedron about as large as it.
std::array<Vector3d, 4> tetrahedron(const Difference& difference, const Vector3d& start) {
    const Vector3d from = difference.lowest(start).offset, to = difference.lowest(-start).offset;
    const Vector3d line = (to - from).normalized();
    const auto [t1, t2] = across(line);
    const auto from_line = [&](const Vector3d& p) { return (p - from).cross(line).norm(); };
    const Vector3d third = best_of(difference, {t1, -t1, t2, -t2}, from_line);
    const Vector3d normal = line.cross(third - from).normalized();
    const auto from_plane = [&](const Vector3d& p) { return std::abs(normal.dot(p - from)); };
    return {from, to, third, best_of(difference, {normal, -normal}, from_plane)};
}

}  // namespace

Direction shallowest(const Difference& difference, const Vector3d& start) {
    Hull hull(tetrahedron(difference, start));
    Direction best;
    best.separation = -std::numeric_limits<double>::infinity();
    for (std::size_t iteration = 0; iteration < 300; ++iteration) {
        const Hull::Face face =
            *std::min_element(hull.faces().begin(), hull.faces().end(),
                              [](const Hull::Face& l, const Hull::Face& r) { return l.offset < r.offset; });
        const Direction next = along(difference, -face.normal);
        if (next.separation > best.separation) best = next;
        // No direction separates by more than the nearest face of the hull inside.
        if (-face.offset - best.separation <= 1e-7 * difference.scale) {
            // Flat faces are met exactly by a few more points; round ones are left to Newton's method.
            if (-face.offset - next.separation <= 1e-13 * difference.scale || iteration > 100) break;
        }
        if (!hull.add(next.lowest.offset, 1e-14 * difference.scale)) break;
    }
    return best;
}

}  // namespace scree::reference
