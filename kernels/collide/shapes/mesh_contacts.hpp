// SPDX-License-Identifier: BSD-3-Clause
// A convex shape on a triangle mesh: the points of contact at the walls that it meets (mesh_walls.hpp).
//
// Each wall has one normal. Its points are those of the shape's lowest face, edge or corner over all triangles near,
// each with its own gap along the normal: so a plane of many triangles is a plane, and a face on the corners of a rough
// ground bears on all of them. Points deeper than the wall itself are other walls' and left out, so that no contact is
// deeper than the shape reaches beyond a plane that it meets.
//
// At most eight walls and sixteen contacts are told apart.
#pragma once

#include "kernels/collide/shapes/mesh_walls.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"

namespace scree::kernels {

/// Of the points of one wall: the farthest in eight directions fixed to the body, of all and of those that lie deep,
/// and the deepest. Of a plane the first are enough; on a ridge a face bears between its corners.
class MeshWallPoints {
public:
    SCREE_HD MeshWallPoints(const PlacedShape& placed, Vector3d normal)
        : centre_(placed.position),
          size_(placed.bounding_radius()),
          // A frustum's fixed rim points lie a quarter apart.
          step_(is_frustum(placed.shape->kind) ? 2 : 1) {
        const Vector3d in_body = placed.to_body(normal);
        const Vector3d body_axis = placed.axis[axes_of(in_body).least];
        t1_ = unit(body_axis - dot(body_axis, normal) * normal);
        t2_ = cross(normal, t1_);
        for (double& r : reached_) r = -1e300;
    }
    [[nodiscard]] SCREE_HD bool empty() const { return reached_[ways - 1] <= -1e300; }

    /// `feature`: as the patch gives it; `triangle` tells the features of triangles apart.
    SCREE_HD void add(ManifoldPoint p, std::int32_t triangle) {
        const std::uint32_t kind = std::uint32_t(p.feature) >> 30;
        if (kind != 1u)
            p.feature = contact_feature(kind, p.feature >> 15 & 0x7fff, (p.feature & 0x7fff) + 3 * triangle);
        const Vector3d r = p.point - centre_;
        for (int way = 0; way < ways; way += step_) {
            double cosine, sine;
            sixteenth(2 * way & 15, cosine, sine);
            const double across = cosine * dot(r, t1_) + sine * dot(r, t2_);
            const double far = way < 8 ? across : (way < ways - 1 ? across - steep * p.gap : -p.gap);
            // Corners of the shape, of a rim the fixed points, win ties: they stay when it slides.
            const bool stays = kind == 1u && (step_ == 1 || (p.feature >> 15 & 39) % 8 == 0);
            const double tie = 1e-9 * size_, reached = far + (stays ? tie : 0.0);
            // Of points above each other the deeper counts.
            const bool above = reached_[way] > -1e300 && far > reached_[way] - 2.0 * tie &&
                               norm(best_[way].point - p.point) <= size_of(best_[way].gap - p.gap) + tie;
            const bool deeper = p.gap < best_[way].gap - tie, as_deep = p.gap <= best_[way].gap + tie;
            if (above ? deeper || (as_deep && reached > reached_[way]) : reached > reached_[way]) {
                best_[way] = p;
                reached_[way] = reached;
            }
        }
    }

    /// Adds at most `most` of them.
    SCREE_HD_CALL void write(Vector3d normal, int most, WallContacts& contacts) const {
        int count = 0, kept[ways];
        ManifoldPoint few[ways];
        for (int way = ways - 1; way >= 0; way -= step_) {  // the deepest first
            bool fresh = true;
            for (int k = 0; k < count; ++k)
                if (norm(few[k].point - best_[way].point) <= 1e-6 * size_) fresh = false;
            if (fresh) few[count++] = best_[way];
        }
        const int total = spread(
            count, most, [](int) { return true; }, [&](int k) { return few[k].gap; },
            [&](int i, int k) {
                const Vector3d r = few[i].point - few[k].point;
                return dot(r, r);
            },
            kept);
        for (int k = 0; k < total && contacts.count < WallContacts::capacity; ++k) {
            contacts.normal[contacts.count] = negative(normal);
            contacts.point[contacts.count++] = few[kept[k]];
        }
    }

private:
    static constexpr int ways = 17;
    static constexpr double steep = 10.0;  ///< A point as much nearer counts as this much farther out.
    Vector3d centre_, t1_, t2_;
    double size_;
    int step_;
    ManifoldPoint best_[ways];
    double reached_[ways];
};

/// Adds the points of one wall, at most `most`.
SCREE_HD inline void add_wall_points(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh,
                                     const NearTriangles& near, const MeshWall& wall, double reach, int most,
                                     WallContacts& contacts) {
    const double size = placed.bounding_radius(), round = placed.rounding();
    const Vector3d normal = wall.normal, in_body = placed.to_body(normal);
    MeshWallPoints points(placed, normal);
    const auto take_patch = [&](const DifferenceBody& pair, const Direction& along) {
        Manifold found;
        fill_patch(pair, placed, along, reach, found);
        for (int k = 0; k < found.count; ++k)
            if (found.point[k].gap >= wall.gap - 1e-7 * size) points.add(found.point[k], wall.triangle);
    };
    if (!wall.is_face) {
        TrianglePlate triangle(TriangleCorners(mesh, wall.triangle), placed.position);
        const DifferenceBody pair(view, placed, triangle.plate());
        take_patch(pair, pair.along(negative(in_body)));
    }
    const bool is_round = is_smooth(placed.shape->kind) || placed.shape->kind == ShapeKind::sphere;
    if (wall.is_face || !is_round) {
        // The shape met the wall at another size: by so much its lowest point may lie beside the triangles it met.
        const double ledge = wall.is_inner
                                 ? wall_margin(placed, 0.25)
                                 : smaller(2.0 * size_of(1.0 - wall.growth) * size, wall_margin(placed, 0.05));
        const double lowest = wall.gap + dot(wall.point, normal);
        near.for_each([&](int, std::int32_t index) {
            const TriangleCorners corners(mesh, index);
            const double top = larger(dot(corners.a, normal), larger(dot(corners.b, normal), dot(corners.c, normal)));
            if (lowest - top > reach) return;
            TrianglePlate triangle(corners, placed.position);
            if (!triangle.sound) return;
            const bool in_plane = dot(triangle.placed.axis[2], normal) > 1.0 - 1e-10 &&
                                  size_of(dot(corners.a - wall.point, normal)) <= 1e-9 * size;
            const DifferenceBody pair(view, placed, triangle.plate());
            PlateFace face;
            look_at_plate(pair, in_body, reach + round, in_plane ? ledge : 0.0, face);
            for (int k = 0; k < face.points.count; ++k) {
                const ManifoldPoint p = plate_point(pair, placed, face, k);
                if (p.gap >= wall.gap - 1e-7 * size) points.add(p, index);
            }
        });
    }
    if (points.empty() && wall.growth > 1.0) {
        // It passes beside the triangle it would meet if it grew.
        TrianglePlate triangle(TriangleCorners(mesh, wall.triangle), placed.position);
        const DifferenceBody pair(view, placed, triangle.plate());
        const Direction best = best_direction(pair, negative(in_body), reach + round);
        if (best.separation - round > reach) return;
        Manifold found;
        fill_patch(pair, placed, best, reach, found);
        add_manifold(found, contacts);
        return;
    }
    if (points.empty()) {
        std::int32_t corner;
        const Vector3d core = core_support(view, *placed.shape, negative(in_body), corner);
        const Vector3d at = placed.position + placed.scale * placed.to_world_axes(core);
        points.add({at - (round + 0.5 * wall.gap) * normal, wall.gap, contact_feature(1, corner, 0)}, wall.triangle);
    }
    points.write(normal, most, contacts);
}

/// All contacts of a shape with a mesh, both in one frame, with gaps up to `reach` [m].
SCREE_HD inline void find_mesh_contacts(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh,
                                        double reach, WallContacts& contacts) {
    contacts.count = 0;
    MeshWalls walls;
    const NearTriangles near(view, placed, mesh, reach);
    MeshWallSearch(view, placed, mesh, near, reach, walls).run();
    const int most = walls.count > 2 ? WallContacts::capacity / walls.count : Manifold::capacity;
    for (int k = 0; k < walls.count; ++k)
        add_wall_points(view, placed, mesh, near, walls.wall[k], reach, most, contacts);
}

}  // namespace scree::kernels
