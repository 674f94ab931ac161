// SPDX-License-Identifier: BSD-3-Clause
// What the contacts of a solved step did, law by law, and which of them is solved worst: one reduction over contacts.
//
// A step takes the bodies from v to v+, by forces and impulses. The share of the impulses in the change of kinetic
// energy is  gamma . (u(v) + u(v+)) / 2  per contact, exactly when forces get theirs over v .. v+, too; that of a
// contact at rest is zero. (Over v* .. v+ impulses would undo what forces add to bodies at rest, m h^2 g^2 / 2 a step.)
// A contact's impulse is the sum of what its laws ask for (normal row, friction, rolling and spinning resistance, the
// pull of cohesion), and so is its work. u is relative: against a partner that moves by itself the bodies get the work
// of its motion besides ("driven").
#pragma once

#include "kernels/collide/body_state.hpp"
#include "kernels/cone/residual.hpp"
#include "kernels/items/symmetric3.hpp"

namespace scree::kernels {

/// Places of the sums of ContactAccountItem.
struct AccountSum {
    enum : int {
        normal,    ///< Springs and dampers, or rigid rows that do not meet in this step.
        impact,    ///< The normal part of impacts: what restitution leaves of the approach.
        friction,  ///< Tangential, that of impacts included.
        rolling,
        spinning,
        cohesion,
        driven,   ///< Of walls and bodies that move as prescribed.
        gap,      ///< |gamma . u^|
        impulse,  ///< gamma_n [N s]
        count
    };
};

/// Velocities at the start of a step: `rows` (of eight [rows_of_velocity]), of free bodies less `added`.
template <class R>
struct StartOfStep {
    const R* rows;
    Vector3<R> added{R(0), R(0), R(0)};  ///< h g, where the rows are those of v* of spheres [m/s].
};

/// sums: see AccountSum [J]. maxima: [0] squared natural map of ResidualItem [(m/s)^2].
template <class R, int W, RowKind K>
struct ContactAccountItem {
    ResidualItem<R, W, K> solved;  ///< Problem, V(gamma) and gamma.
    StartOfStep<R> before;
    const R* cohesion;               ///< Pull [N s], null without.
    const R* marks;                  ///< Of rigid feedback, where rows do not tell push-outs from impacts; else null.
    const R* inverse_mass;           ///< Rows of two.
    bool anything_driven;            ///< Something moves that is not free.
    R* squared;                      ///< out: squared natural map, tiled one by one.
    Index contacts;                  ///< Without the padding.
    const Index* blended = nullptr;  ///< See ImpactLimit::blended().

    template <class P>
    SCREE_HD void operator()(Index first, Accumulator<P, AccountSum::count, 1>& acc) const {
        const ConeProblem<R, W>& problem = solved.problem;
        const P zero(R(0)), half(R(0.5));
        Accumulator<P, 2, 3> natural;
        for (P& sum : natural.sum) sum = zero;
        for (P& most : natural.max) most = zero;
        solved(first, natural);
        if (blended != nullptr) {
            const P solves = real_lanes<P>(first, [&](Index c) { return blended[c] != 0 ? R(0) : R(1); });
            natural.sum[0] = solves * natural.sum[0];
            natural.sum[1] = solves * natural.sum[1];
        }
        Lanes<P>::store(squared + first, natural.sum[0]);
        acc.max[0] = larger(acc.max[0], natural.sum[0]);

        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        P a[8], b[8], a_before[8], b_before[8];
        RowsOfEight<P>::gather(solved.velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(solved.velocity, problem.body_b + first, b);
        RowsOfEight<P>::gather(before.rows, problem.body_a + first, a_before);
        RowsOfEight<P>::gather(before.rows, problem.body_b + first, b_before);
        const P of_a = driven<P>(problem.body_a, first), of_b = driven<P>(problem.body_b, first);
        const R added[3] = {before.added.x, before.added.y, before.added.z};
        for (int k = 0; k < 3; ++k) {
            a_before[k] = a_before[k] - (P(R(1)) - of_a) * P(added[k]);
            b_before[k] = b_before[k] - (P(R(1)) - of_b) * P(added[k]);
        }
        for (int k = 0; k < 8; ++k) {
            if (k % 4 == 3) continue;  // no numbers
            a[k] = half * (a[k] + a_before[k]);
            b[k] = half * (b[k] + b_before[k]);
        }
        const RelativeVelocity<P> mean = relative_velocity(row, a, b);
        Vector3<P> moment{zero, zero, zero};
        if constexpr (has_rolling<K>) moment = load_vector<P, W>(solved.m, first);
        const ConeImpulse<P> s = split<K>(row, load_vector<P, W>(solved.g, first), moment);
        const P along = dot(mean.u, row.n);

        const P by_normal = s.n * along;
        const auto impact = (row.compliance <= zero) & (row.bias <= zero) & (pushed_out<P>(first) <= zero);
        acc.sum[AccountSum::impact] += select(impact, by_normal, zero);
        acc.sum[AccountSum::normal] += select(impact, zero, by_normal);
        acc.sum[AccountSum::friction] += dot(s.t, mean.u);
        if constexpr (has_rolling<K>) {
            acc.sum[AccountSum::rolling] += dot(s.m_t, mean.w);
            acc.sum[AccountSum::spinning] += s.m_n * dot(mean.w, row.n);
        }
        const P pull = real_lanes<P>(first, [&](Index c) { return cohesion != nullptr ? cohesion[c] : R(0); });
        acc.sum[AccountSum::cohesion] += zero - pull * along;
        acc.sum[AccountSum::gap] += larger(natural.sum[1], zero - natural.sum[1]);
        acc.sum[AccountSum::impulse] += s.n;
        if (!anything_driven) return;

        // What partners that are not free would have got goes to the others.
        for (int k = 0; k < 8; ++k) {
            if (k % 4 == 3) continue;
            a[k] = of_a * a[k];
            b[k] = of_b * b[k];
        }
        const RelativeVelocity<P> own = relative_velocity(row, a, b);
        P work = (s.n - pull) * dot(own.u, row.n) + dot(s.t, own.u);
        if constexpr (has_rolling<K>) work = work + s.m_n * dot(own.w, row.n) + dot(s.m_t, own.w);
        acc.sum[AccountSum::driven] += zero - work;
    }

private:
    /// value(c) of each lane's contact; 0 in the padding, whose fields nobody wrote.
    template <class P, class Value>
    [[nodiscard]] SCREE_HD P real_lanes(Index first, const Value& value) const {
        R lanes[LaneTraits<P>::lanes];
        for (int lane = 0; lane < LaneTraits<P>::lanes; ++lane)
            lanes[lane] = first + lane < contacts ? value(first + lane) : R(0);
        return Lanes<P>::load(lanes);
    }
    /// 1 where the row is the push-out of a rigid overlap.
    template <class P>
    [[nodiscard]] SCREE_HD P pushed_out(Index first) const {
        return real_lanes<P>(first, [&](Index c) { return marks != nullptr && marks[c] < R(0) ? R(1) : R(0); });
    }
    /// 1 where the body of the row `body` moves by itself.
    template <class P>
    [[nodiscard]] SCREE_HD P driven(const Index* body, Index first) const {
        return real_lanes<P>(first, [&](Index c) {
            return body[c] < solved.problem.bodies && inverse_mass[2 * std::int64_t(body[c])] > R(0) ? R(0) : R(1);
        });
    }
};

/// maxima: [0] contacts - c of the first contact c with the value `largest`; 0 when there is none.
template <class R>
struct FirstLargestItem {
    const R* values;
    R largest;
    Index contacts;
    SCREE_HD void operator()(Index c, Accumulator<double, 0, 1>& acc) const {
        if (values[c] == largest) acc.max[0] = larger(acc.max[0], double(contacts - c));
    }
};

/// One thread: ids of the bodies of a contact; the second is the partner's, or -1 - boundary.
struct NameContactItem {
    const Index* body_a;
    const Index* partner;
    const Index* id;
    Index contact;
    Index* names;
    SCREE_HD void operator()(Index) const {
        names[0] = id[body_a[contact]];
        names[1] = partner[contact] < 0 ? partner[contact] : id[partner[contact]];
    }
};

/// sums: energy and momentum that the bodies take with them which outlets took: [0] kinetic, [1] potential (0 at the
/// origin) [J], [2] momentum . g.
template <class R>
struct RemovedEnergyItem {
    const Index* taken;
    const double* position;
    const double* orientation;
    const R* velocity;
    const R* inverse_mass;
    const double* inertia;  ///< Rows of six, body axes; null for spheres.
    double gravity[3];
    SCREE_HD void operator()(Index i, Accumulator<double, 3, 0>& acc) const {
        const double inverse = double(inverse_mass[2 * std::int64_t(i)]);
        if (taken[i] == 0 || !(inverse > 0.0)) return;
        const R* row = velocity + std::int64_t(8) * i;
        const Vector3<double> v{double(row[0]), double(row[1]), double(row[2])};
        const Vector3<double> w{double(row[4]), double(row[5]), double(row[6])};
        const Vector3<double> g{gravity[0], gravity[1], gravity[2]};
        double spin = 0.0;
        if (inertia != nullptr) {
            double body[6];
            for (int k = 0; k < 6; ++k) body[k] = inertia[std::int64_t(6) * i + k];
            const Vector3<double> own = Axes::of(orientation + std::int64_t(4) * i).to_body(w);
            spin = dot(own, times(body, own));
        } else {
            spin = dot(w, w) / double(inverse_mass[2 * std::int64_t(i) + 1]);
        }
        acc.sum[0] += 0.5 * (dot(v, v) / inverse + spin);
        acc.sum[1] -= dot(g, center_of(position, i)) / inverse;
        acc.sum[2] += dot(g, v) / inverse;
    }
};

}  // namespace scree::kernels
