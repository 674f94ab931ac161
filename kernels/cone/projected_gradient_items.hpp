// SPDX-License-Identifier: BSD-3-Clause
// Thread bodies of the projected gradient family (projected Jacobi, APGD): one contact pass and one body pass per
// iteration. Everything an iteration needs to decide comes out of these two passes as sums.
#pragma once

#include "kernels/cone/cone_problem.hpp"

namespace scree::kernels {

/// The contact pass: from V(y) to x+ = P_K(y - t D^-1 (N y + p)), with y = x + beta (x - x_previous) formed on the fly.
///
/// sums: [0] (y - x+) . D (x+ - x)   restart test: the gradient map against the way made
///       [1] d . D d              with d = x+ - y
///       [2] E d_n^2              the part of d . N d that bodies do not see
///       [3] |D d|^2 / t^2        natural map in the solver's metric [(m/s)^2]
template <class R, int W, RowKind K>
struct ProjectedStepItem {
    ConeProblem<R, W> problem;
    const R* velocity_y;  ///< Rows of eight.
    ImpulseView<const R> x;
    ImpulseView<const R> previous;  ///< x of the iteration before.
    ImpulseView<R> next;            ///< out: x+; may lie where `previous` does.
    ImpulseRows<R> impulses;        ///< out: of x+
    R beta;
    R step;
    R* slips = nullptr;  ///< in, out: mean of De Saxce's term over iterations [contacts]; null: that of y itself.
    R share = R(1);      ///< Of y's term in the mean, at mu = 1.

    template <class P>
    SCREE_HD void operator()(Index first, Accumulator<P, 4, 0>& acc) const {
        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        P a[8], b[8];
        RowsOfEight<P>::gather(velocity_y, problem.body_a + first, a);
        RowsOfEight<P>::gather(velocity_y, problem.body_b + first, b);
        RelativeVelocity<P> relative = relative_velocity(row, a, b);
        add_offset(problem, first, relative);
        const P momentum = P(beta);
        const P t = P(step);

        const Vector3<P> xk = load_vector<P, W>(x.g, first);
        const Vector3<P> xp = load_vector<P, W>(previous.g, first);
        const Vector3<P> y = xk + momentum * (xk - xp);
        RollingRow<P> rolling{};
        Vector3<P> mk{}, my{}, moment{};
        P step_r{};
        if constexpr (has_rolling<K>) {
            rolling = load_rolling<P, W>(problem.rolling, first);
            mk = load_vector<P, W>(x.m, first);
            my = mk + momentum * (mk - load_vector<P, W>(previous.m, first));
            step_r = t * rolling.inv_d;
        }
        const ConeImpulse<P> s = split<K>(row, y, my);
        ConeVelocity<P> v = cone_velocity<K>(row, relative, s.n);
        if (problem.coulomb) {
            P term = slip<K>(row, rolling, v);
            if (slips != nullptr) {
                const P mean = Lanes<P>::load(slips + first);
                term = mean + smaller(P(R(1)), P(share) / (row.friction * row.friction)) * (term - mean);
                Lanes<P>::store(slips + first, term);
            }
            v.n = v.n + term;
        }
        const ConeImpulse<P> q = projected_step<K>(row, rolling, s, v, t * row.inv_dn, t * row.inv_dt, step_r);
        const Vector3<P> xn = join(row, q.n, q.t);

        const P dn = q.n - s.n;
        const Vector3<P> dt = q.t - s.t;
        const P weighted_n = dn / row.inv_dn;
        const Vector3<P> weighted_t = (P(R(1)) / row.inv_dt) * dt;
        const Vector3<P> advance = xn - xk;
        P gradient = P(R(0)) - dot(advance, weighted_n * row.n + weighted_t);
        P metric = dn * weighted_n + dot(dt, weighted_t);
        P map = weighted_n * weighted_n + dot(weighted_t, weighted_t);
        if constexpr (has_rolling<K>) {
            const Vector3<P> mn = join(row, q.m_n, q.m_t);
            const Vector3<P> dm = mn - my;
            const P lever = larger(row.lever_a, row.lever_b);
            const Vector3<P> weighted_m = (P(R(1)) / rolling.inv_d) * dm;
            gradient = gradient - dot(weighted_m, mn - mk);
            metric = metric + dot(dm, weighted_m);
            map = map + lever * lever * dot(weighted_m, weighted_m);
            store_vector<W>(next.m, first, mn);
            moment = mn;
        }
        acc.sum[0] += gradient;
        acc.sum[1] += metric;
        acc.sum[2] += row.compliance * dn * dn;
        acc.sum[3] += map / (t * t);
        store_vector<W>(next.g, first, xn);
        store_impulses<K>(problem, impulses, first, row, xn, moment);
    }
};

/// The body pass: V(x+) = v* + M^-1 D x+ by a gather in fixed order, and V(y+) = V(x+) + beta+ (V(x+) - V(x)),
/// which is why an iteration needs one operator product and not two.
///
/// sums: [0] |V(x+) - V(y)|^2_M  = the bodies' part of d . N d       [1] |V(x+)|^2_M
template <class R, int W, class Row, RowKind K>
struct BodyVelocityItem {
    ConeProblem<R, W> problem;
    ImpulseRows<R> impulses;
    R* velocity_x;        ///< in: V(x), out: V(x+).
    const R* velocity_y;  ///< V(y)
    R* next_velocity_y;   ///< out: V(y+); may lie where V(y) does.
    R beta;               ///< Of the next iteration.

    /// Sum is a real, or a row where the backend keeps sums in rows.
    template <class Sum>
    SCREE_HD void operator()(Index body, Accumulator<Sum, 2, 0>& acc) const {
        using Parts = RowParts<Row>;
        if constexpr (has_arms<K>)
            if (problem.islands.holds(body)) return;
        const BodyMass<Row, K, R, W> mass(problem, body);
        const std::int64_t at = std::int64_t(8) * body;
        const Row v = Lanes<Row>::load(problem.free_velocity + at) +
                      mass.divide(gather_impulses<Row, K>(problem, impulses, body));
        const Row change = v - Lanes<Row>::load(velocity_y + at);
        const Row weights = mass.weights();
        Parts::add(acc.sum[0], mass.energy(weights, change));
        Parts::add(acc.sum[1], mass.energy(weights, v));
        Lanes<Row>::store(next_velocity_y + at, v + Row(beta) * (v - Lanes<Row>::load(velocity_x + at)));
        Lanes<Row>::store(velocity_x + at, v);
    }
};

/// V = v* + M^-1 D gamma alone; with `with_free` false, M^-1 D gamma.
template <class R, int W, class Row, RowKind K>
struct ImpulseVelocityItem {
    ConeProblem<R, W> problem;
    ImpulseRows<R> impulses;
    R* velocity;
    bool with_free;

    SCREE_HD void operator()(Index body) const {
        if constexpr (has_arms<K>)
            if (problem.islands.holds(body)) return;
        const std::int64_t at = std::int64_t(8) * body;
        Row v = BodyMass<Row, K, R, W>(problem, body).divide(gather_impulses<Row, K>(problem, impulses, body));
        if (with_free) v += Lanes<Row>::load(problem.free_velocity + at);
        Lanes<Row>::store(velocity + at, v);
    }
};

/// Writes the impulse rows of given impulses.
template <class R, int W, RowKind K>
struct ImpulseRowsItem {
    ConeProblem<R, W> problem;
    ImpulseView<const R> x;
    ImpulseRows<R> impulses;

    template <class P>
    SCREE_HD void operator()(Index first) const {
        Vector3<P> m{};
        if constexpr (has_rolling<K>) m = load_vector<P, W>(x.m, first);
        store_impulses<K>(problem, impulses, first, load_kind_row<P, K>(problem, first), load_vector<P, W>(x.g, first),
                          m);
    }
};

/// Linear and quadratic parts of the objective q(gamma) = 1/2 gamma . N gamma + p . gamma of a warm start.
/// sums: [0] gamma . p      [1] gamma . (N gamma + p)
template <class R, int W, RowKind K>
struct ObjectiveItem {
    ConeProblem<R, W> problem;
    const R* velocity;  ///< V(gamma)
    ImpulseView<const R> x;

    template <class P>
    SCREE_HD void operator()(Index first, Accumulator<P, 2, 0>& acc) const {
        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        const Vector3<P> g = load_vector<P, W>(x.g, first);
        const P gn = dot(g, row.n);
        P a[8], b[8];
        RowsOfEight<P>::gather(problem.free_velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(problem.free_velocity, problem.body_b + first, b);
        RelativeVelocity<P> free = relative_velocity(row, a, b);
        add_offset(problem, first, free);
        RowsOfEight<P>::gather(velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(velocity, problem.body_b + first, b);
        RelativeVelocity<P> full = relative_velocity(row, a, b);
        add_offset(problem, first, full);
        P linear = dot(g, free.u) + gn * row.bias;
        P total = dot(g, full.u) + gn * (row.bias + row.compliance * gn);
        if constexpr (has_rolling<K>) {
            const Vector3<P> m = load_vector<P, W>(x.m, first);
            linear = linear + dot(m, free.w);
            total = total + dot(m, full.w);
        }
        acc.sum[0] += linear;
        acc.sum[1] += total;
    }
};

/// values[i] <- scale values[i]; a scale of zero clears even what is not a number.
template <class R>
struct ScaleItem {
    R* values;
    R scale;
    SCREE_HD void operator()(Index i) const { values[i] = scale == R(0) ? R(0) : scale * values[i]; }
};

/// A start vector for power iterations without symmetry: a multiplicative hash of (contact, field), the same for every
/// tile width.
template <class R, int W>
struct PowerSeedItem {
    R* z;
    SCREE_HD void operator()(Index i) const {
        const Index inside = i % (3 * W);
        const std::uint32_t j =
            std::uint32_t(3) * std::uint32_t(i / (3 * W) * W + inside % W) + std::uint32_t(inside / W);
        z[i] = R(((j * 2654435761U) >> 16) % 1024) / R(1024) + R(0.1);
    }
};

/// Over bodies. max: [0] contacts of one that impulses move.
template <class R, int W>
struct MostContactsItem {
    ConeProblem<R, W> problem;
    SCREE_HD void operator()(Index body, Accumulator<double, 0, 1>& acc) const {
        const double contacts = problem.is_free(body) ? double(problem.contacts_of(body)) : 0.0;
        acc.max[0] = larger(acc.max[0], contacts);
    }
};

/// One power iteration on D^-1 N: z <- D^-1 N z / scale. sums: [0] z . D z before.   [1] z . N z.
template <class R, int W, RowKind K>
struct PowerItem {
    ConeProblem<R, W> problem;
    const R* velocity;  ///< M^-1 D z, without v*.
    ImpulseView<R> z;
    R scale;

    template <class P>
    SCREE_HD void operator()(Index first, Accumulator<P, 2, 0>& acc) const {
        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        P a[8], b[8];
        RowsOfEight<P>::gather(velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(velocity, problem.body_b + first, b);
        const RelativeVelocity<P> v = relative_velocity(row, a, b);
        const Vector3<P> g = load_vector<P, W>(z.g, first);
        const P gn = dot(g, row.n);
        const Vector3<P> gt = g - gn * row.n;
        const P un = dot(v.u, row.n);
        const Vector3<P> ut = v.u - un * row.n;
        const P nn = un + row.compliance * gn;
        acc.sum[0] += gn * gn / row.inv_dn + dot(gt, gt) / row.inv_dt;
        acc.sum[1] += gn * nn + dot(gt, ut);
        const P s = P(scale);
        store_vector<W>(z.g, first, join(row, s * row.inv_dn * nn, (s * row.inv_dt) * ut));
        if constexpr (has_rolling<K>) {
            const RollingRow<P> rolling = load_rolling<P, W>(problem.rolling, first);
            const Vector3<P> m = load_vector<P, W>(z.m, first);
            acc.sum[0] += dot(m, m) / rolling.inv_d;
            acc.sum[1] += dot(m, v.w);
            store_vector<W>(z.m, first, (s * rolling.inv_d) * v.w);
        }
    }
};

}  // namespace scree::kernels
