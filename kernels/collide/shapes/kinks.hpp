// SPDX-License-Identifier: BSD-3-Clause
// Where the separating function has kinks near a direction: circles {d : |d| = 1, d . u = k} of directions that see an
// edge (k = 0, u along it) or the straight side of a frustum (u its axis), and points, the normals of faces.
#pragma once

#include "kernels/collide/shapes/difference_body.hpp"

namespace scree::kernels {

struct KinkCircle {
    Vector3d u;
    double k;
};

struct Kinks {
    int circles = 0, normals = 0;
    KinkCircle circle[2];
    Vector3d normal[2];
};

SCREE_HD inline Vector3d unit_along(int axis, double sign) {
    const double s = sign < 0.0 ? -1.0 : 1.0;
    return {axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0};
}
SCREE_HD inline double component(Vector3d a, int axis) { return axis == 0 ? a.x : (axis == 1 ? a.y : a.z); }

struct AxesByComponent {
    int least, most;
};
SCREE_HD inline AxesByComponent axes_of(Vector3d d) {
    const double x = size_of(d.x), y = size_of(d.y), z = size_of(d.z);
    return {x <= y && x <= z ? 0 : (y <= z ? 1 : 2), x >= y && x >= z ? 0 : (y >= z ? 1 : 2)};
}

SCREE_HD inline Vector3d vertex_of(const ShapeView& view, const ConvexShape& s, std::int32_t number) {
    const double* v = view.vertices + std::int64_t(3) * (s.first_vertex + number);
    return {v[0], v[1], v[2]};
}
SCREE_HD inline Vector3d plane_normal(const ShapeView& view, const ConvexShape& s, std::int32_t face) {
    const double* n = view.planes + std::int64_t(4) * (s.first_face + face);
    return {n[0], n[1], n[2]};
}

/// The face of a polyhedron whose normal is nearest d; the first of equals.
SCREE_HD inline std::int32_t facing_face(const ShapeView& view, const ConvexShape& s, Vector3d d, double& along) {
    const double* blocks = view.plane_blocks + std::int64_t(4 * vertex_block) * s.first_plane_block;
    const std::int32_t best = farthest_vertex<4>(blocks, s.face_count, d);
    along = dot(plane_normal(view, s, best), d);
    return best;
}

/// The edge at a vertex of a polyhedron that is nearest to square to d: its place in `neighbours`, or -1; `turned` is
/// the sine.
SCREE_HD inline std::int32_t square_edge(const ShapeView& view, const ConvexShape& s, std::int32_t vertex, Vector3d d,
                                         double& turned) {
    std::int32_t best = -1;
    turned = 2.0;
    for (std::int32_t k = view.first_neighbour[s.first_vertex + vertex];
         k < view.first_neighbour[s.first_vertex + vertex + 1]; ++k) {
        const double* way = view.ways + std::int64_t(3) * k;
        const double sine = size_of(way[0] * d.x + way[1] * d.y + way[2] * d.z);
        best = sine < turned ? k : best;
        turned = smaller(sine, turned);
    }
    return best;
}

/// Corners of a triangle, body axes at unit scale.
SCREE_HD inline Vector3d triangle_corner(const ConvexShape& s, int k) {
    return k == 0 ? Vector3d{0, 0, 0} : (k == 1 ? Vector3d{s.a, 0, 0} : Vector3d{s.b, s.c, 0});
}
SCREE_HD inline Vector3d box_corner(const ConvexShape& s, int number) {
    return {(number & 1) != 0 ? s.a : -s.a, (number & 2) != 0 ? s.b : -s.b, (number & 4) != 0 ? s.c : -s.c};
}

/// Of boxes and polyhedra: the edge at a corner that is nearest to square to d [unit, body axes]: its other end, or -1;
/// `turned` is the sine.
SCREE_HD inline std::int32_t other_end(const ShapeView& view, const ConvexShape& s, std::int32_t corner, Vector3d d,
                                       double& turned) {
    turned = 2.0;
    if (s.kind == ShapeKind::polyhedron) {
        const std::int32_t edge = square_edge(view, s, corner, d, turned);
        return edge < 0 ? -1 : view.neighbours[edge];
    }
    if (s.kind != ShapeKind::box) return -1;
    const int least = axes_of(d).least;
    turned = size_of(component(d, least));
    return corner ^ (1 << least);
}
/// Corner of a box or a polyhedron.
SCREE_HD inline Vector3d corner_of(const ShapeView& view, const ConvexShape& s, std::int32_t number) {
    return s.kind == ShapeKind::box ? box_corner(s, number) : vertex_of(view, s, number);
}

/// Kinks of a core's support function near d [unit, body axes]; `corner` is the farthest one along d.
SCREE_HD_CALL inline Kinks kinks_of(const ShapeView& view, const ConvexShape& s, Vector3d d, std::int32_t corner) {
    Kinks kinks;
    const auto edge = [&](Vector3d u) { kinks.circle[kinks.circles++] = {u, 0.0}; };
    const auto face = [&](Vector3d n) { kinks.normal[kinks.normals++] = n; };
    const AxesByComponent axes = axes_of(d);
    switch (s.kind) {
        case ShapeKind::sphere:
        case ShapeKind::ellipsoid:
            break;
        case ShapeKind::capsule:
            edge({0, 0, 1});
            break;
        case ShapeKind::box:
            edge(unit_along(axes.least, 1.0));
            edge(unit_along(3 - axes.least - axes.most, 1.0));
            face(unit_along(axes.most, component(d, axes.most)));
            break;
        case ShapeKind::superquadric:
            // Small exponents make faces that are all but flat, large ones edges in the planes of the axes.
            if (smaller(s.e1, s.e2) < 1.0) face(unit_along(axes.most, component(d, axes.most)));
            break;
        case ShapeKind::cylinder:
        case ShapeKind::cone:
        case ShapeKind::frustum: {
            const Frustum f = frustum_of(s);
            const double rise = f.z1 - f.z0, widening = f.r1 - f.r0;
            const double length = square_root(rise * rise + widening * widening);
            if (length > 0.0) kinks.circle[kinks.circles++] = {{0, 0, 1}, -widening / length};
            face(unit_along(2, d.z));
            break;
        }
        case ShapeKind::triangle: {
            double least = 2.0;
            Vector3d best{1, 0, 0};
            for (int k = 0; k < 3; ++k) {
                const Vector3d e = unit(triangle_corner(s, k == 2 ? 0 : k + 1) - triangle_corner(s, k));
                if (k != corner && (k == 2 ? 0 : k + 1) != corner) continue;
                if (size_of(dot(e, d)) < least) {
                    least = size_of(dot(e, d));
                    best = e;
                }
            }
            edge(best);
            face(unit_along(2, d.z));
            break;
        }
        case ShapeKind::polyhedron: {
            double turned, along;
            const std::int32_t at = square_edge(view, s, corner, d, turned);
            const double* way = view.ways + std::int64_t(3) * at;
            if (at >= 0) edge({way[0], way[1], way[2]});
            face(plane_normal(view, s, facing_face(view, s, d, along)));
            break;
        }
    }
    return kinks;
}

/// The direction where two circles cross that is nearer d; false where they do not, or are all but the same.
SCREE_HD inline bool crossing_of(const KinkCircle& a, const KinkCircle& b, Vector3d d, Vector3d& at) {
    const double c = dot(a.u, b.u);
    const Vector3d w = cross(a.u, b.u);
    const double square = dot(w, w);
    if (!(square > 1e-14)) return false;
    const double of_a = (a.k - c * b.k) / square, of_b = (b.k - c * a.k) / square;
    const Vector3d in_plane = of_a * a.u + of_b * b.u;
    const double rest = 1.0 - dot(in_plane, in_plane);
    if (!(rest >= 0.0)) return false;
    const double across_plane = square_root(rest / square);
    at = unit(in_plane + (dot(w, d) < 0.0 ? -across_plane : across_plane) * w);
    return true;
}

}  // namespace scree::kernels
