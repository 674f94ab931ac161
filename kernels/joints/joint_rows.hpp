// SPDX-License-Identifier: BSD-3-Clause
// Rows of joints and how they are laid out: islands of bodies that joints connect, their rows in the order in which a
// factor eliminates them.
//
// Invariants
//  1. Members are the bodies that joints hold. Free ones stand first, island by island; fixed ones follow and belong to
//     no island: nothing is passed on through them.
//  2. Rows stand island by island. Rows of one island share no free member with those of another.
#pragma once

#include "kernels/joints/joint_scalars.hpp"

#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace scree::kernels {

/// No bound.
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// What a row asks of its value s (the weighted sum of its scalars less `value`) or of its rate u, and of its impulse.
enum class RowRole : std::int32_t {
    rigid,     ///< s = 0 at the end of the step
    limit,     ///< s >= 0 at the end of the step, impulse >= 0, complementary
    spring,    ///< force -stiffness s - damping u
    speed,     ///< u = drive, |force| <= bound
    position,  ///< s = drive at the end of the step, |force| <= bound
    force,     ///< force = drive
    friction,  ///< u = 0, |force| <= bound
};

/// Force is that along the row [N], or about it [N m].
struct JointRow {
    RowRole role = RowRole::rigid;
    std::int32_t scalars = 1;
    JointScalar scalar[2];
    double value = 0.0;      ///< Rest value, limit, length [m or rad].
    double stiffness = 0.0;  ///< [N/m or N m/rad]
    double damping = 0.0;    ///< [N s/m or N m s/rad]
    double bound = unbounded;
    Index drive = -1;  ///< Into the values that the host gives for each step.
    Index owner = 0;   ///< The joint as the scene lists it, for readouts.
};

/// Joints as the host hands them over.
struct JointDescription {
    std::vector<JointFrames> frames;  ///< `member` holds ids of bodies, 0 for the ground.
    std::vector<JointRow> rows;
    std::vector<JointMemory> start;              ///< [frames]: angles and ways at the start.
    std::vector<std::pair<Index, Index>> apart;  ///< Pairs of ids that do not collide.
    Index owners = 0;                            ///< Joints as the scene lists them.
    std::vector<Index> owner_frame;              ///< [owners]: the frames that readouts are about, -1 for none.
    std::vector<bool> owner_distance;            ///< [owners]: slide is the distance of the points.
    Index drives = 0;
};

/// The same, laid out. All indices of bodies are members.
struct JointStructure {
    std::vector<Index> member_id;  ///< [members]
    Index free_members = 0;
    std::vector<Index> member_start;  ///< [islands + 1]
    std::vector<JointFrames> frames;
    std::vector<JointRow> rows;
    std::vector<Index> row_start;    ///< [islands + 1]
    std::vector<Index> block_start;  ///< [rows + 1]: two blocks per scalar, of A and of B.
    std::vector<Index> block_member, block_row;
    std::vector<Index> member_block_start, member_block;  ///< [members + 1]: blocks of a member, by joint.
    std::vector<Index> first;                             ///< [rows]: envelope
    std::vector<std::int64_t> entry;                      ///< [rows]: see EnvelopeView::start
    std::int64_t entries = 0;
    std::vector<Index> apart_start, apart;  ///< [members + 1]: members that do not collide with a member.

    [[nodiscard]] Index islands() const { return Index(row_start.size()) - 1; }
};

/// `is_fixed(id)` tells bodies of infinite mass. Rows between two that cannot move are left out.
/// Rows are ordered by the reverse Cuthill-McKee algorithm: chains and trees get narrow envelopes.
[[nodiscard]] JointStructure lay_out(const JointDescription& joints, const std::vector<bool>& is_fixed);

}  // namespace scree::kernels
