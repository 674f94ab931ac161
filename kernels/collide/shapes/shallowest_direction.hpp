// SPDX-License-Identifier: BSD-3-Clause
// The direction of the least translation that parts two cores that overlap or touch: the expanding polytope.
//
// A hull inside the difference body grows where its surface is nearest the origin. The nearest face bounds the depth
// from below, every -s(d) from above. Cores with corners alone end on a face of the body, exactly; round ones stop
// within `accuracy`, or when the hull is full, and are finished by refined_direction().
#pragma once

#include "kernels/collide/shapes/growing_hull.hpp"
#include "kernels/collide/shapes/nearest_simplex.hpp"

namespace scree::kernels {

struct FoundFromInside {
    Direction best;
    bool flat = false;  ///< The difference body has no inside.
};

SCREE_HD inline Direction better(const Direction& a, const Direction& b) { return b.separation > a.separation ? b : a; }

/// Four points of the difference body that span a tetrahedron about as large as it; false, with the direction across
/// it, when it is flat.
SCREE_HD inline bool spanning_tetrahedron(const DifferenceBody& pair, Vector3d start, Vector3d four[4],
                                          Direction& best) {
    const auto farther = [&](Vector3d way, auto measure, Vector3d& kept, double& most) {
        for (int side = 0; side < 2; ++side) {
            const Direction at = pair.along(side == 0 ? way : negative(way));
            best = better(best, at);
            const double m = measure(at.lowest);
            if (m > most) {
                most = m;
                kept = at.lowest;
            }
        }
    };
    const double thin = 1e-9 * pair.size;
    const Direction from = pair.along(start), to = pair.along(negative(start));
    best = better(best, better(from, to));
    four[0] = from.lowest;
    four[1] = to.lowest;
    Vector3d line = four[1] - four[0];
    Across sides = across(start);
    if (!(norm(line) > thin)) {  // thin along the start: span it sideways
        double most = thin;
        const auto apart = [&](Vector3d p) { return norm(p - four[0]); };
        farther(sides.first, apart, four[1], most);
        farther(sides.second, apart, four[1], most);
        line = four[1] - four[0];
        if (!(norm(line) > thin)) return false;
    }
    line = unit(line);
    sides = across(line);
    double most = thin;
    four[2] = four[0];
    const auto off_line = [&](Vector3d p) { return norm(cross(p - four[0], line)); };
    farther(sides.first, off_line, four[2], most);
    farther(sides.second, off_line, four[2], most);
    if (!(most > thin)) return false;
    const Vector3d normal = unit(cross(line, four[2] - four[0]));
    most = thin;
    four[3] = four[0];
    farther(
        normal, [&](Vector3d p) { return size_of(dot(p - four[0], normal)); }, four[3], most);
    return most > thin;
}

/// `outside`: what nearest_direction() ended with; its simplex is the first guess.
SCREE_HD inline FoundFromInside shallowest_direction(const DifferenceBody& pair, const Direction& start,
                                                     const Simplex& simplex, double accuracy) {
    FoundFromInside found;
    found.best = start;
    GrowingHull hull;
    Vector3d four[4];
    bool solid = false;
    if (simplex.count == 4) {
        const Vector3d a = simplex.point[0], b = simplex.point[1] - a, c = simplex.point[2] - a,
                       d = simplex.point[3] - a;
        const double volume = size_of(dot(cross(b, c), d));
        solid = volume > 1e-6 * norm(b) * norm(c) * norm(d) && volume > 1e-12 * pair.size * pair.size * pair.size;
        for (int k = 0; k < 4; ++k) four[k] = simplex.point[k];
    }
    if (!solid && !spanning_tetrahedron(pair, start.d, four, found.best)) {
        found.flat = true;
        return found;
    }
    hull.begin(four);
    const double rounding = 1e-14 * pair.size;
    constexpr int most = 2 * GrowingHull::most_points;
    for (int iteration = 0; iteration < most; ++iteration) {
        int nearest = -1;
        double least = -found.best.separation - accuracy;  // a face beyond that cannot give a better direction
        for (int f = 0; f < hull.faces; ++f)
            if (!hull.face[f].done && hull.face[f].offset < least) {
                least = hull.face[f].offset;
                nearest = f;
            }
        if (nearest < 0) break;
        hull.face[nearest].done = true;
        const Direction next = pair.along(negative(hull.face[nearest].normal));
        found.best = better(found.best, next);
        if (-next.separation - least <= accuracy) continue;
        if (!hull.add(next.lowest, rounding) && hull.points == GrowingHull::most_points) break;
    }
    return found;
}

}  // namespace scree::kernels
