// SPDX-License-Identifier: BSD-3-Clause
// Motion of islands without contacts.
//
// With the velocity v of the middle of the step and J at its start, impulses J(q)^T lambda and constraints at the end,
//
//     M (v - v*) = J(q)^T lambda,   Phi(q + h v) = 0,
//
// are the SHAKE scheme: symplectic, of second order, without drift. The rotational part takes the spin from the
// implicit midpoint rule (motion/free_rotation.hpp) with the torques of the joints in the angular momentum. Newton's
// method with the matrix of the start; limits and bounded motors by an active set.
#pragma once

#include "kernels/joints/island_rows.hpp"

namespace scree::kernels {

/// Thread i: velocities and impulses of island i without contacts; they become its free velocities.
/// sums: [0] work of the joints' impulses [J]; [1] islands that fell back on linear rows.
template <class R>
struct IslandMotionItem {
    IslandView islands;
    MemberPoses poses;
    const double* inertia;  ///< Body axes, by slot.
    const double* wrench;   ///< null: none
    const R* velocity;      ///< Before the step.
    R* free_velocity;       ///< in: without joints, out: with them.
    R* inertia_rows;
    double* spin;    ///< Rows of four per member: spin in body axes, not used.
    double* motion;  ///< Rows of six per member: velocities of the trial.
    double step;

    static constexpr int most_iterations = 40;
    static constexpr int most_rounds = 8;
    static constexpr double rounding = 5e-15;  ///< Of positions, relative to the largest coordinate.

    /// The linear rows alone, for an estimate of the joints' forces.
    SCREE_HD void operator()(Index island) const {
        if (islands.row_start[island] != islands.row_start[island + 1]) linearise(island);
    }
    SCREE_HD void operator()(Index island, Accumulator<double, 2, 0>& acc) const {
        const Index begin = islands.row_start[island], end = islands.row_start[island + 1];
        if (begin == end) return;
        take_free(island);
        const double energy_before = kinetic(island);
        linearise(island);
        const double energy_of_rows = kinetic(island), turn_of_rows = largest_turn(island);
        move(island);
        bool settled = false;
        double last = 0.0;
        const double noise = rounding * extent(island) / step;
        for (int iteration = 0; iteration < most_iterations && !settled; ++iteration) {
            for (Index k = begin; k < end; ++k) islands.rate[k] = residual(k);
            const bool changed = islands.change_set(
                island, [&](Index k) { return islands.rate[k]; }, [&](Index) { return noise; },
                iteration > most_iterations / 2);
            double largest = 0.0;
            for (Index k = begin; k < end; ++k)
                if (takes_part(k)) largest = larger(largest, magnitude(islands.rate[k]));
            if (!(largest - largest == 0.0)) break;
            // Rounding keeps the last bits from settling: what no longer shrinks and is small against all lengths is
            // it.
            const double enough = iteration + 1 == most_iterations ? 1e7 * noise : 1e4 * noise;
            settled = !changed && (largest <= noise || (iteration > 2 && largest >= 0.5 * last && largest < enough));
            last = largest;
            if (settled) break;
            correct(island);
            move(island);
        }
        // Curvature changes velocities by about the angle of a step: anything else is the wrong one of several roots.
        const double slack = 0.01 * energy_before + 1e8 * noise * noise * mass_of(island);
        settled = settled && kinetic(island) <= 2.0 * energy_of_rows + slack &&
                  largest_turn(island) <= 0.3 + 1.5 * turn_of_rows;
        if (!settled) {
            fall_back(island);
            acc.sum[1] += 1.0;
        }
        acc.sum[0] += finish(island);
    }

private:
    [[nodiscard]] SCREE_HD static double magnitude(double x) { return x < 0.0 ? 0.0 - x : x; }
    [[nodiscard]] SCREE_HD bool takes_part(Index k) const {
        return islands.status[k] == RowStatus::free && islands.envelope.inverse_pivot[k] > 0.0;
    }

    /// Velocities of the members under the impulses lambda.
    SCREE_HD void move(Index island) const {
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m)
            for (int c = 0; c < 6; ++c) islands.change[std::int64_t(6) * m + c] = 0.0;
        for (Index k = islands.row_start[island]; k < islands.row_start[island + 1]; ++k)
            islands.add(k, islands.lambda[k], islands.jacobian, islands.change);
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const Index slot = islands.slot_of_member[m];
            double* v = motion + std::int64_t(6) * m;
            for (int c = 0; c < 6; ++c) v[c] = 0.0;
            if (slot < 0) continue;
            double p[6];
            for (int c = 0; c < 6; ++c) p[c] = islands.change[std::int64_t(6) * m + c];
            islands.respond(m, p, v);
            const R* f = free_velocity + std::int64_t(8) * slot;
            for (int c = 0; c < 3; ++c) v[c] += double(f[c]);
            // Of the torque, what a stiff body lets through.
            if (islands.mass[std::int64_t(MemberMass::size) * m + MemberMass::stiff] > 0.0) {
                double tensor[6];
                const R* row = inertia_rows + std::int64_t(InertiaRow::size) * slot + InertiaRow::tensor;
                for (int c = 0; c < 6; ++c) tensor[c] = double(row[c]);
                store(p + 3, times(tensor, Vector3<double>{v[3], v[4], v[5]}));
            }
            double body[6];
            for (int c = 0; c < 6; ++c) body[c] = inertia[std::int64_t(6) * slot + c];
            const Axes axes = Axes::of(poses.orientation + std::int64_t(4) * slot);
            const Vector3<double> momentum = momentum_of(slot, axes, body) + axes.to_body({p[3], p[4], p[5]});
            double* own = spin + std::int64_t(4) * m;
            const Vector3<double> w = midpoint_spin(body, momentum, step, {own[0], own[1], own[2]});
            store(own, w);
            store(v + 3, axes.to_world(w));
        }
    }

    [[nodiscard]] SCREE_HD Vector3<double> momentum_of(Index slot, const Axes& axes, const double (&body)[6]) const {
        const R* v = velocity + std::int64_t(8) * slot;
        Vector3<double> torque{0.0, 0.0, 0.0};
        if (wrench != nullptr) {
            const double* applied = wrench + std::int64_t(6) * slot;
            torque = axes.to_body({applied[3], applied[4], applied[5]});
        }
        return momentum_after(body, axes.to_body({double(v[4]), double(v[5]), double(v[6])}), step, torque);
    }

    [[nodiscard]] SCREE_HD double kinetic(Index island) const {
        double sum = 0.0;
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const Index slot = islands.slot_of_member[m];
            if (slot < 0) continue;
            const double* v = motion + std::int64_t(6) * m;
            const double* own = spin + std::int64_t(4) * m;
            const Vector3<double> w{own[0], own[1], own[2]};
            double body[6];
            for (int c = 0; c < 6; ++c) body[c] = inertia[std::int64_t(6) * slot + c];
            sum += 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / islands.inverse_mass(m) +
                   0.5 * dot(w, times(body, w));
        }
        return sum;
    }

    /// Of the trial's step [rad].
    [[nodiscard]] SCREE_HD double largest_turn(Index island) const {
        double largest = 0.0;
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const double* own = spin + std::int64_t(4) * m;
            if (islands.slot_of_member[m] >= 0)
                largest = larger(largest, own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
        }
        return step * square_root(largest);
    }

    /// Pose of a member at the end of the step of the trial.
    [[nodiscard]] SCREE_HD BodyPose end_pose(Index m) const {
        BodyPose pose = poses.of(islands, m);
        if (m < 0) return pose;
        if (islands.is_free_member(m)) {
            const double* v = motion + std::int64_t(6) * m;
            pose.move({step * v[0], step * v[1], step * v[2]}, {step * v[3], step * v[4], step * v[5]});
        } else {
            const R* v = velocity + std::int64_t(8) * islands.slot_of_member[m];
            pose.move({step * double(v[0]), step * double(v[1]), step * double(v[2])},
                      {step * double(v[4]), step * double(v[5]), step * double(v[6])});
        }
        return pose;
    }

    /// J v of the trial, fixed bodies that move included.
    [[nodiscard]] SCREE_HD double rate_of_trial(Index k) const {
        double sum = islands.rate_of(k, motion);
        for (Index b = islands.block_start[k]; b < islands.block_start[k + 1]; ++b) {
            const Index m = islands.block_member[b];
            if (m < islands.free_members) continue;
            const R* v = velocity + std::int64_t(8) * islands.slot_of_member[m];
            const double* j = islands.jacobian + std::int64_t(6) * b;
            for (int c = 0; c < 3; ++c) sum += j[c] * double(v[c]) + j[3 + c] * double(v[4 + c]);
        }
        return sum;
    }

    /// What row k misses, as a rate.
    [[nodiscard]] SCREE_HD double residual(Index k) const {
        const JointRow& row = islands.row[k];
        if (islands.status[k] == RowStatus::out) return 0.0;
        switch (row.role) {
            case RowRole::rigid:  // from where it is: drift is not made into speed, the projection takes it away
                return (end_value(k) - islands.bias[k]) / step;
            case RowRole::limit:
                return (end_value(k) - row.value) / step + given_way(k);
            case RowRole::position:
                return (end_value(k) - islands.drive[row.drive]) / step + given_way(k);
            case RowRole::spring:
                return rate_of_trial(k) + given_way(k) + islands.bias[k];
            case RowRole::speed:
                return rate_of_trial(k) + given_way(k) - islands.drive[row.drive];
            case RowRole::friction:
                return rate_of_trial(k) + given_way(k);
            case RowRole::force:
                return 0.0;
        }
        return 0.0;
    }
    /// C lambda
    [[nodiscard]] SCREE_HD double given_way(Index k) const { return islands.compliance[k] * islands.lambda[k]; }
    [[nodiscard]] SCREE_HD double end_value(Index k) const {
        return row_value(islands, k, poses.periodic, [&](Index m) { return end_pose(m); });
    }

    /// One step of Newton's method; impulses at their bounds stay there.
    SCREE_HD void correct(Index island) const {
        const Index begin = islands.row_start[island], end = islands.row_start[island + 1];
        for (Index k = begin; k < end; ++k) {
            // An impulse that has just reached its bound moves there first.
            const bool in_set = islands.status[k] == RowStatus::free;
            const double jump = in_set ? 0.0 : islands.bound_of(k) - islands.lambda[k];
            islands.room[k] = jump;
        }
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m)
            for (int c = 0; c < 6; ++c) islands.change[std::int64_t(6) * m + c] = 0.0;
        for (Index k = begin; k < end; ++k) islands.add(k, islands.room[k], islands.response, islands.change);
        for (Index k = begin; k < end; ++k) islands.lambda[k] += islands.room[k];
        for (Index k = begin; k < end; ++k)
            islands.room[k] =
                islands.status[k] == RowStatus::free ? 0.0 - islands.rate[k] - islands.rate_of(k, islands.change) : 0.0;
        islands.envelope.solve(begin, end, islands.room);
        for (Index k = begin; k < end; ++k) islands.lambda[k] += islands.room[k];
    }

    /// Where Newton's method along the rows of the start fails: the linear rows, then what is missing at the end of the
    /// step along the rows that hold there. That converges in one or two rounds whatever the masses, and loses energy.
    SCREE_HD void fall_back(Index island) const {
        linearise(island);
        const Index begin = islands.row_start[island], end = islands.row_start[island + 1];
        const double noise = rounding * extent(island) / step, energy_of_rows = 1.1 * kinetic(island);
        const auto is_rigid = [&](Index k) {
            return islands.row[k].role == RowRole::rigid && islands.status[k] != RowStatus::out;
        };
        const auto at_start = [&](Index m) { return poses.of(islands, m); };
        const auto at_end = [&](Index m) { return end_pose(m); };
        for (int round = 0; round < most_rounds; ++round) {
            double largest = 0.0;
            for (Index k = begin; k < end; ++k) {
                islands.room[k] = is_rigid(k) ? 0.0 - residual(k) : 0.0;
                largest = larger(largest, magnitude(islands.room[k]));
            }
            if (largest <= 1e2 * noise || !(largest - largest == 0.0)) break;
            place_rows(islands, island, poses.periodic, at_end, is_rigid);
            islands.envelope.factorise(begin, end, is_rigid);
            islands.envelope.solve(begin, end, islands.room);
            for (Index k = begin; k < end; ++k) {
                islands.lambda[k] += islands.room[k];
                islands.add(k, islands.room[k], islands.response, motion);
            }
        }
        set_spins(island);
        place_rows(islands, island, poses.periodic, at_start,
                   [&](Index k) { return islands.status[k] != RowStatus::out; });
        islands.factorise(island);
        // Rows that cannot be closed from here: the linear ones alone gain nothing, the projection closes what it can.
        const double slack = 1e8 * noise * noise * mass_of(island);
        const double after = kinetic(island);
        if (!(after <= energy_of_rows + slack)) linearise(island);
    }

    /// Linear rows, solved once: the start of Newton's method.
    SCREE_HD void linearise(Index island) const {
        const Index begin = islands.row_start[island], end = islands.row_start[island + 1];
        for (Index k = begin; k < end; ++k) {
            const RowRole role = islands.row[k].role;
            islands.rate[k] = 0.0;
            if (islands.status[k] == RowStatus::out) continue;
            const bool held = role == RowRole::limit || role == RowRole::force;
            islands.status[k] = held ? RowStatus::at_lower : RowStatus::free;
        }
        // Bounds that are passed hold from the next round on: then all impulses are those of one set.
        bool changed = true;
        for (int round = 0; changed && round < most_rounds; ++round) {
            islands.factorise(island);
            take_free(island);
            for (Index k = begin; k < end; ++k) {
                islands.lambda[k] = islands.bound_of(k);
                islands.add(k, islands.lambda[k], islands.response, motion);
            }
            for (Index k = begin; k < end; ++k)
                islands.room[k] =
                    islands.status[k] == RowStatus::free ? 0.0 - rate_of_trial(k) - linear_offset(k) : 0.0;
            islands.envelope.solve(begin, end, islands.room);
            changed = false;
            for (Index k = begin; k < end && round + 1 < most_rounds; ++k) {
                if (!IslandView::bounded(islands.row[k].role) || islands.status[k] != RowStatus::free) continue;
                if (islands.room[k] < islands.lower[k]) islands.status[k] = RowStatus::at_lower;
                if (islands.room[k] > islands.upper[k]) islands.status[k] = RowStatus::at_upper;
                changed = changed || islands.status[k] != RowStatus::free;
            }
        }
        for (Index k = begin; k < end; ++k) {
            islands.lambda[k] += islands.room[k];
            islands.add(k, islands.room[k], islands.response, motion);
        }
        set_spins(island);
    }
    /// The trial is the motion without joints.
    SCREE_HD void take_free(Index island) const {
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const Index slot = islands.slot_of_member[m];
            double* v = motion + std::int64_t(6) * m;
            for (int c = 0; c < 6; ++c) v[c] = 0.0;
            if (slot < 0) continue;
            const R* f = free_velocity + std::int64_t(8) * slot;
            for (int c = 0; c < 3; ++c) {
                v[c] = double(f[c]);
                v[3 + c] = double(f[4 + c]);
            }
        }
        set_spins(island);
    }
    SCREE_HD void set_spins(Index island) const {
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const Index slot = islands.slot_of_member[m];
            if (slot < 0) continue;
            const double* v = motion + std::int64_t(6) * m;
            store(spin + std::int64_t(4) * m,
                  Axes::of(poses.orientation + std::int64_t(4) * slot).to_body({v[3], v[4], v[5]}));
        }
    }
    [[nodiscard]] SCREE_HD double mass_of(Index island) const {
        double sum = 0.0;
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m)
            if (islands.slot_of_member[m] >= 0) sum += 1.0 / islands.inverse_mass(m);
        return sum;
    }
    /// What row k asks beside J v, from the poses at the start.
    [[nodiscard]] SCREE_HD double linear_offset(Index k) const {
        const JointRow& row = islands.row[k];
        const auto now = [&] {
            return row_value(islands, k, poses.periodic, [&](Index m) { return poses.of(islands, m); });
        };
        switch (row.role) {
            case RowRole::rigid:
                return 0.0;
            case RowRole::position:
                return (now() - islands.drive[row.drive]) / step;
            case RowRole::speed:
                return 0.0 - islands.drive[row.drive];
            default:
                return islands.bias[k];
        }
    }

    /// Hands the motion on; returns the work of the joints.
    SCREE_HD double finish(Index island) const {
        for (Index k = islands.row_start[island]; k < islands.row_start[island + 1]; ++k) {
            islands.base[k] = islands.lambda[k];
            if (islands.status[k] == RowStatus::free) islands.rate[k] = 0.0;
        }
        double work = 0.0;
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const Index slot = islands.slot_of_member[m];
            if (slot < 0) continue;
            R* f = free_velocity + std::int64_t(8) * slot;
            const double* v = motion + std::int64_t(6) * m;
            const double mass = 1.0 / islands.inverse_mass(m);
            double body[6];
            for (int c = 0; c < 6; ++c) body[c] = inertia[std::int64_t(6) * slot + c];
            const Axes axes = Axes::of(poses.orientation + std::int64_t(4) * slot);
            const Vector3<double> before = axes.to_body({double(f[4]), double(f[5]), double(f[6])});
            const double* own = spin + std::int64_t(4) * m;
            const Vector3<double> after{own[0], own[1], own[2]};
            work += 0.5 * (dot(after, times(body, after)) - dot(before, times(body, before)));
            for (int c = 0; c < 3; ++c) {
                work += 0.5 * mass * (v[c] * v[c] - double(f[c]) * double(f[c]));
                f[c] = R(v[c]);
                f[4 + c] = R(v[3 + c]);
            }
            store_inertia(body, axes, after, step, inertia_rows + std::int64_t(InertiaRow::size) * slot);
        }
        return work;
    }

    /// Largest of 1 and the members' coordinates [m]: what rounding of positions is relative to.
    [[nodiscard]] SCREE_HD double extent(Index island) const {
        double largest = 1.0;
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            if (islands.slot_of_member[m] < 0) continue;
            const Vector3<double> x = center_of(poses.position, islands.slot_of_member[m]);
            largest = larger(largest, larger(magnitude(x.x), larger(magnitude(x.y), magnitude(x.z))));
        }
        return largest;
    }

    SCREE_HD static void store(double* to, Vector3<double> v) {
        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
    }
};

}  // namespace scree::kernels
