// SPDX-License-Identifier: BSD-3-Clause
// Free motion of bodies of any inertia (numerics section 2: the gyroscopic term) under constant forces, and the rows of
// inertia that the cone problem works with.
//
// Spins, like velocities, are those of the middle of a step: q+ = exp(h w) q turns by the spin in between. The angular
// momentum that goes with the stored spin is therefore L = I(q_mid) w at the orientation in the middle of the last
// step, exp(-h w / 2) q, and a free body's next spin solves the implicit midpoint rule
//
//     I(exp(h w+ / 2) q) w+ = L,     in body axes:  I W = exp(-h W / 2) L
//
// which keeps |L| to rounding and the energy without drift at any h (it is symmetric and of second order).
#pragma once

#include "kernels/cone/cone_problem.hpp"
#include "kernels/items/symmetric3.hpp"

namespace scree::kernels {

/// W with I W = exp(-h W / 2) l by Newton's method; `start` where it does not settle (turns of more than about a radian
/// per step).
SCREE_HD inline Vector3<double> midpoint_spin(const double (&inertia)[6], Vector3<double> l, double h,
                                              Vector3<double> start) {
    constexpr int iterations = 20;
    Vector3<double> w = start;
    for (int k = 0; k < iterations; ++k) {
        const Vector3<double> carried = turned(l, (-0.5 * h) * w);
        const Vector3<double> residual = times(inertia, w) - carried;
        // Columns of I - h/2 [l]x, taken at the turned momentum.
        const Vector3<double> a = 0.5 * h * carried;
        const Vector3<double> c0{inertia[0], inertia[3] - a.z, inertia[4] + a.y};
        const Vector3<double> c1{inertia[3] + a.z, inertia[1], inertia[5] - a.x};
        const Vector3<double> c2{inertia[4] - a.y, inertia[5] + a.x, inertia[2]};
        const Vector3<double> c12 = cross(c1, c2);
        const double determinant = dot(c0, c12);
        if (!(determinant > 0.0)) return start;
        const Vector3<double> change =
            (1.0 / determinant) *
            Vector3<double>{dot(residual, c12), dot(residual, cross(c2, c0)), dot(residual, cross(c0, c1))};
        w = w - change;
        if (dot(change, change) <= 1e-28 * dot(w, w)) return w;
    }
    return start;
}

/// The body's axes after half a step with the spin `spin` (body axes).
SCREE_HD inline Axes middle_axes(const Axes& axes, Vector3<double> spin, double h) {
    const Vector3<double> half = (0.5 * h) * spin;
    return {axes.to_world(turned({1.0, 0.0, 0.0}, half)), axes.to_world(turned({0.0, 1.0, 0.0}, half)),
            axes.to_world(turned({0.0, 0.0, 1.0}, half))};
}

/// Angular momentum in body axes after the torque of a step: `torque` in body axes, `spin` the stored one.
SCREE_HD inline Vector3<double> momentum_after(const double (&inertia)[6], Vector3<double> spin, double h,
                                               Vector3<double> torque) {
    return turned(times(inertia, spin), (-0.5 * h) * spin) + h * torque;
}

/// Inverse and tensor of inertia in the middle of a step with the spin `spin` (body axes), world axes.
template <class R>
SCREE_HD void store_inertia(const double (&inertia)[6], const Axes& axes, Vector3<double> spin, double h, R* row) {
    const Axes middle = middle_axes(axes, spin, h);
    double inverse[6], in_world[6];
    invert(inertia, inverse);
    middle.turn(inverse, in_world);
    for (int k = 0; k < 6; ++k) row[InertiaRow::inverse + k] = R(in_world[k]);
    middle.turn(inertia, in_world);
    for (int k = 0; k < 6; ++k) row[InertiaRow::tensor + k] = R(in_world[k]);
}

/// Adds to v* what a force does to the velocity of a centre of mass in a step; its work [J].
template <class R>
SCREE_HD double push(const double* force, R inverse_mass, double step, R* free_velocity) {
    const double by_mass = step * double(inverse_mass);
    double work = 0.0;
    for (int k = 0; k < 3; ++k) {
        work += force[k] * (step * double(free_velocity[k]) + 0.5 * step * by_mass * force[k]);
        free_velocity[k] += R(by_mass * force[k]);
    }
    return work;
}

/// What applied forces and torques add to v* where all bodies are spheres. sums: [0] their work [J].
template <class R>
struct AppliedWrenchItem {
    const double* wrench;  ///< See FreeRotationItem.
    const R* inverse_mass;
    R* free_velocity;  ///< in: v + h g, w
    double step;

    SCREE_HD void operator()(Index i, Accumulator<double, 1, 0>& acc) const {
        const R* inverse = inverse_mass + std::int64_t(2) * i;
        if (!(inverse[0] > R(0))) return;
        const double* applied = wrench + std::int64_t(6) * i;
        R* f = free_velocity + std::int64_t(8) * i;
        acc.sum[0] += push(applied, inverse[0], step, f);
        const double by_inertia = step * double(inverse[1]);
        for (int k = 3; k < 6; ++k) {
            R& spin = f[k + 1];
            acc.sum[0] += applied[k] * (step * double(spin) + 0.5 * step * by_inertia * applied[k]);
            spin += R(by_inertia * applied[k]);
        }
    }
};

/// The angular part of v*, what applied forces add to the linear one, and the inertia of the middle of the step.
/// sums: [0] work of the applied and gyroscopic forces [J].
template <class R>
struct FreeRotationItem {
    const double* orientation;
    const double* inertia;  ///< Rows of six: about the centre of mass, body axes [kg m^2].
    const double* wrench;   ///< Rows of six: force on the centre of mass [N], torque [N m], world axes; null: none.
    const R* velocity;
    const R* inverse_mass;
    R* free_velocity;  ///< in: v + h g, w
    R* inertia_rows;   ///< Rows of InertiaRow.
    double step;

    SCREE_HD void operator()(Index i, Accumulator<double, 1, 0>& acc) const {
        R* row = inertia_rows + std::int64_t(InertiaRow::size) * i;
        for (int k = 0; k < InertiaRow::size; ++k) row[k] = R(0);
        if (!(inverse_mass[2 * std::int64_t(i)] > R(0))) return;
        double body[6];
        for (int k = 0; k < 6; ++k) body[k] = inertia[std::int64_t(6) * i + k];
        const Axes axes = Axes::of(orientation + std::int64_t(4) * i);
        const R* v = velocity + std::int64_t(8) * i;
        const Vector3<double> before = axes.to_body({double(v[4]), double(v[5]), double(v[6])});
        Vector3<double> torque{0.0, 0.0, 0.0};
        R* f = free_velocity + std::int64_t(8) * i;
        if (wrench != nullptr) {
            const double* applied = wrench + std::int64_t(6) * i;
            torque = axes.to_body({applied[3], applied[4], applied[5]});
            acc.sum[0] += push(applied, inverse_mass[2 * std::int64_t(i)], step, f);
        }
        const Vector3<double> l = momentum_after(body, before, step, torque);
        const Vector3<double> spin = midpoint_spin(body, l, step, before);
        const Vector3<double> world = axes.to_world(spin);
        f[4] = R(world.x);
        f[5] = R(world.y);
        f[6] = R(world.z);
        store_inertia(body, axes, spin, step, row);
        acc.sum[0] += 0.5 * (dot(spin, times(body, spin)) - dot(before, times(body, before)));
    }
};

}  // namespace scree::kernels
