// SPDX-License-Identifier: BSD-3-Clause
// Thread bodies of the limit on rebounds (impact_limit.hpp).
#pragma once

#include "kernels/cone/cone_problem.hpp"
#include "kernels/items/boundary_shapes.hpp"
#include "kernels/items/convex_shape.hpp"
#include "kernels/motion/motion_items.hpp"
#include "kernels/step/clusters.hpp"

#include <limits>

namespace scree::kernels {

/// What one contact did in a solve.
struct JudgedWork {
    double work = 0.0;   ///< [J], see WorkView
    double doubt = 0.0;  ///< What of it the residual of the solve and rounding may be [J].
};

/// Impulses and the velocities that go with them.
template <class R>
struct SolvedImpulses {
    const R* g = nullptr;
    const R* m = nullptr;  ///< null without rolling rows
    const R* velocity = nullptr;
};

template <class R>
SCREE_HD Vector3d as_double(Vector3<R> v) {
    return {double(v.x), double(v.y), double(v.z)};
}

/// The work of contacts, in relative velocities, so that what moving walls and prescribed bodies do is not among it.
/// The energy of the scheme, v^2/2 - f . x + h f . v / 2 per mass under a constant force f, is kept by free motion; an
/// impulse gamma that acts tau after the start of the step changes it by
///     gamma . (u* + u+) / 2 - (h/2 - tau) gamma . (f_B - f_A) .
/// What springs of overlaps and their push-out give back, gamma_n (-b - E gamma_n), is not counted.
template <class R, int W, RowKind K>
struct WorkView {
    ConeProblem<R, W> problem;
    const R* delay;        ///< Per contact [s], or push_out_mark.
    double gravity[3];     ///< [m/s^2]
    const double* wrench;  ///< Rows of six: constant force and torque on bodies; null: none.
    double step;
    double residual;  ///< Of the solve, the largest of a contact [m/s].

    [[nodiscard]] SCREE_HD Vector3d pull_on(Index row) const {
        if (!moves(row)) return {0.0, 0.0, 0.0};
        Vector3d f{gravity[0], gravity[1], gravity[2]};
        if (wrench == nullptr) return f;
        const double* force = wrench + std::int64_t(6) * row;
        return f + double(problem.inverse_mass[2 * std::int64_t(row)]) * Vector3d{force[0], force[1], force[2]};
    }
    /// Whether a row of velocities is that of a body that impulses move.
    [[nodiscard]] SCREE_HD bool moves(Index row) const {
        return row < problem.bodies && problem.inverse_mass[2 * std::int64_t(row)] > R(0);
    }
    [[nodiscard]] SCREE_HD bool joins(Index c) const { return moves(problem.body_a[c]) && moves(problem.body_b[c]); }
    /// A body that contact c moves.
    [[nodiscard]] SCREE_HD Index moved_by(Index c) const {
        return moves(problem.body_b[c]) ? problem.body_b[c] : problem.body_a[c];
    }
    [[nodiscard]] SCREE_HD static bool loaded(const R* g, Index c) {
        return g[tiled<W, 3>(c, 0)] != R(0) || g[tiled<W, 3>(c, 1)] != R(0) || g[tiled<W, 3>(c, 2)] != R(0);
    }
    [[nodiscard]] SCREE_HD RelativeVelocity<R> relative(const R* velocity, Index c, const KindRow<R, K>& row,
                                                        double& speed) const {
        R a[8], b[8];
        RowsOfEight<R>::gather(velocity, problem.body_a + c, a);
        RowsOfEight<R>::gather(velocity, problem.body_b + c, b);
        speed +=
            double(norm(Vector3<R>{a[0], a[1], a[2]}) + norm(Vector3<R>{b[0], b[1], b[2]}) +
                   row.lever_a * norm(Vector3<R>{a[4], a[5], a[6]}) + row.lever_b * norm(Vector3<R>{b[4], b[5], b[6]}));
        return relative_velocity(row, a, b);
    }
    [[nodiscard]] SCREE_HD JudgedWork of(Index c, const SolvedImpulses<R>& solved) const {
        if (!loaded(solved.g, c)) return {};
        const KindRow<R, K> row = load_kind_row<R, K>(problem, c);
        double speed = 0.0;
        const RelativeVelocity<R> free = relative(problem.free_velocity, c, row, speed),
                                  after = relative(solved.velocity, c, row, speed);
        const Vector3<R> impulse = load_vector<R, W>(solved.g, c);
        const Vector3d gamma = as_double(impulse), n = as_double(row.n);
        double work = 0.5 * dot(gamma, as_double(free.u) + as_double(after.u));
        double size = norm(gamma);
        if constexpr (has_rolling<K>) {
            const Vector3d moment = as_double(load_vector<R, W>(solved.m, c));
            work += 0.5 * dot(moment, as_double(free.w) + as_double(after.w));
            if (row.lever_a > R(0)) size += norm(moment) / double(row.lever_a);
        }
        const Vector3d late = late_impulse<K>(problem, solved.g, delay, c);
        work -= dot(0.5 * step * gamma - late, pull_on(problem.body_b[c]) - pull_on(problem.body_a[c]));
        if (row.compliance > R(0) || delay[c] < R(0)) {  // impacts are neither
            const double normal = larger(dot(gamma, n), 0.0);
            work -= normal * larger(0.0 - double(row.bias) - double(row.compliance) * normal, 0.0);
        }
        const double rounding = 8.0 * double(std::numeric_limits<R>::epsilon()) * speed;
        return {work, size * (residual + rounding)};
    }
};

/// works[c]: what each contact did. sums: [0] contacts whose work is positive.
template <class R, int W, RowKind K>
struct GainItem {
    WorkView<R, W, K> view;
    SolvedImpulses<R> solved;
    JudgedWork* works;
    SCREE_HD void operator()(Index c, Accumulator<double, 1, 0>& acc) const {
        const JudgedWork found = works[c] = view.of(c, solved);
        if (found.work > found.doubt) acc.sum[0] += 1.0;
    }
};

/// sums: [0] contacts with an impulse, in g or in other_g, whose ends were in different clusters.
template <class R, int W, RowKind K>
struct ConnectItem {
    WorkView<R, W, K> view;
    const R* g;
    const R* other_g;  ///< null: none
    ClusterLabels labels;
    SCREE_HD void operator()(Index c, Accumulator<double, 1, 0>& acc) const {
        if (!view.joins(c) || !(view.loaded(g, c) || (other_g != nullptr && view.loaded(other_g, c)))) return;
        if (labels.connect(view.problem.body_a[c], view.problem.body_b[c])) acc.sum[0] += 1.0;
    }
};
/// The same for the bodies of an island of joints. Thread = island.
struct ConnectIslandItem {
    IslandView islands;
    ClusterLabels labels;
    SCREE_HD void operator()(Index island, Accumulator<double, 1, 0>& acc) const {
        Index first = -1;
        for (Index m = islands.member_start[island]; m < islands.member_start[island + 1]; ++m) {
            const Index slot = islands.slot_of_member[m];
            if (!islands.is_free_member(m) || slot < 0) continue;
            if (first < 0)
                first = slot;
            else if (labels.connect(first, slot))
                acc.sum[0] += 1.0;
        }
    }
};
/// Rebounds as the rows have them, and as they were before some were taken out.
template <class R, int W>
struct Rebounds {
    R* rows;
    R* rebound;           ///< Per contact [m/s], or no_impact.
    R* offset;            ///< Tiled, 3 fields; null when no pair rebounds tangentially.
    R *bias, *of_impact;  ///< Per contact: bias and rebound with all rebounds.
    R* offset_of_impact;  ///< Tiled, 3 fields, likewise; null as offset is.

    /// Whether the rows of contact c have a rebound.
    [[nodiscard]] SCREE_HD bool any(Index c) const {
        if (rebound[c] > R(0)) return true;
        if (offset == nullptr) return false;
        const Vector3<R> tangential = load_vector<R, W>(offset, c);
        return tangential.x != R(0) || tangential.y != R(0) || tangential.z != R(0);
    }
    SCREE_HD void keep(Index c) const {
        bias[c] = rows[tiled<W, RowField::count>(c, RowField::bias)];
        of_impact[c] = rebound[c];
        if (offset != nullptr) store_vector<W>(offset_of_impact, c, load_vector<R, W>(offset, c));
    }
    /// The share s of the rebound; none of it is marked as such.
    SCREE_HD void set(Index c, R s) const {
        const R whole = larger(of_impact[c], R(0));
        rows[tiled<W, RowField::count>(c, RowField::bias)] = bias[c] + (R(1) - s) * whole;
        rebound[c] = s * whole;
        if (offset != nullptr) store_vector<W>(offset, c, s * load_vector<R, W>(offset_of_impact, c));
    }
};
template <class R, int W>
struct KeepReboundItem {
    Rebounds<R, W> rebounds;
    Index* taken;  ///< Whether the rebound of a contact was taken out.
    SCREE_HD void operator()(Index c) const {
        rebounds.keep(c);
        taken[c] = 0;
    }
};
/// Of a cluster, at its root; zeros elsewhere.
struct ClusterEnergy {
    double work = 0.0;  ///< [J]
    double gain = 0.0;  ///< The work where it is positive beyond doubt and the cluster rebounds.
};
/// Takes the rebounds of clusters that won out of the rows.
template <class R, int W, RowKind K>
struct TakeReboundItem {
    WorkView<R, W, K> view;
    Rebounds<R, W> rebounds;
    const Index* label;
    const ClusterEnergy* energy;
    Index* taken;
    SCREE_HD void operator()(Index c) const {
        if (!rebounds.any(c) || !(energy[label[view.moved_by(c)]].gain > 0.0)) return;
        rebounds.set(c, R(0));
        taken[c] = 1;
    }
};

/// Work and doubt of the clusters: once to find the largest part, once to add.
template <class R, int W, RowKind K>
struct ClusterWorkItem {
    WorkView<R, W, K> view;
    const JudgedWork* works;  ///< See GainItem.
    const Index* label;
    ClusterSums<2> sums;
    bool adds;
    SCREE_HD void operator()(Index c) const {
        const JudgedWork found = works[c];
        if (found.work == 0.0 && found.doubt == 0.0) return;
        const double values[2] = {found.work, found.doubt};
        const Index root = label[view.moved_by(c)];
        if (adds)
            sums.add(root, values);
        else
            sums.measure(root, values);
    }
};
/// rebounding[root] = 1 for clusters with a contact that rebounds.
template <class R, int W, RowKind K>
struct ReboundingItem {
    WorkView<R, W, K> view;
    Rebounds<R, W> rebounds;
    const Index* label;
    float* rebounding;
    SCREE_HD void operator()(Index c) const {
        if (rebounds.any(c)) raise_to(rebounding + label[view.moved_by(c)], 1.0F);
    }
};
/// sums: [0] clusters with a gain.
struct ClusterEnergyItem {
    const Index* label;
    ClusterSums<2> sums;
    const float* rebounding;
    ClusterEnergy* energy;
    SCREE_HD void operator()(Index i, Accumulator<double, 1, 0>& acc) const {
        ClusterEnergy own;
        if (label[i] == i) {
            own.work = sums.sum(i, 0);
            if (rebounding[i] > 0.0F && own.work > sums.sum(i, 1) + sums.rounding(i)) {
                own.gain = own.work;
                acc.sum[0] += 1.0;
            }
        }
        energy[i] = own;
    }
};

/// What decides the share of a cluster's rebounds. Between the plastic solve (s = 0) and the one with rebounds (s = 1)
/// the work is S0 + s (S1 - S0 - C) + s^2 C but for the times at which impulses act, which may depend on s, even with
/// jumps. It shall be `target`: what it was at s = 1 less what the parts of the cluster won.
struct ReboundModel {
    double constant = 0.0, slope = 0.0, curvature = 0.0;  ///< Work less target [J], powers of s.
    double target = 0.0, gain = 0.0;                      ///< [J]
    double share = 1.0;
    double low = 0.0, high = 1.0;  ///< Shares without a gain and with one.
    std::int64_t settled = 1;      ///< Nothing (more) to do.

    /// The largest share without a gain, by the model.
    [[nodiscard]] SCREE_HD double best() const {
        if (!(constant < 0.0)) return 0.0;
        const double root = square_root(larger(slope * slope - 4.0 * curvature * constant, 0.0));
        return slope + root > 0.0 ? smaller(-2.0 * constant / (slope + root), 1.0) : 1.0;
    }
    /// Learns what the work at `share` is and chooses the next share.
    SCREE_HD void learn(double work, double doubt) {
        const double excess = work - target;
        (excess <= doubt ? low : high) = share;
        if (excess <= doubt && excess >= -doubt - enough * gain) {
            settled = 1;
            return;
        }
        constant += excess;
        share = best();
        if (!(share > low && share < high)) share = 0.5 * (low + high);
        if (high - low > enough) return;
        share = low;
        settled = 1;
    }
    /// Relative precision of the largest share.
    static constexpr double enough = 1e-3;
};
/// Sums of a cluster: [0] S0, [1] C, [2] S1, [3] what its parts won.
template <class R, int W, RowKind K>
struct ClusterBlendItem {
    WorkView<R, W, K> view;
    SolvedImpulses<R> plastic, rebounding;
    const Index* label;
    ClusterSums<4> sums;
    bool adds;
    SCREE_HD void operator()(Index c) const {
        if (!view.loaded(plastic.g, c) && !view.loaded(rebounding.g, c)) return;
        const KindRow<R, K> row = load_kind_row<R, K>(view.problem, c);
        double speed = 0.0;
        const RelativeVelocity<R> before = view.relative(plastic.velocity, c, row, speed),
                                  after = view.relative(rebounding.velocity, c, row, speed);
        const Vector3d more =
            as_double(load_vector<R, W>(rebounding.g, c)) - as_double(load_vector<R, W>(plastic.g, c));
        double curvature = 0.5 * dot(more, as_double(after.u) - as_double(before.u));
        if constexpr (has_rolling<K>) {
            const Vector3d more_m =
                as_double(load_vector<R, W>(rebounding.m, c)) - as_double(load_vector<R, W>(plastic.m, c));
            curvature += 0.5 * dot(more_m, as_double(after.w) - as_double(before.w));
        }
        const double values[4] = {view.of(c, plastic).work, curvature, 0.0, 0.0};
        const Index root = label[view.moved_by(c)];
        if (adds)
            sums.add(root, values);
        else
            sums.measure(root, values);
    }
};
/// Thread i: what the cluster with root i did and won, added to the cluster that it is part of now.
struct JoinEnergyItem {
    const ClusterEnergy* energy;
    const Index* label;
    ClusterSums<4> sums;
    bool adds;
    SCREE_HD void operator()(Index i) const {
        if (energy[i].work == 0.0) return;
        const double values[4] = {0.0, 0.0, energy[i].work, energy[i].gain};
        if (adds)
            sums.add(label[i], values);
        else
            sums.measure(label[i], values);
    }
};
struct ReboundModelItem {
    const Index* label;
    ClusterSums<4> sums;
    ReboundModel* model;
    SCREE_HD void operator()(Index i) const {
        ReboundModel own;
        own.gain = label[i] == i ? sums.sum(i, 3) : 0.0;
        if (own.gain > 0.0) {
            own.target = sums.sum(i, 2) - own.gain;
            own.curvature = larger(sums.sum(i, 1), 0.0);
            own.constant = sums.sum(i, 0) - own.target;
            own.slope = own.gain - own.constant - own.curvature;
            own.share = own.best();
            own.settled = 0;
        }
        model[i] = own;
    }
};
/// sums: [0] clusters whose share changed.
struct CorrectShareItem {
    ClusterSums<2> sums;
    ReboundModel* model;
    SCREE_HD void operator()(Index i, Accumulator<double, 1, 0>& acc) const {
        if (model[i].settled != 0) return;
        const double before = model[i].share;
        model[i].learn(sums.sum(i, 0), sums.sum(i, 1) + sums.rounding(i));
        if (model[i].share != before) acc.sum[0] += 1.0;
    }
};
/// After the last correction: shares that are known to be good.
struct SettleShareItem {
    ReboundModel* model;
    SCREE_HD void operator()(Index i) const {
        if (model[i].settled == 0) model[i].share = model[i].low;
    }
};
/// Impulses and rows of the share s of a contact's cluster.
template <class R, int W, RowKind K>
struct BlendItem {
    WorkView<R, W, K> view;
    Rebounds<R, W> rebounds;
    const Index* taken;
    const Index* label;
    const ReboundModel* model;
    SolvedImpulses<R> plastic, rebounding;
    R *g, *m;
    Index* blended;  ///< Whether the impulse of a contact is a mean of two solutions.
    SCREE_HD void operator()(Index c) const {
        const R s = R(model[label[view.moved_by(c)]].share);
        store_vector<W>(g, c, between(plastic.g, rebounding.g, c, s));
        if constexpr (has_rolling<K>) store_vector<W>(m, c, between(plastic.m, rebounding.m, c, s));
        if (taken[c] != 0) rebounds.set(c, s);
        blended[c] = s == R(1) ? 0 : 1;
    }

private:
    [[nodiscard]] SCREE_HD static Vector3<R> between(const R* from, const R* to, Index c, R s) {
        const Vector3<R> start = load_vector<R, W>(from, c), end = load_vector<R, W>(to, c);
        return s == R(1) ? end : start + s * (end - start);
    }
};

}  // namespace scree::kernels
