// SPDX-License-Identifier: BSD-3-Clause
// What every cone solver does before and after its iteration: velocities that go with impulses, and the choice between
// a warm start and zero.
#pragma once

#include "kernels/cone/cone_solver.hpp"
#include "kernels/cone/projected_gradient_items.hpp"
#include "kernels/joints/island_velocity.hpp"

#include <algorithm>

namespace scree::kernels {

/// V = v* + M^-1 D gamma of all bodies, or without v*: one operator product. Impulse rows are room for it. Rows behind
/// the bodies are left as they are.
template <RowKind K, class Backend, class R>
void velocity_of(Backend& backend, const ConeProblem<R, Backend::tile>& problem, const ImpulseRows<R>& room,
                 ImpulseView<const R> impulses, R* velocity, bool with_free) {
    constexpr int W = Backend::tile;
    using Row = typename Backend::template Row<R>;
    backend.template for_each_tile<R>(problem.contacts, ImpulseRowsItem<R, W, K>{problem, impulses, room});
    backend.for_each(problem.bodies, ImpulseVelocityItem<R, W, Row, K>{problem, room, velocity, with_free});
    move_islands<K, R>(backend, problem, room, with_free ? IslandTask::velocity : IslandTask::product, velocity);
}

/// Rows that no impulse changes: the ground and moving walls.
template <class Backend, class R>
void set_wall_velocities(const ConeProblem<R, Backend::tile>& problem, R* velocity) {
    const std::size_t first = std::size_t(problem.bodies) * 8;
    Memory<Backend>::copy(velocity + first, problem.free_velocity + first,
                          (std::size_t(problem.rows_of_velocity) * 8 - first) * sizeof(R));
}

/// Multiplies the impulses by the s in [0, 1] that minimises the objective along them (never worse than 0) and computes
/// their velocities. Without a warm start s is 0.
template <RowKind K, class Backend, class R>
void start_impulses(Backend& backend, const ConeProblem<R, Backend::tile>& problem, const SolveSettings& settings,
                    const ImpulseRows<R>& room, ImpulseView<R> impulses, R* velocity, SolveReport& report) {
    double scale = 0.0;
    if (settings.warm_start) {
        velocity_of<K>(backend, problem, room, {impulses.g, impulses.m}, velocity, true);
        ++report.operator_products;
        const auto sums = backend.template reduce_tiles<R, 2, 0>(
            problem.contacts, ObjectiveItem<R, Backend::tile, K>{problem, velocity, {impulses.g, impulses.m}});
        const double quadratic = sums.sum[1] - sums.sum[0];
        if (sums.sum[0] < 0.0 && quadratic > 0.0) scale = std::min(1.0, -sums.sum[0] / quadratic);
    }
    report.start_scale = scale;
    if (scale == 1.0) return;
    backend.for_each(problem.contacts * 3, ScaleItem<R>{impulses.g, R(scale)});
    if (has_rolling<K>) backend.for_each(problem.contacts * 3, ScaleItem<R>{impulses.m, R(scale)});
    velocity_of<K>(backend, problem, room, {impulses.g, impulses.m}, velocity, true);
}

}  // namespace scree::kernels
