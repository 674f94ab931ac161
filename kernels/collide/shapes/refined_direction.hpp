// SPDX-License-Identifier: BSD-3-Clause
// From a direction near the best to the best: Newton's method where surfaces are round, on the circles and points where
// the separating function has kinks otherwise. Every candidate is judged by s(d) itself, so no step can make the answer
// worse.
#pragma once

#include "kernels/collide/shapes/kinks.hpp"
#include "kernels/collide/shapes/nearest_direction.hpp"

namespace scree::kernels {

/// Length of the part of the lowest point across the direction: 0 where farthest points lie opposite each other. For
/// cores apart that proves the direction the best.
SCREE_HD inline double slip(const Direction& at) { return norm(at.lowest - at.separation * at.d); }

/// Newton's method for the maximum of s on the unit sphere. The Hessian there is minus (support slopes + s I); where it
/// is not negative definite there is a kink nearby rather than a smooth maximum, and the search stops.
SCREE_HD_CALL inline Direction climbed(const DifferenceBody& pair, Direction at) {
    const double rounding = 1e-15 * pair.size;
    constexpr int most = 30;
    for (int iteration = 0; iteration < most; ++iteration) {
        const Across t = across(at.d);
        const double g1 = dot(t.first, at.lowest), g2 = dot(t.second, at.lowest);
        const double slope = square_root(g1 * g1 + g2 * g2);
        if (slope <= rounding) break;
        const Vector3d along1 = difference_slope(pair, at.d, t.first), along2 = difference_slope(pair, at.d, t.second);
        const double h11 = dot(t.first, along1) + at.separation, h22 = dot(t.second, along2) + at.separation;
        const double h12 = 0.5 * (dot(t.first, along2) + dot(t.second, along1));
        const double determinant = h11 * h22 - h12 * h12;
        if (!(h11 > 0.0 && determinant > 1e-14 * h11 * h22)) break;
        const Vector3d step =
            ((h22 * g1 - h12 * g2) / determinant) * t.first + ((h11 * g2 - h12 * g1) / determinant) * t.second;
        if (!finite(step)) break;
        bool moved = false;
        for (double part = 1.0; part > 1e-3 && !moved; part *= 0.25) {
            const Direction next = pair.along(unit(at.d + part * step));
            const double gain = next.separation - at.separation;
            if (gain > rounding || (gain > -rounding && slip(next) < 0.9 * slope)) {
                at = next;
                moved = true;
            }
        }
        if (!moved) break;
    }
    return at;
}

/// The same along one circle of directions, from the point of it nearest at.d; ends early where `least`, a separation
/// known elsewhere, is out of reach, or where steps have to be cut short again and again: at another kink.
SCREE_HD_CALL inline Direction climbed_on(const DifferenceBody& pair, const Direction& from, const KinkCircle& circle,
                                          double least) {
    const Vector3d beside = from.d - dot(from.d, circle.u) * circle.u;
    const double length = norm(beside);
    if (!(length > 1e-6)) return from;
    const double radius = square_root(larger(1.0 - circle.k * circle.k, 0.0));
    Vector3d e1 = (1.0 / length) * beside;
    Direction at = pair.along(circle.k * circle.u + radius * e1);
    if (radius == 0.0) return at;
    const double rounding = 1e-15 * pair.size;
    constexpr int most = 30, most_damped = 4;
    int damped = 0;
    for (int iteration = 0; iteration < most; ++iteration) {
        const Vector3d t = cross(circle.u, e1);  // d' = radius t, d'' = -radius e1 over the angle
        const double slope = radius * dot(at.lowest, t);
        if (size_of(slope) <= rounding) break;
        const double bend = radius * radius * dot(t, difference_slope(pair, at.d, t)) + radius * dot(at.lowest, e1);
        if (!(bend > 0.0)) break;
        // A parabola's top is half slope^2 / bend above.
        if (at.separation + 32.0 * slope * slope / bend < least) break;
        const double step = clamped(slope / bend, -1.0, 1.0);
        bool moved = false;
        for (double part = 1.0; part > 1e-3 && !moved; part *= 0.25) {
            if (part < 1.0) ++damped;
            const Vector3d turned = unit(e1 + part * step * t);
            const Direction next = pair.along(circle.k * circle.u + radius * turned);
            const double gain = next.separation - at.separation;
            const double slope_then = radius * dot(next.lowest, cross(circle.u, turned));
            if (gain > rounding || (gain > -rounding && size_of(slope_then) < 0.9 * size_of(slope))) {
                at = next;
                e1 = turned;
                moved = true;
            }
        }
        if (!moved || damped > most_damped) break;
    }
    return at;
}

/// The best of what Newton's method and the kinks near `found` offer. Exact normals win ties.
SCREE_HD_CALL inline Direction refined_direction(const DifferenceBody& pair, const Direction& found) {
    const bool corners_alone = is_polyhedral(pair.a->kind) && is_polyhedral(pair.b->kind);
    Direction best = found;
    if (!corners_alone) {
        best = climbed(pair, found);
        // Cores apart with opposite farthest points: nothing is better.
        if (best.separation > 0.0 && slip(best) <= 1e-12 * pair.size) return best;
    }
    const double tie = 1e-14 * pair.size;
    const auto offer = [&](const Direction& candidate) {
        if (candidate.separation >= best.separation - tie) best = candidate;
    };
    Kinks a = kinks_of(pair.view, *pair.a, best.d, best.corner_a);
    Kinks b = kinks_of(pair.view, *pair.b, pair.to_b(negative(best.d)), best.corner_b);
    for (int k = 0; k < b.circles; ++k) b.circle[k] = {pair.from_b(b.circle[k].u), -b.circle[k].k};
    const Vector3d near = best.d;
    if (!corners_alone) {
        for (int k = 0; k < a.circles; ++k) offer(climbed_on(pair, found, a.circle[k], best.separation));
        for (int k = 0; k < b.circles; ++k) offer(climbed_on(pair, found, b.circle[k], best.separation));
    }
    // Of cores with corners alone the direction is exact but for rounding: what is not all but the same is another one.
    const auto offer_way = [&](Vector3d way) {
        if (!corners_alone || dot(way, near) > 1.0 - 1e-8) offer(pair.along(way));
    };
    for (int i = 0; i < a.circles; ++i)
        for (int j = 0; j < b.circles; ++j) {
            Vector3d at;
            if (crossing_of(a.circle[i], b.circle[j], near, at)) offer_way(at);
        }
    for (int k = 0; k < b.normals; ++k) offer_way(negative(pair.from_b(b.normal[k])));
    for (int k = 0; k < a.normals; ++k) offer_way(a.normal[k]);
    return best;
}

}  // namespace scree::kernels
