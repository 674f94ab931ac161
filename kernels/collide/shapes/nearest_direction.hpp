// SPDX-License-Identifier: BSD-3-Clause
// The direction that separates two cores most, found from outside: the algorithm of Gilbert, Johnson and Keerthi.
//
// The simplex holds up to four points of the difference body; v is its point nearest the origin. |v| bounds the
// distance from above, every s(d) from below. The loop ends when they meet, when v comes no nearer (rounding), when a
// direction separates by more than the caller cares for, or when the simplex holds the origin (the cores overlap); each
// pass with none of these brings |v| down, and their number is bounded, so it always ends.
#pragma once

#include "kernels/collide/shapes/kinks.hpp"
#include "kernels/collide/shapes/nearest_simplex.hpp"

namespace scree::kernels {

struct FoundFromOutside {
    Direction best;         ///< Of all that were tried.
    double distance = 0.0;  ///< |v|: not less than the distance; 0 when the cores overlap [m].
    Simplex simplex;
};

SCREE_HD inline bool has_corners(const ConvexShape& s) {
    return s.kind == ShapeKind::box || s.kind == ShapeKind::polyhedron;
}

/// The point that is lowest along the direction and, of boxes and polyhedra, those that an edge which lies about
/// square to it leads to: where the direction is near the answer, so are they.
SCREE_HD inline Simplex lowest_points(const DifferenceBody& pair, const Direction& at) {
    constexpr double about_square = 0.1;
    Simplex simplex;
    simplex.count = 1;
    simplex.point[0] = at.lowest;
    double turned;
    std::int32_t end = other_end(pair.view, *pair.a, at.corner_a, at.d, turned);
    if (end >= 0 && turned < about_square) {
        const Vector3d way = corner_of(pair.view, *pair.a, end) - corner_of(pair.view, *pair.a, at.corner_a);
        simplex.point[simplex.count++] = at.lowest - pair.scale_a * way;
    }
    end = other_end(pair.view, *pair.b, at.corner_b, pair.to_b(at.d), turned);
    if (end >= 0 && turned < about_square) {
        const Vector3d way = corner_of(pair.view, *pair.b, end) - corner_of(pair.view, *pair.b, at.corner_b);
        simplex.point[simplex.count++] = at.lowest + pair.from_b(pair.scale_b * way);
    }
    return simplex;
}

SCREE_HD inline void keep(Simplex& simplex, unsigned which) {
    int kept = 0;
    for (int k = 0; k < simplex.count; ++k)
        if ((which >> k & 1u) != 0) simplex.point[kept++] = simplex.point[k];
    simplex.count = kept;
}

/// From the simplex, whose point nearest the origin is v, to the answer. `enough`: a separation that ends the search
/// [m]. `accuracy`: of the distance [m].
SCREE_HD_CALL inline void approach(const DifferenceBody& pair, Vector3d shift, Vector3d v, double enough,
                                   double accuracy, FoundFromOutside& found) {
    const double rounding = 1e-15 * (pair.size + norm(pair.offset + shift));
    found.distance = norm(v);
    constexpr int most = 64;
    for (int iteration = 0; iteration < most; ++iteration) {
        if (found.distance <= rounding) {
            found.distance = 0.0;
            return;
        }
        Direction next = pair.along((1.0 / found.distance) * v);
        next.lowest += shift;
        next.separation += dot(shift, next.d);
        if (next.separation > found.best.separation) found.best = next;
        if (found.best.separation > enough) return;
        if (found.distance - found.best.separation <= accuracy) return;
        // No point of the body lies farther along than the simplex does: v is the nearest.
        if (found.distance - next.separation <= rounding) return;
        Simplex& simplex = found.simplex;
        simplex.point[simplex.count++] = next.lowest;
        const NearestOfSimplex nearest = nearest_of_simplex(simplex);
        if (nearest.inside) {
            found.distance = 0.0;
            return;
        }
        const double distance = square_root(nearest.squared);
        if (!(distance < found.distance)) {
            --simplex.count;  // rounding: it comes no nearer
            return;
        }
        found.distance = distance;
        v = nearest.point;
        keep(simplex, nearest.kept);
    }
}

/// `start` unit, with its lowest point moved by `shift`.
SCREE_HD_CALL inline FoundFromOutside nearest_direction(const DifferenceBody& pair, Vector3d shift,
                                                        const Direction& start, double enough, double accuracy) {
    FoundFromOutside found;
    found.best = start;
    found.distance = start.separation;
    found.simplex.count = 1;
    found.simplex.point[0] = start.lowest;
    if (start.separation <= enough) approach(pair, shift, start.lowest, enough, accuracy, found);
    return found;
}

/// The same for cores with corners alone and a direction that is likely near the answer.
SCREE_HD_CALL inline FoundFromOutside nearest_direction_near(const DifferenceBody& pair, const Direction& start,
                                                             double enough) {
    FoundFromOutside found;
    found.best = start;
    found.distance = start.separation;
    found.simplex.count = 1;
    Vector3d v = found.simplex.point[0] = start.lowest;
    if (start.separation > enough) return found;
    // A lowest point that lies along the direction is the nearest itself.
    constexpr double beside = 0.99;
    if (start.separation < beside * norm(v)) {
        found.simplex = lowest_points(pair, start);
        const NearestOfSimplex nearest = nearest_of_simplex(found.simplex);
        v = nearest.point;
        keep(found.simplex, nearest.kept);
    }
    approach(pair, {0, 0, 0}, v, enough, 1e-15 * pair.size, found);
    return found;
}

}  // namespace scree::kernels
