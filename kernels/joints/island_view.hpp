// SPDX-License-Identifier: BSD-3-Clause
// Islands in a backend's memory: the bilateral rows J V + C lambda + b = 0 of bodies that joints connect (NST eq. 5c,
// 8), with limits and motors whose impulses are bounded, lo <= lambda <= hi.
//
// The cone solver never sees these impulses. An island answers each trial of contact impulses exactly: it returns the
// velocities that minimise the distance to the unconstrained ones in the metric of the masses over all lambda within
// their bounds. That is the Schur complement of the joints,
//
//     V = v + M^-1 (D gamma + J^T lambda),   (J M^-1 J^T + C) lambda = -(J (v + M^-1 D gamma) + b)   where free,
//
// by one factor per step and an active set of bounds. The objective of the contacts stays convex with a slope that
// grows no faster than without joints; chains and mass ratios cost no iterations.
#pragma once

#include "kernels/joints/envelope.hpp"
#include "kernels/joints/joint_rows.hpp"

namespace scree::kernels {

/// Where the impulse of a row is.
enum class RowStatus : std::int32_t {
    at_lower = -1,
    free = 0,
    at_upper = 1,
    out = 2,  ///< A body of the row is gone: no impulse.
};

/// Row of a member's mass, world axes, symmetric tensors as six numbers. `linear` and `angular` are what impulses see:
/// the inverse masses, but where the forces of joints make the body stiff (see MemberMassItem).
struct MemberMass {
    enum : int { inverse = 0, stiff = 1, linear = 2, angular = 8, size = 14 };
};

/// [rows], [members], [blocks] as in JointStructure. Impulses in N s and N m s, everything else in SI units of the row.
struct IslandView {
    Index islands = 0, members = 0, free_members = 0, rows = 0;
    const Index* member_of_slot = nullptr;  ///< [bodies]: -1 where no joint holds the body; null: no joints at all.
    const Index* slot_of_member = nullptr;  ///< [members]: -1: the body is gone.
    const Index* member_start = nullptr;
    const Index* row_start = nullptr;
    const JointFrames* frames = nullptr;
    const JointRow* row = nullptr;
    const Index* block_start = nullptr;
    const Index* block_member = nullptr;
    const JointMemory* memory = nullptr;        ///< [frames]
    const double* drive = nullptr;              ///< Values of this step.
    const Index* member_block_start = nullptr;  ///< [members + 1]
    const Index* member_block = nullptr;        ///< Blocks of a member, by joint.
    const Index* block_row = nullptr;
    const double* last = nullptr;    ///< [rows]: impulses of the last step.
    const double* before = nullptr;  ///< [rows]: of the step before it.
    EnvelopeView envelope;

    double* jacobian = nullptr;    ///< Rows of six per block: J, world axes.
    double* response = nullptr;    ///< Rows of six per block: M^-1 J^T.
    double* compliance = nullptr;  ///< [rows]: C
    double* bias = nullptr;        ///< [rows]: b of springs; of rigid rows their value at the start.
    double* lower = nullptr;       ///< [rows]: bounds
    double* upper = nullptr;
    RowStatus* status = nullptr;  ///< [rows]
    double* lambda = nullptr;     ///< [rows]: impulses of the last evaluation.
    double* base = nullptr;       ///< [rows]: impulses of the motion without contacts.
    double* rate = nullptr;       ///< [rows]: rho = J V + C lambda + b of that motion; 0 for free rows.
    double* room = nullptr;       ///< [rows]: right-hand sides.
    double* change = nullptr;     ///< Rows of six per member: velocity that impulses add; free motion: impulses.
    double* mass = nullptr;       ///< Rows of MemberMass per member.

    /// Whether the island pass moves this body, and not the body pass.
    [[nodiscard]] SCREE_HD bool holds(Index body) const {
        return member_of_slot != nullptr && member_of_slot[body] >= 0 && member_of_slot[body] < free_members;
    }
    [[nodiscard]] SCREE_HD bool is_free_member(Index member) const { return member >= 0 && member < free_members; }

    /// sum over the row's blocks of J . rows_of_six
    [[nodiscard]] SCREE_HD double rate_of(Index k, const double* rows_of_six) const {
        double sum = 0.0;
        for (Index b = block_start[k]; b < block_start[k + 1]; ++b) {
            const Index m = block_member[b];
            if (!is_free_member(m)) continue;
            const double* j = jacobian + std::int64_t(6) * b;
            const double* v = rows_of_six + std::int64_t(6) * m;
            for (int c = 0; c < 6; ++c) sum += j[c] * v[c];
        }
        return sum;
    }
    /// Adds what an impulse of row k does to velocities (`coefficients` = response) or its force itself (jacobian).
    SCREE_HD void add(Index k, double impulse, const double* coefficients, double* rows_of_six) const {
        if (impulse == 0.0) return;
        for (Index b = block_start[k]; b < block_start[k + 1]; ++b) {
            const Index m = block_member[b];
            if (!is_free_member(m)) continue;
            const double* j = coefficients + std::int64_t(6) * b;
            double* v = rows_of_six + std::int64_t(6) * m;
            for (int c = 0; c < 6; ++c) v[c] += impulse * j[c];
        }
    }
    /// What an impulse (force, torque) does to a member's velocity.
    SCREE_HD void respond(Index member, const double* impulse, double* velocity) const {
        const double* of_member = mass + std::int64_t(MemberMass::size) * member;
        apply(of_member + MemberMass::linear, impulse, velocity);
        apply(of_member + MemberMass::angular, impulse + 3, velocity + 3);
    }
    [[nodiscard]] SCREE_HD double inverse_mass(Index member) const {
        return mass[std::int64_t(MemberMass::size) * member + MemberMass::inverse];
    }
    SCREE_HD void factorise(Index island) const {
        envelope.factorise(row_start[island], row_start[island + 1],
                           [&](Index k) { return status[k] == RowStatus::free; });
    }
    [[nodiscard]] SCREE_HD static bool bounded(RowRole role) {
        return role != RowRole::rigid && role != RowRole::spring && role != RowRole::force;
    }
    [[nodiscard]] SCREE_HD double bound_of(Index k) const {
        return status[k] == RowStatus::at_lower ? lower[k] : status[k] == RowStatus::at_upper ? upper[k] : 0.0;
    }

    /// v = S p for a symmetric S (xx yy zz xy xz yz). Through arrays and times() GCC 12 gave wrong torques at -O3.
    SCREE_HD static void apply(const double* s, const double* p, double* v) {
        const double x = p[0], y = p[1], z = p[2];
        v[0] = s[0] * x + s[3] * y + s[4] * z;
        v[1] = s[3] * x + s[1] * y + s[5] * z;
        v[2] = s[4] * x + s[5] * y + s[2] * z;
    }

    /// Lets go of impulses beyond their bounds (they stay there) and of bounds that hold against the motion. `lambda`
    /// is the trial, `w(k)` the rate J V + C lambda + b of row k at it, `noise(k)` its rounding. True where anything
    /// changed: then the factor is that of the new set. `one` changes the first such row alone, by which no set comes
    /// twice.
    template <class Rate, class Noise>
    SCREE_HD bool change_set(Index island, const Rate& w, const Noise& noise, bool one) const {
        bool changed = false;
        for (Index k = row_start[island]; k < row_start[island + 1] && !(one && changed); ++k) {
            if (!bounded(row[k].role) || status[k] == RowStatus::out) continue;
            RowStatus next = status[k];
            if (next == RowStatus::free) {
                if (lambda[k] < lower[k])
                    next = RowStatus::at_lower;
                else if (lambda[k] > upper[k])
                    next = RowStatus::at_upper;
            } else if (lower[k] < upper[k]) {
                const double rate_now = w(k);
                if (next == RowStatus::at_lower ? rate_now < -noise(k) : rate_now > noise(k)) next = RowStatus::free;
            }
            if (next == status[k]) continue;
            status[k] = next;
            changed = true;
        }
        if (changed) factorise(island);
        return changed;
    }
};

}  // namespace scree::kernels
