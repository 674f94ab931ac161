// SPDX-License-Identifier: BSD-3-Clause
// The last word on a step's motion: no body passes another, or a wall, however fast it turns after an impact.
//
// Contact rows are linear in the motion. A rod that hits a plate with one end turns by radians within the step, and its
// other end comes out behind the plate. Such a body makes only the part of its motion up to where it touches; for the
// rest of the step it is carried by what it touches, and the next step finds it at the wall. Its velocity stays, unless
// a wall holds it again in the next step (LandItem). Of two bodies the lighter one is held. Pairs that move less than
// half of what is thin about them are not looked at, and bodies that joints hold are not held back.
#pragma once

#include "kernels/collide/pair_sweep.hpp"
#include "kernels/motion/motion_items.hpp"

#include <bit>

namespace scree::kernels {

/// Who holds a body back, and for how long: the larger of two is that which holds longer, or the first of equals.
struct Hold {
    SCREE_HD static std::uint64_t of(float lost, Index pair) {
        return std::uint64_t(std::bit_cast<std::uint32_t>(lost)) << 32 | (0xffffffffu - std::uint32_t(pair));
    }
    /// Share of the step's end.
    [[nodiscard]] SCREE_HD static double lost(std::uint64_t hold) {
        return double(std::bit_cast<float>(std::uint32_t(hold >> 32)));
    }
    [[nodiscard]] SCREE_HD static Index pair(std::uint64_t hold) {
        return Index(0xffffffffu - std::uint32_t(hold & 0xffffffffu));
    }
};

/// What bodies do in a step after its solve, rows of eight.
struct SolvedMotion {
    const double* rows;

    static constexpr int size = 8, inverse_mass_field = 6, free_field = 7;

    [[nodiscard]] SCREE_HD const double* row_of(Index body) const { return rows + std::int64_t(size) * body; }
    [[nodiscard]] SCREE_HD Vector3d way(Index body) const {  // [m]
        const double* row = row_of(body);
        return {row[0], row[1], row[2]};
    }
    [[nodiscard]] SCREE_HD Vector3d turn(Index body) const {  // [rad]
        const double* row = row_of(body);
        return {row[3], row[4], row[5]};
    }
    [[nodiscard]] SCREE_HD double inverse_mass(Index body) const { return row_of(body)[inverse_mass_field]; }
    /// The inverse mass of a body that may be held back, else 0: joints hold the others.
    [[nodiscard]] SCREE_HD double free_inverse_mass(Index body) const {
        return row_of(body)[inverse_mass_field] * row_of(body)[free_field];
    }
};

/// Thread i: row i of SolvedMotion. A pass of its own, so that the looks at pairs, whose code is long, need not be
/// compiled once per kind of row.
template <class R, int W, RowKind K>
struct SolvedMotionItem {
    ConeProblem<R, W> problem;
    const R* g;
    const R* delay;  ///< null: no impulse acts late.
    const R* velocity;
    double step;
    double* rows;

    SCREE_HD void operator()(Index i) const {
        const LateMotion late = delay != nullptr ? late_motion<K>(problem, g, delay, i) : LateMotion{};
        const R* v = velocity + std::int64_t(8) * i;
        const Vector3d way = late.way_made(v, step), turn = late.turn_made(v, step);
        const double row[SolvedMotion::size] = {way.x,
                                                way.y,
                                                way.z,
                                                turn.x,
                                                turn.y,
                                                turn.z,
                                                double(problem.inverse_mass[2 * std::int64_t(i)]),
                                                problem.islands.holds(i) ? 0.0 : 1.0};
        for (int k = 0; k < SolvedMotion::size; ++k) rows[std::int64_t(SolvedMotion::size) * i + k] = row[k];
    }
};

/// The pairs of a step and the motions that the solve left their bodies.
struct SolvedPairs {
    PartSearch search;
    SolvedMotion motion;
    const double* position;
    const Index* finder;
    const Index* partner;
    const float* axis;  ///< Separating directions of the pairs.
    double step;

    [[nodiscard]] SCREE_HD Vector3d direction_of(Index k) const {
        const float* a = axis + std::int64_t(3) * k;
        return {double(a[0]), double(a[1]), double(a[2])};
    }
    [[nodiscard]] SCREE_HD PairSweep moving_pair(Index k) const {
        PairSweep pair(search, finder[k], partner[k], position);
        const Index own = search.parts[finder[k]].body;
        pair.move(motion.way(own), motion.turn(own));
        if (partner[k] < 0) {
            pair.move_wall(step);
        } else {
            const Index other = search.parts[partner[k]].body;
            pair.move_other(motion.way(other), motion.turn(other));
        }
        return pair;
    }
};

/// Thread k: pair k. Raises holds[body] where the pair would pass. sums: [0] pairs that hold a body back.
struct HoldBackItem {
    SolvedPairs solved;
    std::uint64_t* holds;  ///< See Hold; [bodies], 0 before.

    static constexpr double fast = 0.5;      ///< Motion per thinness from which a pair is looked at.
    static constexpr double overlap = 0.25;  ///< Overlap per thinness that is let be.
    static constexpr int most_looks = 256;

    SCREE_HD void operator()(Index k, Accumulator<double, 1, 0>& acc) const {
        const Index p = solved.finder[k], j = solved.partner[k];
        const double least = fast * thinness_of(solved.search, p, j);
        if (!(most_approach(p, j) > least)) return;
        const Index held = who_gives_way(k);
        if (held < 0) return;

        const PairSweep pair = solved.moving_pair(k);
        Vector3d direction = solved.direction_of(k);
        WallContacts found;
        const double depth = pair.depth_at_start(direction, found);
        // What overlaps more already may not sink further, but for what keeps the advance going.
        const double finest = 0.1 * overlap * pair.thinness;
        const double allowance = larger(depth, overlap * pair.thinness) + finest;
        const Sweep sweep = advance_to_touch(
            [&](double share) {
                pair.contacts_at(share, direction, found);
                return pair.look(found, share, allowance - 0.25 * finest);
            },
            0.5 * finest - allowance, most_looks);
        if (!sweep.touches && sweep.share >= 1.0) return;
        acc.sum[0] += 1.0;
        raise_to(holds + held, Hold::of(float(1.0 - sweep.share), k));
    }

private:
    /// The body that is held back where the pair would pass; -1: none may be.
    [[nodiscard]] SCREE_HD Index who_gives_way(Index k) const {
        const Index own = solved.search.parts[solved.finder[k]].body, j = solved.partner[k];
        const double of_own = solved.motion.free_inverse_mass(own);
        if (j < 0) {
            const bool there =
                solved.search.view.boundaries.poses[solved.search.view.boundaries.parts[-1 - j].boundary].active != 0;
            return of_own > 0.0 && there ? own : -1;
        }
        const Index other = solved.search.parts[j].body;
        const double of_other = solved.motion.free_inverse_mass(other);
        if (!(of_own > 0.0) && !(of_other > 0.0)) return -1;
        if (of_own == of_other) return solved.search.id[own] > solved.search.id[other] ? own : other;
        return of_own > of_other ? own : other;
    }
    /// Bound on how much nearer the surfaces come in the step [m].
    [[nodiscard]] SCREE_HD double most_approach(Index p, Index j) const {
        const Index own = solved.search.parts[p].body;
        Vector3d way = solved.motion.way(own);
        double turning = most_turning(own);
        if (j >= 0) {
            const Index other = solved.search.parts[j].body;
            way = way - solved.motion.way(other);
            turning += most_turning(other);
        } else {
            const BoundaryView& boundaries = solved.search.view.boundaries;
            const BoundaryPose& pose = boundaries.poses[boundaries.parts[-1 - j].boundary];
            if (pose.moving != 0) {
                way = way - solved.step * velocity_at(pose, center_of(solved.position, own));
                turning += radius_of(solved.position, own) * solved.step * norm(vector_of(pose.angular_velocity));
            }
        }
        return norm(way) + turning;
    }
    [[nodiscard]] SCREE_HD double most_turning(Index body) const {
        return radius_of(solved.position, body) * norm(solved.motion.turn(body));
    }
};

/// Thread i: what of its motion body i leaves out, a row of six [m, rad] (see AdvanceItem).
struct LeftOutItem {
    SolvedPairs solved;
    const std::uint64_t* holds;
    double* left_out;
    SCREE_HD void operator()(Index i) const {
        double* row = left_out + std::int64_t(6) * i;
        for (int k = 0; k < 6; ++k) row[k] = 0.0;
        if (holds[i] == 0) return;
        const double lost = Hold::lost(holds[i]), share = 1.0 - lost;
        const Index k = Hold::pair(holds[i]);
        const PairSweep pair = solved.moving_pair(k);
        const bool finds = solved.search.parts[solved.finder[k]].body == i;
        const RigidMotion &own = finds ? pair.motion : pair.other, &carrier = finds ? pair.other : pair.motion;
        // Its place at the touch, carried on from there.
        const Vector3d rest = lost * carrier.turn;
        const Vector3d end = carrier.center_at(1.0) + turned(own.center_at(share) - carrier.center_at(share), rest);
        const Vector3d way = own.center_at(1.0) - end, turn = lost * own.turn - rest;
        row[0] = way.x;
        row[1] = way.y;
        row[2] = way.z;
        row[3] = turn.x;
        row[4] = turn.y;
        row[5] = turn.z;
    }
};

/// Thread i, after LeftOutItem: a body that a wall or a fixed body holds loses the speed at which it runs into it
/// there, by plastic impulses without friction. Else it would press on for many steps, and neighbours press it through.
template <class R>
struct LandItem {
    SolvedPairs solved;
    const std::uint64_t* holds;
    const double* orientation;
    const double* inertia;  ///< Rows of six, body axes.
    R* velocity;
    double* left_out;  ///< Grows by what the lost speed would have made: the body stays where it is held.

    SCREE_HD void operator()(Index i) const {
        if (holds[i] == 0) return;
        const double share = 1.0 - Hold::lost(holds[i]);
        const Index k = Hold::pair(holds[i]), p = solved.finder[k], j = solved.partner[k];
        const bool finds = solved.search.parts[p].body == i;
        if (j >= 0) {
            const Index holder = solved.search.parts[finds ? j : p].body;
            if (solved.motion.inverse_mass(holder) > 0.0) return;
        }
        const PairSweep pair = solved.moving_pair(k);
        const double sign = finds ? 1.0 : -1.0;
        constexpr int sweeps = 16;
        Vector3d direction = solved.direction_of(k);
        WallContacts found;
        // A first touch is left to the next solve, which knows it; who is still held then is pressed on.
        const double depth = pair.depth_at_start(direction, found);
        if (depth < 0.5 * HoldBackItem::overlap * pair.thinness) return;
        pair.contacts_at(share, direction, found);
        const RigidMotion &own = sign > 0.0 ? pair.motion : pair.other,
                          &carrier = sign > 0.0 ? pair.other : pair.motion;
        double least = 1e300;
        for (int n = 0; n < found.count; ++n) least = smaller(least, found.point[n].gap);
        R* v = velocity + std::int64_t(8) * i;
        Vector3d u{double(v[0]), double(v[1]), double(v[2])}, w{double(v[4]), double(v[5]), double(v[6])};
        const double inverse_mass = solved.motion.inverse_mass(i);
        // The inertia where it touches, which slender bodies have turned to since the middle of the free motion.
        double tensor[6], of_body[6], inverse[6];
        for (int f = 0; f < 6; ++f) tensor[f] = inertia[std::int64_t(6) * i + f];
        invert(tensor, of_body);
        const Axes start = Axes::of(orientation + std::int64_t(4) * i);
        const Vector3d turn = share * own.turn;
        Axes{turned(start.x, turn), turned(start.y, turn), turned(start.z, turn)}.turn(of_body, inverse);
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (int n = 0; n < found.count; ++n) {
                if (found.point[n].gap > least + 0.1 * pair.thinness) continue;
                const Vector3d into = sign * found.normal[n], place = found.point[n].point;
                const Vector3d arm = place - own.center_at(share);
                const Vector3d carried =
                    (1.0 / solved.step) * (carrier.way + cross(carrier.turn, place - carrier.center_at(share)));
                const double approach = dot(u + cross(w, arm) - carried, into);
                if (!(approach > 0.0)) continue;
                const Vector3d lever = cross(arm, into), turned_lever = times(inverse, lever);
                const double impulse = approach / (inverse_mass + dot(lever, turned_lever));
                u = u - (impulse * inverse_mass) * into;
                w = w - impulse * turned_lever;
            }
        const double after[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
        for (int f = 0; f < 6; ++f)
            left_out[std::int64_t(6) * i + f] += solved.step * (double(R(after[f])) - double(v[f + f / 3]));
        v[0] = R(u.x);
        v[1] = R(u.y);
        v[2] = R(u.z);
        v[4] = R(w.x);
        v[5] = R(w.y);
        v[6] = R(w.z);
    }
};

}  // namespace scree::kernels
