// SPDX-License-Identifier: BSD-3-Clause
// How long the solver's passes take, one by one, beside a copy in the same memory.
#pragma once

#include "kernels/cone/pass_bytes.hpp"
#include "kernels/step/granular_step.hpp"

#include <algorithm>
#include <limits>

namespace scree::kernels {

template <class Backend, class R>
std::vector<PassTime> GranularStep<Backend, R>::time_passes(int repeats) {
    if (!contacts_.has_rows() || contacts_.count() == 0) return {};
    ProjectedGradientData<R, W> data;
    data.problem = problem();
    const Size contacts = data.problem.contacts, rows = data.problem.rows_of_velocity;
    const bool rolling = data.problem.rolling != nullptr, arms = data.problem.inertia != nullptr;
    Array<R, Backend> values, velocities;
    values.resize_discard(contacts * (3 * 3 + (arms ? 16 : 8) + (rolling ? 3 * 3 + 4 : 0)));
    velocities.resize_discard(rows * 16);
    R* at = values.data();
    const auto take = [&](Size n) { return std::exchange(at, at + n); };
    data.impulses.rows = take(contacts * (arms ? 16 : 8));
    for (R*& g : data.g) g = take(contacts * 3);
    if (rolling) {
        data.impulses.moments = take(contacts * 4);
        for (R*& m : data.m) m = take(contacts * 3);
    }
    data.velocity_x = velocities.data();
    data.velocity_y = velocities.data() + rows * 8;
    for (int k = 0; k < 3; ++k) {
        Memory<Backend>::copy(data.g[k], solution_.g.data(), std::size_t(contacts) * 3 * sizeof(R));
        if (rolling) Memory<Backend>::copy(data.m[k], solution_.m.data(), std::size_t(contacts) * 3 * sizeof(R));
    }
    R* const places[] = {data.velocity_x, data.velocity_y};
    for (R* velocity : places)
        Memory<Backend>::copy(velocity, free_velocity_.data(), std::size_t(rows) * 8 * sizeof(R));

    std::vector<PassTime> times;
    const auto measure = [&](const char* name, double bytes, const auto& pass) {
        double best = std::numeric_limits<double>::infinity();
        for (int k = 0; k < repeats + 1; ++k) {  // the first one warms up
            backend_.synchronize();
            const auto begin = std::chrono::steady_clock::now();
            pass();
            backend_.synchronize();
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            if (k > 0) best = std::min(best, seconds);
        }
        times.push_back({name, best, bytes});
    };
    const PassBytes bytes{sizeof(R), double(contacts_.count()), double(bodies_.count), arms};
    ProjectedGradientControl control;
    control.y_is_x = false;
    with_row_kind(data.problem.kind(), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        measure("contact_pass", bytes.contact_pass(), [&] {
            (void)backend_.template reduce_tiles<R, 4, 0>(data.problem.contacts,
                                                          data.template contact_item<K>(control));
        });
        measure("body_pass", bytes.body_pass(), [&] {
            (void)backend_.template reduce_rows<R, 2>(data.problem.bodies, data.template body_item<Row, K>(control));
        });
        measure("certificate", bytes.certificate(), [&] {
            (void)backend_.template reduce_tiles<R, 2, 3>(data.problem.contacts,
                                                          data.template residual_item<K>(control));
        });
    });
    // More than any cache holds.
    constexpr std::size_t half = std::size_t(256) << 20;
    Array<unsigned char, Backend> copied;
    copied.resize_discard(Size(2 * half));
    measure("copy", 2.0 * double(half), [&] { Memory<Backend>::copy(copied.data() + half, copied.data(), half); });
    return times;
}

template <class Backend, class R>
SolverOutcome GranularStep<Backend, R>::try_solver(const SolverTrial& trial) {
    if (!contacts_.has_rows() || contacts_.count() == 0) return {0.0, 0, 0, true, 0.0};
    const ConeProblem<R, W> problem = this->problem();
    Scratch<Backend> scratch;
    const auto solver = make_solver<Backend, R>(trial.solver, scratch);
    ConeSolution<Backend, R> solution;
    SolveSettings settings{trial.tolerance * velocity_scale_, 1, false};
    // Once for the memory and the spectral estimate.
    set_zero(solution);
    SolveReport report = solver->solve(backend_, problem, contacts_.count(), settings, solution);
    set_zero(solution);
    settings.max_iterations = trial.max_iterations;
    backend_.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    report = solver->solve(backend_, problem, contacts_.count(), settings, solution);
    backend_.synchronize();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return {seconds, report.iterations, report.operator_products, report.converged,
            velocity_scale_ > 0.0 ? report.residual.rms / velocity_scale_ : report.residual.rms};
}

}  // namespace scree::kernels
