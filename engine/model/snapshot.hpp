// SPDX-License-Identifier: BSD-3-Clause
// The state of a run at one instant, on the host, in double precision: what outputs, probes and comparisons read.
#pragma once

#include "engine/model/math.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace scree::model {

/// One contact between a body and another body or a boundary.
struct ContactRecord {
    std::uint64_t id_a = 0;      ///< Body id.
    std::uint64_t id_b = 0;      ///< Body id; 0 when the partner is a boundary.
    std::int32_t boundary = -1;  ///< Index into Scene::boundaries; -1 when the partner is a body.
    Vec3 point;                  ///< [m]
    Vec3 normal;                 ///< Unit, from A towards B (into the wall for a boundary).
    Vec3 force;                  ///< Force on B [N] (impulse of the last step over h); on A it is the opposite.
    double gap = 0.0;            ///< [m], negative when overlapping.
    Vec3 moment;                 ///< Of rolling and spinning resistance, on B [N m]; on A the opposite.
};

/// Pose, velocity and load of one boundary.
struct BoundaryState {
    bool active = true;  ///< false once removed.
    Vec3 displacement;   ///< World position of a point p of the boundary: rotate(rotation, p0) + displacement.
    Quat rotation;
    Vec3 velocity;          ///< Of the torque point [m/s].
    Vec3 angular_velocity;  ///< [rad/s]
    Vec3 force;             ///< By the bodies on the boundary, mean over the last step [N].
    Vec3 torque;            ///< About the boundary's torque point [N m].
    /// Means of both since the last row of series.csv, where a probe wants them.
    Vec3 mean_force, mean_torque;
};

/// What a joint does, means over the last step; see model::Joint.
struct JointState {
    double turn = 0.0, slide = 0.0;  ///< At the end of the step [rad], [m]; of a distance or spring, its length.
    Vec3 force, torque;              ///< On the second body, about its point of the joint, world axes [N], [N m].
    double turn_motor = 0.0, slide_motor = 0.0;  ///< Of the motors [N m], [N].
};

/// Bodies in id order; all body vectors have the same length.
struct Snapshot {
    std::size_t step = 0;
    double time = 0.0;       ///< [s]
    double step_size = 0.0;  ///< h [s]
    std::vector<std::uint64_t> id;
    std::vector<Vec3> position;  ///< [m]
    std::vector<Quat> orientation;
    std::vector<Vec3> velocity;          ///< [m/s]
    std::vector<Vec3> angular_velocity;  ///< World axes [rad/s].
    std::vector<Vec3> force;             ///< Net contact force, mean over the last step [N].
    std::vector<Vec3> torque;            ///< Net contact torque about the centre [N m].
    std::vector<double> radius;          ///< [m]
    std::vector<double> mass;            ///< [kg]; infinity for fixed bodies.
    std::vector<std::uint32_t> material;
    std::vector<std::uint32_t> source;
    // Empty where all bodies are solid spheres.
    std::vector<std::uint8_t> shape;  ///< Index of the alternative in model::Solid.
    std::vector<Vec3> semi_axes;      ///< Half the extents along the body's axes [m].
    std::vector<Vec3> inertia;        ///< Principal moments [kg m^2], body axes.
    std::vector<ContactRecord> contacts;
    std::vector<BoundaryState> boundaries;     ///< As Scene::boundaries.
    std::vector<JointState> joints;            ///< As Scene::joints.
    std::vector<std::uint64_t> removed_count;  ///< Bodies taken by each outlet so far, as Scene::outlets.
    std::vector<double> removed_mass;          ///< [kg]
};

/// w . I w / 2 [J] of body i; not for fixed ones.
[[nodiscard]] double rotational_energy(const Snapshot& snapshot, std::size_t i);

/// 64-bit FNV-1a hash over id, position, orientation, velocity and angular velocity of all bodies in id order.
[[nodiscard]] std::uint64_t state_hash(const Snapshot& snapshot);

}  // namespace scree::model
