// SPDX-License-Identifier: BSD-3-Clause
// Which triangle of a mesh a growing shape meets first, in front of the walls that it met before.
#pragma once

#include "kernels/collide/shapes/cut_triangle.hpp"
#include "kernels/collide/shapes/growth.hpp"
#include "kernels/collide/shapes/near_triangles.hpp"

namespace scree::kernels {

/// What lies no farther than this in front of a wall is behind it; relative to the shape's size.
inline constexpr double behind_wall = 1e-7;

/// A plane with the mesh behind it, near where the shape meets it.
struct MeshWall {
    Vector3d normal{0, 0, 1};  ///< Unit, out of the mesh.
    Vector3d point{0, 0, 0};   ///< Of the mesh, on the plane.
    double gap = 0.0;          ///< Of the shape over the plane, at its own size [m].
    double growth = 1.0;
    std::int32_t triangle = -1;  ///< Met first.
    bool is_face = false;        ///< The normal is the triangle's.
    bool is_inner = false;       ///< By 3.
};

/// The nearest walls leave a shape no freedom that a ninth would take.
struct MeshWalls {
    static constexpr int capacity = 8;
    int count = 0;
    MeshWall wall[capacity];
};

/// The piece of a triangle that the growing shape meets, and how.
struct MetTriangle {
    double factor = 1e300;  ///< Growth
    std::int32_t triangle = -1;
    bool cut = false;  ///< The piece is not all of it.
    TriangleCorners piece{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    Vector3d d{0, 0, 1};       ///< Parts the grown shape from the piece [body axes].
    Vector3d normal{0, 0, 1};  ///< Of the triangle, towards the shape's origin.
};

/// Compares triangles by the growth at which the shape meets what the walls leave of them.
class TriangleMeeting {
public:
    static constexpr double never = 1e300;

    SCREE_HD TriangleMeeting(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh, double reach,
                             const MeshWalls& walls)
        : view_(view),
          placed_(placed),
          mesh_(mesh),
          walls_(walls),
          reach_(reach),
          size_(placed.bounding_radius()),
          round_(placed.rounding()) {}

    /// Takes the triangle if it is met before `met`; returns a bound of its growth from below.
    SCREE_HD double offer(std::int32_t index, MetTriangle& met) const {
        const TriangleCorners whole(mesh_, index);
        const TrianglePlate plate(whole, placed_.position);
        if (!plate.sound) return never;
        const Vector3d normal = plate.placed.axis[2];
        const double height = dot(placed_.position - whole.a, normal), below = extent(negative(normal));
        if (height - below > reach_) return never;
        if (height >= met.factor * (1.0 - 1e-10) * below) return height / below;
        CutTriangle left(whole);
        for (int k = 0; k < walls_.count && left.count > 0; ++k)
            left.keep_in_front(walls_.wall[k].point, walls_.wall[k].normal, behind_wall * size_);
        double least = never;
        for (int k = 0; k + 2 < left.count; ++k) {
            const TriangleCorners piece(left.at[0], left.at[k + 1], left.at[k + 2]);
            least = smaller(least, offer_piece(index, piece, left.cut, normal, met));
        }
        return least;
    }

private:
    SCREE_HD double offer_piece(std::int32_t index, const TriangleCorners& piece, bool cut, Vector3d normal,
                                MetTriangle& met) const {
        const Vector3d centre = placed_.position;
        const Vector3d off = nearest_on_triangle(centre, piece.a, piece.b, piece.c) - centre;
        const double distance = norm(off), most = met.factor * (1.0 - 1e-10);
        if (distance > size_ + reach_) return never;
        if (distance >= most * size_) return distance / size_;
        Growth growth;
        growth.d = placed_.to_body(negative(normal));
        const double height = dot(centre - piece.a, normal), below = extent(negative(normal));
        growth.factor = height / below;
        // Where the lowest point comes down on the triangle nothing needs to be looked for.
        const Vector3d lowest = centre + growth.factor * (support(view_, placed_, negative(normal)) - centre);
        if (norm(nearest_on_triangle(lowest, piece.a, piece.b, piece.c) - lowest) > 1e-12 * size_) {
            TrianglePlate plate(piece, centre);
            if (!plate.sound) return never;
            const DifferenceBody pair(view_, placed_, plate.plate());
            Vector3d start = growth.d;
            if (distance > 1e-12 * size_) {
                const Vector3d straight = placed_.to_body((1.0 / distance) * off);
                if (nearest_along(pair, straight) * below > height * reach_along(pair, straight, round_))
                    start = straight;
            }
            growth = growth_to(pair, round_, start, most);
        }
        // Farther along one direction than the contacts looked for.
        if ((growth.factor - 1.0) * extent(placed_.to_world_axes(growth.d)) > reach_) return never;
        if (growth.factor >= most) return growth.factor;
        met.factor = growth.factor;
        met.triangle = index;
        met.cut = cut;
        met.piece = piece;
        met.d = growth.d;
        met.normal = normal;
        return growth.factor;
    }

    [[nodiscard]] SCREE_HD double extent(Vector3d way) const { return extent_along(view_, placed_, way); }

    const ShapeView& view_;
    const PlacedShape& placed_;
    const MeshView& mesh_;
    const MeshWalls& walls_;
    double reach_, size_, round_;
};

}  // namespace scree::kernels
