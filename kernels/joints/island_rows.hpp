// SPDX-License-Identifier: BSD-3-Clause
// The rows of a step: Jacobians, bounds, springs, and the matrix J M^-1 J^T + C in its envelope.
#pragma once

#include "kernels/joints/member_mass.hpp"

namespace scree::kernels {

/// Sum of a row's scalars, poses given by pose(member).
template <class Pose>
SCREE_HD double row_value(const IslandView& islands, Index k, const Periodic& periodic, const Pose& pose) {
    const JointRow& row = islands.row[k];
    double sum = 0.0;
    for (int s = 0; s < row.scalars; ++s) {
        const JointScalar& scalar = row.scalar[s];
        const JointFrames& frames = islands.frames[scalar.joint];
        sum += scalar.weight * scalar_value(scalar, PlacedFrame::of(frames, 0, pose(frames.member[0])),
                                            PlacedFrame::of(frames, 1, pose(frames.member[1])), periodic,
                                            islands.memory[scalar.joint]);
    }
    return sum;
}

/// (J M^-1 J^T)_kl. A body may stand in several blocks of a row: the sum is over all pairs.
SCREE_HD inline double coupling(const IslandView& islands, Index k, Index l) {
    double sum = 0.0;
    for (Index b = islands.block_start[k]; b < islands.block_start[k + 1]; ++b) {
        const Index m = islands.block_member[b];
        if (!islands.is_free_member(m)) continue;
        for (Index d = islands.block_start[l]; d < islands.block_start[l + 1]; ++d) {
            if (islands.block_member[d] != m) continue;
            const double* j = islands.jacobian + std::int64_t(6) * b;
            const double* r = islands.response + std::int64_t(6) * d;
            for (int c = 0; c < 6; ++c) sum += j[c] * r[c];
        }
    }
    return sum;
}

/// Jacobian and response of row k at the poses pose(member), and its place on the diagonal without compliance.
template <class Pose>
SCREE_HD double place_row(const IslandView& islands, Index k, const Periodic& periodic, const Pose& pose) {
    const JointRow& row = islands.row[k];
    for (int s = 0; s < row.scalars; ++s) {
        const JointScalar& scalar = row.scalar[s];
        const JointFrames& frames = islands.frames[scalar.joint];
        const PlacedFrame a = PlacedFrame::of(frames, 0, pose(frames.member[0]));
        const PlacedFrame b = PlacedFrame::of(frames, 1, pose(frames.member[1]));
        for (int side = 0; side < 2; ++side) {
            const ScalarGradient g = scalar_gradient(scalar, a, b, periodic, islands.memory[scalar.joint], side);
            const std::int64_t block = std::int64_t(islands.block_start[k]) + 2 * s + side;
            double* j = islands.jacobian + 6 * block;
            double* mj = islands.response + 6 * block;
            const double force[3] = {g.force.x, g.force.y, g.force.z}, torque[3] = {g.torque.x, g.torque.y, g.torque.z};
            for (int c = 0; c < 3; ++c) {
                j[c] = scalar.weight * force[c];
                j[3 + c] = scalar.weight * torque[c];
            }
            for (int c = 0; c < 6; ++c) mj[c] = 0.0;
            if (frames.member[side] >= 0) islands.respond(frames.member[side], j, mj);
        }
    }
    return coupling(islands, k, k);
}

/// The entries of row k below the diagonal.
SCREE_HD inline void place_entries(const IslandView& islands, Index k) {
    double* entries = islands.envelope.row(islands.envelope.values, k);
    for (Index j = islands.envelope.first[k]; j < k; ++j) entries[j] = coupling(islands, k, j);
}
struct IslandMatrixItem {
    IslandView islands;
    SCREE_HD void operator()(Index k) const { place_entries(islands, k); }
};

/// Jacobians, responses and matrix of an island at the poses pose(member). `included(k)`: the rows that matter.
template <class Pose, class Included>
SCREE_HD void place_rows(const IslandView& islands, Index island, const Periodic& periodic, const Pose& pose,
                         const Included& included) {
    for (Index k = islands.row_start[island]; k < islands.row_start[island + 1]; ++k)
        if (included(k)) islands.envelope.diagonal[k] = place_row(islands, k, periodic, pose) + islands.compliance[k];
    for (Index k = islands.row_start[island]; k < islands.row_start[island + 1]; ++k)
        if (included(k)) place_entries(islands, k);
}

/// Thread k: Jacobian, response, bounds and spring of row k.
template <class R>
struct JointRowItem {
    IslandView islands;
    MemberPoses poses;
    const R* velocity;  ///< Before the step, rows of eight.
    double step;

    SCREE_HD void operator()(Index k) const {
        islands.status[k] = RowStatus::free;
        islands.compliance[k] = islands.bias[k] = 0.0;
        for (Index b = islands.block_start[k]; b < islands.block_start[k + 1]; ++b) {
            const Index m = islands.block_member[b];
            if (m >= 0 && islands.slot_of_member[m] < 0) islands.status[k] = RowStatus::out;
        }
        if (islands.status[k] == RowStatus::out) {
            for (Index b = islands.block_start[k]; b < islands.block_start[k + 1]; ++b)
                for (int c = 0; c < 6; ++c)
                    islands.jacobian[std::int64_t(6) * b + c] = islands.response[std::int64_t(6) * b + c] = 0.0;
            islands.envelope.diagonal[k] = 1.0;
            islands.lower[k] = islands.upper[k] = 0.0;
            return;
        }
        const double diagonal = place_row(islands, k, poses.periodic, [&](Index m) { return poses.of(islands, m); });
        double before = 0.0;
        for (Index b = islands.block_start[k]; b < islands.block_start[k + 1]; ++b) {
            const Index m = islands.block_member[b];
            if (m < 0) continue;
            const double* j = islands.jacobian + std::int64_t(6) * b;
            const R* v = velocity + std::int64_t(8) * islands.slot_of_member[m];
            for (int c = 0; c < 3; ++c) before += j[c] * double(v[c]) + j[3 + c] * double(v[4 + c]);
        }
        set_law(k, diagonal, before);
        islands.envelope.diagonal[k] = diagonal + islands.compliance[k];
    }

private:
    static constexpr double trace = 2e-9;  ///< Of a row's own response to its impulse.

    SCREE_HD void set_law(Index k, double diagonal, double before) const {
        const JointRow& row = islands.row[k];
        double lower = -unbounded, upper = unbounded;
        switch (row.role) {
            case RowRole::rigid:
                islands.bias[k] = row_value(islands, k, poses.periodic, [&](Index m) { return poses.of(islands, m); });
                break;
            case RowRole::limit:
                lower = 0.0;
                break;
            case RowRole::spring:
                set_spring(k, diagonal, before);
                break;
            case RowRole::force:
                lower = upper = step * islands.drive[row.drive];
                islands.status[k] = RowStatus::at_lower;
                break;
            case RowRole::speed:
            case RowRole::position:
            case RowRole::friction:
                upper = step * row.bound;
                lower = -upper;
                break;
        }
        islands.lower[k] = lower;
        islands.upper[k] = upper;
        // A motor and friction on one turn hold the same motion: without a trace of give their impulses would be any.
        if (IslandView::bounded(row.role)) islands.compliance[k] = trace * diagonal;
    }

    /// Where the step resolves the spring (h <= 1 / its angular frequency) the mean of its force over steps, which
    /// keeps energy; where it does not, the force of the end of the step, which loses it. Both are stable at any
    /// stiffness. With e the elongation now, u- and u+ the rates before and after:
    ///     lambda = -h k (e + h (u+ - u-) / 4) - h c (u+ + u-) / 2     or     -h k (e + h u+) - h c u+
    SCREE_HD void set_spring(Index k, double diagonal, double before) const {
        const JointRow& row = islands.row[k];
        const double h = step, stiffness = row.stiffness, damping = row.damping;
        const double e =
            row_value(islands, k, poses.periodic, [&](Index m) { return poses.of(islands, m); }) - row.value;
        const bool resolved = h * h * stiffness * diagonal <= 1.0 && h * damping * diagonal <= 1.0;
        const double slope = resolved ? 0.25 * h * h * stiffness + 0.5 * h * damping : h * h * stiffness + h * damping;
        const double at_rest =
            resolved ? h * stiffness * (e - 0.25 * h * before) + 0.5 * h * damping * before : h * stiffness * e;
        islands.compliance[k] = 1.0 / slope;
        islands.bias[k] = at_rest / slope;
    }
};

}  // namespace scree::kernels
