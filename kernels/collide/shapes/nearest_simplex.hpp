// SPDX-License-Identifier: BSD-3-Clause
// The point of a simplex of one to four points that is nearest the origin, and the part of the simplex that holds it.
// Parts are told by Voronoi regions (Ericson, Real-Time Collision Detection, section 5.1); of a triangle or a
// tetrahedron too thin to tell, the nearest of all its edges or faces is taken, so that rounding never drops the
// answer.
#pragma once

#include "kernels/collide/shapes/difference_body.hpp"

namespace scree::kernels {

struct Simplex {
    int count = 0;
    Vector3d point[4];
};

struct NearestOfSimplex {
    Vector3d point{0, 0, 0};
    double squared = 1e300;
    unsigned kept = 0;    ///< Bit k: point k spans the part.
    bool inside = false;  ///< The tetrahedron holds the origin.
};

SCREE_HD inline void take_nearer(NearestOfSimplex& best, Vector3d point, unsigned kept) {
    const double squared = dot(point, point);
    if (squared < best.squared) {
        best.point = point;
        best.squared = squared;
        best.kept = kept;
    }
}

SCREE_HD inline void nearest_of_edge(const Simplex& s, int i, int j, NearestOfSimplex& best) {
    const Vector3d p = s.point[i], e = s.point[j] - p;
    const double along = -dot(p, e), square = dot(e, e);
    if (along <= 0.0) return take_nearer(best, p, 1u << i);
    if (along >= square) return take_nearer(best, s.point[j], 1u << j);
    take_nearer(best, p + (along / square) * e, 1u << i | 1u << j);
}

SCREE_HD inline void nearest_of_triangle(const Simplex& s, int i, int j, int k, NearestOfSimplex& best) {
    const Vector3d a = s.point[i], ab = s.point[j] - a, ac = s.point[k] - a;
    const Vector3d n = cross(ab, ac);
    const double square = dot(n, n);
    if (square > 1e-26 * dot(ab, ab) * dot(ac, ac)) {
        // Barycentric coordinates of the origin's foot, by areas.
        const Vector3d q = cross(a, n);
        const double wc = -dot(q, ab), wb = dot(q, ac), wa = square - wb - wc;
        if (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) {
            // Along the normal: what the foot's sum of corners would lose to cancellation.
            return take_nearer(best, (dot(a, n) / square) * n, 1u << i | 1u << j | 1u << k);
        }
        if (wc < 0.0) nearest_of_edge(s, i, j, best);
        if (wb < 0.0) nearest_of_edge(s, i, k, best);
        if (wa < 0.0) nearest_of_edge(s, j, k, best);
        return;
    }
    nearest_of_edge(s, i, j, best);
    nearest_of_edge(s, i, k, best);
    nearest_of_edge(s, j, k, best);
}

SCREE_HD_CALL_IN_REGISTERS NearestOfSimplex nearest_of_simplex(const Simplex& s) {
    NearestOfSimplex best;
    if (s.count == 1) {
        take_nearer(best, s.point[0], 1u);
    } else if (s.count == 2) {
        nearest_of_edge(s, 0, 1, best);
    } else if (s.count == 3) {
        nearest_of_triangle(s, 0, 1, 2, best);
    } else {
        const Vector3d d = s.point[3];
        const Vector3d a = s.point[0] - d, b = s.point[1] - d, c = s.point[2] - d;
        const Vector3d ab = cross(a, b), bc = cross(b, c), ca = cross(c, a);
        const double volume = dot(ab, c);
        const double lengths = square_root(dot(a, a)) * square_root(dot(b, b)) * square_root(dot(c, c));
        const double thin = 1e-14 * lengths;
        const double sign = volume < 0.0 ? -1.0 : 1.0;
        // Six-fold volumes over the faces at d; positive: the origin lies on the inner side.
        const double over_ab = -sign * dot(ab, d), over_bc = -sign * dot(bc, d), over_ca = -sign * dot(ca, d);
        const double over_abc = sign * volume - over_ab - over_bc - over_ca;
        const bool flat = !(size_of(volume) > thin);
        if (!flat && over_ab >= 0.0 && over_bc >= 0.0 && over_ca >= 0.0 && over_abc >= 0.0) {
            best.inside = true;
            best.squared = 0.0;
            best.kept = 15u;
            return best;
        }
        if (flat || over_ab < 0.0) nearest_of_triangle(s, 0, 1, 3, best);
        if (flat || over_bc < 0.0) nearest_of_triangle(s, 1, 2, 3, best);
        if (flat || over_ca < 0.0) nearest_of_triangle(s, 2, 0, 3, best);
        if (flat || over_abc < 0.0) nearest_of_triangle(s, 0, 1, 2, best);
    }
    return best;
}

}  // namespace scree::kernels
