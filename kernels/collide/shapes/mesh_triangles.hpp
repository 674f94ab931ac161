// SPDX-License-Identifier: BSD-3-Clause
// Triangles of a mesh near a convex shape: the walk of the hierarchy, a triangle as a plate, and which way is out.
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

/// A triangle as a plate: in its own frame, the z axis towards the side that counts.
struct TrianglePlate {
    ConvexShape shape;
    PlacedShape placed;
    bool sound = false;  ///< Not of three points in a line.

    SCREE_HD TrianglePlate(const MeshView& mesh, std::int32_t index, Vector3d seen_from) {
        const double* nine = mesh.triangles + std::int64_t(9) * index;
        const Vector3d a = triangle_vertex(nine, 0);
        Vector3d ab = triangle_vertex(nine, 1) - a, ac = triangle_vertex(nine, 2) - a;
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

/// The triangle nearest to a shape's centre, and which side of its neighbours is the free one.
///
/// The centre lies on the free side of the nearest triangle. Beyond a convex edge it may lie behind the neighbour's
/// plane, though the shape reaches over the neighbour: so the side of a triangle that shares a corner with the nearest
/// one follows from that one. Where the neighbour falls away from it, it falls away from the neighbour, and where the
/// neighbour rises, so does it. Windings do not matter.
class FreeSides {
public:
    SCREE_HD FreeSides(const MeshView& mesh, Vector3d centre, double reach) : mesh_(mesh), centre_(centre) {
        double best = 1e300, most_facing = -1.0;
        for_each_triangle_near(mesh, centre, reach, [&](std::int32_t k) {
            const Vector3d a = corner(k, 0), b = corner(k, 1), c = corner(k, 2), n = cross(b - a, c - a);
            const double area = norm(n);
            if (!(area > 0.0)) return;
            const Vector3d off = centre - nearest_on_triangle(centre, a, b, c);
            const double squared = dot(off, off), faces = size_of(dot(n, off)) / area;
            // At an edge both of its triangles are as near: the one that faces the centre.
            const bool nearer = squared < best * (1.0 - 1e-12), as_near = squared <= best * (1.0 + 1e-12);
            if (!nearer && !(as_near && faces > most_facing)) return;
            best = smaller(best, squared);
            most_facing = faces;
            nearest_ = k;
            normal_ = dot(n, off) < 0.0 ? negative(n) : n;
        });
    }
    /// A point on the free side of a triangle.
    [[nodiscard]] SCREE_HD Vector3d of(std::int32_t k) const {
        if (nearest_ < 0 || k == nearest_) return centre_;
        const Vector3d a = corner(k, 0), ab = corner(k, 1) - a, ac = corner(k, 2) - a;
        const Vector3d n = cross(ab, ac), centroid = a + (1.0 / 3.0) * (ab + ac);
        const double near = 1e-9 * (norm(ab) + norm(ac));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const Vector3d p = corner(k, i);
                if (norm(p - corner(nearest_, j)) > near) continue;
                const Vector3d other = (1.0 / 3.0) * (corner(nearest_, 0) + corner(nearest_, 1) + corner(nearest_, 2));
                const double rise = dot(centroid - p, normal_), back = dot(other - p, n);
                const bool flat = size_of(rise) <= 1e-9 * norm(normal_) * norm(centroid - p);
                const bool front = flat ? dot(n, normal_) > 0.0 : (rise > 0.0) == (back > 0.0);
                return front ? p + n : p - n;
            }
        return centre_;
    }

private:
    [[nodiscard]] SCREE_HD Vector3d corner(std::int32_t k, int i) const {
        return triangle_vertex(mesh_.triangles + std::int64_t(9) * k, i);
    }
    const MeshView& mesh_;
    Vector3d centre_;
    std::int32_t nearest_ = -1;
    Vector3d normal_{0, 0, 1};
};

/// Does any triangle at p rise above the plane through p with this normal?
SCREE_HD_CALL inline bool rises(const MeshView& mesh, Vector3d p, Vector3d normal, double near) {
    bool found = false;
    for_each_triangle_near(mesh, p, near, [&](std::int32_t k) {
        if (found) return;
        const double* nine = mesh.triangles + std::int64_t(9) * k;
        const Vector3d a = triangle_vertex(nine, 0), b = triangle_vertex(nine, 1), c = triangle_vertex(nine, 2);
        const Vector3d off = nearest_on_triangle(p, a, b, c) - p;
        if (dot(off, off) > near * near) return;
        const auto above = [&](Vector3d v) { return dot(v - p, normal) > 1e-3 * norm(v - p) + near; };
        found = above(a) || above(b) || above(c);
    });
    return found;
}

/// Does the direction `away` from the mesh at p lead away from all triangles at p?
SCREE_HD_CALL inline bool leads_away(const MeshView& mesh, Vector3d p, Vector3d away, double near) {
    bool free = true;
    for_each_triangle_near(mesh, p, near, [&](std::int32_t k) {
        if (!free) return;
        const double* nine = mesh.triangles + std::int64_t(9) * k;
        const Vector3d a = triangle_vertex(nine, 0), b = triangle_vertex(nine, 1), c = triangle_vertex(nine, 2);
        const Vector3d off = nearest_on_triangle(p, a, b, c) - p;
        if (dot(off, off) > near * near) return;
        const auto ahead = [&](Vector3d v) { return dot(v - p, away) > 1e-6 * norm(v - p) + near; };
        if (ahead(a) || ahead(b) || ahead(c)) free = false;
    });
    return free;
}

}  // namespace scree::kernels
