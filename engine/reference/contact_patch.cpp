// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/contact_patch.hpp"

#include "engine/reference/surface_height.hpp"

#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// The tangents nearest to those of the last step.
std::array<Vector3d, 2> carried(const std::array<Vector3d, 2>& before, const Vector3d& normal,
                                const std::array<Vector3d, 2>& fresh) {
    const Vector3d t = before[0] - normal.dot(before[0]) * normal;
    if (!(t.norm() > 1e-3)) return fresh;  // the normal turned by a right angle within a step
    return {t.normalized(), normal.cross(t.normalized())};
}

}  // namespace

PatchRows single_element(const Contact& contact) {
    PatchRows patch;
    patch.contact = contact;
    const Index directions = 1 + contact.tangent.rows();
    patch.rows.resize(directions, contact.normal.size());
    patch.rows << contact.normal, contact.tangent;
    patch.drift = VectorXd::Zero(directions);
    patch.drift[0] = contact.drift_normal;
    if (contact.drift_tangent.size() > 0) patch.drift.tail(directions - 1) = contact.drift_tangent;
    patch.separation = VectorXd::Constant(1, contact.gap);
    patch.centres.assign(1, Eigen::Vector2d::Zero());
    patch.tangents.fill(Vector3d::Zero());
    patch.turn = Eigen::MatrixXd::Identity(directions - 1, directions - 1);
    return patch;
}

PatchRows grid_elements(const World& world, const Contact& contact, const PatchGrid& grid, double time,
                        const VectorXd& q, const std::array<Vector3d, 2>* before) {
    const auto a = std::size_t(contact.body_a), b = std::size_t(contact.body_b);
    const Vector3d& normal = contact.direction;
    const Pose pose_a = world.pose(a, time, q), pose_b = world.pose(b, time, q);
    const auto [t, o] = tangents_of(normal, world.planar);
    const std::array<Vector3d, 2> fresh{t, o};

    PatchRows patch;
    patch.contact = contact;
    patch.tangents = before != nullptr && !world.planar ? carried(*before, normal, fresh) : fresh;
    const Index n = grid.elements(), tangents = contact.tangent.rows();
    patch.rows.resize((1 + tangents) * n, contact.normal.size());
    patch.drift.resize((1 + tangents) * n);
    patch.separation.resize(n);
    // Coordinates of the carried tangents in the fresh ones, in which contact_at gives its rows.
    Eigen::MatrixXd& turn = patch.turn;
    turn.resize(tangents, tangents);
    for (Index k = 0; k < tangents; ++k)
        for (Index m = 0; m < tangents; ++m) turn(k, m) = patch.tangents[std::size_t(k)].dot(fresh[std::size_t(m)]);

    patch.centres = grid.centres();
    for (Index i = 0; i < n; ++i) {
        const Eigen::Vector2d& at = patch.centres[std::size_t(i)];
        const Vector3d point = contact.point + at.x() * patch.tangents[0] + at.y() * patch.tangents[1];
        patch.separation[i] =
            separation_along(world.bodies[a].shape, pose_a, world.bodies[b].shape, pose_b, point, normal);
        // An element that holds the point of contact meets the surfaces there, though the line through its middle may
        // miss the tip of a corner: by rounding where the middle is the tip itself. One that came and went with that
        // would be an impact each time.
        const bool holds_point = at.cwiseAbs().maxCoeff() <= 0.5 * grid.spacing * (1.0 + 1e-9);
        if (holds_point && !std::isfinite(patch.separation[i])) patch.separation[i] = contact.gap;
        const Contact element = world.contact_at(a, b, point, normal, patch.separation[i], time, q);
        patch.rows.row(i) = element.normal;
        patch.drift[i] = element.drift_normal;
        const Eigen::MatrixXd along = turn * element.tangent;
        const VectorXd drift = turn * element.drift_tangent;
        for (Index k = 0; k < tangents; ++k) {
            patch.rows.row((1 + k) * n + i) = along.row(k);
            patch.drift[(1 + k) * n + i] = drift[k];
        }
    }
    return patch;
}

ContactOutcome sum_of(const PatchRows& patch, const VectorXd& impulse) {
    const Index n = patch.elements(), tangents = patch.turn.rows();
    ContactOutcome sum;
    sum.contact = patch.contact;
    sum.normal_impulse = impulse.head(n).sum();
    VectorXd along = VectorXd::Zero(tangents), rolling = VectorXd::Zero(tangents);
    for (Index k = 0; k < tangents; ++k) along[k] = impulse.segment((1 + k) * n, n).sum();
    // (t x + o y) x (lambda_n n + lambda_t t + lambda_o o); in the plane the only moment is about o.
    for (Index i = 0; i < n; ++i) {
        const Eigen::Vector2d& at = patch.centres[std::size_t(i)];
        if (tangents > 0) rolling[tangents - 1] -= at.x() * impulse[i];
        if (tangents < 2) continue;
        rolling[0] += at.y() * impulse[i];
        sum.twist_impulse += at.x() * impulse[2 * n + i] - at.y() * impulse[n + i];
    }
    sum.tangent_impulse = patch.turn.transpose() * along;
    // In the plane the axis of rolling is not turned with the tangent.
    if (patch.contact.rolling.rows() > 0)
        sum.rolling_impulse = tangents == 1 ? rolling : VectorXd(patch.turn.transpose() * rolling);
    return sum;
}

}  // namespace scree::reference
