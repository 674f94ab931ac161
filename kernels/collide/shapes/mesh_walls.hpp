// SPDX-License-Identifier: BSD-3-Clause
// The walls that a convex shape meets on a triangle mesh: planes through points of the mesh, each with the direction in
// which the mesh pushes there.
//
// Rule, that of spheres (items/triangle_mesh.hpp) with the growth (growth.hpp) in the place of the distance. Let the
// shape grow from its origin and take the mesh's points as it meets them. What lies behind the planes of the walls met
// before is implied by them and cut off; the next point met gives the next wall. Its normal is
//  1. that of the triangle, where the grown shape lies in front of the triangle's plane;
//  2. else the direction that parts the grown shape from the edge or corner it meets, if that leads away from all
//     triangles there (the cone between the normals of the faces at a convex edge, half a turn at a free rim);
//  3. else, at an edge that is flat or concave, the normal of the triangle there whose plane the grown shape passes
//     least.
// So the way from the origin to each wall is free: walls push the shape to the side that its origin is on, whichever
// way triangles are wound. No wall pushes farther than the growth tells, and one that would is replaced by the
// direction of the growth. No adjacency is needed; triangle soups work.
#pragma once

#include "kernels/collide/shapes/met_triangle.hpp"
#include "kernels/collide/shapes/patch.hpp"
#include "kernels/collide/shapes/separation.hpp"

namespace scree::kernels {

/// Finds them, nearest first by growth.
class MeshWallSearch {
public:
    SCREE_HD MeshWallSearch(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh,
                            const NearTriangles& near, double reach, MeshWalls& walls)
        : view_(view),
          placed_(placed),
          mesh_(mesh),
          near_(near),
          walls_(walls),
          reach_(reach),
          size_(placed.bounding_radius()),
          round_(placed.rounding()) {}

    SCREE_HD_CALL void run() {
        walls_.count = 0;
        const TriangleMeeting meeting(view_, placed_, mesh_, reach_, walls_);
        for (int round = 0; round < most_rounds && walls_.count < MeshWalls::capacity; ++round) {
            MetTriangle met;
            near_.for_each([&](int place, std::int32_t index) {
                // Cut by more walls a triangle is met later: what was told of it before is a bound.
                double unknown = 0.0;
                double& bound = place < NearTriangles::capacity ? bound_[place] : unknown;
                if (round == 0) bound = 0.0;
                if (bound < met.factor * (1.0 - 1e-10))
                    bound = passed_over(index) ? TriangleMeeting::never : meeting.offer(index, met);
            });
            if (met.triangle < 0) return;
            if (!add_wall(met) && passed_over_ < most_rounds) over_[passed_over_++] = met.triangle;
        }
    }

private:
    static constexpr int most_rounds = 24;
    /// Triangles so near a point are at it: those as well that walls were met on, from which pieces are cut.
    static constexpr double at_point = 3.0 * behind_wall;

    [[nodiscard]] SCREE_HD double extent(Vector3d way) const { return extent_along(view_, placed_, way); }

    [[nodiscard]] SCREE_HD bool passed_over(std::int32_t index) const {
        for (int k = 0; k < passed_over_; ++k)
            if (over_[k] == index) return true;
        return false;
    }

    /// False: no wall, the triangle is done with.
    SCREE_HD_CALL bool add_wall(const MetTriangle& met) {
        const double t = met.factor;
        MeshWall wall;
        wall.growth = t;
        wall.triangle = met.triangle;
        if (excess(t, met.normal, met.piece.a) <= 1e-9 * size_) {
            wall.normal = met.normal;
            wall.point = met.piece.a;
            wall.is_face = true;
            return add(wall);
        }
        // Where the grown shape touches the piece.
        PlacedShape grown = placed_;
        grown.scale *= t;
        TrianglePlate plate(met.piece, placed_.position);
        const DifferenceBody pair(view_, grown, plate.plate());
        const Vector3d away = placed_.to_world_axes(negative(met.d));
        if (free_rim(pair, grown, pair.along(met.d), met.piece, wall)) return add_rim(wall);
        const double depth = (1.0 - t) * extent(negative(away));
        if (face_at(t, depth, wall)) return add(wall);
        if (met.cut) return false;
        wall.normal = away;
        return add(wall);
    }

    /// How far the shape, grown to the size t, reaches beyond a plane.
    [[nodiscard]] SCREE_HD double excess(double t, Vector3d normal, Vector3d point) const {
        return t * extent(negative(normal)) - dot(placed_.position - point, normal);
    }

    /// The triangle at wall.point whose plane the grown shape passes least, if that pushes no farther than the growth.
    SCREE_HD_CALL bool face_at(double t, double depth, MeshWall& wall) const {
        const double near = at_point * size_;
        const Vector3d p = wall.point;
        double least = 1e300;
        for_each_triangle_near(mesh_, p, near, [&](std::int32_t k) {
            const TriangleCorners corners(mesh_, k);
            const Vector3d off = nearest_on_triangle(p, corners.a, corners.b, corners.c) - p;
            if (dot(off, off) > near * near) return;
            const TrianglePlate plate(corners, placed_.position);
            if (!plate.sound) return;
            const double beyond = excess(t, plate.placed.axis[2], corners.a);
            if (!(beyond < least)) return;
            least = beyond;
            wall.normal = plate.placed.axis[2];
            wall.triangle = k;
            wall.is_face = wall.is_inner = true;
        });
        if (least < 1e300) {
            wall.point = TriangleCorners(mesh_, wall.triangle).a;
            if (excess(1.0, wall.normal, wall.point) <= 2.0 * larger(depth, 0.0) + 1e-3 * size_) return true;
        }
        wall.point = p;
        wall.is_face = wall.is_inner = false;
        return false;
    }

    /// Puts the plane where the shape touches the triangle's rim along a direction; true where that leads away from the
    /// mesh at one of the points.
    SCREE_HD_CALL bool free_rim(const DifferenceBody& pair, const PlacedShape& shape, const Direction& along,
                                const TriangleCorners& triangle, MeshWall& wall) const {
        Manifold touch;
        fill_patch(pair, shape, along, 1e300, touch);
        wall.normal = negative(touch.normal);
        for (int k = touch.count - 1; k >= 0; --k) {
            if (touch.point[k].gap > touch.point[0].gap + 1e-7 * size_) continue;
            wall.point = highest_near(triangle, wall.normal, touch.point[k].point, 1e-9 * size_);
            if (leads_away(mesh_, wall.point, wall.normal, at_point * size_)) return true;
        }
        return false;
    }

    /// Apart from the rim, the direction of the distance is better than that of the growth.
    SCREE_HD_CALL bool add_rim(MeshWall& wall) {
        if (wall.growth > 1.0) {
            const TriangleCorners corners(mesh_, wall.triangle);
            TrianglePlate plate(corners, placed_.position);
            const DifferenceBody pair(view_, placed_, plate.plate());
            const Direction best = best_direction(pair, placed_.to_body(negative(wall.normal)), reach_ + round_);
            if (best.separation - round_ > reach_) return false;
            MeshWall nearer = wall;
            if (free_rim(pair, placed_, best, corners, nearer)) wall = nearer;
        }
        return add(wall);
    }

    SCREE_HD bool add(MeshWall& wall) {
        wall.gap = -excess(1.0, wall.normal, wall.point);
        if (wall.gap > reach_) return false;
        for (int k = 0; k < walls_.count; ++k) {
            const MeshWall& other = walls_.wall[k];
            if (dot(other.normal, wall.normal) > 1.0 - 1e-10 &&
                size_of(dot(other.point - wall.point, wall.normal)) <= 1e-7 * size_)
                return false;
        }
        walls_.wall[walls_.count++] = wall;
        return true;
    }

    const ShapeView& view_;
    const PlacedShape& placed_;
    const MeshView& mesh_;
    const NearTriangles& near_;
    MeshWalls& walls_;
    double reach_, size_, round_;
    int passed_over_ = 0;
    std::int32_t over_[most_rounds];
    double bound_[NearTriangles::capacity];
};

}  // namespace scree::kernels
