// SPDX-License-Identifier: BSD-3-Clause
// A convex shape on a triangle mesh: its hierarchy is walked for the triangles near the shape, and a rule makes a plane
// of many triangles equal to an analytic plane.
//
// Rule. Each triangle is a thin plate seen from its free side (FreeSides, plate_contacts.hpp).
//  1. Edges and corners of a triangle push along their own direction of least translation, but only where it leads away
//     from the mesh: if any triangle at the point reaches forward along it, the edge is an inner one, flat or concave,
//     and the point is that other triangle's.
//  2. Where the lowest point of the shape over a triangle's plane lies over that triangle, and no edge of the triangle
//     parts them by less, the plane is a contact plane, and pushes along its normal wherever one of its triangles has
//     the shape's lower side above it.
//  3. In a concave corner the lowest point may lie beyond the triangle's edge, by as much as the shape overlaps the
//  next
//     triangle, which rises there: then the plane is a contact plane all the same, up to a quarter of the shape's size.
// No adjacency is needed, so triangle soups work. An edge that two triangles share counts once.
//
// At most eight planes and sixteen contacts are told apart, deepest first: the nearest walls of a shape leave it no
// freedom that another would take.
#pragma once

#include "kernels/collide/shapes/mesh_triangles.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"

namespace scree::kernels {

/// A plane on which the shape's lowest point was found.
struct ContactPlane {
    Vector3d normal, point;
    double gap;
    double margin;  ///< See look_at_plate().
    [[nodiscard]] SCREE_HD bool holds(const PlacedShape& plate, double tolerance) const {
        return dot(plate.axis[2], normal) > 1.0 - 1e-10 && size_of(dot(plate.position - point, normal)) <= tolerance;
    }
};

/// Adds the points of one plane, over all its triangles: the farthest in eight directions fixed to the body and the
/// deepest, at most `most`.
SCREE_HD inline void add_mesh_plane(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh,
                                    const FreeSides& sides, const ContactPlane& plane, double reach, int most,
                                    WallContacts& contacts) {
    constexpr int ways = 9;
    ManifoldPoint best[ways];
    double reached[ways];
    for (double& r : reached) r = -1e300;
    bool found = false;
    // A frustum's fixed rim points lie a quarter apart.
    const int step = is_frustum(placed.shape->kind) ? 2 : 1;
    const Vector3d in_body = placed.to_body(plane.normal);
    const Vector3d body_axis = placed.axis[axes_of(in_body).least];
    const Vector3d t1 = unit(body_axis - dot(body_axis, plane.normal) * plane.normal), t2 = cross(plane.normal, t1);
    const double size = placed.bounding_radius();
    for_each_triangle_near(mesh, placed.position, size + reach, [&](std::int32_t index) {
        TrianglePlate triangle(mesh, index, sides.of(index));
        if (!triangle.sound || !plane.holds(triangle.plate(), 1e-9 * size)) return;
        const DifferenceBody pair(view, placed, triangle.plate());
        PlateFace face;
        look_at_plate(pair, placed.to_body(triangle.placed.axis[2]), reach + placed.rounding(), plane.margin, face);
        for (int k = 0; k < face.points.count; ++k) {
            ManifoldPoint p = plate_point(pair, placed, face, k);
            const std::uint32_t kind = std::uint32_t(face.points.feature[k]) >> 30;
            if (kind != 1u)
                p.feature = contact_feature(kind, p.feature >> 15 & 0x7fff, (p.feature & 0x7fff) + 3 * index);
            const Vector3d r = p.point - placed.position;
            for (int way = 0; way < ways; way += step) {
                double cosine, sine;
                sixteenth(2 * way & 15, cosine, sine);
                const double far = way == 8 ? -p.gap : cosine * dot(r, t1) + sine * dot(r, t2);
                // Corners of the shape, of a rim the fixed points, win ties: they stay when it slides.
                const bool stays = kind == 1u && (step == 1 || (p.feature >> 15 & 39) % 8 == 0);
                const double tie = stays ? 1e-9 * size : 0.0;
                if (far + tie > reached[way]) {
                    best[way] = p;
                    reached[way] = far + tie;
                }
            }
            found = true;
        }
    });
    if (!found) return;
    int count = 0, kept[ways];
    ManifoldPoint few[ways];
    for (int way = ways - 1; way >= 0; way -= step) {  // the deepest first
        bool fresh = true;
        for (int k = 0; k < count; ++k)
            if (norm(few[k].point - best[way].point) <= 1e-6 * size) fresh = false;
        if (fresh) few[count++] = best[way];
    }
    const int total = spread(
        count, most < ways ? most : ways, [](int) { return true; }, [&](int k) { return few[k].gap; },
        [&](int i, int k) {
            const Vector3d r = few[i].point - few[k].point;
            return dot(r, r);
        },
        kept);
    for (int k = 0; k < total && contacts.count < WallContacts::capacity; ++k) {
        contacts.normal[contacts.count] = negative(plane.normal);
        contacts.point[contacts.count++] = few[kept[k]];
    }
}

/// Adds the points where a triangle's rim touches the shape, for a direction that parts them.
SCREE_HD_CALL inline bool add_mesh_rim(const DifferenceBody& pair, const PlacedShape& placed, const MeshView& mesh,
                                       std::int32_t index, const Direction& best, double reach,
                                       WallContacts* contacts) {
    const double size = placed.bounding_radius();
    Manifold found;
    fill_patch(pair, placed, best, reach, found);
    const Vector3d away = negative(found.normal);
    bool any = false;
    for (int k = 0; k < found.count; ++k) {
        ManifoldPoint p = found.point[k];
        const Vector3d on_wall = p.point + 0.5 * p.gap * found.normal;
        if (!leads_away(mesh, on_wall, away, 1e-7 * size)) continue;
        any = true;
        if (contacts == nullptr) continue;
        bool fresh = true;
        for (int other = 0; other < contacts->count && fresh; ++other)
            fresh = norm(contacts->point[other].point - p.point) > 1e-6 * size ||
                    dot(contacts->normal[other], found.normal) < 1.0 - 1e-6;
        if (!fresh) continue;
        const std::uint32_t kind = std::uint32_t(p.feature) >> 30;
        p.feature = contact_feature(kind, p.feature >> 15 & 0x7fff, (p.feature & 0x7fff) + 3 * index);
        int place = contacts->count;
        if (contacts->count == WallContacts::capacity) {
            place = 0;
            for (int other = 1; other < contacts->count; ++other)
                if (contacts->point[other].gap > contacts->point[place].gap) place = other;
            if (contacts->point[place].gap <= p.gap) continue;
        } else {
            ++contacts->count;
        }
        contacts->normal[place] = found.normal;
        contacts->point[place] = p;
    }
    return any;
}

/// How a triangle meets the shape.
enum class TriangleContact { none, face, rim };

/// `best`: the direction of a rim.
SCREE_HD_CALL inline TriangleContact triangle_contact(const DifferenceBody& pair, const PlacedShape& placed,
                                                      const MeshView& mesh, std::int32_t index, Vector3d normal,
                                                      double reach, double& face_gap, double& margin, Direction& best) {
    PlateFace face;
    const double rounding = placed.rounding();
    margin = 0.0;
    look_at_plate(pair, normal, reach + rounding, 0.0, face);
    face_gap = face.down.separation - rounding;
    if (face_gap > reach) return TriangleContact::none;
    if (face.least) return TriangleContact::face;
    best = best_direction(pair, {0, 0, 0}, reach + rounding);
    if (best.separation - rounding > reach) return TriangleContact::none;
    // Directions of round rims that overlap little are known to some 1e-4 only: their depth does not tell them apart.
    const bool along_normal = size_of(dot(best.d, normal)) > 1.0 - 1e-8;
    if (!face.attained) {
        if (!along_normal && add_mesh_rim(pair, placed, mesh, index, best, reach, nullptr)) return TriangleContact::rim;
        const Vector3d up = placed.to_world_axes(normal);
        const double* nine = mesh.triangles + std::int64_t(9) * index;
        const Vector3d on_rim = nearest_on_triangle(support(pair.view, placed, negative(up)), triangle_vertex(nine, 0),
                                                    triangle_vertex(nine, 1), triangle_vertex(nine, 2));
        if (!rises(mesh, on_rim, up, 1e-7 * placed.bounding_radius())) return TriangleContact::none;
        margin = wall_margin(placed, 0.25);
        look_at_plate(pair, normal, reach + rounding, margin, face);
        return face.attained ? TriangleContact::face : TriangleContact::none;
    }
    const bool rim = !along_normal && best.separation > face.down.separation + 1e-12 * pair.size &&
                     add_mesh_rim(pair, placed, mesh, index, best, reach, nullptr);
    return rim ? TriangleContact::rim : TriangleContact::face;
}

/// All contacts of a shape with a mesh, both in one frame, with gaps up to `reach` [m].
SCREE_HD inline void find_mesh_contacts(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh,
                                        double reach, WallContacts& contacts) {
    contacts.count = 0;
    constexpr int most_planes = 8;
    ContactPlane planes[most_planes];
    int count = 0;
    const double size = placed.bounding_radius();
    bool rims = false;
    const FreeSides sides(mesh, placed.position, size + reach);
    for_each_triangle_near(mesh, placed.position, size + reach, [&](std::int32_t index) {
        TrianglePlate triangle(mesh, index, sides.of(index));
        if (!triangle.sound) return;
        const Vector3d normal = triangle.placed.axis[2];
        for (int k = 0; k < count; ++k)
            if (planes[k].holds(triangle.placed, 1e-9 * size)) {
                rims = true;
                return;
            }
        const DifferenceBody pair(view, placed, triangle.plate());
        double gap, margin;
        Direction best;
        const TriangleContact how =
            triangle_contact(pair, placed, mesh, index, placed.to_body(normal), reach, gap, margin, best);
        rims = rims || how == TriangleContact::rim;
        if (how != TriangleContact::face) return;
        int place = count;
        if (count == most_planes) {
            place = 0;
            for (int k = 1; k < most_planes; ++k)
                if (planes[k].gap > planes[place].gap) place = k;
            if (planes[place].gap <= gap) return;
        } else {
            ++count;
        }
        planes[place] = {normal, triangle.placed.position, gap, margin};
    });
    const int most = count > 2 ? WallContacts::capacity / count : Manifold::capacity;
    for (int k = 0; k < count; ++k) add_mesh_plane(view, placed, mesh, sides, planes[k], reach, most, contacts);
    if (!rims) return;
    for_each_triangle_near(mesh, placed.position, size + reach, [&](std::int32_t index) {
        TrianglePlate triangle(mesh, index, sides.of(index));
        if (!triangle.sound) return;
        const DifferenceBody pair(view, placed, triangle.plate());
        double gap, margin;
        Direction best;
        const Vector3d normal = placed.to_body(triangle.placed.axis[2]);
        if (triangle_contact(pair, placed, mesh, index, normal, reach, gap, margin, best) == TriangleContact::rim)
            add_mesh_rim(pair, placed, mesh, index, best, reach, &contacts);
    });
}

}  // namespace scree::kernels
