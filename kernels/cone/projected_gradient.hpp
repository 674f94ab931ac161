// SPDX-License-Identifier: BSD-3-Clause
// Projected gradient solvers: projected Jacobi (PJ) and the accelerated projected gradient descent (APGD) of
// "Solving the frictional contact problem ... APGD" (NST section 5.2), in the two-scalar metric of numerics section 5.
//
// Problem      gamma in K,  N gamma + p + De Saxce's term in K*,  complementary   (cone_problem.hpp)
// Iteration    x+ = P_K(y - t D^-1 (N y + p + s(y))),   y+ = x+ + beta (x+ - x)
//              PJ: beta = 0.  APGD: Nesterov's theta sequence, restarted when the gradient map opposes the way made, (y
//              - x+) . D (x+ - x) > 0, and when the natural map grows; momentum limited (see momentum_limit). t = 1 /
//              lambda, lambda a running estimate of lambda_max(D^-1/2 N D^-1/2): power iterations at the first solve,
//              then the largest Rayleigh quotient d.Nd / d.Dd seen, which both passes give for free; where a step
//              exceeds its bound (t d.Nd > d.Dd) lambda grows at once and the momentum restarts.
// Cost         one operator product per iteration: V(y) is extrapolated from V(x), not recomputed.
// Stop         certified RMS residual [m/s] <= tolerance. The natural map of the iteration itself says when it is
//              worth certifying; the best certified iterate is kept and returned.
#pragma once

#include "kernels/cone/cone_solver.hpp"
#include "kernels/cone/impulse_velocity.hpp"
#include "kernels/cone/projected_gradient_loop.hpp"
#include "kernels/parallel/error.hpp"
#include "kernels/parallel/scratch.hpp"

#include <algorithm>

namespace scree::kernels {

template <class Backend, class R>
class ProjectedGradientSolver final : public ConeSolver<Backend, R> {
public:
    static constexpr int W = Backend::tile;
    using Problem = ConeProblem<R, W>;
    using Row = typename Backend::template Row<R>;

    /// `scratch` must outlive the solver; a solve is one phase of it.
    ProjectedGradientSolver(Momentum momentum, Scratch<Backend>& scratch) : momentum_(momentum), scratch_(scratch) {}

    SolveReport solve(Backend& backend, const Problem& problem, Index real_contacts, const SolveSettings& settings,
                      ConeSolution<Backend, R>& solution) override {
        return with_row_kind(problem.kind(), [&](auto kind) {
            return run<decltype(kind)::value>(backend, problem, real_contacts, settings, solution);
        });
    }
    [[nodiscard]] double memory() const override { return lambda_; }
    void restore(double memory) override { lambda_ = memory; }

private:
    // An estimate from below is allowed to sink this much from step to step: a smaller lambda is a longer step, and the
    // guard in the loop corrects one that was too long at the price of one restart.
    static constexpr double lambda_decay = 0.95;
    static constexpr int power_iterations = 12;

    template <RowKind K>
    SolveReport run(Backend& backend, const Problem& problem, Index real_contacts, const SolveSettings& settings,
                    ConeSolution<Backend, R>& solution) {
        SolveReport report;
        resize<K>(problem, solution);
        if (problem.contacts == 0) {
            report.converged = true;
            Memory<Backend>::copy(solution.velocity.data(), problem.free_velocity, row_bytes(problem));
            return report;
        }
        if (lambda_ <= 0.0) estimate_lambda<K>(backend, problem, report);
        start<K>(backend, problem, settings, solution, report);

        for (bool first = true;; first = false) {
            ProjectedGradientControl control = begin<K>(backend, problem, real_contacts, settings, report);
            if (control.failed) throw NumericalError("the cone solver met a value that is not a number");
            if (!first) control.momentum = Momentum::none;
            loop_.template run<K>(backend, data_, control);
            lambda_ = control.lambda;
            report.iterations += control.iterations;
            report.operator_products += control.iterations;
            report.restarts += control.restarts;
            report.residual = control.residual;
            report.converged = settings.met_by(control.residual);
            finish<K>(backend, problem, solution, control, report);
            if (control.seen > 0.0)
                lambda_ = std::max(control.seen * ProjectedGradientControl::lambda_margin, lambda_ * lambda_decay);
            if (!control.failed) break;
            // Steps that were too long, or De Saxce's term, carried the iteration away beyond all numbers: plain steps
            // go on from the best, and where they do not get on either, it is the result.
            lambda_ = 0.0;
            if (!first || report.iterations >= settings.max_iterations) break;
            resize<K>(problem, solution);
            estimate_lambda<K>(backend, problem, report);
            Memory<Backend>::copy(data_.velocity_y, data_.velocity_x, row_bytes(problem));
        }
        report.lambda = lambda_;
        return report;
    }

    /// Of the iterates from data_ on.
    template <RowKind K>
    ProjectedGradientControl begin(Backend& backend, const Problem& problem, Index real_contacts,
                                   const SolveSettings& settings, const SolveReport& report) {
        ProjectedGradientControl control;
        control.tolerance = settings.tolerance;
        control.largest = settings.largest;
        control.max_iterations = settings.max_iterations - report.iterations;
        control.contacts = std::max(1.0, double(real_contacts));
        control.momentum = momentum_;
        control.averages = data_.slips != nullptr;
        control.lambda = lambda_;
        if (sizeof(R) == 4) {
            control.smallest_trusted = 1e-30;
            control.rounding_floor = 1e-7;
        }
        if (control.averages) backend.for_each(problem.contacts, ScaleItem<R>{data_.slips, R(0)});
        control.begin(certify<R>(backend, problem, real_contacts, data_.velocity_x, data_.g[0], data_.m[0]));
        if (control.running) control.lambda_bound = bound_of_lambda<K>(backend, problem);
        return control;
    }

    /// lambda_max(D^-1/2 N D^-1/2) is at most the contacts of one body times the largest eigenvalue of a contact's own
    /// block in its metric: N is a sum over bodies, the share of a body with k contacts is at most k times its diagonal
    /// blocks, and a block is at most its trace, which is the number of its rows (a sphere's has no coupling without
    /// rolling rows). Joints only take from N.
    template <RowKind K>
    [[nodiscard]] static double bound_of_lambda(Backend& backend, const Problem& problem) {
        constexpr double rows = has_rolling<K> ? 6.0 : (has_arms<K> ? 3.0 : 1.0);
        const auto most = backend.template reduce<double, 0, 1>(problem.bodies, MostContactsItem<R, W>{problem});
        return rows * std::max(1.0, most.max[0]);
    }

    static std::size_t row_bytes(const Problem& problem) {
        return std::size_t(problem.rows_of_velocity) * 8 * sizeof(R);
    }

    template <RowKind K>
    void resize(const Problem& problem, ConeSolution<Backend, R>& solution) {
        const std::int64_t contacts = problem.contacts, rows = problem.rows_of_velocity;
        const bool averages = problem.coulomb && double(problem.friction_max) > ProjectedGradientControl::high_friction;
        const std::int64_t per_contact = 3 + impulse_row_reals<K> + (has_rolling<K> ? 3 : 0) + (averages ? 1 : 0);
        scratch_.begin(std::size_t(contacts * per_contact + rows * 8) * sizeof(R), 6);
        R* third = scratch_.template take<R>(contacts * 3);
        data_ = {};
        data_.problem = problem;
        data_.impulses.rows = scratch_.template take<R>(contacts * (has_arms<K> ? 16 : 8));
        data_.velocity_y = scratch_.template take<R>(rows * 8);
        R* third_moments = has_rolling<K> ? scratch_.template take<R>(contacts * 3) : nullptr;
        if (averages) data_.slips = scratch_.template take<R>(contacts);
        if (has_rolling<K> && !has_arms<K>) data_.impulses.moments = scratch_.template take<R>(contacts * 4);
        solution.spare_g.resize_discard(contacts * 3);
        if (has_rolling<K>) solution.spare_m.resize_discard(contacts * 3);
        solution.velocity.resize_discard(rows * 8);
        data_.velocity_x = solution.velocity.data();
        R* const iterates[] = {solution.g.data(), solution.spare_g.data(), third};
        R* const moments[] = {solution.m.data(), solution.spare_m.data(), third_moments};
        for (int k = 0; k < 3; ++k) {
            data_.g[k] = iterates[k];
            data_.m[k] = has_rolling<K> ? moments[k] : nullptr;
        }
    }

    template <RowKind K>
    void velocity_of(Backend& backend, const Problem& problem, const R* g, const R* m, R* velocity, bool with_free) {
        kernels::velocity_of<K>(backend, problem, data_.impulses, {g, m}, velocity, with_free);
    }

    template <RowKind K>
    void start(Backend& backend, const Problem& problem, const SolveSettings& settings,
               ConeSolution<Backend, R>& solution, SolveReport& report) {
        set_wall_velocities<Backend>(problem, data_.velocity_x);
        set_wall_velocities<Backend>(problem, data_.velocity_y);
        start_impulses<K>(backend, problem, settings, data_.impulses, {data_.g[0], data_.m[0]},
                          solution.velocity.data(), report);
    }

    /// Puts the best iterate in its place. When it is not the last one, the velocities are those of another: recompute.
    template <RowKind K>
    void finish(Backend& backend, const Problem& problem, ConeSolution<Backend, R>& solution,
                const ProjectedGradientControl& control, SolveReport& report) {
        if (control.best == 1) {
            solution.g.swap(solution.spare_g);
            if (has_rolling<K>) solution.m.swap(solution.spare_m);
        } else if (control.best == 2) {
            const std::size_t bytes = std::size_t(problem.contacts) * 3 * sizeof(R);
            Memory<Backend>::copy(solution.g.data(), data_.g[2], bytes);
            if (has_rolling<K>) Memory<Backend>::copy(solution.m.data(), data_.m[2], bytes);
        }
        if (control.current_is_best && !control.failed) return;
        velocity_of<K>(backend, problem, solution.g.data(), has_rolling<K> ? solution.m.data() : nullptr,
                       solution.velocity.data(), true);
        ++report.operator_products;
    }

    /// Power iterations from a vector without symmetry. The estimate is a lower bound; the loop raises it when needed.
    template <RowKind K>
    void estimate_lambda(Backend& backend, const Problem& problem, SolveReport& report) {
        backend.for_each(problem.contacts * 3, PowerSeedItem<R, W>{data_.g[2]});
        if (has_rolling<K>) backend.for_each(problem.contacts * 3, PowerSeedItem<R, W>{data_.m[2]});
        // Rows that no body owns (ground, moving walls) stand still in a product with N.
        backend.for_each(problem.rows_of_velocity * 8, ScaleItem<R>{data_.velocity_y, R(0)});
        double lambda = 1.0;
        for (int k = 0; k < power_iterations; ++k) {
            velocity_of<K>(backend, problem, data_.g[2], data_.m[2], data_.velocity_y, false);
            const auto sums = backend.template reduce_tiles<R, 2, 0>(
                problem.contacts,
                PowerItem<R, W, K>{problem, data_.velocity_y, {data_.g[2], data_.m[2]}, R(1.0 / lambda)});
            if (sums.sum[0] > 0.0) lambda = std::max(1e-3, sums.sum[1] / sums.sum[0]);
            ++report.operator_products;
        }
        lambda_ = lambda * ProjectedGradientControl::lambda_margin;
    }

    Momentum momentum_;
    Scratch<Backend>& scratch_;
    double lambda_ = 0.0;
    ProjectedGradientLoop<Backend, R> loop_;
    ProjectedGradientData<R, W> data_;  ///< Pieces of the scratch and of the solution, valid during a solve.
};

}  // namespace scree::kernels
