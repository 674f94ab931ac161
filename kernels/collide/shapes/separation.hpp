// SPDX-License-Identifier: BSD-3-Clause
// The direction that separates two cores most, for every pair: what last step's direction, the search from outside and
// the search from inside find, finished exactly.
//
// Accuracy, relative to the sum of the bounding radii: of cores with corners alone 1e-12; of round ones 1e-10 apart or
// overlapping little; deep overlaps of round cores are the best of what a hull of 64 points tells apart, see the tests.
#pragma once

#include "kernels/collide/shapes/refined_direction.hpp"
#include "kernels/collide/shapes/shallowest_direction.hpp"
#include "kernels/collide/shapes/shallowest_facet.hpp"

namespace scree::kernels {

/// Moves b away along the best direction until the cores are a little apart. That direction, if it is the best one,
/// stays the best and is then the only one: distance is a convex problem, depth is not.
SCREE_HD_CALL inline Direction parted(const DifferenceBody& pair, Direction best) {
    constexpr int most = 5;
    for (int round = 0; round < most; ++round) {
        const Vector3d shift = (0.005 * pair.size - best.separation) * best.d;
        Direction start = best;
        start.lowest += shift;
        start.separation = 0.005 * pair.size;
        const FoundFromOutside found = nearest_direction(pair, shift, start, 1e300, 3e-11 * pair.size);
        const Direction next = pair.along(found.best.d);
        if (!(next.separation > best.separation + 1e-15 * pair.size)) break;
        best = next;
    }
    return best;
}

/// The best direction of cores that overlap or touch, with a direction to begin from: the nearest facet where tables
/// tell all of them, or else what the search from inside ends with.
SCREE_HD_CALL_BESIDE inline Direction from_inside(const DifferenceBody& pair, const Direction& start) {
    if (has_tables(*pair.a) && has_tables(*pair.b)) {
        Direction found = start;
        if (shallowest_facet(pair, found)) return found;
    }
    const bool corners_alone = is_polyhedral(pair.a->kind) && is_polyhedral(pair.b->kind);
    Direction best = shallowest_direction(pair, start).best;
    if (corners_alone) best = refined_direction(pair, best);
    if (!corners_alone && slip(best) > 1e-9 * pair.size) {
        const Direction apart = parted(pair, best);
        if (apart.separation > best.separation) best = refined_direction(pair, apart);
    }
    return best;
}

/// Round all over, without edges or faces that are all but sharp and flat: Newton's method meets no kinks.
SCREE_HD inline bool curves(const ConvexShape& s) {
    if (s.kind != ShapeKind::superquadric) return is_smooth(s.kind);
    return smaller(s.e1, s.e2) >= 0.3 && larger(s.e1, s.e2) <= 1.5;
}

/// The best direction; or, with a separation above `enough`, one that proves the cores farther apart than that.
/// `guess`: last step's direction [axes of A], or 0.
SCREE_HD_CALL_BESIDE inline Direction best_direction(const DifferenceBody& pair, Vector3d guess, double enough) {
    const bool corners_alone = is_polyhedral(pair.a->kind) && is_polyhedral(pair.b->kind);
    const double guessed = dot(guess, guess);
    const bool known = guessed > 0.25 && guessed < 4.0;
    const Direction start = pair.along(known ? (1.0 / square_root(guessed)) * guess : pair.towards());
    if (start.separation > enough) return start;
    if (known && start.separation <= 0.0) {
        // Overlapping along last step's direction, most likely at all: look from the inside at once.
        const Direction inner = from_inside(pair, start);
        if (inner.separation <= 0.0) return inner;
    }
    // A slip of zero proves the direction of cores apart the best.
    if (known && start.separation > 0.0 && (curves(*pair.a) || curves(*pair.b))) {
        const Direction near = climbed(pair, start);
        if (near.separation > 1e-6 * pair.size && slip(near) <= 1e-12 * pair.size) return near;
    }
    // Newton's method needs a direction within its reach only.
    const FoundFromOutside outside =
        known && has_corners(*pair.a) && has_corners(*pair.b)
            ? nearest_direction_near(pair, start, enough)
            : nearest_direction(pair, {0, 0, 0}, start, enough, (corners_alone ? 1e-15 : 1e-3) * pair.size);
    Direction best = outside.best;
    if (best.separation > enough) return best;
    if (best.separation > 1e-6 * pair.size) {
        if (corners_alone) return best;
        best = refined_direction(pair, best);
        if (slip(best) <= 1e-9 * pair.size) return best;
        return refined_direction(
            pair, better(best, nearest_direction(pair, {0, 0, 0}, best, enough, 1e-15 * pair.size).best));
    }
    // Too near for the direction of a distance to mean much.
    return from_inside(pair, best);
}

}  // namespace scree::kernels
