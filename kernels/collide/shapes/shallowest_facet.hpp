// SPDX-License-Identifier: BSD-3-Clause
// The direction of the least translation that parts two overlapping cores with tables of corners, edges and faces: the
// facet of the difference body that is nearest the origin, among all of them.
//
// A facet is a face of A, a face of B or a pair of edges that cross as seen along it (their arcs on the sphere of
// normals cross). From a facet of depth t, all others that may be nearer are told by points, exactly:
//  1. For any point q of B a face of A is no nearer than q lies under its plane. One look over the planes with a q near
//     the contact leaves few faces; of these the deepest point of B gives the depth itself. The same with A and B
//     exchanged.
//  2. Along the arc of an edge, from one face's normal to the other's, what q lies under the edge is concave where it
//     is positive: edges between faces whose planes are both farther than t from one q are in no nearer facet. So only
//     edges of faces found in 1 remain, and of these few, as the deepest point under one face is mostly far from the
//     planes of its neighbours.
//  3. Pairs of the remaining edges are looked at.
// A nearer facet makes the bounds of all that was left out only better, so it replaces the facet without another look.
#pragma once

#include "kernels/collide/shapes/kinks.hpp"
#include "kernels/items/eight_farthest.hpp"

namespace scree::kernels {

/// A facet of the difference body in the frame of A.
struct Facet {
    enum class Of : std::int32_t { none, face_of_a, face_of_b, edges };
    Of of = Of::none;
    std::int32_t face = -1;
    Vector3d d{0, 0, 1};  ///< Unit, from A to B.
    double depth = 1e300;
    /// A point of each core, about opposite each other: what bounds other facets.
    Vector3d at_a{0, 0, 0}, at_b{0, 0, 0};
};

/// One core of a pair: its tables, and the frame of A.
template <bool is_b>
struct FacetSide {
    const DifferenceBody& pair;

    [[nodiscard]] SCREE_HD const ConvexShape& shape() const { return is_b ? *pair.b : *pair.a; }
    [[nodiscard]] SCREE_HD double scale() const { return is_b ? pair.scale_b : pair.scale_a; }
    [[nodiscard]] SCREE_HD Vector3d own_axes(Vector3d d) const { return is_b ? pair.to_b(d) : d; }
    [[nodiscard]] SCREE_HD Vector3d own_frame(Vector3d p) const {
        return (1.0 / scale()) * own_axes(is_b ? p - pair.offset : p);
    }
    [[nodiscard]] SCREE_HD Vector3d corner(std::int32_t number) const {
        const Vector3d v = scale() * vertex_of(pair.view, shape(), number);
        return is_b ? pair.offset + pair.from_b(v) : v;
    }
    [[nodiscard]] SCREE_HD Vector3d outward(std::int32_t face) const {
        const Vector3d n = plane_normal(pair.view, shape(), face);
        return is_b ? pair.from_b(n) : n;
    }
    /// How far a point [own frame] lies under the plane of a face [m].
    [[nodiscard]] SCREE_HD double under(std::int32_t face, Vector3d p) const {
        const double* n = pair.view.planes + std::int64_t(4) * (shape().first_face + face);
        return scale() * (n[3] - dot(Vector3d{n[0], n[1], n[2]}, p));
    }
    /// The other core's farthest point along d.
    [[nodiscard]] SCREE_HD Vector3d support_of_other(Vector3d d) const {
        std::int32_t corner;
        return is_b ? pair.support_a(d, corner) : pair.support_b(d, corner);
    }
    [[nodiscard]] SCREE_HD double other_scale() const { return is_b ? pair.scale_a : pair.scale_b; }
    [[nodiscard]] SCREE_HD Vector3d corner_of_other(std::int32_t number) const {
        return FacetSide<!is_b>{pair}.corner(number);
    }
    [[nodiscard]] SCREE_HD Facet of_face(std::int32_t face) const {
        return of_face(face, support_of_other(negative(outward(face))));
    }
    /// With the other core's point that is deepest under it.
    [[nodiscard]] SCREE_HD Facet of_face(std::int32_t face, Vector3d deepest) const {
        Facet facet;
        facet.of = is_b ? Facet::Of::face_of_b : Facet::Of::face_of_a;
        facet.face = face;
        const Vector3d n = outward(face);
        facet.d = is_b ? negative(n) : n;
        facet.depth = under(face, own_frame(deepest));
        (is_b ? facet.at_a : facet.at_b) = deepest;
        (is_b ? facet.at_b : facet.at_a) = deepest + facet.depth * n;
        return facet;
    }
};

/// Faces of one core that the other core lies less than the depth under, as far as one of its points tells; in blocks
/// of as many as are looked at together.
struct NearFaces {
    static constexpr int lanes = EightDirections::lanes, capacity = 3 * lanes;
    int count = 0;
    std::int32_t face[capacity];
    std::int32_t deepest[capacity];  ///< The corner of the other core that is deepest under the face.
    double depth[capacity];          ///< How deep.

    [[nodiscard]] SCREE_HD int place_of(std::int32_t its_face) const {
        for (int k = 0; k < count; ++k)
            if (face[k] == its_face) return k;
        return count;
    }
};

struct NearEdges {
    static constexpr int capacity = 24;
    int count = 0;
    Vector3d from[capacity], along[capacity], first[capacity], second[capacity];  ///< Normals of its faces.
};

/// How deep the other core lies under faces first to first + 7 of the list.
template <bool is_b>
SCREE_HD void look_under(const FacetSide<is_b>& side, int first, NearFaces& near) {
    const DifferenceBody& pair = side.pair;
    const ConvexShape& other = is_b ? *pair.a : *pair.b;
    const int used = near.count - first < NearFaces::lanes ? near.count - first : NearFaces::lanes;
    EightDirections inward;
    double level[NearFaces::lanes], reached[NearFaces::lanes];
    for (int k = 0; k < NearFaces::lanes; ++k) {
        const double* plane =
            pair.view.planes + std::int64_t(4) * (side.shape().first_face + near.face[first + (k < used ? k : 0)]);
        const Vector3d own{plane[0], plane[1], plane[2]}, n = is_b ? pair.from_b(own) : own;
        const Vector3d looking = negative(is_b ? n : pair.to_b(n));
        inward.x[k] = looking.x;
        inward.y[k] = looking.y;
        inward.z[k] = looking.z;
        level[k] = side.scale() * plane[3] + (is_b ? dot(n, pair.offset) : -dot(n, pair.offset));
    }
    eight_farthest(pair.view.vertices + std::int64_t(3) * other.first_vertex, other.vertex_count, inward, used, reached,
                   near.deepest + first);
    for (int k = 0; k < used; ++k) near.depth[first + k] = level[k] + side.other_scale() * reached[k];
}

/// False when they are too many.
template <bool is_b>
SCREE_HD bool find_near_faces(const FacetSide<is_b>& side, Vector3d point_of_other, double margin, NearFaces& near,
                              Facet& best) {
    const ConvexShape& s = side.shape();
    const Vector3d p = side.own_frame(point_of_other);
    const double* blocks = side.pair.view.plane_blocks + std::int64_t(4 * vertex_block) * s.first_plane_block;
    const double reach = (best.depth + margin) / side.scale();
    near.count = 0;
    for (std::int32_t first = 0; first < s.face_count; first += vertex_block) {
        unsigned bits = near_planes(blocks + 4 * first, p, reach);
        if (s.face_count - first < vertex_block) bits &= (1u << (s.face_count - first)) - 1u;
        for (; bits != 0; bits &= bits - 1u) {
            if (near.count == NearFaces::capacity) return false;
            near.face[near.count++] = first + lowest_bit(bits);
        }
    }
    for (int first = 0; first < near.count; first += NearFaces::lanes) look_under(side, first, near);
    int least = -1;
    double depth = best.of == Facet::Of::none ? best.depth + margin : best.depth - margin;
    for (int k = 0; k < near.count; ++k)
        if (near.depth[k] < depth) {
            depth = near.depth[k];
            least = k;
        }
    if (least >= 0) best = side.of_face(near.face[least], side.corner_of_other(near.deepest[least]));
    return true;
}

/// Does the core hold the point? Asked of points that lie no more than the depth beyond one that the list was made for.
template <bool is_b>
SCREE_HD bool holds(const FacetSide<is_b>& side, const NearFaces& near, Vector3d point, double rounding) {
    const Vector3d p = side.own_frame(point);
    for (int k = 0; k < near.count; ++k)
        if (side.under(near.face[k], p) < -rounding) return false;
    return true;
}

/// Edges of the near faces that no point tells to be farther than the depth. False when they are too many.
template <bool is_b>
SCREE_HD bool find_near_edges(const FacetSide<is_b>& side, const NearFaces& near, double depth, NearEdges& edges) {
    const ShapeView& view = side.pair.view;
    const ConvexShape& s = side.shape();
    edges.count = 0;
    for (int k = 0; k < near.count; ++k) {
        const std::int32_t face = near.face[k];
        const std::int32_t first = view.first_corner[s.first_face + face],
                           end = view.first_corner[s.first_face + face + 1];
        const Vector3d deepest = side.own_frame(side.corner_of_other(near.deepest[k]));
        for (std::int32_t c = first; c < end; ++c) {
            const std::int32_t beyond = view.face_beyond[c];
            if (beyond < 0) return false;
            if (side.under(beyond, deepest) >= depth) continue;
            const int other = near.place_of(beyond);
            if (other < k) continue;  // looked at from there
            if (other < near.count && side.under(face, side.own_frame(side.corner_of_other(near.deepest[other]))) >= depth) continue;
            if (edges.count == NearEdges::capacity) return false;
            const Vector3d from = side.corner(view.corners[c]);
            edges.from[edges.count] = from;
            edges.along[edges.count] = side.corner(view.corners[c + 1 == end ? first : c + 1]) - from;
            edges.first[edges.count] = side.outward(face);
            edges.second[edges.count++] = side.outward(beyond);
        }
    }
    return true;
}

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
SCREE_HD_CALL inline Facet facet_along(const DifferenceBody& pair, const Direction& start) {
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
