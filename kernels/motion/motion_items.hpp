// SPDX-License-Identifier: BSD-3-Clause
// Free motion of bodies between contact solves (numerics section 2, NST eq. 5).
#pragma once

#include "kernels/collide/body_state.hpp"
#include "kernels/cone/cone_problem.hpp"
#include "kernels/items/symmetric3.hpp"
#include "kernels/motion/orientation.hpp"

namespace scree::kernels {

/// v* = v + h g for free spheres (their gyroscopic term is zero); fixed bodies keep their velocity. Row `bodies` (the
/// ground) is zero.
template <class R>
struct FreeVelocityItem {
    const R* velocity;
    const R* inverse_mass;
    R* free_velocity;
    R step_gravity[3];  ///< h g [m/s]
    Index bodies;
    SCREE_HD void operator()(Index i) const {
        const std::int64_t at = std::int64_t(8) * i;
        if (i == bodies) {
            for (int k = 0; k < 8; ++k) free_velocity[at + k] = R(0);
            return;
        }
        const bool is_free = inverse_mass[2 * std::int64_t(i)] > R(0);
        for (int k = 0; k < 3; ++k) free_velocity[at + k] = velocity[at + k] + (is_free ? step_gravity[k] : R(0));
        free_velocity[at + 3] = R(0);
        for (int k = 4; k < 7; ++k) free_velocity[at + k] = velocity[at + k];
        free_velocity[at + 7] = R(0);
    }
};

/// Whether no contact of `body` but c bears a share of c's normal impulse worth the name.
template <class R, int W>
SCREE_HD bool bears_only(const ConeProblem<R, W>& problem, const R* g, Index body, Index c, R normal) {
    const auto bears = [&](Index other) {
        if (other == c) return false;
        const ContactRow<R> row = load_row<R, W>(problem.rows, other);
        return g[tiled<W, 3>(other, 0)] * row.n.x + g[tiled<W, 3>(other, 1)] * row.n.y +
                   g[tiled<W, 3>(other, 2)] * row.n.z >
               R(0.01) * normal;
    };
    for (Index k = problem.a_start[body]; k < problem.a_start[body + 1]; ++k)
        if (bears(k)) return false;
    for (Index k = problem.b_start[body]; k < problem.b_start[body + 1]; ++k)
        if (bears(problem.b_list[k])) return false;
    return true;
}

/// delay x impulse of contact c [N s^2], that of an isolated impact at most. In a cluster there is none: the other
/// contacts of its bodies are solved for impulses that act at once, and a late one would move their surfaces into each
/// other.
template <RowKind K, class R, int W>
SCREE_HD Vector3<double> late_impulse(const ConeProblem<R, W>& problem, const R* g, const R* delay, Index c) {
    if (delay[c] <= R(0)) return {0.0, 0.0, 0.0};
    if constexpr (has_arms<K>)
        for (const Index body : {problem.body_a[c], problem.body_b[c]})
            if (body < problem.bodies && problem.islands.holds(body)) return {0.0, 0.0, 0.0};  // joints act at once
    const KindRow<R, K> row = load_kind_row<R, K>(problem, c);
    const Vector3<R> impulse{g[tiled<W, 3>(c, 0)], g[tiled<W, 3>(c, 1)], g[tiled<W, 3>(c, 2)]};
    const R bearing = dot(impulse, row.n);
    for (const Index body : {problem.body_a[c], problem.body_b[c]})
        if (body < problem.bodies && !bears_only(problem, g, body, c, bearing)) return {0.0, 0.0, 0.0};
    R a[8], b[8];
    RowsOfEight<R>::gather(problem.free_velocity, problem.body_a + c, a);
    RowsOfEight<R>::gather(problem.free_velocity, problem.body_b + c, b);
    // Spins do not close the gap of spheres.
    R free = dot(Vector3<R>{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, row.n);
    if constexpr (has_arms<K>) free = dot(relative_velocity(row, a, b).u, row.n);
    const double isolated = double(row.inv_dn) * (0.0 - double(row.bias) - double(free));
    const double normal = double(dot(impulse, row.n));
    if (!(normal > 0.0) || !(isolated > 0.0)) return {0.0, 0.0, 0.0};
    const double weight = double(delay[c]) * smaller(1.0, isolated / normal);
    return {weight * double(impulse.x), weight * double(impulse.y), weight * double(impulse.z)};
}

/// What impulses that act late leave out of a step's motion: M^-1 D of the late impulses.
struct LateMotion {
    Vector3<double> way{0.0, 0.0, 0.0};   ///< [m]
    Vector3<double> turn{0.0, 0.0, 0.0};  ///< [rad], with arms; that of spheres is not seen.

    /// Way and turn of a body with the velocities `v` (a row of eight) after the solve.
    template <class R>
    [[nodiscard]] SCREE_HD Vector3<double> way_made(const R* v, double step) const {
        return Vector3<double>{step * double(v[0]), step * double(v[1]), step * double(v[2])} - way;
    }
    template <class R>
    [[nodiscard]] SCREE_HD Vector3<double> turn_made(const R* v, double step) const {
        return Vector3<double>{step * double(v[4]), step * double(v[5]), step * double(v[6])} - turn;
    }
};
template <RowKind K, class R, int W>
SCREE_HD LateMotion late_motion(const ConeProblem<R, W>& problem, const R* g, const R* delay, Index body) {
    LateMotion late;
    Vector3<double> torque{0.0, 0.0, 0.0};
    const auto add = [&](Index c, double sign, [[maybe_unused]] int arm) {
        const Vector3<double> impulse = sign * late_impulse<K>(problem, g, delay, c);
        late.way += impulse;
        if constexpr (has_arms<K>) {
            const auto field = [&](int f) { return double(load_field<R, W, ArmField::count>(problem.arms, c, f)); };
            torque += cross(Vector3<double>{field(arm), field(arm + 1), field(arm + 2)}, impulse);
        }
    };
    for (Index c = problem.a_start[body]; c < problem.a_start[body + 1]; ++c) add(c, -1.0, ArmField::ax);
    for (Index e = problem.b_start[body]; e < problem.b_start[body + 1]; ++e) add(problem.b_list[e], 1.0, ArmField::bx);
    late.way = double(problem.inverse_mass[2 * std::int64_t(body)]) * late.way;
    if constexpr (has_arms<K>) {
        const R* row = problem.inertia + std::int64_t(InertiaRow::size) * body + InertiaRow::inverse;
        double inverse[6];
        for (int k = 0; k < 6; ++k) inverse[k] = double(row[k]);
        late.turn = times(inverse, torque);
    }
    return late;
}

/// x+ = x + h v+ - late way, q+ = exp((h w+ - late turn) / 2) q with w in world axes; wraps at periodic faces.
/// `left_out` comes off the ways and turns of bodies that are held back (HoldBackItem).
/// Impulses saw the inertia in the middle of the free motion, the next step sees that of the end. In steps with
/// impacts, where spins jump, a body keeps the energy that impulses left it: its spin is scaled by as little as that
/// needs, and its inertia that turned on gives it nothing.
/// sums: [0] translational, [1] rotational kinetic energy [J], [2] work of the contact impulses [J],
///       [3] non-finite bodies, [4] of the work, what is due to inertia that turned on [J],
///       [5] m g . way [J], [6] m g . v, with g as velocities get it [W], [7] of [2], half of what the impulses do on
///       v* - v [J].
/// maxima: [0] speed [m/s].
template <class R, int W, RowKind K>
struct AdvanceItem {
    ConeProblem<R, W> problem;
    const R* g;
    const R* delay;  ///< null when all impulses act at the start of the step
    double* position;
    double* orientation;
    R* velocity;
    const R* free_velocity;
    const R* inverse_mass;
    const double* inertia;  ///< With arms: rows of six, body axes.
    float* motion;          ///< Rows of four; out: element 3 = agitation, the speed that contacts changed [m/s].
    Periodic periodic;
    double step;
    const double* left_out = nullptr;  ///< Rows of six [m, rad], with arms; null: nothing.
    double gravity[3] = {0.0, 0.0, 0.0};
    bool impacts = false;               ///< Surfaces met in this step.
    const R* start = nullptr;           ///< v, rows of eight; null for spheres: v* less `added`.
    double added[3] = {0.0, 0.0, 0.0};  ///< h g as velocities get it [m/s].
    double force_step = 0.0;            ///< h [s], also where nothing moves (`step` is 0).

    SCREE_HD void operator()(Index i, Accumulator<double, 8, 1>& acc) const {
        R* v = velocity + std::int64_t(8) * i;
        const R* f = free_velocity + std::int64_t(8) * i;
        double* x = position + std::int64_t(4) * i;
        LateMotion late;
        if (delay != nullptr) late = late_motion<K>(problem, g, delay, i);
        if constexpr (has_arms<K>) {
            if (left_out != nullptr) {
                const double* row = left_out + std::int64_t(6) * i;
                late.way += Vector3<double>{row[0], row[1], row[2]};
                late.turn += Vector3<double>{row[3], row[4], row[5]};
            }
        }
        const double not_made[3] = {late.way.x, late.way.y, late.way.z};
        double squared = 0.0, free_squared = 0.0, spin = 0.0, free_spin = 0.0, changed = 0.0, fallen = 0.0, power = 0.0;
        double on_linear = 0.0, on_spin = 0.0;  // impulses by what forces changed
        for (int k = 0; k < 3; ++k) {
            x[k] = periodic.inside(x[k] + step * double(v[k]) - not_made[k], k);
            fallen += gravity[k] * (step * double(v[k]) - not_made[k]);
            power += force_step > 0.0 ? added[k] / force_step * double(v[k]) : 0.0;
            squared += double(v[k]) * double(v[k]);
            free_squared += double(f[k]) * double(f[k]);
            changed += (double(v[k]) - double(f[k])) * (double(v[k]) - double(f[k]));
            const double forced = start != nullptr ? double(f[k]) - double(start[std::int64_t(8) * i + k]) : added[k];
            on_linear += (double(v[k]) - double(f[k])) * forced;
            spin += double(v[4 + k]) * double(v[4 + k]);
            free_spin += double(f[4 + k]) * double(f[4 + k]);
        }
        double* q = orientation + std::int64_t(4) * i;
        const double inverse = double(inverse_mass[2 * std::int64_t(i)]);
        double rotation = 0.0, free_rotation = 0.0, turned_on = 0.0;  // energies
        if constexpr (has_arms<K>) {
            const Vector3<double> w{double(v[4]), double(v[5]), double(v[6])};
            const Vector3<double> of_free{double(f[4]), double(f[5]), double(f[6])};
            const Vector3<double> turn = step * w - late.turn;
            rotate_orientation(q, turn.x, turn.y, turn.z, dot(turn, turn), 1.0);
            // The energy that the next step finds, in body axes.
            double body[6];
            for (int k = 0; k < 6; ++k) body[k] = inertia[std::int64_t(6) * i + k];
            const Vector3<double> own = Axes::of(q).to_body(w);
            rotation = 0.5 * dot(own, times(body, own));
            // Surfaces move by spin changes too: at most this far from the centre.
            const double reach = radius_of(position, i);
            changed += reach * reach * dot(w - of_free, w - of_free);
            double tensor[6];
            const R* row = problem.inertia + std::int64_t(InertiaRow::size) * i + InertiaRow::tensor;
            for (int k = 0; k < 6; ++k) tensor[k] = double(row[k]);
            free_rotation = 0.5 * dot(of_free, times(tensor, of_free));
            if (start != nullptr) {
                const R* s = start + std::int64_t(8) * i;
                on_spin = dot(w - of_free,
                              times(tensor, of_free - Vector3<double>{double(s[4]), double(s[5]), double(s[6])}));
            }
            const double left = 0.5 * dot(w, times(tensor, w));
            if (impacts && changed > 0.0 && rotation > left && dot(turn, turn) < 1.0 && !problem.islands.holds(i)) {
                const double scale = square_root(left / rotation);
                for (int k = 4; k < 7; ++k) v[k] = R(scale * double(v[k]));
                rotation = left;
            }
            turned_on = rotation - left;
        } else {
            rotate_orientation(q, double(v[4]), double(v[5]), double(v[6]), spin, step);
            const double inverse_inertia = double(inverse_mass[2 * std::int64_t(i) + 1]);
            const double moment = inverse_inertia > 0.0 ? 1.0 / inverse_inertia : 0.0;
            rotation = 0.5 * moment * spin;
            free_rotation = 0.5 * moment * free_spin;
        }
        motion[std::int64_t(4) * i + 3] = float(square_root(changed));
        if (inverse > 0.0) {
            const double mass = 1.0 / inverse;
            acc.sum[0] += 0.5 * mass * squared;
            acc.sum[1] += rotation;
            acc.sum[2] += 0.5 * mass * (squared - free_squared) + (rotation - free_rotation);
            acc.sum[4] += turned_on;
            acc.sum[5] += mass * fallen;
            acc.sum[6] += mass * power;
            acc.sum[7] += 0.5 * (mass * on_linear + on_spin);
        }
        const double check = squared + spin + x[0] + x[1] + x[2];
        if (!(check - check == 0.0)) acc.sum[3] += 1.0;
        acc.max[0] = larger(acc.max[0], square_root(squared));
    }
};

/// Bodies that outlets take: past a plane, outside a box, or in one.
struct OutletPart {
    std::int32_t form = 0;  ///< 0: plane, 1: outside a box, 2: inside it
    std::int32_t unused = 0;
    double a[3] = {0, 0, 0};  ///< plane: point; box: lower corner
    double b[3] = {0, 0, 0};  ///< plane: normal (bodies are taken on its side); box: upper corner
};

/// taken[i] = 1 + outlet that takes body i (the first of the list), 0 if none. sums: [0] bodies taken.
struct OutletItem {
    const double* position;
    const OutletPart* outlets;
    Index outlet_count;
    Index* taken;
    SCREE_HD void operator()(Index i, Accumulator<double, 1, 0>& acc) const {
        const double* x = position + std::int64_t(4) * i;
        Index by = 0;
        for (Index k = 0; k < outlet_count && by == 0; ++k) {
            const OutletPart& o = outlets[k];
            if (o.form != 0) {
                bool outside = false;
                for (int axis = 0; axis < 3; ++axis) outside = outside || x[axis] < o.a[axis] || x[axis] > o.b[axis];
                if (outside == (o.form == 1)) by = k + 1;
            } else {
                const double past = (x[0] - o.a[0]) * o.b[0] + (x[1] - o.a[1]) * o.b[1] + (x[2] - o.a[2]) * o.b[2];
                if (past > 0.0) by = k + 1;
            }
        }
        taken[i] = by;
        if (by > 0) acc.sum[0] += 1.0;
    }
};

/// out[i] = in[from[i]] for rows of `width` items.
template <class T>
struct PermuteRowsItem {
    const T* in;
    T* out;
    const Index* from;
    int width;
    SCREE_HD void operator()(Index i) const {
        for (int k = 0; k < width; ++k) out[std::int64_t(width) * i + k] = in[std::int64_t(width) * from[i] + k];
    }
};

}  // namespace scree::kernels
