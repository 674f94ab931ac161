// SPDX-License-Identifier: BSD-3-Clause
// One cone complementarity problem as solvers see it: operator, cones and metric, nothing else.
//
//   find gamma in K:   N gamma + p in K*  (+ De Saxce's term for coulomb),   gamma . (N gamma + p) = 0,
//   N = D^T M^-1 D + E,  p = D^T v* + b           (NST eq. 7, 10, 11; numerics sections 3-5)
//
// All pointers are in the backend's memory and belong to the step; a problem is constant while a solver works on it.
#pragma once

#include "kernels/cone/contact_rows.hpp"
#include "kernels/items/friction_cone.hpp"
#include "kernels/joints/island_view.hpp"
#include "kernels/parallel/reduction.hpp"

namespace scree::kernels {

/// `W` is the tile width of the backend, R the solver's precision.
template <class R, int W>
struct ConeProblem {
    Index contacts = 0;  ///< Padded to whole tiles.
    Index bodies = 0;    ///< Body rows 0 .. bodies - 1.
    /// Rows of every velocity array: bodies, the ground (row `bodies`, zero), then one per contact with a moving wall
    /// (the wall's velocity at the contact point). Solvers change body rows only.
    Index rows_of_velocity = 0;
    const R* rows = nullptr;           ///< RowField fields, tiled.
    const R* rolling = nullptr;        ///< RollingField fields, tiled; null when no pair resists rolling.
    const Index* body_a = nullptr;     ///< [contacts]
    const Index* body_b = nullptr;     ///< [contacts]
    const Index* a_start = nullptr;    ///< [bodies + 1]: contacts with A = i are a_start[i] .. a_start[i + 1] - 1.
    const Index* b_start = nullptr;    ///< [bodies + 1]: entries of b_list for partner i.
    const Index* b_list = nullptr;     ///< Contacts in ascending order per partner.
    const R* inverse_mass = nullptr;   ///< [2 bodies]: 1/m [1/kg], 1/I [1/(kg m^2)]; zeros for fixed bodies.
    const R* free_velocity = nullptr;  ///< Rows of eight [rows_of_velocity]: v*.
    const R* offset = nullptr;   ///< Tangential e_t u_t- of impacts [m/s], tiled, 3 fields; null when there is none.
    const R* arms = nullptr;     ///< ArmField fields, tiled; null for spheres, whose arms are along the normal.
    const R* inertia = nullptr;  ///< With arms: rows of InertiaRow [bodies]; zeros for fixed bodies.
    IslandView islands;          ///< Of bodies that joints hold; they have arms and inertia.
    bool coulomb = true;         ///< true: De Saxce's term; false: the associated (published) law.
    R friction_max = R(0);       ///< Largest coefficient of friction of any contact [-]; 0: unknown.

    /// Whether impulses move the body.
    [[nodiscard]] SCREE_HD bool is_free(Index body) const {
        const std::int64_t at = 2 * std::int64_t(body);
        return inverse_mass[at] > R(0) || inverse_mass[at + 1] > R(0);
    }
    [[nodiscard]] SCREE_HD Index contacts_of(Index body) const {
        return a_start[body + 1] - a_start[body] + b_start[body + 1] - b_start[body];
    }
    [[nodiscard]] RowKind kind() const { return row_kind(rolling != nullptr, inertia != nullptr); }
};

/// Inertia of a body about its centre, world axes, six numbers (xx yy zz xy xz yz) each.
struct InertiaRow {
    enum : int { inverse = 0, tensor = 8, size = 16 };
};

/// The constant rows of `lanes` contacts, arms included.
template <class P, RowKind K, class R, int W>
SCREE_HD_INLINE KindRow<P, K> load_kind_row(const ConeProblem<R, W>& problem, Index first) {
    if constexpr (has_arms<K>) {
        const auto field = [&](int f) { return load_field<P, W, ArmField::count>(problem.arms, first, f); };
        return {load_row<P, W>(problem.rows, first),
                {field(ArmField::ax), field(ArmField::ay), field(ArmField::az)},
                {field(ArmField::bx), field(ArmField::by), field(ArmField::bz)}};
    } else {
        return load_row<P, W>(problem.rows, first);
    }
}

/// Where the passes put impulses for bodies to gather.
template <class R>
struct ImpulseRows {
    R* rows = nullptr;     ///< Rows of eight [contacts]; with arms two such blocks, see store_impulse_rows().
    R* moments = nullptr;  ///< Rows of four [contacts]; only with rolling rows and no arms.
};
/// Reals per contact.
template <RowKind K>
inline constexpr int impulse_row_reals = has_arms<K> ? 16 : (has_rolling<K> ? 12 : 8);

/// Stores the impulse g and the moment m.
template <RowKind K, class P, class R, int W>
SCREE_HD_INLINE void store_impulses(const ConeProblem<R, W>& problem, const ImpulseRows<R>& out, Index first,
                                    const KindRow<P, K>& row, Vector3<P> g, Vector3<P> m) {
    if constexpr (has_arms<K>) {
        store_impulse_rows(out.rows, first, problem.contacts, row, g, m);
    } else {
        store_impulse_row(out.rows, first, row, g);
        if constexpr (has_rolling<K>) {
            const P values[4] = {m.x, m.y, m.z, P(R(0))};
            store_rows_of_four(out.moments, first, values);
        }
    }
}

/// Contact impulses: g [N s] on B in world axes and, with rolling rows, the moment m [N m s] on B.
template <class R>
struct ImpulseView {
    R* g = nullptr;  ///< tiled, 3 fields
    R* m = nullptr;  ///< tiled, 3 fields; null without rolling rows
};

/// Sum of the impulses and moments that act on one body, as a row (force 0, torque 0) whose elements 3 and 7 are not
/// meaningful; impulse rows as store_impulses() wrote them. The order is fixed: contacts as finder in index order,
/// contacts as partner in index order, then the two sums.
template <class Row, RowKind K, class R, int W>
SCREE_HD_INLINE Row gather_impulses(const ConeProblem<R, W>& problem, const ImpulseRows<R>& impulses, Index body) {
    using Parts = RowParts<Row>;
    const R* const impulse_rows = impulses.rows;
    Row as_finder(R(0)), as_partner(R(0));
    if constexpr (has_arms<K>) {
        const R* const partner_rows = impulse_rows + std::int64_t(8) * problem.contacts;
        for (Index c = problem.a_start[body]; c < problem.a_start[body + 1]; ++c)
            as_finder += Lanes<Row>::load(impulse_rows + std::int64_t(8) * c);
        for (Index k = problem.b_start[body]; k < problem.b_start[body + 1]; ++k)
            as_partner += Lanes<Row>::load(partner_rows + std::int64_t(8) * problem.b_list[k]);
        return as_finder + as_partner;
    } else {
        for (Index c = problem.a_start[body]; c < problem.a_start[body + 1]; ++c) {
            const Row row = Lanes<Row>::load(impulse_rows + std::int64_t(8) * c);
            as_finder += row * Parts::template levered<3>(row);
            if constexpr (has_rolling<K>) as_finder += Parts::angular(impulses.moments + std::int64_t(4) * c);
        }
        for (Index k = problem.b_start[body]; k < problem.b_start[body + 1]; ++k) {
            const Index c = problem.b_list[k];
            const Row row = Lanes<Row>::load(impulse_rows + std::int64_t(8) * c);
            as_partner += row * Parts::template levered<7>(row);
            if constexpr (has_rolling<K>) as_partner -= Parts::angular(impulses.moments + std::int64_t(4) * c);
        }
        return Parts::parts(R(1), R(-1)) * as_partner - as_finder;
    }
}

/// What a body does with impulses: its inverse mass and its mass.
template <class Row, RowKind K, class R, int W>
struct BodyMass {
    using Parts = RowParts<Row>;
    R inverse_mass;
    R inverse_inertia = R(0);    ///< Of spheres.
    const R* inertia = nullptr;  ///< Row of InertiaRow, with arms.

    SCREE_HD_INLINE BodyMass(const ConeProblem<R, W>& problem, Index body)
        : inverse_mass(problem.inverse_mass[2 * std::int64_t(body)]) {
        if constexpr (has_arms<K>)
            inertia = problem.inertia + std::int64_t(InertiaRow::size) * body;
        else
            inverse_inertia = problem.inverse_mass[2 * std::int64_t(body) + 1];
    }
    /// M^-1 (force, torque)
    [[nodiscard]] SCREE_HD_INLINE Row divide(const Row& impulse) const {
        if constexpr (has_arms<K>)
            return Parts::times(inverse_mass, inertia + InertiaRow::inverse, impulse);
        else
            return Parts::parts(inverse_mass, inverse_inertia) * impulse;
    }
    /// What energy() multiplies with; the tensor of inertia is not among it.
    [[nodiscard]] SCREE_HD_INLINE Row weights() const {
        return Parts::parts(inverse_mass > R(0) ? R(1) / inverse_mass : R(0),
                            inverse_inertia > R(0) ? R(1) / inverse_inertia : R(0));
    }
    /// Element by element, (v, w) * M (v, w).
    [[nodiscard]] SCREE_HD_INLINE Row energy(const Row& weights, const Row& velocity) const {
        if constexpr (has_arms<K>)
            return Parts::times(inverse_mass > R(0) ? R(1) / inverse_mass : R(0), inertia + InertiaRow::tensor,
                                velocity) *
                   velocity;
        else
            return weights * (velocity * velocity);
    }
};

/// Adds the contacts' tangential offset: the friction law acts on u_t + e_t u_t-.
template <class P, class R, int W>
SCREE_HD_INLINE void add_offset(const ConeProblem<R, W>& problem, Index first, RelativeVelocity<P>& v) {
    if (problem.offset != nullptr) v.u += load_vector<P, W>(problem.offset, first);
}

/// Normal and tangential parts of the velocity that the cone condition is about, and of the rolling velocity.
template <class P>
struct ConeVelocity {
    P n;             ///< u_n + b + E gamma_n; u^ has slip() besides.
    Vector3<P> t;    ///< u_t
    P w_n;           ///< spin about n
    Vector3<P> w_t;  ///< rolling
};

template <RowKind K, class P>
SCREE_HD_INLINE ConeVelocity<P> cone_velocity(const ContactRow<P>& row, const RelativeVelocity<P>& v, P impulse_n) {
    ConeVelocity<P> c;
    const P un = dot(v.u, row.n);
    c.t = v.u - un * row.n;
    c.n = un + row.bias + row.compliance * impulse_n;
    if constexpr (has_rolling<K>) {
        c.w_n = dot(v.w, row.n);
        c.w_t = v.w - c.w_n * row.n;
    }
    return c;
}

/// De Saxce's term of true Coulomb friction: mu |u_t| + mu_r |w_t| + mu_s |w_n|.
template <RowKind K, class P>
SCREE_HD_INLINE P slip(const ContactRow<P>& row, const RollingRow<P>& rolling, const ConeVelocity<P>& v) {
    P s = row.friction * norm(v.t);
    if constexpr (has_rolling<K>)
        s = s + rolling.rolling * norm(v.w_t) + rolling.spinning * larger(v.w_n, P(0) - v.w_n);
    return s;
}

/// An impulse in contact parts.
template <class P>
struct ConeImpulse {
    P n;
    Vector3<P> t;
    P m_n;
    Vector3<P> m_t;
};

template <RowKind K, class P>
SCREE_HD_INLINE ConeImpulse<P> split(const ContactRow<P>& row, Vector3<P> g, Vector3<P> m) {
    ConeImpulse<P> s;
    s.n = dot(g, row.n);
    s.t = g - s.n * row.n;
    if constexpr (has_rolling<K>) {
        s.m_n = dot(m, row.n);
        s.m_t = m - s.m_n * row.n;
    }
    return s;
}
template <class P>
SCREE_HD_INLINE Vector3<P> join(const ContactRow<P>& row, P n, Vector3<P> t) {
    return n * row.n + t;
}

/// P_K(s - v / d): one projected step with the given inverse metric weights (already times the step length).
template <RowKind K, class P>
SCREE_HD_INLINE ConeImpulse<P> projected_step(const ContactRow<P>& row, const RollingRow<P>& rolling,
                                              const ConeImpulse<P>& s, const ConeVelocity<P>& v, P inv_dn, P inv_dt,
                                              P inv_dr) {
    ConeImpulse<P> r;
    const P a = s.n - inv_dn * v.n;
    const Vector3<P> t = s.t - inv_dt * v.t;
    const P length = norm(t);
    if constexpr (has_rolling<K>) {
        const Vector3<P> m_t = s.m_t - inv_dr * v.w_t;
        const P m_n = s.m_n - inv_dr * v.w_n;
        const P roll = norm(m_t);
        const P spin = larger(m_n, P(0) - m_n);
        const P lengths[3] = {length, roll, spin};
        const P coefficients[3] = {row.friction, rolling.rolling, rolling.spinning};
        const P inv_d[3] = {inv_dt, inv_dr, inv_dr};
        r.n = project_normal(a, lengths, coefficients, inv_dn, inv_d);
        r.m_t = cone_scale(roll, rolling.rolling * r.n) * m_t;
        r.m_n = cone_scale(spin, rolling.spinning * r.n) * m_n;
    } else {
        r.n = project_normal(a, length, row.friction, inv_dn, inv_dt);
    }
    r.t = cone_scale(length, row.friction * r.n) * t;
    return r;
}

}  // namespace scree::kernels
