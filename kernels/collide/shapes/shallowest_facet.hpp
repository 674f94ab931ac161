// SPDX-License-Identifier: BSD-3-Clause
// The direction of the least translation that parts two overlapping cores with tables of corners, edges and faces: the
// facet of the difference body that is nearest the origin, among all of them.
//
// A facet is a face of A, a face of B or a pair of edges that cross as seen along it (their arcs on the sphere of
// normals cross: Gregorius, The Separating Axis Test between Convex Polyhedra, GDC 2013). The search begins with the
// facet that last step's direction has become, at a depth t. near_facets.hpp leaves out, exactly, all faces and edges
// that are in no facet nearer than t; the faces left are measured, and the edges left are looked at in pairs. A nearer
// facet makes the bounds of all that was left out only better, so it replaces the facet without another look; only of
// a nearer face the search begins anew, because fewer are near then.
#pragma once

#include "kernels/collide/shapes/near_facets.hpp"

namespace scree::kernels {

/// The points of two edges that are nearest each other as seen along d, the unit normal of both.
SCREE_HD inline void opposite_points(Vector3d d, Vector3d p, Vector3d u, Vector3d q, Vector3d v, Facet& facet) {
    const Vector3d apart = q - p;
    const double sine = dot(d, cross(u, v));
    const double s = dot(d, cross(apart, v)) / sine, t = dot(d, cross(apart, u)) / sine;
    facet.at_a = p + clamped(s, 0.0, 1.0) * u;
    facet.at_b = q + clamped(t, 0.0, 1.0) * v;
}

SCREE_HD inline void look_at_edges(const NearEdges& a, const NearEdges& b, double margin, Facet& best) {
    for (int i = 0; i < a.count; ++i)
        for (int j = 0; j < b.count; ++j) {
            const Vector3d u = a.along[i], v = b.along[j];
            if (!(dot(v, a.first[i]) * dot(v, a.second[i]) < 0.0)) continue;
            if (!(dot(u, b.first[j]) * dot(u, b.second[j]) < 0.0)) continue;
            Vector3d n = cross(u, v);
            const double square = dot(n, n);
            // Parallel to 1e-7: their arcs cross at the normals of faces, if at all.
            if (!(square > 1e-14 * dot(u, u) * dot(v, v))) continue;
            const bool out_of_a = dot(n, a.first[i] + a.second[i]) > 0.0;
            const bool out_of_b = dot(n, b.first[j] + b.second[j]) < 0.0;
            if (out_of_a != out_of_b) continue;
            n = ((out_of_a ? 1.0 : -1.0) / square_root(square)) * n;
            const double depth = dot(n, a.from[i] - b.from[j]);
            if (!(depth < (best.of == Facet::Of::none ? best.depth + margin : best.depth - margin))) continue;
            best.of = Facet::Of::edges;
            best.d = n;
            best.depth = depth;
        }
}

/// The facet that last step's direction has become, or any to begin with: of the faces and edges that look most along
/// the direction, those that turn it least, or else those that separate most.
SCREE_HD_CALL_IN_REGISTERS Facet facet_along(const DifferenceBody& pair, const Direction& start) {
    constexpr double same = 1.0 - 1e-9;
    const Vector3d to_b = pair.to_b(negative(start.d));
    double along_a, along_b, turned_a, turned_b;
    const std::int32_t face_a = facing_face(pair.view, *pair.a, start.d, along_a);
    const std::int32_t face_b = facing_face(pair.view, *pair.b, to_b, along_b);
    const FacetSide<false> a{pair};
    const FacetSide<true> b{pair};
    const double deep_enough = 1e-13 * pair.size - start.separation;
    Facet of_edges;
    double along_edges = -1.0;
    if (larger(along_a, along_b) < same) {
        const std::int32_t end_a = other_end(pair.view, *pair.a, start.corner_a, start.d, turned_a);
        const std::int32_t end_b = other_end(pair.view, *pair.b, start.corner_b, to_b, turned_b);
        if (end_a >= 0 && end_b >= 0) {
            const Vector3d p = a.corner(start.corner_a), u = a.corner(end_a) - p;
            const Vector3d q = b.corner(start.corner_b), v = b.corner(end_b) - q;
            const Vector3d n = cross(u, v);
            const double square = dot(n, n);
            if (square > 1e-14 * dot(u, u) * dot(v, v)) {
                along_edges = size_of(dot(n, start.d)) / square_root(square);
                of_edges.of = Facet::Of::edges;
                of_edges.d = (with_sign(1.0, dot(n, start.d)) / square_root(square)) * n;
                opposite_points(of_edges.d, p, u, q, v, of_edges);
            }
        }
    }
    const auto separate = [&](Facet& facet) { facet.depth = -pair.along(facet.d).separation; };
    Facet best;
    const bool edges_first = along_edges > larger(along_a, along_b), a_first = along_a >= along_b;
    if (edges_first) {
        separate(of_edges);
        best = of_edges;
    } else {
        best = a_first ? a.of_face(face_a) : b.of_face(face_b);
    }
    if (best.depth <= deep_enough) return best;
    const auto offer = [&](const Facet& facet) {
        if (facet.depth < best.depth) best = facet;
    };
    if (edges_first || !a_first) offer(a.of_face(face_a));
    if (edges_first || a_first) offer(b.of_face(face_b));
    if (!edges_first && of_edges.of == Facet::Of::edges) {
        separate(of_edges);
        offer(of_edges);
    }
    if (best.depth <= deep_enough) return best;
    best = {};
    best.d = start.d;
    best.depth = -start.separation;
    best.at_a = a.corner(start.corner_a);
    best.at_b = b.corner(start.corner_b);
    return best;
}

/// Polyhedra, and boxes that are bodies.
SCREE_HD inline bool has_tables(const ConvexShape& s) { return s.face_count > 0; }

/// Both cores have tables. `best`: a direction to begin from, and the answer: the best direction of cores that overlap,
/// or one that separates them. False, and a direction that is only good, where the search's room did not suffice.
SCREE_HD_CALL inline bool shallowest_facet(const DifferenceBody& pair, Direction& best) {
    const double margin = 1e-13 * pair.size, rounding = 1e-14 * pair.size;
    const FacetSide<false> a{pair};
    const FacetSide<true> b{pair};
    Facet facet = facet_along(pair, best);
    NearFaces near_a, near_b;
    bool complete = false;
    constexpr int most = 16;
    for (int round = 0; round < most && facet.depth > 0.0; ++round) {
        const double depth = facet.depth;
        std::int32_t corner;
        if (facet.of == Facet::Of::face_of_b) {
            if (!find_near_faces(b, facet.at_a, margin, near_b, facet)) break;
            if (facet.depth < depth) continue;
            const bool inside = holds(b, near_b, facet.at_b, rounding);
            const Vector3d under = inside ? facet.at_b : pair.support_b(negative(facet.d), corner);
            if (!find_near_faces(a, under, margin, near_a, facet)) break;
        } else {
            if (!find_near_faces(a, facet.at_b, margin, near_a, facet)) break;
            if (facet.depth < depth) continue;
            const bool inside = facet.of != Facet::Of::face_of_a || holds(a, near_a, facet.at_a, rounding);
            const Vector3d under = inside ? facet.at_a : pair.support_a(facet.d, corner);
            if (!find_near_faces(b, under, margin, near_b, facet)) break;
        }
        if (facet.depth < depth) continue;
        NearEdges edges_a, edges_b;
        if (!find_near_edges(a, near_a, depth, edges_a)) break;
        if (edges_a.count > 0) {
            if (!find_near_edges(b, near_b, depth, edges_b)) break;
            look_at_edges(edges_a, edges_b, margin, facet);
        }
        complete = facet.of != Facet::Of::none;
        break;
    }
    best = pair.along(facet.d);
    return complete || best.separation > 0.0;
}

}  // namespace scree::kernels
