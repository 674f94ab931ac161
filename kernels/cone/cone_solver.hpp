// SPDX-License-Identifier: BSD-3-Clause
// The interface of every cone solver. A solver sees the operator, the cones and the metric (ConeProblem) and nothing
// of bodies, shapes or scenes. Adding one: a new header beside this one and a line in make_solver.hpp.
#pragma once

#include "kernels/cone/residual.hpp"
#include "kernels/parallel/array.hpp"

#include <string>

namespace scree::kernels {

struct SolveSettings {
    double tolerance = 0.0;    ///< Stop when the certified RMS residual is at most this [m/s] ...
    int max_iterations = 500;  ///< Upper limit of iterations (operator products).
    bool warm_start = true;    ///< Start from the given impulses when they are better than zero.
    double largest = 1e300;    ///< ... and that of each contact at most this [m/s].
    bool calm = false;         ///< Bodies are slower than a step of gravity would make them.

    [[nodiscard]] bool met_by(const ResidualReport& residual) const {
        return residual.rms <= tolerance && residual.max <= largest;
    }
};

/// What a solve did; recorded for every step.
struct SolveReport {
    int iterations = 0;         ///< Iterations of the loop, one operator product each.
    int operator_products = 0;  ///< All products with N, certificates and estimates included.
    int restarts = 0;           ///< Momentum restarts.
    double start_scale = 0.0;   ///< Factor in [0, 1] on the warm start's impulses; 0 is a cold start.
    double lambda = 0.0;        ///< Estimate of the largest eigenvalue of D^-1/2 N D^-1/2.
    bool converged = false;     ///< The certified residual reached the tolerance.
    bool handed_over = false;   ///< Another solver did the solve or went on with it (see gauss_seidel.hpp).
    ResidualReport residual;    ///< Of the impulses that are returned.
};

/// Impulses and the velocities that go with them.
template <class Backend, class R>
struct ConeSolution {
    Array<R, Backend> g;  ///< in: start, out: result; tiled 3 fields [N s], world axes, on B.
    Array<R, Backend> m;  ///< The same for moments [N m s]; empty without rolling rows.
    /// Room of the size of g and m that solvers may use; between solves the step keeps the last step's impulses here.
    Array<R, Backend> spare_g, spare_m;
    Array<R, Backend> velocity;  ///< out: rows of eight [rows_of_velocity], V = v* + M^-1 D gamma.
};

template <class Backend, class R>
class ConeSolver {
public:
    using Problem = ConeProblem<R, Backend::tile>;

    virtual ~ConeSolver() = default;
    /// Improves `solution` until the tolerance or the iteration limit; returns the best certified iterate.
    /// `real_contacts` counts the contacts without padding. Throws NumericalError when the problem holds a NaN.
    virtual SolveReport solve(Backend& backend, const Problem& problem, Index real_contacts,
                              const SolveSettings& settings, ConeSolution<Backend, R>& solution) = 0;
    /// What the solver carries from step to step (spectral estimate); part of a checkpoint.
    [[nodiscard]] virtual double memory() const = 0;
    virtual void restore(double memory) = 0;
};

}  // namespace scree::kernels
