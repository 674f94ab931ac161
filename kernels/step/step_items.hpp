// SPDX-License-Identifier: BSD-3-Clause
// Small thread bodies of the step around the cone solve.
#pragma once

#include "kernels/collide/contact_items.hpp"
#include "kernels/cone/cone_problem.hpp"
#include "kernels/parallel/fill.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::kernels {

/// Impulse rows of minus the cohesive impulses: g = -c h n. K is without rolling rows.
template <class R, int W, RowKind K>
struct CohesionRowsItem {
    ConeProblem<R, W> problem;
    const R* cohesion;
    ImpulseRows<R> impulses;
    SCREE_HD void operator()(Index c) const {
        const KindRow<R, K> row = load_kind_row<R, K>(problem, c);
        store_impulses<K>(problem, impulses, c, row, (R(0) - cohesion[c]) * row.n, {R(0), R(0), R(0)});
    }
};

/// v* <- v* + M^-1 D (-c h): the pull of cohesion as an outer impulse, so that solvers see the plain cone.
template <class R, int W, class Row, RowKind K>
struct CohesionVelocityItem {
    ConeProblem<R, W> problem;
    ImpulseRows<R> impulses;
    R* free_velocity;
    SCREE_HD void operator()(Index body) const {
        if constexpr (has_arms<K>)
            if (problem.islands.holds(body)) return;
        const std::int64_t at = std::int64_t(8) * body;
        BodyMass<Row, K, R, W> mass(problem, body);
        mass.inverse_inertia = R(0);  // along the normal: no torque on spheres
        const Row change = mass.divide(gather_impulses<Row, K>(problem, impulses, body));
        Lanes<Row>::store(free_velocity + at, Lanes<Row>::load(free_velocity + at) + change);
    }
};

/// b <- b - E c h, the compliance's share of the shift.
template <class R, int W>
struct CohesionBiasItem {
    R* rows;
    const R* cohesion;
    SCREE_HD void operator()(Index c) const {
        const std::int64_t bias = tiled<W, RowField::count>(c, RowField::bias);
        rows[bias] -= rows[tiled<W, RowField::count>(c, RowField::compliance)] * cohesion[c];
    }
};

/// Second pass of the rigid feedback: overlaps no longer push.
template <class R, int W>
struct RelaxBiasItem {
    R* rows;
    const R* marks;
    SCREE_HD void operator()(Index c) const {
        if (marks[c] == R(push_out_mark)) rows[tiled<W, RowField::count>(c, RowField::bias)] = R(0);
    }
};

/// The arm of A [m].
template <class R, int W>
SCREE_HD Vector3d arm_of_a(const R* arms, Index c, const ContactRow<R>& row) {
    if (arms == nullptr) return double(row.lever_a) * Vector3d{double(row.n.x), double(row.n.y), double(row.n.z)};
    const auto field = [&](int f) { return double(load_field<R, W, ArmField::count>(arms, c, f)); };
    return {field(ArmField::ax), field(ArmField::ay), field(ArmField::az)};
}

/// sums: force on boundary (x y z), torque about its reference point (x y z), of the contacts with `boundary`.
template <class R, int W>
struct BoundaryLoadItem {
    const R* rows;
    const R* g;
    const R* m;         ///< Moments of rolling and spinning resistance, null without.
    const R* cohesion;  ///< null without
    const Index* body_a;
    const Index* partner;
    const R* arms;  ///< null: levers along the normal
    const double* position;
    Index boundary;
    double reference[3];
    double inverse_step;
    double step;

    SCREE_HD void operator()(Index c, Accumulator<double, 6, 0>& acc) const {
        if (partner[c] != -1 - boundary) return;
        const ContactRow<R> row = load_row<R, W>(rows, c);
        const Vector3<R> impulse = impulse_of<R, W>(g, c);
        const double shift = cohesion != nullptr ? double(cohesion[c]) : 0.0;
        const Vector3d n{double(row.n.x), double(row.n.y), double(row.n.z)};
        const Vector3d f =
            inverse_step * (Vector3d{double(impulse.x), double(impulse.y), double(impulse.z)} - shift * n);
        const Vector3d point = center_of(position, body_a[c]) + arm_of_a<R, W>(arms, c, row);
        Vector3d t = cross(point - vector_of(reference), f);
        if (m != nullptr) {
            const Vector3<R> moment = impulse_of<R, W>(m, c);
            t += inverse_step * Vector3d{double(moment.x), double(moment.y), double(moment.z)};
        }
        acc.sum[0] += f.x;
        acc.sum[1] += f.y;
        acc.sum[2] += f.z;
        acc.sum[3] += t.x;
        acc.sum[4] += t.y;
        acc.sum[5] += t.z;
    }
};

/// sums over free bodies: [0] radii [m], [1] their number, [2] squared speeds [(m/s)^2].
template <class R>
struct FreeBodiesItem {
    const double* position;
    const R* inverse_mass;
    const R* velocity;
    SCREE_HD void operator()(Index i, Accumulator<double, 3, 0>& acc) const {
        if (!(inverse_mass[std::int64_t(2) * i] > R(0))) return;
        const R* v = velocity + std::int64_t(8) * i;
        acc.sum[0] += position[std::int64_t(4) * i + 3];
        acc.sum[1] += 1.0;
        for (int k = 0; k < 3; ++k) acc.sum[2] += double(v[k]) * double(v[k]);
    }
};

/// sums: [0] |net force| of free bodies [N], [1] their number.
template <class R>
struct NetForceItem {
    const R* velocity;
    const R* free_velocity;
    const R* inverse_mass;
    double inverse_step;
    double gravity[3];
    const double* wrench = nullptr;  ///< Rows of six: constant force and torque; null: none.
    SCREE_HD void operator()(Index i, Accumulator<double, 2, 0>& acc) const {
        const double inverse = double(inverse_mass[2 * std::int64_t(i)]);
        if (inverse <= 0.0) return;
        const R* v = velocity + std::int64_t(8) * i;
        const R* f = free_velocity + std::int64_t(8) * i;
        double squared = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double pulled = wrench != nullptr ? wrench[std::int64_t(6) * i + k] * inverse : 0.0;
            const double a = (double(v[k]) - double(f[k])) * inverse_step + gravity[k] + pulled;
            squared += a * a;
        }
        acc.sum[0] += square_root(squared) / inverse;
        acc.sum[1] += 1.0;
    }
};

/// sums: [0] |contact impulse| of loaded contacts [N s], [1] their number.
template <class R, int W>
struct ContactForceItem {
    const R* g;
    const R* rows;
    const R* cohesion;  ///< Pull [N s], null without.
    SCREE_HD void operator()(Index c, Accumulator<double, 2, 0>& acc) const {
        Vector3<R> impulse = impulse_of<R, W>(g, c);
        if (cohesion != nullptr) impulse = impulse - cohesion[c] * load_row<R, W>(rows, c).n;
        const double size = double(norm(impulse));
        if (size <= 0.0) return;
        acc.sum[0] += size;
        acc.sum[1] += 1.0;
    }
};

/// sums: [0] squared free approach speed of the contacts, bias included (overlaps that push apart count): the
/// residual's scale without gravity [(m/s)^2]; [1] squared speeds of both bodies, which rounding is relative to.
template <class R, int W, RowKind K>
struct ApproachItem {
    ConeProblem<R, W> problem;
    SCREE_HD void operator()(Index c, Accumulator<double, 2, 0>& acc) const {
        const KindRow<R, K> row = load_kind_row<R, K>(problem, c);
        R a[8], b[8];
        RowsOfEight<R>::gather(problem.free_velocity, problem.body_a + c, a);
        RowsOfEight<R>::gather(problem.free_velocity, problem.body_b + c, b);
        const double u = double(dot(relative_velocity(row, a, b).u, row.n) + row.bias);
        if (u < 0.0) acc.sum[0] += u * u;
        for (int k = 0; k < 3; ++k) acc.sum[1] += double(a[k]) * double(a[k]) + double(b[k]) * double(b[k]);
    }
};

/// Renumbers the last step's contacts after a permutation of slots. Thread = new slot.
template <class R, int W>
struct MoveContactsItem {
    const Index* from;  ///< Old slot of a new slot.
    const Index* to;    ///< New slot of an old slot, -1 when removed.
    const Index* old_a_start;
    const Index* old_partner;
    const R* old_g;
    const R* old_m;  ///< null without
    const Index* a_start;
    Index* partner;
    R* g;
    R* m;
    SCREE_HD void operator()(Index i) const {
        const Index first = old_a_start[from[i]];
        for (Index k = 0; k < a_start[i + 1] - a_start[i]; ++k) {
            const Index c = a_start[i] + k, o = first + k;
            // A contact whose partner is gone keeps its place and matches nothing.
            const Index p = old_partner[o];
            partner[c] = p < 0 ? p : (to[p] >= 0 ? to[p] : INT32_MIN);
            store_vector<W>(g, c, impulse_of<R, W>(old_g, o));
            if (m != nullptr) store_vector<W>(m, c, impulse_of<R, W>(old_m, o));
        }
    }
};

/// Thread slot: puts a prescribed body where it is to be.
template <class R>
struct PrescribeItem {
    const PrescribedBody* bodies;
    const Index* place_of_id;  ///< In `bodies`; -1 for others.
    const Index* id;
    double* position;
    double* orientation;
    R* velocity;
    SCREE_HD void operator()(Index slot) const {
        const Index place = place_of_id[id[slot]];
        if (place < 0) return;
        const PrescribedBody& body = bodies[place];
        for (int k = 0; k < 3; ++k) {
            position[std::int64_t(4) * slot + k] = body.position[k];
            velocity[std::int64_t(8) * slot + k] = R(body.velocity[k]);
            velocity[std::int64_t(8) * slot + 4 + k] = R(body.angular_velocity[k]);
        }
        for (int k = 0; k < 4; ++k) orientation[std::int64_t(4) * slot + k] = body.orientation[k];
    }
};

struct ContactCountItem {
    const Index* from;
    const Index* old_a_start;
    Index* count;
    SCREE_HD void operator()(Index i) const { count[i] = old_a_start[from[i] + 1] - old_a_start[from[i]]; }
};

struct InverseItem {
    const Index* from;
    Index* to;
    SCREE_HD void operator()(Index i) const { to[from[i]] = i; }
};
/// keep[i] = 1 where no outlet took the body.
struct KeepItem {
    const Index* taken;
    Index* keep;
    SCREE_HD void operator()(Index i) const { keep[i] = taken[i] == 0 ? 1 : 0; }
};
/// from[place[i]] = i for the bodies that stay; place is the exclusive scan of keep.
struct CompactItem {
    const Index* taken;
    const Index* place;
    Index* from;
    SCREE_HD void operator()(Index i) const {
        if (taken[i] == 0) from[place[i]] = i;
    }
};

}  // namespace scree::kernels
