// SPDX-License-Identifier: BSD-3-Clause
// Poisson's law of impacts: restitution adds to the normal impulse of compression e times that impulse, and more only
// where bodies would approach (Stewart, "Rigid-body dynamics with friction and impact", section on Poisson's
// hypothesis; Anitescu and Potra 1997). Contacts that only a shock presses together rebound, too.
//
// The step is solved without rebounds, which gives the impulses c of compression. What is sought are the speeds b at
// which contacts part,
//     0 <= b,   gamma_n >= (1 + e) c_n,   b (gamma_n - (1 + e) c_n) = 0,
// where gamma solves the step with b as its rebounds: the rows of the cone problem keep their form, so that residual,
// limit on energy (impact_limit.hpp) and account judge Poisson's impacts as they do Newton's. One superposition of
// e c_n n gives the b that is exact where friction and neighbours do not answer; from there b goes against its error
// d (gamma_n - (1 + e) c_n), d being the diagonal of the operator, by Barzilai and Borwein's steps, one solve each.
// Frictionless impacts whose contacts all stay closed while compressed, with one e, are Newton's.
#pragma once

#include "kernels/cone/cone_problem.hpp"
#include "kernels/parallel/array.hpp"

namespace scree::kernels {

/// What the law needs to know of a contact.
template <class R, int W>
struct PoissonRows {
    R* rows;
    R* rebound;                ///< As ContactSet has it: e before the compression, b from then on, or no_impact.
    R* bias;                   ///< Per contact: that without a rebound.
    R* asked;                  ///< Per contact: (1 + e) c_n [N s]; 0 where the law asks nothing.
    R *before, *error, *best;  ///< Per contact: b and its error in the last round, and the best b so far [m/s].
    R threshold;               ///< v_min [m/s]: weaker compressions do not rebound.

    [[nodiscard]] SCREE_HD R field(Index c, int f) const { return rows[tiled<W, RowField::count>(c, f)]; }
    [[nodiscard]] SCREE_HD Vector3<R> normal(Index c) const {
        return {field(c, RowField::nx), field(c, RowField::ny), field(c, RowField::nz)};
    }
    SCREE_HD void set(Index c, R b) const {
        rows[tiled<W, RowField::count>(c, RowField::bias)] = bias[c] - b;
        rebound[c] = b;
    }
};

/// After the compression: what the law asks, and e c_n n added to the impulses. sums: [0] contacts of which it asks.
template <class R, int W>
struct CompressionItem {
    PoissonRows<R, W> law;
    R* g;
    SCREE_HD void operator()(Index c, Accumulator<double, 1, 0>& acc) const {
        law.bias[c] = law.field(c, RowField::bias);
        law.asked[c] = R(0);
        const R e = law.rebound[c];
        if (e < R(0)) return;
        law.rebound[c] = R(0);
        const Vector3<R> n = law.normal(c);
        const R d = R(1) / law.field(c, RowField::inv_dn);
        const Vector3<R> gamma = load_vector<R, W>(g, c);
        const R compression = dot(gamma, n);
        if (!(e > R(0)) || !(compression * d > law.threshold)) return;
        law.asked[c] = (R(1) + e) * compression;
        store_vector<W>(g, c, gamma + (e * compression) * n);
        acc.sum[0] += 1.0;
    }
};

/// The first b: the speeds that those impulses give.
template <class R, int W, RowKind K>
struct FirstReboundItem {
    PoissonRows<R, W> law;
    ConeProblem<R, W> problem;
    const R* velocity;
    SCREE_HD void operator()(Index c) const {
        if (!(law.asked[c] > R(0))) return;
        const KindRow<R, K> row = load_kind_row<R, K>(problem, c);
        R a[8], b[8];
        RowsOfEight<R>::gather(velocity, problem.body_a + c, a);
        RowsOfEight<R>::gather(velocity, problem.body_b + c, b);
        law.set(c, larger(dot(relative_velocity(row, a, b).u, row.n) + law.bias[c], R(0)));
        law.before[c] = law.rebound[c];
        law.error[c] = R(0);
    }
};

/// How far b is from the law. sums: [0] squares of b - max(0, b - E) with the error E = d (gamma_n - (1 + e) c_n), [1]
/// squares of b, [2] and [3] products of the change of b since the last round with itself and with that of E [m^2/s^2].
template <class R, int W>
struct ReboundErrorItem {
    PoissonRows<R, W> law;
    const R* g;
    SCREE_HD void operator()(Index c, Accumulator<double, 4, 0>& acc) const {
        if (!(law.asked[c] > R(0))) return;
        const R d = R(1) / law.field(c, RowField::inv_dn);
        const R b = law.rebound[c], error = d * (dot(load_vector<R, W>(g, c), law.normal(c)) - law.asked[c]);
        const double way = double(b) - double(larger(b - error, R(0)));
        const double change = double(b) - double(law.before[c]);
        acc.sum[0] += way * way;
        acc.sum[1] += double(b) * double(b);
        acc.sum[2] += change * change;
        acc.sum[3] += change * (double(error) - double(law.error[c]));
        law.before[c] = b;
        law.error[c] = error;
    }
};
/// b <- max(0, b - step E)
template <class R, int W>
struct NextReboundItem {
    PoissonRows<R, W> law;
    R step;
    SCREE_HD void operator()(Index c) const {
        if (law.asked[c] > R(0)) law.set(c, larger(law.before[c] - step * law.error[c], R(0)));
    }
};
/// The best b so far: kept, or taken again.
template <class R, int W>
struct BestReboundItem {
    PoissonRows<R, W> law;
    bool take;
    SCREE_HD void operator()(Index c) const {
        if (!(law.asked[c] > R(0))) return;
        if (take)
            law.set(c, law.best[c]);
        else
            law.best[c] = law.rebound[c];
    }
};

/// The rounds of a step.
template <class Backend, class R>
class PoissonImpacts {
public:
    static constexpr int W = Backend::tile;
    static constexpr int most_rounds = 12;
    static constexpr double precision = 1e-3;  ///< Of b, root mean square.
    static constexpr double first_step = 0.5, longest_step = 2.0, shortest_step = 0.02;

    PoissonRows<R, W> begin(R* rows, R* rebound, Index contacts, double threshold) {
        for (Array<R, Backend>* array : {&bias_, &asked_, &before_, &error_, &best_}) array->resize_discard(contacts);
        return {rows, rebound, bias_.data(), asked_.data(), before_.data(), error_.data(), best_.data(), R(threshold)};
    }
    [[nodiscard]] std::size_t bytes() const {
        return bias_.bytes() + asked_.bytes() + before_.bytes() + error_.bytes() + best_.bytes();
    }

private:
    Array<R, Backend> bias_, asked_, before_, error_, best_;
};

}  // namespace scree::kernels
