// SPDX-License-Identifier: BSD-3-Clause
// Masses of bodies that joints hold.
//
// The force of a joint turns with the body: a link under tension f at the arm r is a pendulum of stiffness f r.
// Impulses along the rows of a step's start take that force as constant over the step, which is stable while the step
// resolves the link's swing, h < 2 / omega. Light links between heavy bodies swing faster. There the direction of the
// force is taken from the mean of three steps' poses, q + h (v+ - v-) / 4, as Newmark's scheme of constant mean
// acceleration does; to first order that adds h^2 / 4 times the stiffness to the mass which impulses see. It changes no
// body at rest.
#pragma once

#include "kernels/joints/island_view.hpp"
#include "kernels/motion/free_rotation.hpp"

namespace scree::kernels {

/// Poses of members, now or at the end of the step.
struct MemberPoses {
    const double* position;
    const double* orientation;
    Periodic periodic;
    /// The ground for member -1.
    [[nodiscard]] SCREE_HD BodyPose of(const IslandView& islands, Index member) const {
        if (member < 0) return {};
        return BodyPose::of(position, orientation, islands.slot_of_member[member]);
    }
};

/// Thread m: what impulses see of member m at the orientation in which they act, the middle of the free motion.
/// sums: [0] members whose joints make them stiff.
template <class R>
struct MemberMassItem {
    IslandView islands;
    MemberPoses poses;
    const double* inertia;
    const R* inverse_mass;
    const R* free_velocity;
    double step;
    bool with_stiffness;  ///< By the impulses `lambda` of an estimate and those of the last steps.

    // (omega h / 2)^2 from which stiffness counts, and from which it counts in full. At 1 a step is unstable.
    static constexpr double first_share = 0.1, full_share = 0.3;

    SCREE_HD void operator()(Index m, Accumulator<double, 1, 0>& acc) const {
        double* row = islands.mass + std::int64_t(MemberMass::size) * m;
        for (int k = 0; k < MemberMass::size; ++k) row[k] = 0.0;
        const Index slot = islands.slot_of_member[m];
        if (slot < 0 || !(inverse_mass[2 * std::int64_t(slot)] > R(0))) return;
        const double inverse = double(inverse_mass[2 * std::int64_t(slot)]);
        const R* v = free_velocity + std::int64_t(8) * slot;
        double body[6], tensor[6];
        for (int k = 0; k < 6; ++k) body[k] = inertia[std::int64_t(6) * slot + k];
        const Axes axes = Axes::of(poses.orientation + std::int64_t(4) * slot);
        middle_axes(axes, axes.to_body({double(v[4]), double(v[5]), double(v[6])}), step).turn(body, tensor);
        double mass[6] = {1.0 / inverse, 1.0 / inverse, 1.0 / inverse, 0.0, 0.0, 0.0};
        double swing[6] = {}, pull[6] = {};
        if (with_stiffness) add_stiffness(m, swing, pull);
        const double least = smaller(body[0], smaller(body[1], body[2]));  // of the moments, roughly
        const bool turns = stiffen(tensor, swing, least), moves = stiffen(mass, pull, 1.0 / inverse);
        row[MemberMass::inverse] = inverse;
        row[MemberMass::stiff] = turns || moves ? 1.0 : 0.0;
        acc.sum[0] += row[MemberMass::stiff];
        double inverted[6];
        invert(mass, inverted);
        for (int k = 0; k < 6; ++k) row[MemberMass::linear + k] = inverted[k];
        invert(tensor, inverted);
        for (int k = 0; k < 6; ++k) row[MemberMass::angular + k] = inverted[k];
    }

private:
    /// h^2 / 4 times the stiffness against turns and ways, by the forces of the joints.
    SCREE_HD void add_stiffness(Index m, double (&swing)[6], double (&pull)[6]) const {
        Index first = islands.member_block_start[m];
        const Index last = islands.member_block_start[m + 1];
        while (first < last) {
            // The blocks of one joint are one force.
            const Index joint = scalar_of(islands.member_block[first]).joint;
            Vector3<double> force{0.0, 0.0, 0.0};
            double tension = 0.0;
            int side = 0;
            Index at = first;
            for (; at < last && scalar_of(islands.member_block[at]).joint == joint; ++at) {
                const Index block = islands.member_block[at], k = islands.block_row[block];
                // Contacts load joints, too. But a blow lasts one step: what acts now is what two steps agree on.
                const double now = islands.last[k], then = islands.before[k];
                double lasting = now * then <= 0.0 ? 0.0 : now > 0.0 ? smaller(now, then) : larger(now, then);
                if (lasting * lasting < islands.lambda[k] * islands.lambda[k]) lasting = islands.lambda[k];
                const double* j = islands.jacobian + std::int64_t(6) * block;
                force += (lasting / step) * Vector3<double>{j[0], j[1], j[2]};
                side = (block - islands.block_start[k]) % 2;
                if (scalar_of(block).kind == ScalarKind::distance) tension -= scalar_of(block).weight * lasting / step;
            }
            first = at;
            const JointFrames& frames = islands.frames[joint];
            for (const Index other : frames.member)
                if (other >= 0 && islands.slot_of_member[other] < 0) return;
            const Vector3<double> arm = PlacedFrame::of(frames, side, poses.of(islands, frames.member[side])).arm;
            add_across(0.25 * step * step * dot(force, arm), arm, swing);
            if (!(tension > 0.0)) continue;
            const Vector3<double> way = way_between(PlacedFrame::of(frames, 0, poses.of(islands, frames.member[0])),
                                                    PlacedFrame::of(frames, 1, poses.of(islands, frames.member[1])),
                                                    poses.periodic, islands.memory[joint]);
            // Both ends may move: twice the stiffness of one.
            const double length = norm(way);
            if (length > 0.0) add_across(0.5 * step * step * tension / length, way, pull);
        }
    }
    [[nodiscard]] SCREE_HD const JointScalar& scalar_of(Index block) const {
        const Index k = islands.block_row[block];
        return islands.row[k].scalar[(block - islands.block_start[k]) / 2];
    }
    /// s += weight (1 - u u^T), u along `axis`; nothing for a weight that pushes.
    SCREE_HD static void add_across(double weight, Vector3<double> axis, double (&s)[6]) {
        const double squared = dot(axis, axis);
        if (!(weight > 0.0) || !(squared > 0.0)) return;
        const double share = weight / squared;
        const double add[6] = {weight - share * axis.x * axis.x, weight - share * axis.y * axis.y,
                               weight - share * axis.z * axis.z, 0.0 - share * axis.x * axis.y,
                               0.0 - share * axis.x * axis.z,    0.0 - share * axis.y * axis.z};
        for (int k = 0; k < 6; ++k) s[k] += add[k];
    }
    /// mass += the stiffness, where it counts against `least`.
    SCREE_HD static bool stiffen(double (&mass)[6], const double (&stiffness)[6], double least) {
        const double ratio = larger(stiffness[0], larger(stiffness[1], stiffness[2])) / least;
        if (!(ratio > first_share)) return false;
        const double share = smaller(1.0, (ratio - first_share) / (full_share - first_share));
        for (int k = 0; k < 6; ++k) mass[k] += share * stiffness[k];
        return true;
    }
};

}  // namespace scree::kernels
