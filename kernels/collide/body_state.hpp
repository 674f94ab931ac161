// SPDX-License-Identifier: BSD-3-Clause
// The bodies of a run in a backend's memory. Slot order is the engine's own and changes when bodies are re-sorted or
// removed; ids do not. R is the solver's precision; positions and orientations are double.
#pragma once

#include "kernels/items/rows_of_eight.hpp"
#include "kernels/items/vector3.hpp"
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/reduction.hpp"

namespace scree::kernels {

template <class Backend, class R>
struct BodyState {
    Index count = 0;
    Array<double, Backend> position;     ///< Rows of four: x y z radius [m].
    Array<double, Backend> orientation;  ///< Rows of four: w x y z.
    Array<R, Backend> velocity;          ///< Rows of eight [m/s, rad/s, world axes]; may hold more rows than bodies.
    Array<R, Backend> inverse_mass;      ///< Rows of two: 1/m, 1/I; zero for fixed bodies.
    Array<double, Backend> inertia;      ///< Rows of six about the centre, body axes [kg m^2]; empty: all are spheres.
    Array<double, Backend> wrench;       ///< Rows of six: applied force [N] and torque [N m]; empty: none.
    Array<R, Backend> inertia_rows;      ///< Rows of InertiaRow in the middle of the step; with `inertia`.
    Array<Index, Backend> material;
    Array<Index, Backend> id;  ///< User-visible id.

    /// Bodies with shapes of their own; the radius is that of the sphere around the centre that holds the body.
    [[nodiscard]] bool has_shapes() const { return inertia.size() > 0; }
    [[nodiscard]] std::size_t bytes() const {
        return inertia.bytes() + wrench.bytes() + inertia_rows.bytes() + position.bytes() + orientation.bytes() +
               velocity.bytes() + inverse_mass.bytes() + material.bytes() + id.bytes();
    }
};

SCREE_HD inline Vector3<double> center_of(const double* position, Index body) {
    const double* row = position + std::int64_t(4) * body;
    return {row[0], row[1], row[2]};
}
SCREE_HD inline double radius_of(const double* position, Index body) { return position[std::int64_t(4) * body + 3]; }

/// Periodic faces of the domain per world axis; length 0 where an axis is not periodic.
struct Periodic {
    double lower[3] = {0, 0, 0};
    double length[3] = {0, 0, 0};

    [[nodiscard]] SCREE_HD bool any() const { return length[0] > 0.0 || length[1] > 0.0 || length[2] > 0.0; }
    /// The image of a difference of positions with the least length.
    template <class P>
    [[nodiscard]] SCREE_HD Vector3<P> nearest_image(Vector3<P> d) const {
        return {wrap(d.x, 0), wrap(d.y, 1), wrap(d.z, 2)};
    }
    /// The same for differences of any number of periods.
    [[nodiscard]] SCREE_HD Vector3<double> nearest_of_all(Vector3<double> d) const {
        return {wrap_all(d.x, 0), wrap_all(d.y, 1), wrap_all(d.z, 2)};
    }
    /// The image of a coordinate between the faces, lower included.
    [[nodiscard]] SCREE_HD double inside(double x, int axis) const {
        const double l = length[axis], low = lower[axis];
        if (l <= 0.0) return x;
        if (x < low) x += l;
        if (x >= low + l) x -= l;
        if (!(x < low) && !(x >= low + l)) return x;
        // More than one period away.
        x -= l * round_down((x - low) / l);
        return x < low || x >= low + l ? low : x;
    }

private:
    [[nodiscard]] SCREE_HD double wrap_all(double x, int axis) const {
        const double l = length[axis];
        return l > 0.0 ? x - l * round_down(x / l + 0.5) : x;
    }
    template <class P>
    [[nodiscard]] SCREE_HD P wrap(P x, int axis) const {
        const double l = length[axis];
        if (l <= 0.0) return x;
        return select(x > P(0.5 * l), x - P(l), select(x < P(-0.5 * l), x + P(l), x));
    }
};

}  // namespace scree::kernels
