// SPDX-License-Identifier: BSD-3-Clause
// The end of a step: joints closed, turns and ways counted.
#pragma once

#include "kernels/joints/island_rows.hpp"

namespace scree::kernels {

/// Thread i: moves the bodies of island i back onto their joints, by the shortest way in the metric of their masses.
/// Velocities, and so the kinetic energy, stay. Limits that are passed count as rows; motors take no part.
/// maxima: [0] what is left of the gaps [m or rad].
template <class R>
struct IslandProjectionItem {
    IslandView islands;
    double* position;
    double* orientation;
    const double* inertia;  ///< Body axes.
    const R* inverse_mass;
    Periodic periodic;
    static constexpr int most_iterations = 20;
    static constexpr double rounding = 1e-14;
    /// Gaps that need more than a correction by the rows and masses at hand.
    static constexpr double wide = 1e-8;

    SCREE_HD void operator()(Index island, Accumulator<double, 0, 1>& acc) const {
        const Index begin = islands.row_start[island], end = islands.row_start[island + 1];
        if (begin == end) return;
        const MemberPoses poses{position, orientation, periodic};
        const auto takes_part = [&](Index k) {
            const RowRole role = islands.row[k].role;
            if (islands.status[k] == RowStatus::out) return false;
            return role == RowRole::rigid || (role == RowRole::limit && islands.rate[k] < 0.0);
        };
        double last = 0.0, largest = 0.0;
        bool anew = false;  // rows and true masses of now
        for (Index k = begin; k < end; ++k)
            islands.rate[k] =
                islands.row[k].role == RowRole::limit && islands.status[k] != RowStatus::out ? value(k, poses) : 0.0;
        for (int iteration = 0; iteration < most_iterations; ++iteration) {
            largest = 0.0;
            for (Index k = begin; k < end; ++k) {
                islands.room[k] = 0.0;
                if (!takes_part(k)) continue;
                islands.room[k] = 0.0 - value(k, poses);
                largest = larger(largest, islands.room[k] < 0.0 ? 0.0 - islands.room[k] : islands.room[k]);
            }
            if (!(largest > rounding) || !(largest - largest == 0.0)) break;
            if (!anew && (largest > wide || (iteration > 0 && largest > 0.1 * last))) {
                anew = true;
                for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) take_mass(m);
            }
            if (anew)
                place_rows(
                    islands, island, periodic, [&](Index m) { return poses.of(islands, m); }, takes_part);
            if (anew || iteration == 0) islands.envelope.factorise(begin, end, takes_part);
            last = largest;
            islands.envelope.solve(begin, end, islands.room);
            move(island, poses);
        }
        acc.max[0] = larger(acc.max[0], largest);
    }

private:
    /// The mass of a member without the stiffness of its joints, as it stands.
    SCREE_HD void take_mass(Index m) const {
        const Index slot = islands.slot_of_member[m];
        if (slot < 0) return;
        double* row = islands.mass + std::int64_t(MemberMass::size) * m;
        double body[6], inverse[6], in_world[6];
        for (int c = 0; c < 6; ++c) body[c] = inertia[std::int64_t(6) * slot + c];
        invert(body, inverse);
        Axes::of(orientation + std::int64_t(4) * slot).turn(inverse, in_world);
        for (int c = 0; c < 6; ++c) {
            row[MemberMass::linear + c] = c < 3 ? double(inverse_mass[2 * std::int64_t(slot)]) : 0.0;
            row[MemberMass::angular + c] = in_world[c];
        }
    }
    [[nodiscard]] SCREE_HD double value(Index k, const MemberPoses& poses) const {
        return row_value(islands, k, periodic, [&](Index m) { return poses.of(islands, m); }) - islands.row[k].value;
    }
    SCREE_HD void move(Index island, const MemberPoses& poses) const {
        const Index first = islands.member_start[island], last = islands.member_start[island + 1];
        for (Index m = first; m < last; ++m)
            for (int c = 0; c < 6; ++c) islands.change[std::int64_t(6) * m + c] = 0.0;
        for (Index k = islands.row_start[island]; k < islands.row_start[island + 1]; ++k)
            islands.add(k, islands.room[k], islands.response, islands.change);
        for (Index m = first; m < last; ++m) {
            const Index slot = islands.slot_of_member[m];
            if (slot < 0) continue;
            const double* d = islands.change + std::int64_t(6) * m;
            BodyPose pose = poses.of(islands, m);
            pose.move({d[0], d[1], d[2]}, {d[3], d[4], d[5]});
            double* x = position + std::int64_t(4) * slot;
            x[0] = periodic.inside(pose.position.x, 0);
            x[1] = periodic.inside(pose.position.y, 1);
            x[2] = periodic.inside(pose.position.z, 2);
            for (int c = 0; c < 4; ++c) orientation[std::int64_t(4) * slot + c] = pose.orientation[c];
        }
    }
};

/// Thread f: the angle and way of joint f, counted over whole turns and periods.
struct JointMemoryItem {
    IslandView islands;
    MemberPoses poses;
    JointMemory* memory;
    SCREE_HD void operator()(Index f) const {
        const JointFrames& frames = islands.frames[f];
        for (const Index m : frames.member)
            if (m >= 0 && islands.slot_of_member[m] < 0) return;
        const JointScalar scalar{ScalarKind::turn, f, 0, 0, 1.0};
        const PlacedFrame a = PlacedFrame::of(frames, 0, poses.of(islands, frames.member[0]));
        const PlacedFrame b = PlacedFrame::of(frames, 1, poses.of(islands, frames.member[1]));
        const Vector3<double> way = way_between(a, b, poses.periodic, memory[f]);
        memory[f].turn = scalar_value(scalar, a, b, poses.periodic, memory[f]);
        memory[f].way[0] = way.x;
        memory[f].way[1] = way.y;
        memory[f].way[2] = way.z;
    }
};

}  // namespace scree::kernels
