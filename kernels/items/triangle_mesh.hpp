// SPDX-License-Identifier: BSD-3-Clause
// A sphere against a triangle mesh: nearest points by a bounding volume hierarchy, and the rule that makes a plane of
// many triangles equal to an analytic plane.
//
// Rule. Take the mesh's points nearest first. A further triangle adds a contact only if its nearest point lies in
// front of the tangent planes of all contacts found so far: ((p_c - p_k) . n_k > eps, n_k from p_k to the centre).
// Points of the same plane, of the same edge and of the far side of a convex edge lie on or behind the first tangent
// plane: their constraint is implied by the first. Points of a concave neighbour lie in front: a second contact.
// No adjacency is needed, so triangle soups work, and the nearest point is never lost.
#pragma once

#include "kernels/items/boundary_shapes.hpp"

namespace scree::kernels {

/// A node of the hierarchy; the layout of geometry::BvhNode. count == 0: children are first and first + 1.
struct MeshNode {
    float lower[3];
    float upper[3];
    std::int32_t first;
    std::int32_t count;
};

/// A mesh in the backend's memory. Triangles are in the order of the hierarchy's leaves: nine doubles each.
struct MeshView {
    const MeshNode* nodes = nullptr;
    const double* triangles = nullptr;
    Index triangle_count = 0;
};

SCREE_HD inline Vector3d triangle_vertex(const double* nine, int k) {
    return {nine[3 * k], nine[3 * k + 1], nine[3 * k + 2]};
}

/// Nearest point of a triangle to p (Ericson, Real-Time Collision Detection, section 5.1.5: Voronoi regions).
SCREE_HD inline Vector3d nearest_on_triangle(Vector3d p, Vector3d a, Vector3d b, Vector3d c) {
    const Vector3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return a;
    const Vector3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return a + (d1 / (d1 - d3)) * ab;
    const Vector3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return a + (d2 / (d2 - d6)) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
    const double denominator = 1.0 / (va + vb + vc);
    return a + (vb * denominator) * ab + (vc * denominator) * ac;
}

/// Contacts of one sphere with one mesh. At most `capacity` are told apart, nearest first: the 16 nearest walls of a
/// sphere leave it no freedom that a seventeenth would take.
struct MeshContacts {
    static constexpr int capacity = 16;
    int count = 0;
    Vector3d point[capacity];   ///< Relative to the centre.
    Vector3d normal[capacity];  ///< From the point to the centre, unit.
    double distance[capacity];

    /// In front of all tangent planes found so far?
    SCREE_HD bool adds(Vector3d offset, double tolerance) const {
        for (int k = 0; k < count; ++k)
            if (dot(offset - point[k], normal[k]) <= tolerance) return false;
        return true;
    }
};

/// Squared distance from p to the node's box.
SCREE_HD inline double squared_distance(const MeshNode& node, Vector3d p) {
    const double x = p.x - clamped(p.x, double(node.lower[0]), double(node.upper[0]));
    const double y = p.y - clamped(p.y, double(node.lower[1]), double(node.upper[1]));
    const double z = p.z - clamped(p.z, double(node.lower[2]), double(node.upper[2]));
    return x * x + y * y + z * z;
}

/// All contacts of a sphere of `radius` with points of the mesh within `reach` of its centre.
SCREE_HD inline void find_mesh_contacts(const MeshView& mesh, Vector3d center, double radius, double reach,
                                        MeshContacts& contacts) {
    contacts.count = 0;
    const double tolerance = 1e-7 * radius;
    while (contacts.count < MeshContacts::capacity) {
        // The nearest point that no contact so far implies.
        double best = reach * reach;
        Vector3d best_offset{0, 0, 0}, best_face{0, 0, 0};
        bool found = false;
        std::int32_t stack[64];
        int top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const MeshNode node = mesh.nodes[stack[--top]];
            if (squared_distance(node, center) > best) continue;
            if (node.count == 0) {
                // The nearer child last, so that it is visited first.
                const bool second_nearer = squared_distance(mesh.nodes[node.first + 1], center) <
                                           squared_distance(mesh.nodes[node.first], center);
                stack[top++] = second_nearer ? node.first : node.first + 1;
                stack[top++] = second_nearer ? node.first + 1 : node.first;
                continue;
            }
            for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
                const double* nine = mesh.triangles + std::int64_t(9) * k;
                const Vector3d a = triangle_vertex(nine, 0), b = triangle_vertex(nine, 1), c = triangle_vertex(nine, 2);
                const Vector3d offset = nearest_on_triangle(center, a, b, c) - center;
                const double squared = dot(offset, offset);
                if (squared < best && contacts.adds(offset, tolerance)) {
                    best = squared;
                    best_offset = offset;
                    best_face = cross(b - a, c - a);
                    found = true;
                }
            }
        }
        if (!found) return;
        const double distance = square_root(best);
        // A centre on the mesh itself has no direction; the face's normal is one.
        const Vector3d normal =
            distance > 1e-12 * radius ? (-1.0 / distance) * best_offset : (1.0 / norm(best_face)) * best_face;
        contacts.point[contacts.count] = best_offset;
        contacts.normal[contacts.count] = normal;
        contacts.distance[contacts.count] = distance;
        ++contacts.count;
    }
}

}  // namespace scree::kernels
