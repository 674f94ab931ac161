// SPDX-License-Identifier: BSD-3-Clause
// The direction of the least translation that parts two cores that overlap or touch: the expanding polytope.
//
// A hull inside the difference body grows where its surface is nearest the origin. The nearest face bounds the depth
// from below, every -s(d) from above. It starts about the best direction known, which is refined first: where cores
// overlap little, few faces are left that are nearer than that direction's depth. Cores with corners alone end on a
// face of the body, exactly. About round ones the hull would creep: faces that look along the refined direction are
// left alone, and every other direction that comes near it is refined in turn.
#pragma once

#include "kernels/collide/shapes/growing_hull.hpp"
#include "kernels/collide/shapes/refined_direction.hpp"

namespace scree::kernels {

struct FoundFromInside {
    Direction best;
    bool flat = false;  ///< The difference body has no inside.
};

SCREE_HD inline Direction better(const Direction& a, const Direction& b) { return b.separation > a.separation ? b : a; }

/// Four points of the difference body that span a tetrahedron about as large as it; false, with the direction across
/// it, when it is flat.
SCREE_HD_CALL inline bool spanning_tetrahedron(const DifferenceBody& pair, Vector3d start, Vector3d four[4],
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

/// Cores that overlap by less than this, relative to their size, overlap little.
inline constexpr double little_overlap = 0.02;

/// Three points of the surface about the lowest one along the direction, and one inside: the way between the origins of
/// the shapes. Seen from a lowest point that surfaces curve away from alike, the faces between it and the three look
/// along the direction (`alike` below).
SCREE_HD inline void tetrahedron_about(const DifferenceBody& pair, const Direction& start, Vector3d four[4],
                                       Direction& best) {
    constexpr double half = 0.5, most = 0.86602540378443864676;
    const double tilt = -start.separation < little_overlap * pair.size ? 0.1 : 0.4;
    const Across t = across(start.d);
    const Vector3d way[3] = {t.first, most * t.second - half * t.first, negative(most * t.second + half * t.first)};
    for (int k = 0; k < 3; ++k) {
        const Direction at = pair.along(unit(start.d + tilt * way[k]));
        best = better(best, at);
        four[k] = at.lowest;
    }
    four[3] = pair.offset;
}

/// `start`: a direction near the best, as nearest_direction() or the last step knows it.
SCREE_HD_CALL inline FoundFromInside shallowest_direction(const DifferenceBody& pair, const Direction& start) {
    const bool corners_alone = is_polyhedral(pair.a->kind) && is_polyhedral(pair.b->kind);
    FoundFromInside found;
    found.best = corners_alone ? start : refined_direction(pair, start);
    GrowingHull hull;
    Vector3d four[4];
    const Vector3d lowest = found.best.lowest;
    const double refined = found.best.separation;
    tetrahedron_about(pair, found.best, four, found.best);
    if (!corners_alone && found.best.separation > refined) found.best = refined_direction(pair, found.best);
    const Vector3d b = four[1] - four[0], c = four[2] - four[0], d = four[3] - four[0];
    const double volume = size_of(dot(cross(b, c), d));
    const bool solid = volume > 1e-6 * norm(b) * norm(c) * norm(d) && volume > 1e-9 * pair.size * pair.size * pair.size;
    if (!solid) {
        found.flat = !spanning_tetrahedron(pair, found.best.d, four, found.best);
        if (!corners_alone) found.best = refined_direction(pair, found.best);
        if (found.flat) return found;
    }
    hull.begin(four);
    const double rounding = 1e-14 * pair.size;
    if (solid) hull.add(lowest, rounding);
    constexpr double alike = 0.99, near_tie = 0.1, settled = 1e-3;
    constexpr int most = 2 * GrowingHull::most_points;
    for (int iteration = 0; iteration < most; ++iteration) {
        const double depth = -found.best.separation;
        const bool little = depth < little_overlap * pair.size;
        const double accuracy = corners_alone
                                    ? 1e-13 * pair.size
                                    : (little ? settled * size_of(depth) + 1e-9 * pair.size : 1e-6 * pair.size);
        int nearest = -1;
        double least = depth - accuracy;  // a face beyond that cannot give a better direction
        for (int f = 0; f < hull.faces; ++f)
            if (!hull.face[f].done && hull.face[f].offset < least) {
                least = hull.face[f].offset;
                nearest = f;
            }
        if (nearest < 0) break;
        hull.face[nearest].done = true;
        const Vector3d way = negative(hull.face[nearest].normal);
        if (!corners_alone && little && dot(way, found.best.d) > alike) continue;
        const Direction next = pair.along(way);
        if (corners_alone) {
            found.best = better(found.best, next);
        } else if (next.separation > found.best.separation - (little ? near_tie * size_of(depth) : 0.0)) {
            found.best = better(found.best, refined_direction(pair, next));
        }
        if (-next.separation - least <= accuracy) continue;
        if (!hull.add(next.lowest, rounding) && hull.points == GrowingHull::most_points) break;
    }
    // One deep in the other, both round: the way back is often as short, and the hull may be full before it tells.
    if (!corners_alone && found.best.separation < -little_overlap * pair.size)
        found.best = better(found.best, refined_direction(pair, pair.along(negative(found.best.d))));
    return found;
}

}  // namespace scree::kernels
