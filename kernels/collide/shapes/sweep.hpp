// SPDX-License-Identifier: BSD-3-Clause
// Shapes on their way through a step, and how far they get before they touch: conservative advancement (Mirtich,
// "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3), which no speed and no thinness
// deceives.
//
// A pair with the gap g along a normal n that separates it cannot touch before g / (approach along n + turning) has
// passed; look again there, until the gap is gone or the step is over.
#pragma once

#include "kernels/collide/shapes/manifold.hpp"
#include "kernels/items/symmetric3.hpp"

namespace scree::kernels {

/// A body's motion over a step: the centre goes straight, the axes turn at a constant rate.
struct RigidMotion {
    Vector3d center{0, 0, 0};  ///< Of the body at the start [m].
    Vector3d way{0, 0, 0};     ///< Of the centre over the whole step [m].
    Vector3d turn{0, 0, 0};    ///< Rotation vector of the whole step [rad], world axes.
    double arm = 0.0;          ///< Distance of the shape's origin from the centre [m].

    [[nodiscard]] SCREE_HD Vector3d center_at(double share) const { return center + share * way; }
    /// The shape, given at the start, after this share of the step.
    [[nodiscard]] SCREE_HD PlacedShape shape_at(const PlacedShape& start, double share) const {
        PlacedShape moved = start;
        const Vector3d part_turn = share * turn;
        moved.position = center_at(share) + turned(start.position - center, part_turn);
        for (auto& axis : moved.axis) axis = turned(axis, part_turn);
        return moved;
    }
    /// A point or a shape of the world after this share of the step, seen from what moves so: in its axes of the start.
    [[nodiscard]] SCREE_HD Vector3d seen_from(Vector3d point, double share) const {
        return center + turned(point - center_at(share), (0.0 - share) * turn);
    }
    [[nodiscard]] SCREE_HD PlacedShape seen_from(PlacedShape shape, double share) const {
        shape.position = seen_from(shape.position, share);
        for (auto& axis : shape.axis) axis = turned(axis, (0.0 - share) * turn);
        return shape;
    }
    /// The other way round.
    [[nodiscard]] SCREE_HD Vector3d carried(Vector3d point, double share) const {
        return center_at(share) + turned(point - center, share * turn);
    }

    /// Bound on how far turning carries the shape along the unit vector n [m]: the farthest point moves by
    /// n . (turn x r) = r . (n x turn), and a turn about its own axis does not move a round shape.
    [[nodiscard]] SCREE_HD double swing(const PlacedShape& start, Vector3d n) const {
        return swing(start, norm(cross(n, turn)));
    }
    /// The same along any direction.
    [[nodiscard]] SCREE_HD double swing(const PlacedShape& start) const { return swing(start, norm(turn)); }

private:
    [[nodiscard]] SCREE_HD double swing(const PlacedShape& start, double rate) const {
        const ShapeKind kind = start.shape->kind;
        double of_shape = rate;
        if (kind == ShapeKind::sphere) of_shape = 0.0;
        if (kind == ShapeKind::capsule || is_frustum(kind)) of_shape = smaller(rate, norm(cross(turn, start.axis[2])));
        return rate * arm + of_shape * start.bounding_radius();
    }
};

/// A look at a pair at some share of the step.
struct SweepLook {
    double gap = 0.0;       ///< Smallest gap [m].
    double earliest = 1.0;  ///< Share that passes at least until a gap is gone (with `allowance` past it).
};

/// Advances from `share` until a gap is no larger than `goal` (then `touches`), or the step is over. look(share) is a
/// SweepLook; it is told nothing of the goal, which must be part of its allowance. `nearest` is the share with the
/// smallest gap seen, what a pair that only passes is judged at.
struct Sweep {
    double share = 0.0, nearest = 0.0, gap = 0.0;
    bool touches = false;
};
template <class Look>
SCREE_HD Sweep advance_to_touch(const Look& look, double goal, int most_looks) {
    Sweep sweep;
    for (int k = 0; k < most_looks; ++k) {
        const SweepLook here = look(sweep.share);
        if (k == 0 || here.gap < sweep.gap) {
            sweep.nearest = sweep.share;
            sweep.gap = here.gap;
        }
        if (here.gap <= goal) {
            sweep.touches = true;
            return sweep;
        }
        if (sweep.share >= 1.0) return sweep;
        sweep.share = smaller(1.0, sweep.share + here.earliest);
    }
    return sweep;  // not at the end, and nothing touches up to here
}

}  // namespace scree::kernels
