// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of two convex shapes.
#pragma once

#include "kernels/collide/shapes/box_direction.hpp"
#include "kernels/collide/shapes/patch.hpp"
#include "kernels/collide/shapes/separation.hpp"

namespace scree::kernels {

/// Of boxes apart: from the axis that separates them most, and last step's direction, to the best direction.
SCREE_HD_CALL_BESIDE inline void find_nearest_boxes(const DifferenceBody& pair, Vector3d guess, double enough,
                                                    Direction& best) {
    if (corner_lies_opposite(pair, best)) return;
    const double guessed = dot(guess, guess);
    Direction start = pair.along(best.d);
    if (guessed > 0.25 && guessed < 4.0) start = better(start, pair.along((1.0 / square_root(guessed)) * guess));
    const FoundFromOutside found = nearest_direction_near(pair, start, enough);
    // No better than the axis: edges cross there, or faces overlap in part. The axis is exact.
    if (found.best.separation > best.separation + 1e-14 * pair.size) best = found.best;
}

/// All contacts of two shapes with a gap up to `reach` [m]. `axis`: last step's (world, from a to b, 0: unknown), and
/// this one's on return; with it a pair that stays apart takes one look along it. The normal is the direction of the
/// least translation that parts the shapes; accuracy as in separation.hpp.
SCREE_HD_CALL inline void find_manifold(const ShapeView& view, const PlacedShape& a, const PlacedShape& b, double reach,
                                        Vector3d& axis, Manifold& manifold) {
    manifold.count = 0;
    const Vector3d apart = b.position - a.position;
    const double radii = a.bounding_radius() + b.bounding_radius();
    if (dot(apart, apart) > (radii + reach) * (radii + reach)) return;
    const double roundings = a.rounding() + b.rounding();
    if (a.shape->kind == ShapeKind::sphere && b.shape->kind == ShapeKind::sphere) {
        const double distance = norm(apart);
        axis = distance > 0.0 ? (1.0 / distance) * apart : Vector3d{0, 0, 1};
        manifold.normal = axis;
        const double gap = distance - roundings;
        manifold.count = 1;
        manifold.point[0] = {a.position + (a.rounding() + 0.5 * gap) * axis, gap, 0};
        return;
    }
    const DifferenceBody pair(view, a, b);
    const Vector3d guess = a.to_body(axis);
    if (a.shape->kind == ShapeKind::box && b.shape->kind == ShapeKind::box) {
        Direction found = box_direction(pair, reach + roundings);
        axis = a.to_world_axes(found.d);
        if (found.separation - roundings > reach) return;
        if (found.separation > 0.0) {
            find_nearest_boxes(pair, guess, reach + roundings, found);
            axis = a.to_world_axes(found.d);
            if (found.separation - roundings > reach) return;
        }
        fill_patch(pair, a, found, reach, manifold);
        return;
    }
    const Direction best = best_direction(pair, guess, reach + roundings);
    axis = a.to_world_axes(best.d);
    if (best.separation - roundings > reach) return;
    fill_patch(pair, a, best, reach, manifold);
}

}  // namespace scree::kernels
