// SPDX-License-Identifier: BSD-3-Clause
// What islands answer to contact impulses: the body pass of bodies that joints hold (island_view.hpp).
#pragma once

#include "kernels/cone/cone_problem.hpp"

namespace scree::kernels {

/// What becomes of the velocities that an evaluation finds.
enum class IslandTask : std::int32_t {
    product,   ///< V = the change alone, by the active set as it is: a product with the operator.
    velocity,  ///< V = free velocity and change.
    iterate,   ///< The same, and V(y+) extrapolated; sums.
    absorb,    ///< The change becomes part of the free motion.
};

/// Thread i: the bodies of island i.
/// sums: [0] |V(x+) - V(y)|^2 of the bodies' masses and of the springs' compliance, [1] |V(x+)|^2_M.
template <class R, int W, class Row, RowKind K>
struct IslandVelocityItem {
    ConeProblem<R, W> problem;
    ImpulseRows<R> impulses;
    IslandTask task;
    R* velocity_x;        ///< in: V(x), out: V(x+)
    const R* velocity_y;  ///< V(y)
    R* next_velocity_y;   ///< out: V(y+)
    R beta;

    // In sets of more changes than this each changes one row, by which no set comes twice.
    static constexpr int most_changes_at_once = 10;

    SCREE_HD void operator()(Index island, Accumulator<double, 2, 0>& acc) const {
        const IslandView& s = problem.islands;
        const bool touched = gather(island);
        if (touched)
            answer(island);
        else
            for (Index k = s.row_start[island]; k < s.row_start[island + 1]; ++k) s.lambda[k] = s.base[k];
        for (Index m = s.member_start[island]; m < s.member_start[island + 1]; ++m) store(m, acc);
        // Springs take part in the quotient: C dlambda^2 with J dV + C dlambda = 0.
        if (task == IslandTask::iterate)
            for (Index k = s.row_start[island]; k < s.row_start[island + 1]; ++k) {
                if (s.row[k].role != RowRole::spring || s.status[k] != RowStatus::free) continue;
                const double rate_of_change = s.rate_of(k, s.change);
                acc.sum[0] += rate_of_change * rate_of_change / s.compliance[k];
            }
        if (task == IslandTask::absorb)
            for (Index k = s.row_start[island]; k < s.row_start[island + 1]; ++k) {
                s.rate[k] = touched && s.status[k] != RowStatus::free ? rate(k) : s.rate[k];
                s.base[k] = s.lambda[k];
            }
    }

private:
    /// change = M^-1 D gamma; false where no contact acts on the island.
    SCREE_HD bool gather(Index island) const {
        const IslandView& s = problem.islands;
        bool touched = false;
        for (Index m = s.member_start[island]; m < s.member_start[island + 1]; ++m) {
            double* change = s.change + std::int64_t(6) * m;
            for (int c = 0; c < 6; ++c) change[c] = 0.0;
            const Index body = s.slot_of_member[m];
            if (body < 0 || problem.contacts == 0) continue;
            if (problem.a_start[body] == problem.a_start[body + 1] &&
                problem.b_start[body] == problem.b_start[body + 1])
                continue;
            touched = true;
            alignas(64) R sum[8];
            Lanes<Row>::store(sum, gather_impulses<Row, K>(problem, impulses, body));
            const double impulse[6] = {double(sum[0]), double(sum[1]), double(sum[2]),
                                       double(sum[4]), double(sum[5]), double(sum[6])};
            s.respond(m, impulse, change);
        }
        return touched;
    }

    /// The impulses of the joints that go with it, and the change of velocity by both.
    SCREE_HD void answer(Index island) const {
        const IslandView& s = problem.islands;
        const Index begin = s.row_start[island], end = s.row_start[island + 1];
        const bool linear = task == IslandTask::product;
        for (Index k = begin; k < end; ++k) s.lambda[k] = s.base[k];
        for (int round = 0;; ++round) {
            // Impulses at their bounds first, they are known; then the free ones.
            for (Index k = begin; k < end; ++k) {
                const bool held = !linear && s.status[k] != RowStatus::free && s.status[k] != RowStatus::out;
                s.room[k] = held ? s.bound_of(k) - s.lambda[k] : 0.0;
            }
            apply(begin, end);
            for (Index k = begin; k < end; ++k) s.room[k] = s.status[k] == RowStatus::free ? 0.0 - rate(k) : 0.0;
            s.envelope.solve(begin, end, s.room);
            apply(begin, end);
            if (linear) return;
            const bool last = round > most_changes_at_once + 20 * (end - begin);
            if (!last && s.change_set(
                             island, [&](Index k) { return rate(k); }, [&](Index k) { return noise(k); },
                             round > most_changes_at_once))
                continue;
            if (round == 0) return;
            // Sets on the way may have pushed hard, and left their rounding.
            (void)gather(island);
            for (Index k = begin; k < end; ++k) s.add(k, s.lambda[k] - s.base[k], s.response, s.change);
            for (Index k = begin; k < end; ++k) s.room[k] = s.status[k] == RowStatus::free ? 0.0 - rate(k) : 0.0;
            s.envelope.solve(begin, end, s.room);
            apply(begin, end);
            return;
        }
    }
    /// Adds the impulses in `room`.
    SCREE_HD void apply(Index begin, Index end) const {
        const IslandView& s = problem.islands;
        for (Index k = begin; k < end; ++k) {
            s.add(k, s.room[k], s.response, s.change);
            s.lambda[k] += s.room[k];
        }
    }
    /// J V + C lambda + b of row k now.
    [[nodiscard]] SCREE_HD double rate(Index k) const {
        const IslandView& s = problem.islands;
        const double own = task == IslandTask::product ? 0.0 : s.rate[k];
        return own + s.rate_of(k, s.change) + s.compliance[k] * (s.lambda[k] - s.base[k]);
    }
    /// Rounding of the rate: velocities are of the solver's precision.
    [[nodiscard]] SCREE_HD double noise(Index k) const {
        const IslandView& s = problem.islands;
        double sum = 0.0;
        for (Index b = s.block_start[k]; b < s.block_start[k + 1]; ++b) {
            const Index m = s.block_member[b];
            if (!s.is_free_member(m)) continue;
            const double* j = s.jacobian + std::int64_t(6) * b;
            const double* v = s.change + std::int64_t(6) * m;
            for (int c = 0; c < 6; ++c) sum += j[c] * v[c] < 0.0 ? 0.0 - j[c] * v[c] : j[c] * v[c];
        }
        return (sizeof(R) == sizeof(double) ? 1e-12 : 1e-6) * sum;
    }

    SCREE_HD void store(Index m, Accumulator<double, 2, 0>& acc) const {
        const IslandView& s = problem.islands;
        const Index body = s.slot_of_member[m];
        if (body < 0) return;
        double* change = s.change + std::int64_t(6) * m;
        const std::int64_t at = std::int64_t(8) * body;
        const R* const free = problem.free_velocity + at;
        const bool with_free = task != IslandTask::product;
        double v[6];
        for (int c = 0; c < 6; ++c) v[c] = change[c] + (with_free ? double(free[c < 3 ? c : c + 1]) : 0.0);
        if (task == IslandTask::iterate) {
            double d[6];
            for (int c = 0; c < 6; ++c) d[c] = v[c] - double(velocity_y[at + (c < 3 ? c : c + 1)]);
            for (int c = 0; c < 6; ++c) change[c] = d[c];
            acc.sum[0] += energy(body, d);
            acc.sum[1] += energy(body, v);
            next_velocity_y[at + 3] = next_velocity_y[at + 7] = R(0);
            for (int c = 0; c < 6; ++c) {
                const std::int64_t e = at + (c < 3 ? c : c + 1);
                next_velocity_y[e] = R(v[c] + double(beta) * (v[c] - double(velocity_x[e])));
            }
        }
        velocity_x[at + 3] = velocity_x[at + 7] = R(0);
        for (int c = 0; c < 6; ++c) velocity_x[at + (c < 3 ? c : c + 1)] = R(v[c]);
    }
    /// (v, w) . M (v, w). Of stiff bodies less than what impulses see, which only makes the first step shorter.
    [[nodiscard]] SCREE_HD double energy(Index body, const double (&v)[6]) const {
        const R* row = problem.inertia + std::int64_t(InertiaRow::size) * body + InertiaRow::tensor;
        double tensor[6];
        for (int c = 0; c < 6; ++c) tensor[c] = double(row[c]);
        const Vector3<double> w{v[3], v[4], v[5]};
        return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / double(problem.inverse_mass[2 * std::int64_t(body)]) +
               dot(w, times(tensor, w));
    }
};

/// Velocities of all islands' bodies under given impulse rows.
template <RowKind K, class R, class Backend, int W>
void move_islands(Backend& backend, const ConeProblem<R, W>& problem, const ImpulseRows<R>& impulses, IslandTask task,
                  R* velocity) {
    if constexpr (has_arms<K>) {
        if (problem.islands.islands == 0) return;
        using Row = typename Backend::template Row<R>;
        // Its sums are of no use here.
        (void)backend.template reduce<double, 2, 0>(
            problem.islands.islands,
            IslandVelocityItem<R, W, Row, K>{problem, impulses, task, velocity, nullptr, nullptr, R(0)});
    }
}

}  // namespace scree::kernels
