// SPDX-License-Identifier: BSD-3-Clause
// The direction that separates two cores most, found from outside: the algorithm of Gilbert, Johnson and Keerthi.
//
// The simplex holds up to four points of the difference body; v is its point nearest the origin. |v| bounds the
// distance from above, every s(d) from below. The loop ends when they meet, when v comes no nearer (rounding), when a
// direction separates by more than the caller cares for, or when the simplex holds the origin (the cores overlap); each
// pass with none of these brings |v| down, and their number is bounded, so it always ends.
#pragma once

#include "kernels/collide/shapes/nearest_simplex.hpp"

namespace scree::kernels {

struct FoundFromOutside {
    Direction best;         ///< Of all that were tried.
    double distance = 0.0;  ///< |v|: not less than the distance; 0 when the cores overlap [m].
    Simplex simplex;
};

/// `start` unit. `enough`: a separation that ends the search [m]. `accuracy`: of the distance [m].
SCREE_HD_CALL inline FoundFromOutside nearest_direction(const DifferenceBody& pair, Vector3d shift,
                                                        const Direction& start, double enough, double accuracy) {
    FoundFromOutside found;
    found.best = start;
    if (start.separation > enough) {
        found.distance = start.separation;
        return found;
    }
    const double rounding = 1e-15 * (pair.size + norm(pair.offset + shift));
    Vector3d v = start.lowest;
    found.simplex.count = 1;
    found.simplex.point[0] = v;
    found.distance = norm(v);
    constexpr int most = 64;
    for (int iteration = 0; iteration < most; ++iteration) {
        if (found.distance <= rounding) {
            found.distance = 0.0;
            return found;
        }
        Direction next = pair.along((1.0 / found.distance) * v);
        next.lowest += shift;
        next.separation += dot(shift, next.d);
        if (next.separation > found.best.separation) found.best = next;
        if (found.best.separation > enough) return found;
        if (found.distance - found.best.separation <= accuracy) return found;
        // No point of the body lies farther along than the simplex does: v is the nearest.
        if (found.distance - next.separation <= rounding) return found;
        Simplex& simplex = found.simplex;
        simplex.point[simplex.count++] = next.lowest;
        const NearestOfSimplex nearest = nearest_of_simplex(simplex);
        if (nearest.inside) {
            found.distance = 0.0;
            return found;
        }
        const double distance = square_root(nearest.squared);
        if (!(distance < found.distance)) {
            --simplex.count;  // rounding: it comes no nearer
            return found;
        }
        found.distance = distance;
        v = nearest.point;
        int kept = 0;
        for (int k = 0; k < simplex.count; ++k)
            if ((nearest.kept >> k & 1u) != 0) simplex.point[kept++] = simplex.point[k];
        simplex.count = kept;
    }
    return found;
}

}  // namespace scree::kernels
