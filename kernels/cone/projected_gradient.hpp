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
#include "kernels/cone/nesterov.hpp"
#include "kernels/cone/projected_gradient_items.hpp"
#include "kernels/parallel/error.hpp"
#include "kernels/parallel/scratch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::kernels {

enum class Momentum : std::uint8_t { none, nesterov };

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
        if (problem.rolling != nullptr) return run<true>(backend, problem, real_contacts, settings, solution);
        return run<false>(backend, problem, real_contacts, settings, solution);
    }
    [[nodiscard]] double memory() const override { return lambda_; }
    void restore(double memory) override { lambda_ = memory; }

private:
    // An estimate from below is allowed to sink this much from step to step: a smaller lambda is a longer step, and the
    // guard in the loop corrects one that was too long at the price of one restart.
    static constexpr double lambda_decay = 0.95;
    static constexpr double lambda_margin = 1.02;
    // De Saxce's term makes the map non-monotone: with momentum towards 1 the iteration circles at 4e-3 g h on a
    // settled bed of 8000 spheres. A limit on the momentum and a restart where the map grows let it through (measured
    // there: 8e-4 g h after 400 iterations; limits .9 to .98 lie within a factor of 2).
    static constexpr double momentum_limit = 0.96;
    static constexpr double map_growth = 1.1;
    static constexpr int power_iterations = 12;
    static constexpr int certify_interval = 20;
    // Even so it may circle, at 1e-5 to 2e-4 m/s on three of eight stiff piles of 500 contacts. After so many
    // certificates without gain the limit's distance to 1 doubles, down to plain projected Jacobi: all eight then reach
    // 1e-9 m/s.
    static constexpr int patience = 10;

    template <bool Rolling>
    SolveReport run(Backend& backend, const Problem& problem, Index real_contacts, const SolveSettings& settings,
                    ConeSolution<Backend, R>& solution) {
        SolveReport report;
        resize<Rolling>(problem, solution);
        if (problem.contacts == 0) {
            report.converged = true;
            Memory<Backend>::copy(solution.velocity.data(), problem.free_velocity, row_bytes(problem));
            return report;
        }
        if (lambda_ <= 0.0) estimate_lambda<Rolling>(backend, problem, report);
        start<Rolling>(backend, problem, settings, solution, report);

        // The start is certified first: a bed at rest often needs nothing more.
        double best = certify_best(backend, problem, real_contacts, solution, 1e300, report);
        const R* velocity_y = solution.velocity.data();  // V(y) = V(x) at the start
        NesterovSequence nesterov;
        double beta = 0.0;
        double last_map = std::numeric_limits<double>::infinity();
        double seen = 0.0;  // largest trusted Rayleigh quotient of this solve
        int since_certified = 0, fruitless = 0;
        double limit = momentum_limit;
        while (best > settings.tolerance && report.iterations < settings.max_iterations) {
            keep_best<Rolling>(problem, solution);
            const double step = 1.0 / lambda_;
            const auto contact_sums = backend.template reduce_tiles<R, 4, 0>(
                problem.contacts, ProjectedStepItem<R, W, Rolling>{problem,
                                                                   velocity_y,
                                                                   {x_, mx_},
                                                                   {previous_, mprevious_},
                                                                   {next_, mnext_},
                                                                   impulse_rows_,
                                                                   moment_rows_,
                                                                   R(beta),
                                                                   R(step)});
            rotate(solution);
            const double map = std::sqrt(contact_sums.sum[3] / std::max<Index>(real_contacts, 1));
            const bool restart =
                momentum_ == Momentum::nesterov && (contact_sums.sum[0] > 0.0 || map > map_growth * last_map);
            last_map = map;
            if (restart) {
                nesterov.restart();
                ++report.restarts;
            }
            beta = momentum_ == Momentum::nesterov && !restart ? std::min(limit, nesterov.next()) : 0.0;
            const auto body_sums = backend.template reduce_rows<R, 2>(
                problem.bodies,
                BodyVelocityItem<R, W, Row>{problem, impulse_rows_, moment_rows_, solution.velocity.data(), velocity_y,
                                            velocity_y_, R(beta)});
            velocity_y = velocity_y_;
            ++report.iterations;
            ++report.operator_products;

            const double dNd = body_sums.sum[0] + contact_sums.sum[2];
            const double dDd = contact_sums.sum[1];
            if (!std::isfinite(map) || !std::isfinite(dNd))
                throw NumericalError("the cone solver met a value that is not a number");
            // A quotient of differences that rounding may have made is not evidence.
            if (dDd > smallest_trusted && body_sums.sum[0] > rounding_floor * body_sums.sum[1]) {
                const double quotient = dNd / dDd;
                seen = std::max(seen, quotient);
                if (quotient > lambda_ * 1.0001) {
                    lambda_ = quotient * lambda_margin;
                    beta_restart(backend, problem, solution, nesterov, beta);
                }
            }
            ++since_certified;
            if (map <= settings.tolerance || since_certified >= certify_interval ||
                report.iterations == settings.max_iterations) {
                best = certify_best(backend, problem, real_contacts, solution, best, report);
                since_certified = 0;
                fruitless = current_is_best_ ? 0 : fruitless + 1;
                if (fruitless == patience) {
                    fruitless = 0;
                    limit = std::max(0.0, 1.0 - 2.0 * (1.0 - limit));
                    nesterov.restart();
                }
            }
        }
        finish<Rolling>(backend, problem, solution, report);
        report.converged = best <= settings.tolerance;
        if (seen > 0.0) lambda_ = std::max(seen * lambda_margin, lambda_ * lambda_decay);
        report.lambda = lambda_;
        return report;
    }

    // Sums of squares below this have lost bits to underflow: a quotient of two of them may be anything.
    static constexpr double smallest_trusted = sizeof(R) == 4 ? 1e-30 : 1e-280;
    // Differences of velocities below this share of the kinetic energy are rounding.
    static constexpr double rounding_floor = sizeof(R) == 4 ? 1e-7 : 1e-20;

    static std::size_t row_bytes(const Problem& problem) {
        return std::size_t(problem.rows_of_velocity) * 8 * sizeof(R);
    }

    template <bool Rolling>
    void resize(const Problem& problem, ConeSolution<Backend, R>& solution) {
        const std::int64_t contacts = problem.contacts, rows = problem.rows_of_velocity;
        const std::int64_t per_contact = 3 + 8 + (Rolling ? 3 + 4 : 0);
        scratch_.begin(std::size_t(contacts * per_contact + rows * 8) * sizeof(R), 5);
        third_ = scratch_.template take<R>(contacts * 3);
        impulse_rows_ = scratch_.template take<R>(contacts * 8);
        velocity_y_ = scratch_.template take<R>(rows * 8);
        mthird_ = Rolling ? scratch_.template take<R>(contacts * 3) : nullptr;
        moment_rows_ = Rolling ? scratch_.template take<R>(contacts * 4) : nullptr;
        solution.spare_g.resize_discard(Index(contacts * 3));
        if (Rolling) solution.spare_m.resize_discard(Index(contacts * 3));
        solution.velocity.resize_discard(Index(rows * 8));
    }

    /// Momentum off for the next iteration: V(y) = V(x).
    void beta_restart(Backend&, const Problem& problem, ConeSolution<Backend, R>& solution, NesterovSequence& nesterov,
                      double& beta) {
        nesterov.restart();
        beta = 0.0;
        Memory<Backend>::copy(velocity_y_, solution.velocity.data(), row_bytes(problem));
    }

    /// The three places of impulses and their roles. The start is read where it lies, in solution.g, until two
    /// iterations have passed: x and the one before are then in the spare room and in the scratch, which take turns,
    /// and solution.g holds the best.
    void rotate(ConeSolution<Backend, R>& solution) {
        previous_ = std::exchange(x_, next_);
        mprevious_ = std::exchange(mx_, mnext_);
        next_ = x_ == third_ ? solution.spare_g.data() : third_;
        mnext_ = x_ == third_ ? solution.spare_m.data() : mthird_;
    }

    template <bool Rolling>
    void velocity_of(Backend& backend, const Problem& problem, const R* g, const R* m, R* velocity, bool with_free) {
        R* moments = moment_rows_;
        backend.template for_each_tile<R>(problem.contacts,
                                          ImpulseRowsItem<R, W, Rolling>{problem, {g, m}, impulse_rows_, moments});
        backend.for_each(problem.bodies,
                         ImpulseVelocityItem<R, W, Row>{problem, impulse_rows_, moments, velocity, with_free});
    }

    /// Chooses s in [0, 1] that minimises the objective along the given impulses and starts there: never worse than 0.
    template <bool Rolling>
    void start(Backend& backend, const Problem& problem, const SolveSettings& settings,
               ConeSolution<Backend, R>& solution, SolveReport& report) {
        x_ = previous_ = solution.g.data();
        mx_ = mprevious_ = Rolling ? solution.m.data() : nullptr;
        next_ = solution.spare_g.data();
        mnext_ = Rolling ? solution.spare_m.data() : nullptr;
        best_in_place_ = true;
        // Rows that no impulse changes: the ground and moving walls.
        for (R* velocity : {solution.velocity.data(), velocity_y_}) {
            const std::size_t first = std::size_t(problem.bodies) * 8;
            Memory<Backend>::copy(velocity + first, problem.free_velocity + first,
                                  row_bytes(problem) - first * sizeof(R));
        }
        double scale = 0.0;
        if (settings.warm_start) {
            velocity_of<Rolling>(backend, problem, x_, mx_, solution.velocity.data(), true);
            ++report.operator_products;
            const auto sums = backend.template reduce_tiles<R, 2, 0>(
                problem.contacts, ObjectiveItem<R, W, Rolling>{problem, solution.velocity.data(), {x_, mx_}});
            const double quadratic = sums.sum[1] - sums.sum[0];
            if (sums.sum[0] < 0.0 && quadratic > 0.0) scale = std::min(1.0, -sums.sum[0] / quadratic);
        }
        report.start_scale = scale;
        if (scale != 1.0) {
            scale_in_place(backend, x_, problem.contacts * 3, R(scale));
            if (Rolling) scale_in_place(backend, mx_, problem.contacts * 3, R(scale));
            velocity_of<Rolling>(backend, problem, x_, mx_, solution.velocity.data(), true);
        }
    }

    static void scale_in_place(Backend& backend, R* values, Index n, R scale) {
        backend.for_each(n, ScaleItem<R>{values, scale});
    }

    /// Certifies (x, V(x)). Returns the best residual.
    double certify_best(Backend& backend, const Problem& problem, Index real_contacts,
                        ConeSolution<Backend, R>& solution, double best, SolveReport& report) {
        const ResidualReport now = certify<R>(backend, problem, real_contacts, solution.velocity.data(), x_, mx_);
        if (!std::isfinite(now.rms)) throw NumericalError("the cone solver met a value that is not a number");
        current_is_best_ = now.rms < best;
        if (!current_is_best_) return best;
        best_in_place_ = x_ == solution.g.data();
        report.residual = now;
        return now.rms;
    }

    /// Before an iteration writes: the best iterate moves to where none does.
    template <bool Rolling>
    void keep_best(const Problem& problem, ConeSolution<Backend, R>& solution) {
        if (best_in_place_) return;
        const std::size_t bytes = std::size_t(problem.contacts) * 3 * sizeof(R);
        if (previous_ == solution.g.data()) {  // the start, still needed as the iterate before
            Memory<Backend>::copy(next_, previous_, bytes);
            if (Rolling) Memory<Backend>::copy(mnext_, mprevious_, bytes);
            previous_ = next_;
            mprevious_ = mnext_;
        }
        Memory<Backend>::copy(solution.g.data(), x_, bytes);
        if (Rolling) Memory<Backend>::copy(solution.m.data(), mx_, bytes);
        best_in_place_ = true;
    }

    /// Puts the best iterate in its place. When it is not the last one, the velocities are those of another: recompute.
    template <bool Rolling>
    void finish(Backend& backend, const Problem& problem, ConeSolution<Backend, R>& solution, SolveReport& report) {
        if (!best_in_place_ && x_ == solution.spare_g.data()) {
            solution.g.swap(solution.spare_g);
            if (Rolling) solution.m.swap(solution.spare_m);
            best_in_place_ = true;
        }
        keep_best<Rolling>(problem, solution);
        if (current_is_best_) return;
        velocity_of<Rolling>(backend, problem, solution.g.data(), Rolling ? solution.m.data() : nullptr,
                             solution.velocity.data(), true);
        ++report.operator_products;
    }

    /// Power iterations from a vector without symmetry. The estimate is a lower bound; the loop raises it when needed.
    template <bool Rolling>
    void estimate_lambda(Backend& backend, const Problem& problem, SolveReport& report) {
        backend.for_each(problem.contacts * 3, PowerSeedItem<R, W>{third_});
        if (Rolling) backend.for_each(problem.contacts * 3, PowerSeedItem<R, W>{mthird_});
        // Rows that no body owns (ground, moving walls) stand still in a product with N.
        backend.for_each(problem.rows_of_velocity * 8, ScaleItem<R>{velocity_y_, R(0)});
        double lambda = 1.0;
        for (int k = 0; k < power_iterations; ++k) {
            velocity_of<Rolling>(backend, problem, third_, mthird_, velocity_y_, false);
            const auto sums = backend.template reduce_tiles<R, 2, 0>(
                problem.contacts, PowerItem<R, W, Rolling>{problem, velocity_y_, {third_, mthird_}, R(1.0 / lambda)});
            if (sums.sum[0] > 0.0) lambda = std::max(1e-3, sums.sum[1] / sums.sum[0]);
            ++report.operator_products;
        }
        lambda_ = lambda * lambda_margin;
    }

    Momentum momentum_;
    Scratch<Backend>& scratch_;
    double lambda_ = 0.0;
    bool current_is_best_ = true;  ///< The last certified iterate is the best.
    bool best_in_place_ = true;    ///< The best lies in solution.g.
    // Pieces of the scratch and of the solution's spare room, valid during a solve.
    R *third_ = nullptr, *mthird_ = nullptr;                  ///< See rotate().
    R *x_ = nullptr, *previous_ = nullptr, *next_ = nullptr;  ///< Iterates, tiled.
    R *mx_ = nullptr, *mprevious_ = nullptr, *mnext_ = nullptr;
    R* velocity_y_ = nullptr;  ///< V(y), rows of eight.
    R *impulse_rows_ = nullptr, *moment_rows_ = nullptr;
};

}  // namespace scree::kernels
