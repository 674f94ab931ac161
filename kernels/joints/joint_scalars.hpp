// SPDX-License-Identifier: BSD-3-Clause
// What joints are made of: scalars of two frames, one on each body. Every joint, limit, spring, motor and gear is a
// set of rows, and every row a weighted sum of one or two scalars (NST eq. 3: Phi(q, t) = 0).
#pragma once

#include "kernels/collide/body_state.hpp"
#include "kernels/items/symmetric3.hpp"
#include "kernels/motion/orientation.hpp"

namespace scree::kernels {

/// Where a joint holds its two bodies. A frame has an origin and axes; that of the ground stands in the world.
struct JointFrames {
    Index member[2] = {-1, -1};  ///< Of A and B (see JointStructure); -1: the ground.
    double point[2][3] = {};     ///< Origins, from the centre of mass in body axes; of the ground, world axes [m].
    double rotation[2][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}};  ///< Frame axes to body axes, w x y z.
};

enum class ScalarKind : std::int32_t {
    along,     ///< Way from A's origin to B's along axis i of A's frame [m].
    cosine,    ///< Axis i of A's frame times axis j of B's [-].
    distance,  ///< Of the origins [m].
    turn,      ///< Angle by which B's frame is turned against A's about their z axes, counted over whole turns [rad].
};

struct JointScalar {
    ScalarKind kind = ScalarKind::along;
    Index joint = 0;
    std::int32_t i = 0, j = 0;  ///< Axes, 0 to 2.
    double weight = 1.0;        ///< In the row's sum.
};

/// Position and orientation of a body at some time.
struct BodyPose {
    Vector3<double> position{0.0, 0.0, 0.0};
    double orientation[4] = {1.0, 0.0, 0.0, 0.0};

    SCREE_HD static BodyPose of(const double* position, const double* orientation, Index slot) {
        BodyPose pose;
        pose.position = center_of(position, slot);
        for (int k = 0; k < 4; ++k) pose.orientation[k] = orientation[std::int64_t(4) * slot + k];
        return pose;
    }
    /// Moved by a way and a rotation vector [m], [rad].
    SCREE_HD void move(Vector3<double> way, Vector3<double> turn) {
        position += way;
        rotate_orientation(orientation, turn.x, turn.y, turn.z, dot(turn, turn), 1.0);
    }
};

/// A frame in the world.
struct PlacedFrame {
    Vector3<double> arm;     ///< From the body's centre of mass to the origin [m].
    Vector3<double> origin;  ///< [m]
    Axes axes;

    SCREE_HD static PlacedFrame of(const JointFrames& frames, int side, const BodyPose& pose) {
        const Axes body = Axes::of(pose.orientation), own = Axes::of(frames.rotation[side]);
        const double* p = frames.point[side];
        PlacedFrame placed;
        placed.arm = body.to_world({p[0], p[1], p[2]});
        placed.origin = pose.position + placed.arm;
        placed.axes = {body.to_world(own.x), body.to_world(own.y), body.to_world(own.z)};
        return placed;
    }
    [[nodiscard]] SCREE_HD Vector3<double> axis(int k) const { return k == 0 ? axes.x : k == 1 ? axes.y : axes.z; }
};

/// The image of an angle that is nearest to `last`: angles are counted over whole turns.
SCREE_HD inline double unwrapped(double angle, double last) {
    constexpr double turn = 6.283185307179586476925;
    return angle + turn * round_down((last - angle) / turn + 0.5);
}

/// What a joint remembers: its angle and the way from A's origin to B's when they were last known, by which both are
/// counted over whole turns and periods.
struct JointMemory {
    double turn = 0.0;   ///< [rad]
    double way[3] = {};  ///< [m]
};

SCREE_HD inline Vector3<double> way_between(const PlacedFrame& a, const PlacedFrame& b, const Periodic& periodic,
                                            const JointMemory& last) {
    const Vector3<double> before{last.way[0], last.way[1], last.way[2]};
    return before + periodic.nearest_of_all(b.origin - a.origin - before);
}

/// Exact while the joint turned by less than half a turn and moved by less than half a period since `last`.
SCREE_HD inline double scalar_value(const JointScalar& scalar, const PlacedFrame& a, const PlacedFrame& b,
                                    const Periodic& periodic, const JointMemory& last) {
    switch (scalar.kind) {
        case ScalarKind::along:
            return dot(a.axis(scalar.i), way_between(a, b, periodic, last));
        case ScalarKind::cosine:
            return dot(a.axis(scalar.i), b.axis(scalar.j));
        case ScalarKind::distance:
            return norm(way_between(a, b, periodic, last));
        case ScalarKind::turn:
            return unwrapped(atan2(dot(b.axes.x, a.axes.y) - dot(b.axes.y, a.axes.x),
                                   dot(b.axes.x, a.axes.x) + dot(b.axes.y, a.axes.y)),
                             last.turn);
    }
    return 0.0;
}

/// Derivative of a scalar by the velocities (v, w) of a body, world axes.
struct ScalarGradient {
    Vector3<double> force, torque;
};

/// `side` 0: by the velocities of A, 1: of B. That of `turn` is exact where the z axes of both frames coincide.
SCREE_HD inline ScalarGradient scalar_gradient(const JointScalar& scalar, const PlacedFrame& a, const PlacedFrame& b,
                                               const Periodic& periodic, const JointMemory& last, int side) {
    const double sign = side == 0 ? -1.0 : 1.0;
    switch (scalar.kind) {
        case ScalarKind::along: {
            const Vector3<double> n = a.axis(scalar.i);
            // A's axis turns with A: its arm reaches to B's origin.
            const Vector3<double> arm = side == 0 ? a.arm + way_between(a, b, periodic, last) : b.arm;
            return {sign * n, sign * cross(arm, n)};
        }
        case ScalarKind::cosine:
            return {{0.0, 0.0, 0.0}, sign * cross(b.axis(scalar.j), a.axis(scalar.i))};
        case ScalarKind::distance: {
            const Vector3<double> way = way_between(a, b, periodic, last);
            const double length = norm(way);
            const Vector3<double> n = length > 0.0 ? (1.0 / length) * way : a.axes.x;
            return {sign * n, sign * cross(side == 0 ? a.arm : b.arm, n)};
        }
        case ScalarKind::turn:
            return {{0.0, 0.0, 0.0}, sign * a.axes.z};
    }
    return {};
}

}  // namespace scree::kernels
