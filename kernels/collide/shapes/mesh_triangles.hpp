// SPDX-License-Identifier: BSD-3-Clause
// Triangles of a mesh near a convex shape: the walk of the hierarchy, a triangle as a plate, what lies ahead of a
// point.
#pragma once

#include "kernels/collide/shapes/difference_body.hpp"
#include "kernels/items/triangle_mesh.hpp"

namespace scree::kernels {

/// Calls visit(triangle) for the triangles in leaves whose boxes come within `reach` of p; deterministic order.
template <class Visit>
SCREE_HD void for_each_triangle_near(const MeshView& mesh, Vector3d p, double reach, const Visit& visit) {
    if (mesh.triangle_count == 0) return;
    std::int32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const MeshNode node = mesh.nodes[stack[--top]];
        if (squared_distance(node, p) > reach * reach) continue;
        if (node.count == 0) {
            stack[top++] = node.first + 1;
            stack[top++] = node.first;
            continue;
        }
        for (std::int32_t k = node.first; k < node.first + node.count; ++k) visit(k);
    }
}

/// Three points of a mesh.
struct TriangleCorners {
    Vector3d a, b, c;
    SCREE_HD TriangleCorners(Vector3d first, Vector3d second, Vector3d third) : a(first), b(second), c(third) {}
    SCREE_HD TriangleCorners(const MeshView& mesh, std::int32_t index) {
        const double* nine = mesh.triangles + std::int64_t(9) * index;
        a = triangle_vertex(nine, 0);
        b = triangle_vertex(nine, 1);
        c = triangle_vertex(nine, 2);
    }
};

/// A triangle as a plate: in its own frame, the z axis towards the side it is seen from.
struct TrianglePlate {
    ConvexShape shape;
    PlacedShape placed;
    bool sound = false;  ///< Not of three points in a line.

    SCREE_HD TrianglePlate(const TriangleCorners& t, Vector3d seen_from) {
        const Vector3d a = t.a;
        Vector3d ab = t.b - a, ac = t.c - a;
        const Vector3d n = cross(ab, ac);
        if (dot(n, seen_from - a) < 0.0) {
            const Vector3d other = ab;
            ab = ac;
            ac = other;
        }
        const double length = norm(ab), area = norm(n);
        shape.kind = ShapeKind::triangle;
        if (!(area > 1e-12 * (dot(ab, ab) + dot(ac, ac)))) return;
        sound = true;
        placed.position = a;
        placed.axis[0] = (1.0 / length) * ab;
        placed.axis[2] = unit(cross(ab, ac));
        placed.axis[1] = cross(placed.axis[2], placed.axis[0]);
        shape.a = length;
        shape.b = dot(ac, placed.axis[0]);
        shape.c = dot(ac, placed.axis[1]);
        shape.bounding_radius = larger(length, norm(ac));
    }
    /// The placement points to the shape beside it: set where the object has come to rest.
    SCREE_HD const PlacedShape& plate() {
        placed.shape = &shape;
        return placed;
    }
};

/// The point nearest to p of the corner, edge or face of a triangle that is highest along `up`; heights are alike
/// within `alike`.
SCREE_HD inline Vector3d highest_near(const TriangleCorners& t, Vector3d up, Vector3d p, double alike) {
    const double a = dot(t.a, up), b = dot(t.b, up), c = dot(t.c, up);
    const double low = larger(a, larger(b, c)) - alike;
    Vector3d top[3];
    int count = 0;
    if (a >= low) top[count++] = t.a;
    if (b >= low) top[count++] = t.b;
    if (c >= low) top[count++] = t.c;
    if (count == 1) return top[0];
    if (count == 3) return nearest_on_triangle(p, t.a, t.b, t.c);
    const Vector3d edge = top[1] - top[0];
    const double square = dot(edge, edge);
    return top[0] + (square > 0.0 ? clamped(dot(p - top[0], edge) / square, 0.0, 1.0) : 0.0) * edge;
}

/// Does the direction `away` from the mesh at p lead away from all triangles at p?
SCREE_HD_CALL inline bool leads_away(const MeshView& mesh, Vector3d p, Vector3d away, double near) {
    bool free = true;
    for_each_triangle_near(mesh, p, near, [&](std::int32_t k) {
        if (!free) return;
        const auto [a, b, c] = TriangleCorners(mesh, k);
        const Vector3d off = nearest_on_triangle(p, a, b, c) - p;
        if (dot(off, off) > near * near) return;
        const auto ahead = [&](Vector3d v) { return dot(v - p, away) > 1e-6 * norm(v - p) + near; };
        if (ahead(a) || ahead(b) || ahead(c)) free = false;
    });
    return free;
}

}  // namespace scree::kernels
