// SPDX-License-Identifier: BSD-3-Clause
// Coloured Gauss-Seidel with momentum over sweeps: one contact after the other is solved for the velocities that the
// others have left, contacts of one colour (contact_colours.hpp) at once.
//
// Problem      gamma in K,  N gamma + p + De Saxce's term in K*,  complementary   (cone_problem.hpp)
// Sweep        for each contact: Coulomb's law at that contact alone (coulomb_step(); exact for spheres), or, for the
//              associated law, the projected step in its own metric; velocities follow at once.
// Momentum     x+ = sweep(y),  y+ = x+ + beta (x+ - x),  beta = (|map+| / |map|)^2 as for `conjugate` (Silcowitz, Niebe
//              and Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems",
//              2010); a map that grows restarts it. A sweep has no symmetry, so that growth is taken for too much
//              momentum; but for 3 %, which in float may be roundings: a heavy body on light ones lost all its momentum
//              to these (allowed a tenth, beds of solids took more sweeps).
//              Where a body of many contacts moves after each sweep only, any growth is too much.
// Cost         one sweep counts as one operator product. It reads and writes velocities twice a contact, at places of
//              bodies: see docs/solver.md. On a device it takes a launch per colour.
// Heavy bodies, of more than 32 contacts, stand still during a sweep and move after it; their contacts take shares.
//              Where more than a fiftieth of the bodies are heavy (wide envelopes, long steps) that is slower than
//              `conjugate`, which then does the solve.
// Stall        The law at one contact after the other is no contraction where friction is high (at mu = 2 piles stay
//              near 1e-2 g h), and heavy bodies are slow: after 300 sweeps without gain, or 100 that have not halved
//              the residual where there are heavy bodies, `conjugate` goes on from the best, and the better of both is
//              kept.
// Stop         certified RMS residual [m/s] <= tolerance, as projected_gradient.hpp; a certificate costs a product, as
//              it computes the velocities anew: what sweeps add up gathers rounding. Bodies at rest: a tenth of it
//              (ProjectedGradientControl::settles), or less (share_of_calm).
// Joints       An impulse at a jointed body moves its whole island: problems with islands go to `conjugate`.
#pragma once

#include "kernels/cone/gauss_seidel_items.hpp"
#include "kernels/cone/projected_gradient.hpp"

#include <span>

namespace scree::kernels {

template <class Backend, class R>
class GaussSeidelSolver final : public ConeSolver<Backend, R> {
public:
    static constexpr int W = Backend::tile;
    using Problem = ConeProblem<R, W>;
    using Row = typename Backend::template Row<R>;
    static constexpr int patience = 300;             ///< Sweeps without gain, see Stall.
    static constexpr int patience_heavy = 100;       ///< The same where there are heavy bodies.
    static constexpr int patience_solved = 50;       ///< The same below the tolerance, where bodies are at rest.
    static constexpr double growth = 1.03;           ///< See Momentum; 1 where there are heavy bodies.
    static constexpr double least_gain_heavy = 0.5;  ///< What counts as a gain where there are heavy bodies.
    static constexpr double most_heavy = 0.02;       ///< Share of heavy bodies.

    /// `scratch` must outlive the solver; a solve is one phase of it.
    explicit GaussSeidelSolver(Scratch<Backend>& scratch)
        : scratch_(scratch), gradients_(Momentum::conjugate, scratch) {}

    SolveReport solve(Backend& backend, const Problem& problem, Index real_contacts, const SolveSettings& settings,
                      ConeSolution<Backend, R>& solution) override {
        if (problem.islands.islands > 0 || problem.contacts == 0) {
            SolveReport report = gradients_.solve(backend, problem, real_contacts, settings, solution);
            report.handed_over = report.iterations > 0;
            return report;
        }
        return with_row_kind(problem.kind(), [&](auto kind) {
            return run<decltype(kind)::value>(backend, problem, real_contacts, settings, solution);
        });
    }
    [[nodiscard]] double memory() const override { return gradients_.memory(); }
    void restore(double memory) override { gradients_.restore(memory); }

private:
    template <RowKind K>
    SolveReport run(Backend& backend, const Problem& problem, Index contacts, const SolveSettings& settings,
                    ConeSolution<Backend, R>& solution) {
        SolveReport report;
        take_memory<K>(problem, contacts, solution);
        for (R* velocity : {solution.velocity.data(), trial_velocity_, velocity_, velocity_x_})
            set_wall_velocities<Backend>(problem, velocity);
        start_impulses<K>(backend, problem, settings, impulse_rows_, {solution.g.data(), moments(solution.m)},
                          solution.velocity.data(), report);

        ProjectedGradientControl control;  // its buffers are not ours: it sees one iterate
        control.tolerance = settings.tolerance;
        control.largest = settings.largest;
        control.max_iterations = settings.max_iterations;
        control.contacts = std::max(1.0, double(contacts));
        control.momentum = Momentum::conjugate;
        control.settles = true;
        control.share_of_calm = settings.calm ? share_of_calm<K>(contacts) : 0.0;
        control.foresees = true;  // a certificate costs a product here
        control.begin(certify<R>(backend, problem, contacts, solution.velocity.data(), solution.g.data(),
                                 has_rolling<K> ? solution.m.data() : nullptr));
        if (control.failed) throw NumericalError("the cone solver met a value that is not a number");
        if (control.running) {
            const double heavy = heavy_share(backend, problem);
            if (heavy <= most_heavy) {
                control.growth_allowed = heavy > 0.0 ? 1.0 : growth;
                colour<K>(backend, problem, contacts, solution);
                iterate<K>(backend, problem, contacts, heavy > 0.0, control, solution, report);
            }
        }
        report.iterations = control.iterations;
        report.operator_products += control.iterations;
        report.restarts = control.restarts;
        report.residual = control.residual;
        report.converged = settings.met_by(control.residual);
        if (control.running) go_on_by_gradients<K>(backend, problem, contacts, settings, solution, report);
        return report;
    }

    /// Small problems cost next to nothing. Large beds of spheres would take twice the sweeps to creep a quarter as
    /// fast.
    template <RowKind K>
    [[nodiscard]] static double share_of_calm(Index contacts) {
        if (contacts <= 100) return 0.001;
        if (contacts <= 1000) return 0.01;
        return has_arms<K> || contacts <= 10'000 ? 0.05 : 0.0;
    }

    [[nodiscard]] static double heavy_share(Backend& backend, const Problem& problem) {
        const auto bodies = backend.template reduce<double, 2, 0>(problem.bodies, HeavyBodiesItem<R, W>{problem});
        return bodies.sum[0] > 0.0 ? bodies.sum[0] / bodies.sum[1] : 0.0;
    }

    /// Sweeps have stalled: the other iteration from here.
    template <RowKind K>
    void go_on_by_gradients(Backend& backend, const Problem& problem, Index contacts, const SolveSettings& settings,
                            ConeSolution<Backend, R>& solution, SolveReport& report) {
        const std::size_t bytes = std::size_t(problem.contacts) * 3 * sizeof(R);
        kept_g_.resize_discard(Size(problem.contacts) * 3);
        Memory<Backend>::copy(kept_g_.data(), solution.g.data(), bytes);
        if (has_rolling<K>) {
            kept_m_.resize_discard(Size(problem.contacts) * 3);
            Memory<Backend>::copy(kept_m_.data(), solution.m.data(), bytes);
        }
        SolveSettings rest = settings;
        rest.max_iterations -= report.iterations;
        rest.warm_start = true;
        const SolveReport other = gradients_.solve(backend, problem, contacts, rest, solution);
        report.iterations += other.iterations;
        report.operator_products += other.operator_products;
        report.restarts += other.restarts;
        report.lambda = other.lambda;
        report.handed_over = true;
        if (other.residual.rms < report.residual.rms) {
            report.residual = other.residual;
            report.converged = other.converged;
            return;
        }
        take_memory<K>(problem, contacts, solution);
        Memory<Backend>::copy(solution.g.data(), kept_g_.data(), bytes);
        if (has_rolling<K>) Memory<Backend>::copy(solution.m.data(), kept_m_.data(), bytes);
        set_wall_velocities<Backend>(problem, solution.velocity.data());
        velocity_of<K>(backend, problem, impulse_rows_, {solution.g.data(), moments(solution.m)},
                       solution.velocity.data(), true);
        ++report.operator_products;
    }

    /// Rows and impulses to their places; the iterate is the start.
    template <RowKind K>
    void colour(Backend& backend, const Problem& problem, Index contacts, ConeSolution<Backend, R>& solution) {
        table_ = colour_contacts<Backend, R>(backend, problem, contacts, room_, source_, place_);
        places_ = table_.begin[std::size_t(table_.colours)];
        coloured_.rows.contacts = places_;
        const ImpulseView<const R> start{solution.g.data(), solution.m.data()};
        backend.for_each(contacts, ColourRowItem<R, W, K>{problem, coloured_, start, x_[0]});
        backend.for_each(places_, EmptyPlaceItem<R, W, K>{coloured_, x_[0]});
        const std::size_t bytes = std::size_t(problem.bodies) * 8 * sizeof(R);
        Memory<Backend>::copy(velocity_, solution.velocity.data(), bytes);
        Memory<Backend>::copy(velocity_x_, solution.velocity.data(), bytes);
    }

    /// Ends where the sweeps of its patience have not brought the residual below `least_gain` of what it was.
    template <RowKind K>
    void iterate(Backend& backend, const Problem& problem, Index contacts, bool any_heavy,
                 ProjectedGradientControl& control, ConeSolution<Backend, R>& solution, SolveReport& report) {
        solution.spare_g.resize_discard(Size(problem.contacts) * 3);
        if (has_rolling<K>) solution.spare_m.resize_discard(Size(problem.contacts) * 3);
        backend.for_each(problem.contacts * 3, ScaleItem<R>{solution.spare_g.data(), R(0)});
        if (has_rolling<K>) backend.for_each(problem.contacts * 3, ScaleItem<R>{solution.spare_m.data(), R(0)});
        const std::span<const Index> colours(table_.begin.data(), std::size_t(table_.colours) + 1);
        const double least_gain = any_heavy ? least_gain_heavy : 1.0;
        const int longest = any_heavy ? patience_heavy : patience;
        double gained = control.residual.rms;
        int gained_at = 0;
        bool solved = false;
        while (control.running) {
            const bool solved_now = control.most > 0 && !solved;
            solved = solved || solved_now;
            if (solved_now || control.residual.rms < least_gain * gained) {
                gained = control.residual.rms;
                gained_at = control.iterations;
            }
            if (control.iterations - gained_at >= (solved ? patience_solved : longest)) {
                control.running = !solved;  // what is solved needs no other solver
                break;
            }
            const ImpulseView<R>& previous = control.iterations == 0 ? x_[0] : x_[1];
            const SweepIterates<R> iterates{constant(x_[0]), constant(previous), x_[2], R(control.beta)};
            control.after_contacts(backend.template reduce_tiles_in_turn<R, 4, 0>(colours, [&](std::size_t k) {
                return SweepItem<R, W, Row, K>{coloured_, iterates, velocity_, colours[k]};
            }));
            std::swap(x_[1], x_[2]);  // the new iterate, the one before, and room for the next
            std::swap(x_[0], x_[1]);
            backend.for_each(problem.bodies, SweepVelocityItem<R, W, Row, K>{problem, coloured_, constant(x_[0]),
                                                                             velocity_, velocity_x_, R(control.beta)});
            control.after_bodies({});
            if (control.certify) look<K>(backend, problem, contacts, control, solution, report);
        }
    }

    /// Certifies the iterate; where it is the best, it becomes the solution.
    template <RowKind K>
    void look(Backend& backend, const Problem& problem, Index contacts, ProjectedGradientControl& control,
              ConeSolution<Backend, R>& solution, SolveReport& report) {
        const ImpulseView<R> trial{solution.spare_g.data(), moments(solution.spare_m)};
        backend.for_each(contacts, UncolourItem<R, W, K>{place_, constant(x_[0]), trial});
        velocity_of<K>(backend, problem, impulse_rows_, constant(trial), trial_velocity_, true);
        ++report.operator_products;
        control.after_certificate(
            certify<R>(backend, problem, contacts, trial_velocity_, trial.g, has_rolling<K> ? trial.m : nullptr));
        backend.for_each(problem.bodies, CorrectVelocityItem<R, Row>{trial_velocity_, velocity_, velocity_x_});
        if (!control.current_is_best) return;
        solution.g.swap(solution.spare_g);
        if (has_rolling<K>) solution.m.swap(solution.spare_m);
        Memory<Backend>::copy(solution.velocity.data(), trial_velocity_, std::size_t(problem.bodies) * 8 * sizeof(R));
        // Padding of the room for the next trial stays what it was: zero.
    }

    template <RowKind K>
    void take_memory(const Problem& problem, Index real_contacts, ConeSolution<Backend, R>& solution) {
        const std::int64_t contacts = problem.contacts, rows = problem.rows_of_velocity, bodies = problem.bodies;
        const std::int64_t places = most_places<Backend>(contacts);
        const bool offset = problem.offset != nullptr;
        const std::int64_t per_place = RowField::count + 1 + 9 + (offset ? 3 : 0) +
                                       (has_rolling<K> ? RollingField::count + 9 : 0) +
                                       (has_arms<K> ? ArmField::count : 0);
        const std::int64_t reals = places * per_place + contacts * (impulse_row_reals<K>)+rows * 24;
        scratch_.begin(std::size_t(reals) * sizeof(R) + std::size_t(places * 5 + contacts) * sizeof(Index) +
                           ColouringRoom<Backend>::bytes(real_contacts, bodies),
                       24 + ColouringRoom<Backend>::pieces);
        const auto real = [&](std::int64_t n) { return scratch_.template take<R>(n); };
        const auto index = [&](std::int64_t n) { return scratch_.template take<Index>(n); };
        impulse_rows_ = {};
        impulse_rows_.rows = real(contacts * (has_arms<K> ? 16 : 8));
        if (has_rolling<K> && !has_arms<K>) impulse_rows_.moments = real(contacts * 4);
        trial_velocity_ = real(rows * 8);
        velocity_ = real(rows * 8);
        velocity_x_ = real(rows * 8);
        for (ImpulseView<R>& x : x_) x = {real(places * 3), has_rolling<K> ? real(places * 3) : nullptr};
        source_ = index(places);
        place_ = index(contacts);
        coloured_ = {};
        coloured_.row = real(places * RowField::count);
        if (has_rolling<K>) coloured_.rolling = real(places * RollingField::count);
        if (has_arms<K>) coloured_.arms = real(places * ArmField::count);
        if (offset) coloured_.offset = real(places * 3);
        coloured_.body_a = index(places);
        coloured_.body_b = index(places);
        coloured_.to_a = index(places);
        coloured_.to_b = index(places);
        coloured_.share = real(places);
        coloured_.source = source_;
        coloured_.place = place_;
        coloured_.rows = problem;
        coloured_.rows.rows = coloured_.row;
        coloured_.rows.rolling = coloured_.rolling;
        coloured_.rows.arms = coloured_.arms;
        coloured_.rows.offset = coloured_.offset;
        coloured_.rows.body_a = coloured_.body_a;
        coloured_.rows.body_b = coloured_.body_b;
        room_.take(scratch_, real_contacts, bodies);
        solution.velocity.resize_discard(rows * 8);
    }

    static ImpulseView<const R> constant(const ImpulseView<R>& x) { return {x.g, x.m}; }
    static R* moments(Array<R, Backend>& m) { return m.data(); }

    Scratch<Backend>& scratch_;
    ProjectedGradientSolver<Backend, R> gradients_;
    // Pieces of the scratch, valid during a solve.
    ColouringRoom<Backend> room_{};
    ColourTable table_;
    ColouredRows<R, W> coloured_;
    ImpulseRows<R> impulse_rows_;
    ImpulseView<R> x_[3];  ///< The iterate, the one before, and room for the next, at their places.
    R *trial_velocity_ = nullptr, *velocity_ = nullptr, *velocity_x_ = nullptr;
    Index *source_ = nullptr, *place_ = nullptr;
    Index places_ = 0;
    Array<R, Backend> kept_g_, kept_m_;  ///< The best of the sweeps while the other iteration goes on.
};

}  // namespace scree::kernels
