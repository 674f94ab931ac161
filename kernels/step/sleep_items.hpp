// SPDX-License-Identifier: BSD-3-Clause
// Thread bodies of sleeping islands (sleepers.hpp).
#pragma once

#include "kernels/collide/contact_items.hpp"
#include "kernels/collide/part_search.hpp"
#include "kernels/cone/cone_problem.hpp"

namespace scree::kernels {

/// still[i] = time for which no point of body i has been faster than `speed`.
template <class R>
struct StillItem {
    const R* velocity;
    const R* inverse_mass;
    const double* position;
    float* still;
    double speed, step;
    SCREE_HD void operator()(Index i) const {
        const R* v = velocity + std::int64_t(8) * i;
        const Vector3d u{double(v[0]), double(v[1]), double(v[2])}, w{double(v[4]), double(v[5]), double(v[6])};
        const bool is_still = norm(u) + radius_of(position, i) * norm(w) < speed;
        still[i] = is_still && inverse_mass[2 * std::int64_t(i)] > R(0) ? still[i] + float(step) : 0.0F;
    }
};

/// sums: [0] awake bodies that have been still for `time`.
struct TiredItem {
    const Index* label;
    const float* still;
    double time;
    SCREE_HD void operator()(Index i, Accumulator<double, 1, 0>& acc) const {
        if (label[i] == 0 && double(still[i]) >= time) acc.sum[0] += 1.0;
    }
};

/// Bodies with a label become fixed.
template <class R>
struct FallAsleepItem {
    const Index* label;
    R* velocity;
    R* inverse_mass;
    float* motion;
    SCREE_HD void operator()(Index i) const {
        if (label[i] == 0) return;
        for (int k = 0; k < 8; ++k) velocity[std::int64_t(8) * i + k] = R(0);
        for (int k = 0; k < 4; ++k) motion[std::int64_t(4) * i + k] = 0.0F;
        inverse_mass[2 * std::int64_t(i)] = inverse_mass[2 * std::int64_t(i) + 1] = R(0);
    }
};

/// Thread c: woken[label] = 1 for a sleeper that a contact with an awake body will press or pull in this step.
template <class R, int W, RowKind K>
struct WakeByContactItem {
    ConeProblem<R, W> problem;
    const R* cohesion;  ///< null without
    const Index* label;
    Index* woken;
    SCREE_HD void operator()(Index c) const {
        const Index a = problem.body_a[c], b = problem.body_b[c];
        if (a >= problem.bodies || b >= problem.bodies) return;
        const Index of_a = label[a], of_b = label[b];
        if ((of_a > 0) == (of_b > 0)) return;
        if (problem.inverse_mass[2 * std::int64_t(of_a > 0 ? b : a)] <= R(0)) return;
        const KindRow<R, K> row = load_kind_row<R, K>(problem, c);
        R va[8], vb[8];
        RowsOfEight<R>::gather(problem.free_velocity, &a, va);
        RowsOfEight<R>::gather(problem.free_velocity, &b, vb);
        const bool pulls = cohesion != nullptr && cohesion[c] > R(0);
        if (pulls || dot(relative_velocity(row, va, vb).u, row.n) + row.bias < R(0)) woken[of_a > 0 ? of_a : of_b] = 1;
    }
};

/// Thread c: the same for a sleeper that took an impulse in the solve, however it came to it.
template <class R, int W>
struct WakeByImpulseItem {
    const Index* body_a;
    const Index* body_b;
    const R* g;
    Index bodies;
    const Index* label;
    Index* woken;
    SCREE_HD void operator()(Index c) const {
        const Index a = body_a[c], b = body_b[c];
        if (a >= bodies || b >= bodies || (label[a] > 0) == (label[b] > 0)) return;
        const Vector3<R> impulse = impulse_of<R, W>(g, c);
        if (dot(impulse, impulse) > R(0)) woken[label[a] > 0 ? label[a] : label[b]] = 1;
    }
};

/// Thread i (a body, or a part): the same for what moves by itself: walls and prescribed bodies that may come near.
template <class R>
struct WakeByMotionItem {
    CollisionView view;
    const BodyPart* parts;  ///< null: bodies are spheres.
    const R* velocity;      ///< Of bodies.
    const Index* label;     ///< Of bodies.
    const R* inverse_mass;  ///< Zero of sleepers, too.
    Index* woken;
    SCREE_HD void operator()(Index i) const {
        const Index own = body_of(i);
        const Index* neighbours = view.neighbours.of(i);
        for (Index k = 0; k < view.neighbours.count[i]; ++k) {
            const Index j = neighbours[k];
            if (j < 0) {
                const BoundaryPose& pose = view.boundaries.poses[view.boundaries.parts[-1 - j].boundary];
                if (label[own] > 0 && pose.moving != 0) woken[label[own]] = 1;
                continue;
            }
            const Index other = body_of(j);
            if (label[own] > 0 && moves_by_itself(other)) woken[label[own]] = 1;
            if (label[other] > 0 && moves_by_itself(own)) woken[label[other]] = 1;
        }
    }

private:
    [[nodiscard]] SCREE_HD Index body_of(Index i) const { return parts != nullptr ? parts[i].body : i; }
    [[nodiscard]] SCREE_HD bool moves_by_itself(Index body) const {
        if (label[body] > 0 || inverse_mass[2 * std::int64_t(body)] > R(0)) return false;
        const R* v = velocity + std::int64_t(8) * body;
        for (int k = 0; k < 8; ++k)
            if (v[k] != R(0)) return true;
        return false;
    }
};

/// Thread i: sleepers whose label is woken (all, where `woken` is null) have their mass again. sums: [0] their number,
/// [1] mass [kg].
template <class R>
struct WakeItem {
    const Index* woken;
    const R* own_inverse_mass;
    Index* label;
    float* still;
    R* inverse_mass;
    SCREE_HD void operator()(Index i, Accumulator<double, 2, 0>& acc) const {
        if (label[i] == 0 || (woken != nullptr && woken[label[i]] == 0)) return;
        label[i] = 0;
        still[i] = 0.0F;
        const std::int64_t at = std::int64_t(2) * i;
        inverse_mass[at] = own_inverse_mass[at];
        inverse_mass[at + 1] = own_inverse_mass[at + 1];
        acc.sum[0] += 1.0;
        acc.sum[1] += 1.0 / double(own_inverse_mass[at]);
    }
};

}  // namespace scree::kernels
