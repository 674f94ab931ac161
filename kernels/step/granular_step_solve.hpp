// SPDX-License-Identifier: BSD-3-Clause
// The solve phase of GranularStep: the cone problem, the laws of impacts around it, and what takes over where it fails.
#pragma once

#include "kernels/step/granular_step.hpp"
#include "kernels/step/transfer_rows.hpp"

namespace scree::kernels {

template <class Backend, class R>
void GranularStep<Backend, R>::shift_cohesion(const ConeProblem<R, W>& problem) {
    if (bodies_.count == 0) return;
    const Index contacts = contacts_.count();
    // With the rows of ground and walls, so that contacts can read it as they read the pulled one.
    const Size reals = Size(problem.rows_of_velocity) * 8;
    unpulled_velocity_.resize_discard(reals);
    Memory<Backend>::copy(unpulled_velocity_.data(), free_velocity_.data(), std::size_t(reals) * sizeof(R));
    with_row_kind(row_kind(false, problem.inertia != nullptr), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        const Size row_reals = Size(problem.contacts) * impulse_row_reals<K>;
        scratch_.begin(std::size_t(row_reals) * sizeof(R), 1);
        const ImpulseRows<R> impulses{scratch_.template take<R>(row_reals), nullptr};
        backend_.for_each(contacts, CohesionRowsItem<R, W, K>{problem, contacts_.cohesion().data(), impulses});
        backend_.for_each(problem.bodies, CohesionVelocityItem<R, W, Row, K>{problem, impulses, free_velocity_.data()});
        move_islands<K, R>(backend_, problem, impulses, IslandTask::absorb, free_velocity_.data());
    });
    backend_.for_each(contacts, CohesionBiasItem<R, W>{contacts_.rows().data(), contacts_.cohesion().data()});
}

template <class Backend, class R>
void GranularStep<Backend, R>::solve(StepReport& report, bool rebounds_known) {
    if (model_.settings.impact == ImpactLaw::poisson && contacts_.any_rebound() && !rebounds_known)
        find_rebounds(report);
    else
        solve_rows(report);
    report.impacts = contacts_.any_impact();
    report.limited_clusters = 0;
    impact_limit_.skip();
    if (contacts_.any_rebound()) limit_impacts(report);
}

template <class Backend, class R>
void GranularStep<Backend, R>::find_rebounds(StepReport& report) {
    const ConeProblem<R, W> problem = this->problem();
    const Index contacts = contacts_.count();
    const PoissonRows<R, W> law = poisson_impacts_.begin(contacts_.rows().data(), contacts_.rebound().data(), contacts,
                                                         model_.settings.threshold);
    StepReport sum = report;
    sum.iterations = sum.operator_products = sum.restarts = 0;
    const auto solve_once_more = [&] {
        solve_rows(report);
        sum.iterations += report.iterations;
        sum.operator_products += report.operator_products;
        sum.restarts += report.restarts;
    };
    solve_once_more();
    bool met = true;
    with_row_kind(problem.kind(), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        const auto asked =
            backend_.template reduce<double, 1, 0>(contacts, CompressionItem<R, W>{law, solution_.g.data()});
        if (asked.sum[0] == 0.0) return;
        set_velocities_of_impulses<K>(problem);
        ++sum.operator_products;
        backend_.for_each(contacts, FirstReboundItem<R, W, K>{law, problem, bodies_.velocity.data()});
        solve_once_more();
        double best = std::numeric_limits<double>::infinity(), way = PoissonImpacts<Backend, R>::first_step;
        for (int round = 1;; ++round) {
            using Limits = PoissonImpacts<Backend, R>;
            const auto [far, size, change, answer] =
                backend_.template reduce<double, 4, 0>(contacts, ReboundErrorItem<R, W>{law, solution_.g.data()}).sum;
            if (far < best) backend_.for_each(contacts, BestReboundItem<R, W>{law, false});
            if (far <= Limits::precision * Limits::precision * size) return;
            const bool last = round == Limits::most_rounds;
            if (last) met = false;
            if (last && far <= best) return;
            best = smaller(best, far);
            if (change > 0.0)
                way = answer > 0.0 ? larger(Limits::shortest_step, smaller(change / answer, Limits::longest_step))
                                   : Limits::first_step;
            if (last)
                backend_.for_each(contacts, BestReboundItem<R, W>{law, true});
            else
                backend_.for_each(contacts, NextReboundItem<R, W>{law, R(way)});
            solve_once_more();
            if (last) return;
        }
    });
    report.converged = report.converged && met;
    report.iterations = sum.iterations;
    report.operator_products = sum.operator_products;
    report.restarts = sum.restarts;
}

template <class Backend, class R>
void GranularStep<Backend, R>::limit_impacts(StepReport& report) {
    const ConeProblem<R, W> problem = this->problem();
    const auto& g = world_.gravity;
    with_row_kind(problem.kind(), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        const auto solved = [&] {
            return SolvedImpulses<R>{solution_.g.data(), has_rolling<K> ? solution_.m.data() : nullptr,
                                     bodies_.velocity.data()};
        };
        WorkView<R, W, K> view{problem,
                               contacts_.marks(),
                               {g[0], g[1], g[2]},
                               bodies_.wrench.size() > 0 ? bodies_.wrench.data() : nullptr,
                               model_.settings.step,
                               doubt_of_impacts()};
        const Index contacts = contacts_.count();
        impact_limit_.begin(contacts_.rows().data(), contacts_.rebound().data(),
                            model_.any_tangential ? contacts_.offset().data() : nullptr);
        StepReport sum = report;
        while (impact_limit_.may_go_on()) {
            const std::int64_t won = impact_limit_.template find<K>(backend_, view, contacts, solved());
            if (won == 0) break;
            sum.limited_clusters += won;
            impact_limit_.template take_rebounds<K>(backend_, view, contacts, solved());
            solve_rows(report);
            sum.iterations += report.iterations;
            sum.operator_products += report.operator_products;
            sum.restarts += report.restarts;
            sum.handed_over = report.handed_over;
            // The impulses will be a mean of solutions: no better than the worst.
            sum.converged = sum.converged && report.converged;
            if (sum.residual.rms < report.residual.rms) sum.residual = report.residual;
            view.residual = doubt_of_impacts();
        }
        if (sum.limited_clusters == 0) return;
        impact_limit_.template blend<K>(backend_, view, contacts, solved(), solution_.g.data(),
                                        has_rolling<K> ? solution_.m.data() : nullptr, [&] {
                                            set_velocities_of_impulses<K>(problem);
                                            ++sum.operator_products;
                                        });
        sum.start_scale = report.start_scale;
        sum.lambda = report.lambda;
        sum.fallback_tried = report.fallback_tried;
        sum.fallback_used = report.fallback_used;
        sum.relaxed = report.relaxed;
        report = sum;
    });
}

template <class Backend, class R>
template <RowKind K>
void GranularStep<Backend, R>::set_velocities_of_impulses(const ConeProblem<R, W>& problem) {
    const Size reals = Size(problem.contacts) * impulse_row_reals<K>;
    scratch_.begin(std::size_t(reals) * sizeof(R), 2);
    ImpulseRows<R> impulses;
    impulses.rows = scratch_.template take<R>(Size(problem.contacts) * (has_arms<K> ? 16 : 8));
    if (has_rolling<K> && !has_arms<K>) impulses.moments = scratch_.template take<R>(Size(problem.contacts) * 4);
    backend_.template for_each_tile<R>(
        problem.contacts, ImpulseRowsItem<R, W, K>{
                              problem, {solution_.g.data(), has_rolling<K> ? solution_.m.data() : nullptr}, impulses});
    backend_.for_each(problem.bodies,
                      ImpulseVelocityItem<R, W, Row, K>{problem, impulses, bodies_.velocity.data(), true});
    move_islands<K, R>(backend_, problem, impulses, IslandTask::velocity, bodies_.velocity.data());
}

template <class Backend, class R>
void GranularStep<Backend, R>::solve_rows(StepReport& report) {
    const ConeProblem<R, W> problem = this->problem();
    const auto& g = world_.gravity;
    const double gravity = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    // Without gravity the free approach speed sets the scale of velocities.
    double scale = gravity * model_.settings.step;
    if (gravity == 0.0 && contacts_.count() > 0) {
        with_row_kind(row_kind(false, problem.inertia != nullptr), [&](auto kind) {
            const ApproachItem<R, W, decltype(kind)::value> item{problem};
            const auto [approach, speed] = backend_.template reduce<double, 2, 0>(contacts_.count(), item).sum;
            scale = std::sqrt(approach / contacts_.count());
            // Nothing below the rounding of velocities is asked for, nor what float impulses cannot hold.
            const double rounding = 8.0 * std::numeric_limits<R>::epsilon() * std::sqrt(speed / contacts_.count());
            if (world_.tolerance > 0.0) scale = larger(scale, larger(rounding, 1e-20) / world_.tolerance);
        });
    }
    velocity_scale_ = scale;
    // True friction of mu > 1 shows an approach u as a residual of u / mu (the dual cone is that narrow): what may hide
    // behind the tolerance is a tenth of the scale, or what a larger tolerance allows anyway.
    const double mu = larger(1.0, double(problem.friction_max));
    const double hidden = larger(world_.tolerance, 0.1) / mu;
    const double tolerance = world_.coulomb ? smaller(world_.tolerance, hidden) : world_.tolerance;
    // An RMS over many contacts may hide one through which a body falls: no residual moves a body by more than a
    // quarter of the mean radius in the step. (Of the smallest radius one grain of dust made beds unsolved.)
    constexpr double most_of_radius = 0.25;
    const auto [radii, bodies, squares] =
        backend_
            .template reduce<double, 3, 0>(
                bodies_.count,
                FreeBodiesItem<R>{bodies_.position.data(), bodies_.inverse_mass.data(), bodies_.velocity.data()})
            .sum;
    SolveSettings settings{tolerance * scale, world_.max_iterations, world_.warm_start};
    if (radii > 0.0) settings.largest = most_of_radius * radii / (bodies * model_.settings.step);
    settings.calm = gravity > 0.0 && squares <= bodies * scale * scale;
    // The rows are built: the velocities before the step give way to those after it.
    std::swap(bodies_.velocity, solution_.velocity);
    const SolveReport solved = solver_->solve(backend_, problem, contacts_.count(), settings, solution_);
    std::swap(bodies_.velocity, solution_.velocity);
    report.iterations = solved.iterations;
    report.operator_products = solved.operator_products;
    report.restarts = solved.restarts;
    report.start_scale = solved.start_scale;
    report.lambda = solved.lambda;
    report.converged = solved.converged;
    report.handed_over = report.handed_over || solved.handed_over;
    report.residual = solved.residual;
    report.tolerance = world_.tolerance * scale;
    if (!solved.converged && world_.fallback && contacts_.count() <= world_.fallback_contacts && !model_.any_rolling &&
        !joints_.any())
        fall_back(problem, settings, report);
    law_residual_ = report.residual.max;
    if (!world_.coulomb || report.converged || !(scale > 0.0)) return;
    // An error of slip is one of mu times its size in the normal velocity. Of many contacts, or of some.
    const double of_many = mu * report.residual.rms / scale, of_some = mu * report.residual.max / scale;
    const bool high = double(problem.friction_max) > ProjectedGradientControl::high_friction;
    if (of_many > 1.0 || (high && of_some > 10.0)) solve_relaxation(problem, settings, report);
}

template <class Backend, class R>
void GranularStep<Backend, R>::solve_relaxation(ConeProblem<R, W> problem, SolveSettings settings, StepReport& report) {
    problem.coulomb = false;
    settings.warm_start = false;
    settings.tolerance = report.tolerance;
    ConeSolution<Backend, R> convex;
    set_zero(convex);
    const SolveReport solved = solver_->solve(backend_, problem, contacts_.count(), settings, convex);
    report.iterations += solved.iterations;
    report.operator_products += solved.operator_products + 1;
    report.restarts += solved.restarts;
    report.handed_over = report.handed_over || solved.handed_over;
    if (!(solved.residual.rms < larger(1.0, double(problem.friction_max)) * report.residual.rms)) return;
    report.relaxed = true;
    law_residual_ = solved.residual.max;
    problem.coulomb = true;
    report.residual =
        certify<R>(backend_, problem, contacts_.count(), convex.velocity.data(), convex.g.data(), convex.m.data());
    solution_.g.swap(convex.g);
    solution_.m.swap(convex.m);
    bodies_.velocity.swap(convex.velocity);
}

template <class Backend, class R>
void GranularStep<Backend, R>::fall_back(const ConeProblem<R, W>& problem, SolveSettings settings, StepReport& report) {
    report.fallback_tried = true;
    ProblemDownload hard;
    download(hard);
    if (!world_.fallback(hard)) return;
    ConeSolution<Backend, R> other;
    other.g.assign(transfer::fields_of_three<W, R>(hard.impulse, contacts_.count()));
    // No iterations: the solver only certifies what it is given.
    settings.max_iterations = 0;
    settings.warm_start = true;
    const SolveReport certified = solver_->solve(backend_, problem, contacts_.count(), settings, other);
    if (certified.residual.rms >= report.residual.rms) return;
    solution_.g.swap(other.g);
    bodies_.velocity.swap(other.velocity);
    report.fallback_used = true;
    report.converged = certified.converged;
    report.residual = certified.residual;
}

template <class Backend, class R>
void GranularStep<Backend, R>::relax(StepReport& report) {
    // Positions have moved with the push-out; the velocities that are kept come from a solve without it.
    backend_.for_each(contacts_.count(), RelaxBiasItem<R, W>{contacts_.rows().data(), contacts_.marks()});
    const int iterations = report.iterations, products = report.operator_products, restarts = report.restarts;
    const std::int64_t limited = report.limited_clusters;  // whose rows keep the share
    solve(report, true);
    report.limited_clusters += limited;
    report.iterations += iterations;
    report.operator_products += products;
    report.restarts += restarts;
}

}  // namespace scree::kernels
