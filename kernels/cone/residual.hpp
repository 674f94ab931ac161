// SPDX-License-Identifier: BSD-3-Clause
// The one residual that certifies every result (numerics section 7). No solver owns it.
//
// Per contact, with the isotropic scale w = tr(N_ii)/3 whatever metric the solver used,
//     r = w gamma - P_K(w gamma - u^)      [m/s],
// the natural map in velocity units: independent of units, of the number of contacts and of the precision.
#pragma once

#include "kernels/cone/cone_problem.hpp"

namespace scree::kernels {

/// What one look at (gamma, V(gamma)) says. Velocities in m/s, impulses in N s.
struct ResidualReport {
    double rms = 0.0;                 ///< Root mean square of |r| over all contacts.
    double max = 0.0;                 ///< Largest |r|.
    double approach_max = 0.0;        ///< Largest max(0, -(u_n + b + E gamma_n)).
    double cone_violation_max = 0.0;  ///< Largest |gamma_t| - mu gamma_n [N s] (0 when inside).
    double dissipation = 0.0;         ///< sum gamma . u^ [J]: 0 at a solution.

    /// From the sums of a ResidualItem over `contacts` contacts, at least 1.
    [[nodiscard]] SCREE_HD static ResidualReport of(const Reduction<2, 3>& sums, double contacts) {
        return {square_root(sums.sum[0] / contacts), square_root(sums.max[0]), sums.max[1], sums.max[2], sums.sum[1]};
    }
};

template <class R, int W, RowKind K>
struct ResidualItem {
    ConeProblem<R, W> problem;
    const R* velocity;  ///< Rows of eight: V = v* + M^-1 D gamma.
    const R* g;
    const R* m;

    template <class P>
    SCREE_HD void operator()(Index first, Accumulator<P, 2, 3>& acc) const {
        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        RollingRow<P> rolling{};
        Vector3<P> moment{};
        if constexpr (has_rolling<K>) {
            rolling = load_rolling<P, W>(problem.rolling, first);
            moment = load_vector<P, W>(m, first);
        }
        P a[8], b[8];
        RowsOfEight<P>::gather(velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(velocity, problem.body_b + first, b);
        RelativeVelocity<P> relative = relative_velocity(row, a, b);
        add_offset(problem, first, relative);
        const ConeImpulse<P> s = split<K>(row, load_vector<P, W>(g, first), moment);
        ConeVelocity<P> v = cone_velocity<K>(row, relative, s.n);
        if (problem.coulomb) v.n = v.n + slip<K>(row, rolling, v);
        // tr(N_ii)/3 with N_uu = N_ww = 1/inv_dt.
        const P w = (P(R(1)) / row.inv_dn + P(R(2)) / row.inv_dt) * P(R(1.0 / 3.0));
        const P step = P(R(1)) / w;
        P step_r = step;
        if constexpr (has_rolling<K>) step_r = rolling.inv_d;
        const ConeImpulse<P> q = projected_step<K>(row, rolling, s, v, step, step, step_r);
        const P dn = w * (s.n - q.n);
        const Vector3<P> dt = w * (s.t - q.t);
        P squared = dn * dn + dot(dt, dt);
        P work = s.n * v.n + dot(s.t, v.t);
        if constexpr (has_rolling<K>) {
            // Moments in the units of an impulse at the lever: w_r (m - q) is rad/s; times the lever it is m/s.
            const P lever = larger(row.lever_a, row.lever_b) / rolling.inv_d;
            const P spin = lever * (s.m_n - q.m_n);
            const Vector3<P> roll = lever * (s.m_t - q.m_t);
            squared = squared + spin * spin + dot(roll, roll);
            work = work + s.m_n * v.w_n + dot(s.m_t, v.w_t);
        }
        acc.sum[0] += squared;
        acc.sum[1] += work;
        acc.max[0] = larger(acc.max[0], squared);
        acc.max[1] = larger(acc.max[1], P(R(0)) - (dot(relative.u, row.n) + row.bias + row.compliance * s.n));
        acc.max[2] = larger(acc.max[2], norm(s.t) - row.friction * s.n);
    }
};

/// `real_contacts` excludes the padding. Needs V of exactly these impulses.
template <class R, class Backend, int W>
[[nodiscard]] ResidualReport certify(Backend& backend, const ConeProblem<R, W>& problem, Index real_contacts,
                                     const R* velocity, const R* g, const R* m) {
    return with_row_kind(problem.kind(), [&](auto kind) {
        const ResidualItem<R, W, decltype(kind)::value> item{problem, velocity, g, m};
        return ResidualReport::of(backend.template reduce_tiles<R, 2, 3>(problem.contacts, item),
                                  real_contacts > 0 ? double(real_contacts) : 1.0);
    });
}

}  // namespace scree::kernels
