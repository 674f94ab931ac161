// SPDX-License-Identifier: BSD-3-Clause
// Faces and edges of a core with tables that may be in a facet of the difference body nearer the origin than a known
// one, as far as points of the other core tell: what shallowest_facet.hpp looks at, and why nothing else needs a look.
//
//  1. For any point q of B a face of A is no nearer than q lies under its plane. One look over the planes with a q near
//     the contact leaves few faces; of these the deepest corner of B gives the depth itself. The same with A and B
//     exchanged.
//  2. Along the arc of an edge, from one face's normal to the other's, what q lies under the edge is concave where it
//     is positive: edges between faces whose planes are both farther than the depth from one q are in no nearer facet.
//     So only edges of faces found in 1 remain, and of these few, as the corner that is deepest under one face is
//     mostly far under its neighbours, too.
#pragma once

#include "kernels/collide/shapes/kinks.hpp"

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

/// Faces of one core that the other core lies less than the depth under, as far as one of its points tells.
struct NearFaces {
    static constexpr int capacity = 24;
    int count = 0;
    std::int32_t face[capacity];
    double depth[capacity];    ///< How deep the other core lies under the face.
    double deepest[capacity];  ///< Number of the corner that does.

    [[nodiscard]] SCREE_HD std::int32_t deepest_corner(int k) const { return std::int32_t(deepest[k]); }

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

/// How deep the other core lies under the faces of the list.
template <bool is_b>
SCREE_HD void look_under(const FacetSide<is_b>& side, NearFaces& near) {
    using Lanes = DirectionLanes;
    const DifferenceBody& pair = side.pair;
    const ConvexShape& other = is_b ? *pair.a : *pair.b;
    const double* planes = pair.view.planes + std::int64_t(4) * side.shape().first_face;
    const Vector3d *r = pair.axis, t = pair.offset;
    for (int first = 0; first < near.count; first += direction_lanes) {
        std::int32_t row[direction_lanes];
        const int used = near.count - first < direction_lanes ? near.count - first : direction_lanes;
        for (int k = 0; k < used; ++k) row[k] = 4 * near.face[first + k];
        const Lanes px = gathered(planes, row, used), py = gathered(planes + 1, row, used),
                    pz = gathered(planes + 2, row, used), offset = gathered(planes + 3, row, used);
        // Outward in the frame of A, inward in the axes of the other core.
        Lanes nx = px, ny = py, nz = pz, ix, iy, iz;
        if constexpr (is_b) {
            nx = px * r[0].x + py * r[1].x + pz * r[2].x;
            ny = px * r[0].y + py * r[1].y + pz * r[2].y;
            nz = px * r[0].z + py * r[1].z + pz * r[2].z;
            ix = -nx;
            iy = -ny;
            iz = -nz;
        } else {
            ix = -(nx * r[0].x + ny * r[0].y + nz * r[0].z);
            iy = -(nx * r[1].x + ny * r[1].y + nz * r[1].z);
            iz = -(nx * r[2].x + ny * r[2].y + nz * r[2].z);
        }
        Lanes reached, number;
        farthest_along_each(pair.view.vertices + std::int64_t(3) * other.first_vertex, other.vertex_count, ix, iy, iz,
                            reached, number);
        const double sign = is_b ? 1.0 : -1.0;
        scatter(near.depth + first,
                offset * side.scale() + reached * side.other_scale() + (nx * t.x + ny * t.y + nz * t.z) * sign);
        scatter(near.deepest + first, number);
    }
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
    look_under(side, near);
    int least = -1;
    double depth = best.of == Facet::Of::none ? best.depth + margin : best.depth - margin;
    for (int k = 0; k < near.count; ++k)
        if (near.depth[k] < depth) {
            depth = near.depth[k];
            least = k;
        }
    if (least >= 0) best = side.of_face(near.face[least], side.corner_of_other(near.deepest_corner(least)));
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
        const Vector3d deepest = side.own_frame(side.corner_of_other(near.deepest_corner(k)));
        for (std::int32_t c = first; c < end; ++c) {
            const std::int32_t beyond = view.face_beyond[c];
            if (beyond < 0) return false;
            if (side.under(beyond, deepest) >= depth) continue;
            const int other = near.place_of(beyond);
            if (other < k) continue;  // looked at from there
            if (other < near.count &&
                side.under(face, side.own_frame(side.corner_of_other(near.deepest_corner(other)))) >= depth)
                continue;
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

}  // namespace scree::kernels
