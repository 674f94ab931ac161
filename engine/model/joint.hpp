// SPDX-License-Identifier: BSD-3-Clause
// Joints between bodies, or between a body and the ground, with their limits, springs and motors.
#pragma once

#include "engine/model/math.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scree::model {

/// A value over time.
struct Course {
    double constant = 0.0;
    /// (time [s], value), times increasing: linear between them, constant before and behind. Empty: not a table.
    std::vector<std::pair<double, double>> table;
    std::string expression;  ///< In t [s], SI units; empty: none.
    bool operator==(const Course&) const = default;
};

/// What acts along one free coordinate of a joint: its turn [rad] or its slide [m].
struct JointAxis {
    enum class Motor : unsigned char { none, speed, position, force };
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    double stiffness = 0.0;  ///< [N m/rad] or [N/m]
    double damping = 0.0;    ///< [N m s/rad] or [N s/m]
    double rest = 0.0;       ///< Where the spring is without force [rad] or [m].
    double friction = 0.0;   ///< Dry friction, at most this [N m] or [N].
    Motor motor = Motor::none;
    Course target;  ///< Of the motor.
    /// Of motors by speed or position [N m] or [N].
    double motor_limit = std::numeric_limits<double>::infinity();
    bool operator==(const JointAxis&) const = default;
};

/// No relative motion.
struct FixedJoint {};
/// A common point.
struct SphericalJoint {
    Vec3 point;
};
/// A common point and axis: turns.
struct RevoluteJoint {
    Vec3 point, axis{0, 0, 1};
};
/// Slides along an axis without turning.
struct PrismaticJoint {
    Vec3 point, axis{0, 0, 1};
};
/// Turns about and slides along an axis.
struct CylindricalJoint {
    Vec3 point, axis{0, 0, 1};
};
/// Turns about and slides along an axis, one for the other.
struct ScrewJoint {
    Vec3 point, axis{0, 0, 1};
    double pitch = 0.0;  ///< Way per turn [m].
};
/// A common point, and two axes, one of each body, whose angle stays (a Cardan joint).
struct UniversalJoint {
    Vec3 point, axis_a{1, 0, 0}, axis_b{0, 1, 0};
};
/// A plane of A and one of B stay together: slides in the plane and turns about its normal.
struct PlanarJoint {
    Vec3 point, normal{0, 0, 1};
};
/// A rod without mass between two points.
struct DistanceJoint {
    Vec3 point_a, point_b;
};
/// Two points with a slide (their distance) that is free: for springs, dampers, ropes (an upper limit), actuators.
struct SpringJoint {
    Vec3 point_a, point_b;
};
/// Turns of two joints (slides of two that only slide) in a fixed ratio: that of the second = ratio x the first's.
struct GearJoint {
    std::string first, second;
    double ratio = 1.0;
};
/// Slide of the second joint = ratio [m/rad] x turn of the first.
struct RackJoint {
    std::string first, second;
    double ratio = 1.0;
};

using JointKind = std::variant<FixedJoint, SphericalJoint, RevoluteJoint, PrismaticJoint, CylindricalJoint, ScrewJoint,
                               UniversalJoint, PlanarJoint, DistanceJoint, SpringJoint, GearJoint, RackJoint>;

/// Points and axes are those of the start, in world axes. Turn and slide are 0 there (but a distance is its length).
struct Joint {
    std::string name;
    /// A and B: "ground", the name of a body source, or "name[k]" for body k of it, from 0. Turn and slide are those of
    /// B against A. Gears and racks take their bodies from their joints.
    std::array<std::string, 2> bodies{"ground", "ground"};
    JointKind kind = FixedJoint{};
    JointAxis turn, slide;
    bool collide = false;  ///< Whether the two bodies can touch.
    std::size_t line = 0;  ///< In the scene file, for messages; 0 if none.

    [[nodiscard]] bool couples() const {
        return std::holds_alternative<GearJoint>(kind) || std::holds_alternative<RackJoint>(kind);
    }
    [[nodiscard]] bool has_turn() const {
        return std::holds_alternative<RevoluteJoint>(kind) || std::holds_alternative<CylindricalJoint>(kind) ||
               std::holds_alternative<ScrewJoint>(kind);
    }
    [[nodiscard]] bool has_slide() const {
        return std::holds_alternative<PrismaticJoint>(kind) || std::holds_alternative<CylindricalJoint>(kind) ||
               std::holds_alternative<ScrewJoint>(kind) || std::holds_alternative<SpringJoint>(kind);
    }
};

}  // namespace scree::model
