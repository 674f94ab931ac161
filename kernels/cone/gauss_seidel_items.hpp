// SPDX-License-Identifier: BSD-3-Clause
// Thread bodies of coloured Gauss-Seidel: rows in the order of colours, the sweep over one colour, and what a sweep
// leaves to do.
#pragma once

#include "kernels/cone/contact_colours.hpp"

namespace scree::kernels {

/// A problem in the order of colours. `rows` is the problem with contacts at their places; its lists by bodies are
/// those of the problem as given.
template <class R, int W>
struct ColouredRows {
    ConeProblem<R, W> rows;
    R *row = nullptr, *rolling = nullptr, *arms = nullptr, *offset = nullptr;  ///< What `rows` points at.
    Index *body_a = nullptr, *body_b = nullptr;                                ///< The same.
    /// Bodies whose velocity the contact changes; -1: a wall, a fixed body or a heavy one.
    Index *to_a = nullptr, *to_b = nullptr;
    R* share = nullptr;  ///< Of the step of the contact alone, at most 1: see ColourRowItem.
    const Index* source = nullptr;
    const Index* place = nullptr;
};

/// Over contacts: copies a contact's rows to its place, and its impulses. Rows are read in order and written to the
/// ends of a few colours, in place of being read all over.
///
/// Share. The contact's block is its own inverse metric for spheres. A heavy body stands still while its k contacts are
/// solved: as if each had a k-th of it ("mass splitting": the sum of what they do is then never too much), which adds
/// k - 1 times its part of the block. Rolling rows couple with tangential ones, by at most as much again.
template <class R, int W, RowKind K>
struct ColourRowItem {
    ConeProblem<R, W> from;
    ColouredRows<R, W> to;
    ImpulseView<const R> g;
    ImpulseView<R> x;

    SCREE_HD void operator()(Index c) const {
        const Index at = to.place[c], a = from.body_a[c], b = from.body_b[c];
        copy<RowField::count>(at, c, from.rows, to.row);
        copy<3>(at, c, g.g, x.g);
        if constexpr (has_rolling<K>) {
            copy<RollingField::count>(at, c, from.rolling, to.rolling);
            copy<3>(at, c, g.m, x.m);
        }
        if constexpr (has_arms<K>) copy<ArmField::count>(at, c, from.arms, to.arms);
        if (from.offset != nullptr) copy<3>(at, c, from.offset, to.offset);
        const BodyWeight<R, W> weight_a(from, a), weight_b(from, b);
        to.body_a[at] = a;
        to.body_b[at] = b;
        to.to_a[at] = weight_a.light ? a : Index(-1);
        to.to_b[at] = weight_b.light ? b : Index(-1);
        R share = has_rolling<K> ? R(0.5) : R(1);
        if (weight_a.heavy || weight_b.heavy) {
            const auto field = [&](int f) { return from.rows[tiled<W, RowField::count>(c, f)]; };
            const R added = split(a, weight_a, field(RowField::lever_a)) + split(b, weight_b, field(RowField::lever_b));
            share = share / (R(1) + larger(field(RowField::inv_dn), field(RowField::inv_dt)) * added);
        }
        to.share[at] = share;
    }

private:
    template <int F>
    SCREE_HD static void copy(Index at, Index c, const R* source, R* target) {
        for (int f = 0; f < F; ++f) target[tiled<W, F>(at, f)] = source[tiled<W, F>(c, f)];
    }
    /// At most k - 1 times the part of a heavy body in the contact's block.
    [[nodiscard]] SCREE_HD R split(Index body, const BodyWeight<R, W>& weight, R lever) const {
        if (!weight.heavy) return R(0);
        R turn = from.inverse_mass[2 * std::int64_t(body) + 1];
        if constexpr (has_arms<K>) {
            const R* inverse = from.inertia + std::int64_t(InertiaRow::size) * body + InertiaRow::inverse;
            turn = inverse[0] + inverse[1] + inverse[2];
        }
        return R(weight.contacts - 1) * (from.inverse_mass[2 * std::int64_t(body)] + lever * lever * turn);
    }
};

/// Over places: inert rows where no contact is, ground against ground.
template <class R, int W, RowKind K>
struct EmptyPlaceItem {
    ColouredRows<R, W> to;
    ImpulseView<R> x;

    SCREE_HD void operator()(Index at) const {
        if (to.source[at] >= 0) return;
        fill<RowField::count>(at, to.row, R(0));
        for (const int one : {RowField::nz, RowField::bias, RowField::inv_dn, RowField::inv_dt})
            to.row[tiled<W, RowField::count>(at, one)] = R(1);
        fill<3>(at, x.g, R(0));
        if constexpr (has_rolling<K>) {
            fill<RollingField::count>(at, to.rolling, R(1));
            fill<3>(at, x.m, R(0));
        }
        if constexpr (has_arms<K>) fill<ArmField::count>(at, to.arms, R(0));
        if (to.offset != nullptr) fill<3>(at, to.offset, R(0));
        to.body_a[at] = to.body_b[at] = to.rows.bodies;
        to.to_a[at] = to.to_b[at] = Index(-1);
        to.share[at] = R(1);
    }

private:
    template <int F>
    SCREE_HD static void fill(Index at, R* target, R value) {
        for (int f = 0; f < F; ++f) target[tiled<W, F>(at, f)] = value;
    }
};

/// Three iterates at their places.
template <class R>
struct SweepIterates {
    ImpulseView<const R> x, previous;
    ImpulseView<R> next;
    R beta;
};

/// P_K of one contact alone, Coulomb's law: the normal impulse first, then friction at most mu times it. With a block
/// that is diagonal, as a sphere's is, that is the contact's exact solution (Alart and Curnier's map). Unlike De
/// Saxce's form it has no term that answers slip by pushing apart.
template <RowKind K, class P>
SCREE_HD_INLINE ConeImpulse<P> coulomb_step(const ContactRow<P>& row, const RollingRow<P>& rolling,
                                            const ConeImpulse<P>& s, const ConeVelocity<P>& v, P share) {
    using R = typename LaneTraits<P>::Scalar;
    ConeImpulse<P> r;
    r.n = larger(P(R(0)), s.n - share * row.inv_dn * v.n);
    const Vector3<P> t = s.t - (share * row.inv_dt) * v.t;
    r.t = cone_scale(norm(t), row.friction * r.n) * t;
    if constexpr (has_rolling<K>) {
        const Vector3<P> m_t = s.m_t - (share * rolling.inv_d) * v.w_t;
        const P m_n = s.m_n - share * rolling.inv_d * v.w_n;
        r.m_t = cone_scale(norm(m_t), rolling.rolling * r.n) * m_t;
        r.m_n = cone_scale(larger(m_n, P(R(0)) - m_n), rolling.spinning * r.n) * m_n;
    }
    return r;
}

/// Over the contacts of one colour: each is solved for the velocities as they are, which it then changes. Sums as those
/// of ProjectedStepItem, D being the metric of the contact's own block over its share:
///     [0] (y - x+) . D (x+ - x)      [3] |D (x+ - y)|^2
template <class R, int W, class Row, RowKind K>
struct SweepItem {
    ColouredRows<R, W> coloured;
    SweepIterates<R> iterates;
    R* velocity;  ///< V(y) and what contacts before have changed.
    Index begin;  ///< Of the colour.

    template <class P>
    SCREE_HD void operator()(Index k, Accumulator<P, 4, 0>& acc) const {
        const Index first = begin + k;
        const ConeProblem<R, W>& problem = coloured.rows;
        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        P a[8], b[8];
        RowsOfEight<P>::gather(velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(velocity, problem.body_b + first, b);
        RelativeVelocity<P> relative = relative_velocity(row, a, b);
        add_offset(problem, first, relative);
        const P beta = P(iterates.beta), share = Lanes<P>::load(coloured.share + first);
        const Vector3<P> xk = load_vector<P, W>(iterates.x.g, first);
        const Vector3<P> y = xk + beta * (xk - load_vector<P, W>(iterates.previous.g, first));
        RollingRow<P> rolling{};
        Vector3<P> mk{}, my{}, change_m{};
        if constexpr (has_rolling<K>) {
            rolling = load_rolling<P, W>(problem.rolling, first);
            mk = load_vector<P, W>(iterates.x.m, first);
            my = mk + beta * (mk - load_vector<P, W>(iterates.previous.m, first));
        }
        const ConeImpulse<P> s = split<K>(row, y, my);
        const ConeVelocity<P> v = cone_velocity<K>(row, relative, s.n);
        const ConeImpulse<P> q = problem.coulomb ? coulomb_step<K>(row, rolling, s, v, share)
                                                 : projected_step<K>(row, rolling, s, v, share * row.inv_dn,
                                                                     share * row.inv_dt, share * rolling.inv_d);
        const Vector3<P> xn = join(row, q.n, q.t), change = xn - y;
        store_vector<W>(iterates.next.g, first, xn);
        const P change_n = dot(change, row.n), of_whole_step = P(R(1)) / share;
        const Vector3<P> weighted =
            of_whole_step * ((change_n / row.inv_dn) * row.n + (P(R(1)) / row.inv_dt) * (change - change_n * row.n));
        P way = dot(xn - xk, weighted), map = dot(weighted, weighted);
        if constexpr (has_rolling<K>) {
            const Vector3<P> mn = join(row, q.m_n, q.m_t);
            store_vector<W>(iterates.next.m, first, mn);
            change_m = mn - my;
            const Vector3<P> weighted_m = (of_whole_step / rolling.inv_d) * change_m;
            const P lever = larger(row.lever_a, row.lever_b);
            way += dot(mn - mk, weighted_m);
            map += lever * lever * dot(weighted_m, weighted_m);
        }
        acc.sum[0] = acc.sum[0] - way;
        acc.sum[3] += map;
        add<P>(coloured.to_a + first, Vector3<P>{} - change, torque_on_a(row, change) - change_m);
        add<P>(coloured.to_b + first, change, torque_on_b(row, change) + change_m);
    }

private:
    template <class P>
    SCREE_HD_INLINE static Vector3<P> torque_on_a(const ContactRow<P>& row, Vector3<P> g) {
        return (P(R(0)) - row.lever_a) * cross(row.n, g);
    }
    template <class P>
    SCREE_HD_INLINE static Vector3<P> torque_on_b(const ContactRow<P>& row, Vector3<P> g) {
        return (P(R(0)) - row.lever_b) * cross(row.n, g);
    }
    template <class P>
    SCREE_HD_INLINE static Vector3<P> torque_on_a(const ArmRow<P>& row, Vector3<P> g) {
        return cross(g, row.arm_a);
    }
    template <class P>
    SCREE_HD_INLINE static Vector3<P> torque_on_b(const ArmRow<P>& row, Vector3<P> g) {
        return cross(row.arm_b, g);
    }
    /// velocity[bodies] += M^-1 (force, torque), a row at a time: lanes share no body.
    template <class P>
    SCREE_HD_INLINE void add(const Index* bodies, Vector3<P> force, Vector3<P> torque) const {
        constexpr int lanes = LaneTraits<P>::lanes;
        const P zero = P(R(0));
        P columns[8] = {force.x, force.y, force.z, zero, torque.x, torque.y, torque.z, zero};
        alignas(64) R impulses[8 * lanes];
        RowsOfEight<P>::store(impulses, 0, columns);
        for (int lane = 0; lane < lanes; ++lane) {
            const Index body = bodies[lane];
            if (body < 0) continue;
            R* const at = velocity + std::int64_t(8) * body;
            const Row impulse = Lanes<Row>::load(impulses + std::int64_t(8) * lane);
            Lanes<Row>::store(at, Lanes<Row>::load(at) + BodyMass<Row, K, R, W>(coloured.rows, body).divide(impulse));
        }
    }
};

/// Over bodies, after a sweep: V(x+), which heavy bodies gather now, and V(y+) = V(x+) + beta (V(x+) - V(x)).
template <class R, int W, class Row, RowKind K>
struct SweepVelocityItem {
    ConeProblem<R, W> problem;  ///< As given.
    ColouredRows<R, W> coloured;
    ImpulseView<const R> x;  ///< x+, at places.
    R* velocity;             ///< in: after the sweep, out: V(y+)
    R* velocity_x;           ///< in: V(x), out: V(x+)
    R beta;

    SCREE_HD void operator()(Index body) const {
        const std::int64_t at = std::int64_t(8) * body;
        const Row v = BodyWeight<R, W>(problem, body).heavy ? gathered(body) : Lanes<Row>::load(velocity + at);
        Lanes<Row>::store(velocity + at, v + Row(beta) * (v - Lanes<Row>::load(velocity_x + at)));
        Lanes<Row>::store(velocity_x + at, v);
    }

private:
    [[nodiscard]] SCREE_HD Row gathered(Index body) const {
        R sum[8] = {};
        for (Index c = problem.a_start[body]; c < problem.a_start[body + 1]; ++c) add(coloured.place[c], true, sum);
        for (Index k = problem.b_start[body]; k < problem.b_start[body + 1]; ++k)
            add(coloured.place[problem.b_list[k]], false, sum);
        return Lanes<Row>::load(problem.free_velocity + std::int64_t(8) * body) +
               BodyMass<Row, K, R, W>(problem, body).divide(row_of(sum));
    }
    [[nodiscard]] SCREE_HD static Row row_of(const R (&sum)[8]) {
        alignas(64) R aligned[8];
        for (int k = 0; k < 8; ++k) aligned[k] = sum[k];
        return Lanes<Row>::load(aligned);
    }
    /// The impulse of the contact at a place on its body A, or on B.
    SCREE_HD void add(Index at, bool on_a, R (&sum)[8]) const {
        const KindRow<R, K> row = load_kind_row<R, K>(coloured.rows, at);
        const R sign = on_a ? R(-1) : R(1);
        const Vector3<R> g = sign * load_vector<R, W>(x.g, at);
        Vector3<R> torque;
        if constexpr (has_arms<K>)
            torque = cross(on_a ? row.arm_a : row.arm_b, g);
        else
            torque = (on_a ? row.lever_a : R(0) - row.lever_b) * cross(row.n, g);
        if constexpr (has_rolling<K>) torque += sign * load_vector<R, W>(x.m, at);
        sum[0] += g.x, sum[1] += g.y, sum[2] += g.z;
        sum[4] += torque.x, sum[5] += torque.y, sum[6] += torque.z;
    }
};

/// Over contacts: impulses back in their order.
template <class R, int W, RowKind K>
struct UncolourItem {
    const Index* place;
    ImpulseView<const R> x;
    ImpulseView<R> g;
    SCREE_HD void operator()(Index c) const {
        const Index at = place[c];
        for (int f = 0; f < 3; ++f) {
            g.g[tiled<W, 3>(c, f)] = x.g[tiled<W, 3>(at, f)];
            if constexpr (has_rolling<K>) g.m[tiled<W, 3>(c, f)] = x.m[tiled<W, 3>(at, f)];
        }
    }
};

/// Over bodies: V(x) as recomputed takes the place of the one that sweeps have added up; V(y) moves along.
template <class R, class Row>
struct CorrectVelocityItem {
    const R* exact;
    R* velocity;
    R* velocity_x;
    SCREE_HD void operator()(Index body) const {
        const std::int64_t at = std::int64_t(8) * body;
        const Row v = Lanes<Row>::load(exact + at);
        Lanes<Row>::store(velocity + at, Lanes<Row>::load(velocity + at) + (v - Lanes<Row>::load(velocity_x + at)));
        Lanes<Row>::store(velocity_x + at, v);
    }
};

}  // namespace scree::kernels
