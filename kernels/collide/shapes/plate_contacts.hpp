// SPDX-License-Identifier: BSD-3-Clause
// A convex shape on a thin flat wall: a rectangle, a disc, a triangle of a mesh.
//
// Rule. Where the lowest point of the shape lies over the plate, the plate pushes along its normal, however deep: that
// is what makes many plates in one plane equal to the plane. Elsewhere its rim does, along the direction of least
// translation, but never through the plate from behind. For spheres this is the rule of boundary_shapes.hpp.
//
// In a corner, a body that rests on one plate overlaps the next by a little, and its lowest point lies as little beyond
// the first one's rim. So a plate reaches a `margin` further: a lowest point within it counts as over the plate, and
// overlaps of no more than it are never parted sideways. At a free rim the margin is a ledge that is not there.
#pragma once

#include "kernels/collide/shapes/patch.hpp"
#include "kernels/collide/shapes/separation.hpp"

namespace scree::kernels {

/// How far walls reach beyond their ends: a share of the shape's size, less its rounding, by which its core stays away
/// from other walls anyway.
SCREE_HD inline double wall_margin(const PlacedShape& placed, double share) {
    return larger(share * placed.bounding_radius() - placed.rounding(), 0.0);
}

/// The plate's face along its normal, offered to the shape's lowest feature.
struct PlateFace {
    Direction down;         ///< -normal, and how far the lowest point of the core is above the plane.
    bool attained = false;  ///< The lowest point lies over the plate.
    /// The normal is the direction of least translation: apart that follows from `attained`; in overlap when the lowest
    /// points lie as far inside the plate's rim as they lie deep.
    bool least = false;
    PatchPoints points;  ///< Of the shape over the plate, in the frame of the shape; gaps of the cores.
    ViewAlong view;
};

/// The points over the plate (B of the pair) with a gap of the cores up to `reach`. `normal`: of the side that counts,
/// unit, in the frame of the shape (A). Along other directions than its normal a triangle offers what looks along them:
/// its face within 18 degrees, else an edge or a corner.
SCREE_HD_CALL inline void look_at_plate(const DifferenceBody& pair, Vector3d normal, double reach, double margin,
                                        PlateFace& face) {
    face.down = pair.along(negative(normal));
    face.attained = face.least = false;
    face.points.count = 0;
    const Across sides = across(face.down.d);
    face.view = {face.down.d, sides.first, sides.second};
    if (face.down.separation > reach) return;

    std::int32_t corner;
    SupportingFace shape, plate;
    const Vector3d at = core_support(pair.view, *pair.a, face.down.d, corner);
    supporting_face(pair.view, *pair.a, face.down.d, corner, at, shape);
    for (int k = 0; k < shape.count; ++k) shape.corner[k] = pair.scale_a * shape.corner[k];
    shape.cap_radius *= pair.scale_a;
    shape.cap_centre = pair.scale_a * shape.cap_centre;
    const Vector3d to = pair.to_b(normal);
    const Vector3d on_plate = core_support(pair.view, *pair.b, to, corner);
    supporting_face(pair.view, *pair.b, to, corner, on_plate, plate);
    for (int k = 0; k < plate.count; ++k) plate.corner[k] = pair.offset + pair.from_b(pair.scale_b * plate.corner[k]);
    plate.normal = pair.from_b(plate.normal);
    plate.cap_radius *= pair.scale_b;
    plate.cap_centre = pair.offset + pair.from_b(pair.scale_b * plate.cap_centre);

    const double size = pair.size;
    const Outline of_plate(face.view, plate, 1e-9 * size), of_shape(face.view, shape, 1e-9 * size);
    Vector2d sum{0, 0};
    int lowest = 0;
    const auto take = [&](Vector2d p, double from, std::int32_t feature) {
        const double gap = of_plate.height_at(p) - from;
        if (gap <= face.down.separation + 1e-9 * size) {
            sum = {sum.x + p.x, sum.y + p.y};
            ++lowest;
        }
        if (gap <= reach) face.points.add(p, from, from + gap, feature, 1e-6 * size);
    };
    if (shape.count == 1) {
        if (of_plate.is_face() && of_plate.holds(of_shape.at[0]))
            take(of_shape.at[0], of_shape.height[0], contact_feature(1, shape.number[0], 0));
    } else if (plate.count == 1) {
        if (of_shape.is_face() && of_shape.holds(of_plate.at[0]))
            take(of_plate.at[0], of_shape.height_at(of_plate.at[0]), contact_feature(2, 0, plate.number[0]));
    } else {
        for_each_shared_corner(SidesAlongEachOther{of_shape, of_plate, -1.0}, 0.0,
                               [&](Vector2d p, std::int32_t feature) { take(p, of_shape.height_at(p), feature); });
    }
    if (lowest > 0) {
        const double part = 1.0 / lowest;
        face.least = of_plate.depth_inside({part * sum.x, part * sum.y}) >= -face.down.separation;
    }
    if (margin > 0.0)
        for (int k = 0; k < of_shape.count; ++k)
            if (!of_plate.holds(of_shape.at[k]) && of_plate.depth_inside(of_shape.at[k]) >= -margin)
                take(of_shape.at[k], of_shape.height[k], contact_feature(1, of_shape.number[k], 0));
    face.attained = lowest > 0;
    face.least = face.least || (face.attained && face.down.separation >= -margin);
}

/// A contact point of the cores, written in the world.
SCREE_HD inline ManifoldPoint plate_point(const DifferenceBody& pair, const PlacedShape& a, const PlateFace& face,
                                          int k) {
    const double round_a = pair.scale_a * pair.a->rounding, gap = face.points.gap[k] - round_a;
    const Vector3d core = face.view.at(face.points.at[k], face.points.from[k]);
    return {a.position + a.to_world_axes(core + (round_a + 0.5 * gap) * face.view.d), gap, face.points.feature[k]};
}

/// All contacts of a shape with one plate whose z axis is the normal of its free side. A shape that is wholly behind it
/// is not its.
SCREE_HD_CALL inline void find_plate_manifold(const ShapeView& view, const PlacedShape& a, const PlacedShape& plate,
                                              double reach, Vector3d& axis, Manifold& manifold) {
    manifold.count = 0;
    const DifferenceBody pair(view, a, plate);
    const Vector3d normal = a.to_body(plate.axis[2]);
    const double round_a = a.rounding();
    const Direction behind = pair.along(normal);
    if (behind.separation - round_a > 0.0) return;
    PlateFace face;
    look_at_plate(pair, normal, reach + round_a, wall_margin(a, 0.05), face);
    if (face.down.separation - round_a > reach) {
        axis = a.to_world_axes(face.down.d);
        return;
    }
    if (!face.least) {
        Direction best = best_direction(pair, a.to_body(axis), reach + round_a);
        if (best.separation - round_a > reach) {
            axis = a.to_world_axes(best.d);
            return;
        }
        const bool from_behind = dot(best.d, normal) > 1.0 - 1e-9;
        const bool better_than_face = best.separation > face.down.separation + 1e-12 * pair.size;
        if (!face.attained || (better_than_face && !from_behind)) {
            if (from_behind) best = face.down;
            axis = a.to_world_axes(best.d);
            fill_patch(pair, a, best, reach, manifold);
            return;
        }
    }
    axis = a.to_world_axes(face.down.d);
    manifold.normal = axis;
    int kept[Manifold::capacity];
    manifold.count = spread(
        face.points.count, Manifold::capacity, [](int) { return true; }, [&](int k) { return face.points.gap[k]; },
        [&](int i, int k) {
            const Vector2d r = face.points.at[i] - face.points.at[k];
            return dot(r, r);
        },
        kept);
    for (int k = 0; k < manifold.count; ++k) manifold.point[k] = plate_point(pair, a, face, kept[k]);
}

}  // namespace scree::kernels
