// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes as the narrow phase sees them: by their farthest point along a direction, in double precision.
//
// A shape is the Minkowski sum of a core and a ball of radius `rounding`. Distances are found between cores; the balls
// are subtracted at the end, so spheres (core: a point), capsules (a segment) and rounded boxes, cylinders and
// polyhedra are one case.
//
// Invariants
//  1. A shape is given at unit scale in its own frame: origin at its centre of mass (of the frustum: half way up).
//  2. Corners have numbers that stay with the body: of a box bit 0, 1, 2 set for x, y, z > 0; of a capsule 1 for z > 0;
//     of a polyhedron the number of the vertex in the shape.
//  3. Finite input, not all zero, gives a finite point; of equally far points the choice is fixed by the input's bits.
#pragma once

#include "kernels/items/boundary_shapes.hpp"
#include "kernels/items/farthest_vertex.hpp"

namespace scree::kernels {

/// The last two are for walls: a frustum is a surface of revolution seen from outside (cylinder and cone are frusta
/// with other fields), a triangle is one of a mesh.
enum class ShapeKind : std::int32_t {
    sphere,
    capsule,
    box,
    cylinder,
    cone,
    ellipsoid,
    superquadric,
    polyhedron,
    frustum,
    triangle
};

/// One shape; lengths are those of the core.
///  sphere        rounding = radius.                  capsule   c = half length of the segment on z, rounding = radius.
///  box           a, b, c = half sides.               cylinder  a = radius, c = half length, axis z.
///  cone          a = radius of the base at z = -c/2, apex at z = 3c/2 (h = 2 c; c as for the cylinder).
///  ellipsoid     a, b, c = semi axes: (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1.
///  superquadric  ((x/a)^(2/e2) + (y/b)^(2/e2))^(e2/e1) + (z/c)^(2/e1) <= 1, 0 < e1, e2 <= 2.
///  polyhedron    ranges of vertices and faces in the arrays of ShapeView; boxes of a library have them, too.
///  frustum       a = radius at z = -c, b = radius at z = c (either may be 0, and so may c: a disc).
///  triangle      corners (0, 0, 0), (a, 0, 0), (b, c, 0).
struct ConvexShape {
    ShapeKind kind = ShapeKind::sphere;
    std::int32_t first_vertex = 0, vertex_count = 0, first_face = 0, face_count = 0;  ///< Of a polyhedron or a box.
    std::int32_t first_block = 0, first_plane_block = 0;
    double a = 0, b = 0, c = 0;  ///< [m]
    double e1 = 1, e2 = 1;
    double rounding = 0;         ///< [m]
    double bounding_radius = 0;  ///< About the origin, rounding included [m].
    double inner_radius = 0;     ///< Of a ball about the origin that the shape holds, rounding included [m].
};

/// Shapes and the vertices, edges and faces of the polyhedra in the backend's memory. Numbers of vertices in
/// `neighbours` and `corners` count from the shape's first vertex. (Edges are stored as neighbours of a vertex, both
/// ways: that is how a supporting edge is looked for.)
struct ShapeView {
    const ConvexShape* shapes = nullptr;
    const double* vertices = nullptr;  ///< Rows x y z.
    /// The same in blocks of farthest_vertex.hpp; the last block of a polyhedron is filled up with its first vertex.
    const double* vertex_blocks = nullptr;
    const std::int32_t* first_neighbour = nullptr;  ///< [vertices + 1] places in `neighbours`.
    const std::int32_t* neighbours = nullptr;       ///< Of a vertex: the other ends of its edges, ascending.
    const double* planes = nullptr;              ///< Rows of a face: outward unit normal, offset (normal . x = offset).
    const std::int32_t* first_corner = nullptr;  ///< [faces + 1] places in `corners`.
    const std::int32_t* corners = nullptr;       ///< Of a face: its vertices, counter-clockwise seen from outside.
    /// Planes in blocks of farthest_vertex.hpp; the last block of a polyhedron is filled up with its first plane.
    const double* plane_blocks = nullptr;
    /// Of the edge from a corner of a face to the next: the face on its other side, counted from the shape's first.
    /// -1: not known.
    const std::int32_t* face_beyond = nullptr;
    const double* ways = nullptr;  ///< Rows x y z: the unit vector along the edge to each of `neighbours`.
};

/// A shape where it stands: world point = position + scale * (x axis[0] + y axis[1] + z axis[2]).
struct PlacedShape {
    const ConvexShape* shape = nullptr;
    Vector3d position{0, 0, 0};
    Vector3d axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< Orthonormal, right-handed: the columns of the rotation.
    double scale = 1.0;                                    ///< Multiplies all lengths, the rounding too.

    [[nodiscard]] SCREE_HD Vector3d to_body(Vector3d d) const {
        return {dot(axis[0], d), dot(axis[1], d), dot(axis[2], d)};
    }
    [[nodiscard]] SCREE_HD Vector3d to_world_axes(Vector3d d) const {
        return d.x * axis[0] + d.y * axis[1] + d.z * axis[2];
    }
    [[nodiscard]] SCREE_HD double rounding() const { return scale * shape->rounding; }
    [[nodiscard]] SCREE_HD double bounding_radius() const { return scale * shape->bounding_radius; }
    [[nodiscard]] SCREE_HD double inner_radius() const { return scale * shape->inner_radius; }
};

SCREE_HD inline double with_sign(double size, double sign) { return sign < 0.0 ? -size : size; }
SCREE_HD inline double size_of(double x) { return x < 0.0 ? -x : x; }

/// Convex hull of two discs square to z.
struct Frustum {
    double r0, z0, r1, z1;
};

SCREE_HD inline Frustum frustum_of(const ConvexShape& s) {
    if (s.kind == ShapeKind::cylinder) return {s.a, -s.c, s.a, s.c};
    if (s.kind == ShapeKind::cone) return {s.a, -0.5 * s.c, 0.0, 1.5 * s.c};
    return {s.a, -s.c, s.b, s.c};
}
SCREE_HD inline bool is_frustum(ShapeKind kind) {
    return kind == ShapeKind::cylinder || kind == ShapeKind::cone || kind == ShapeKind::frustum;
}
/// Cores whose only farthest points are corners.
SCREE_HD inline bool is_polyhedral(ShapeKind kind) {
    return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::box ||
           kind == ShapeKind::polyhedron || kind == ShapeKind::triangle;
}
SCREE_HD inline bool is_smooth(ShapeKind kind) {
    return kind == ShapeKind::ellipsoid || kind == ShapeKind::superquadric;
}

/// Dual of the norm (|u|^(2/e) + |v|^(2/e))^(e/2) at (u, v) >= 0, not both 0, and its derivatives.
struct DualNorm {
    double value, along_u, along_v;
};
SCREE_HD inline DualNorm dual_norm(double u, double v, double e) {
    const bool first = u >= v;
    const double largest = first ? u : v, ratio = (first ? v : u) / largest;
    // e = 2 is the norm |u| + |v|, whose dual is the larger of the two: one corner is farthest.
    if (e >= 2.0) return {largest, first ? 1.0 : 0.0, first ? 0.0 : 1.0};
    // q = 2 / (2 - e): value = largest (1 + ratio^q)^(1/q), derivatives (u / value)^(q-1) with q - 1 = e / (2 - e).
    double power_less, root_less, root;
    if (e == 1.0) {
        root = square_root(1.0 + ratio * ratio);
        power_less = ratio;
        root_less = 1.0 / root;
    } else {
        power_less = ratio > 0.0 ? ::pow(ratio, e / (2.0 - e)) : 0.0;
        const double sum = 1.0 + power_less * ratio;
        root_less = ::pow(sum, -0.5 * e);  // root^-(q-1)
        root = sum * root_less;            // sum^(1 - e/2)
    }
    const double smaller_part = root_less * power_less;
    return {largest * root, first ? root_less : smaller_part, first ? smaller_part : root_less};
}

/// Farthest point of the core along d [body axes, unit scale, any length but 0]; `corner` is its number (0: none).
SCREE_HD_CALL inline Vector3d core_support(const ShapeView& view, const ConvexShape& s, Vector3d d,
                                           std::int32_t& corner) {
    corner = 0;
    switch (s.kind) {
        case ShapeKind::sphere:
            return {0, 0, 0};
        case ShapeKind::capsule:
            corner = d.z < 0.0 ? 0 : 1;
            return {0, 0, with_sign(s.c, d.z)};
        case ShapeKind::box:
            corner = (d.x < 0.0 ? 0 : 1) | (d.y < 0.0 ? 0 : 2) | (d.z < 0.0 ? 0 : 4);
            return {with_sign(s.a, d.x), with_sign(s.b, d.y), with_sign(s.c, d.z)};
        case ShapeKind::cylinder:
        case ShapeKind::cone:
        case ShapeKind::frustum: {
            const Frustum f = frustum_of(s);
            const double rho = square_root(d.x * d.x + d.y * d.y);
            const bool upper = (f.r1 - f.r0) * rho + (f.z1 - f.z0) * d.z >= 0.0;
            const double k = rho > 0.0 ? (upper ? f.r1 : f.r0) / rho : 0.0;
            return {k * d.x, k * d.y, upper ? f.z1 : f.z0};
        }
        case ShapeKind::ellipsoid: {
            const Vector3d scaled{s.a * d.x, s.b * d.y, s.c * d.z};
            const double k = 1.0 / norm(scaled);
            return {s.a * (k * scaled.x), s.b * (k * scaled.y), s.c * (k * scaled.z)};
        }
        case ShapeKind::superquadric: {
            // The support function of a ball of a norm is the dual norm, and the farthest point is its gradient.
            const double gx = s.a * size_of(d.x), gy = s.b * size_of(d.y), gz = s.c * size_of(d.z);
            if (gx == 0.0 && gy == 0.0) return {0, 0, with_sign(s.c, d.z)};
            const DualNorm ring = dual_norm(gx, gy, s.e2);
            const DualNorm whole = dual_norm(ring.value, gz, s.e1);
            return {with_sign(s.a * whole.along_u * ring.along_u, d.x),
                    with_sign(s.b * whole.along_u * ring.along_v, d.y), with_sign(s.c * whole.along_v, d.z)};
        }
        case ShapeKind::triangle: {
            const double first = s.a * d.x, second = s.b * d.x + s.c * d.y;
            corner = first > 0.0 || second > 0.0 ? (first >= second ? 1 : 2) : 0;
            return corner == 0 ? Vector3d{0, 0, 0} : (corner == 1 ? Vector3d{s.a, 0, 0} : Vector3d{s.b, s.c, 0});
        }
        case ShapeKind::polyhedron: {
            const double* blocks = view.vertex_blocks + std::int64_t(3 * vertex_block) * s.first_block;
            corner = farthest_vertex(blocks, s.vertex_count, d);
            const double* vertex = view.vertices + std::int64_t(3) * (s.first_vertex + corner);
            return {vertex[0], vertex[1], vertex[2]};
        }
    }
    return {0, 0, 0};
}

/// Farthest point of a placed shape along the unit vector d, rounding included [world].
SCREE_HD inline Vector3d support(const ShapeView& view, const PlacedShape& placed, Vector3d d) {
    std::int32_t corner;
    const Vector3d core = core_support(view, *placed.shape, placed.to_body(d), corner);
    return placed.position + placed.scale * placed.to_world_axes(core) + placed.rounding() * d;
}

}  // namespace scree::kernels
