// SPDX-License-Identifier: BSD-3-Clause
// How far a shape must grow, or shrink, about its origin until it just touches a triangle: the growth distance
// (C. J. Ong, E. G. Gilbert, Growth distances: new measures for object separation and penetration, IEEE Transactions on
// Robotics and Automation 12, 1996).
//
//   t = max over d of  min over b of b.d / h(d),    h(d) = max over a of a.d, the rounding included, d unit
//
// Below 1 the shapes overlap, above they are apart, and the direction at the maximum parts the two as they touch. The
// shape is apart from the triangle all the while it grows, so that overlaps need no search from inside, and what lies
// on the way from the shape's origin to the point of touch is free of the triangle: the side it is met from is that of
// the origin. For a sphere the growth is distance / radius.
//
// Iteration (Dinkelbach's): from below, t = min b.d / h(d) of the direction d that parts the shape of the size t most.
// Every t is a bound from below.
#pragma once

#include "kernels/collide/shapes/refined_direction.hpp"
#include "kernels/items/triangle_mesh.hpp"

namespace scree::kernels {

struct Growth {
    double factor = 0.0;  ///< t
    Vector3d d{0, 0, 1};  ///< Unit, from the shape into the triangle [body axes].
    bool passed = false;  ///< The factor is above what the caller cares for: a bound only.
};

/// Farthest reach of the shape (A of the pair, as it is scaled now) along d, its rounding of `round` included.
SCREE_HD inline double reach_along(const DifferenceBody& pair, Vector3d d, double round) {
    std::int32_t corner;
    return dot(pair.support_a(d, corner), d) + round;
}

/// The nearest a triangle (B) comes along d, seen from the shape's origin.
SCREE_HD inline double nearest_along(const DifferenceBody& pair, Vector3d d) {
    std::int32_t corner;
    return dot(pair.support_b(negative(d), corner), d);
}

/// The same for ellipsoids without rounding, in closed form: in axes in which the ellipsoid is the unit ball the growth
/// is the distance.
SCREE_HD_CALL inline Growth ellipsoid_growth(const DifferenceBody& pair, Vector3d start, double most) {
    const double a = pair.scale_a * pair.a->a, b = pair.scale_a * pair.a->b, c = pair.scale_a * pair.a->c;
    const auto squeezed = [&](int k) {
        const Vector3d v = pair.offset + pair.from_b(pair.scale_b * triangle_corner(*pair.b, k));
        return Vector3d{v.x / a, v.y / b, v.z / c};
    };
    const Vector3d at = nearest_on_triangle({0, 0, 0}, squeezed(0), squeezed(1), squeezed(2));
    Growth growth;
    growth.factor = norm(at);
    growth.d = growth.factor > 0.0 ? unit({at.x / a, at.y / b, at.z / c}) : start;
    growth.passed = growth.factor >= most;
    return growth;
}

/// Growth of A, whose rounding is `round`, to the triangle B. `start`: a direction near the best. `most`: larger
/// factors do not matter.
SCREE_HD_CALL inline Growth growth_to(const DifferenceBody& pair, double round, Vector3d start, double most) {
    if (pair.a->kind == ShapeKind::ellipsoid && round == 0.0) return ellipsoid_growth(pair, start, most);
    const bool corners_alone = is_polyhedral(pair.a->kind) && is_polyhedral(pair.b->kind);
    Growth growth;
    growth.d = start;
    growth.factor = larger(nearest_along(pair, start) / reach_along(pair, start, round), 0.0);
    DifferenceBody grown = pair;
    double accuracy = (corners_alone ? 1e-15 : 1e-4) * pair.size;
    constexpr int rounds = 24;
    for (int k = 0; k < rounds; ++k) {
        growth.passed = growth.factor >= most;
        if (growth.passed) return growth;
        grown.scale_a = growth.factor * pair.scale_a;
        Direction found = nearest_direction(grown, {0, 0, 0}, grown.along(growth.d), 1e300, accuracy).best;
        // Near the end kinks and Newton's method are exact where the search from outside creeps.
        if (found.separation - growth.factor * round < 1e-2 * pair.size) found = refined_direction(grown, found);
        const double factor = nearest_along(pair, found.d) / reach_along(pair, found.d, round);
        const bool settled = !(factor > growth.factor * (1.0 + 1e-10));
        if (factor > growth.factor) {
            growth.factor = factor;
            growth.d = found.d;
        }
        if (!settled) continue;
        if (accuracy <= 1e-12 * pair.size) break;
        accuracy = 1e-12 * pair.size;  // the coarse search may have ended too soon
    }
    growth.passed = growth.factor >= most;
    return growth;
}

}  // namespace scree::kernels
