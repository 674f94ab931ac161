// SPDX-License-Identifier: BSD-3-Clause
// What the projected gradient solvers decide from the sums of their passes: plain data and arithmetic, the same on the
// host and inside a CUDA graph, where no iteration touches the host.
//
// Order of an iteration: contact pass, after_contacts(), body pass, after_bodies(), and, where `certify` asks for it,
// the residual, after_certificate(). The loop goes on while `running`.
#pragma once

#include "kernels/cone/nesterov.hpp"
#include "kernels/cone/residual.hpp"
#include "kernels/parallel/reduction.hpp"

#include <cstdint>

namespace scree::kernels {

/// How far y goes beyond x+ (docs/solver.md has the figures):
///   none       projected Jacobi
///   nesterov   the sequence of NST, Algorithm APGD
///   conjugate  the growth of |map|^2 from one iteration to the next, as Fletcher and Reeves have it for gradients
enum class Momentum : std::int32_t { none, nesterov, conjugate };

struct ProjectedGradientControl {
    // De Saxce's term makes the map non-monotone: with momentum towards 1 the iteration circles at 4e-3 g h on a
    // settled bed of 8000 spheres. A limit on the momentum and a restart where the map grows let it through (measured
    // there: 8e-4 g h after 400 iterations; limits .9 to .98 lie within a factor of 2).
    static constexpr double momentum_limit = 0.96;
    static constexpr double map_growth = 1.1;
    static constexpr int certify_interval = 20;
    // Even so it may circle, at 1e-5 to 2e-4 m/s on three of eight stiff piles of 500 contacts. After so many
    // iterations without gain the limit's distance to 1 doubles, down to plain projected Jacobi: all eight then reach
    // 1e-9 m/s.
    static constexpr int patience = 200;
    // Where friction is high, no step length helps: the term answers slip at once and by mu^2 times what it causes.
    // Its mean over iterations, mean += share / mu^2 (new - mean), changes slowly against the convex problem that is
    // left, whose momentum needs no such limit (measured on piles of mu 1.5 and 2, docs/solver.md).
    static constexpr double mean_share = 0.3;
    static constexpr double high_friction = 0.65;
    static constexpr double limit_of_means = 0.98;
    static constexpr double lambda_margin = 1.02;
    static constexpr double least_correction = 0.3, largest_correction = 3.0;
    // See `settles` and `share_of_calm`.
    static constexpr double nearly_solved = 3.0, share_of_rest = 0.1;
    static constexpr int effort_of_rest = 2, effort_of_calm = 20;

    // --- set by the solver
    double tolerance = 0.0;  ///< Certified RMS residual at which the loop ends [m/s].
    /// What no contact's residual may be above [m/s]: an RMS of many contacts hides one through which a body falls.
    double largest = 1e300;
    double contacts = 1.0;  ///< Without the padding, at least 1.
    int max_iterations = 0;
    bool averages = false;  ///< De Saxce's term is a mean over iterations.
    Momentum momentum = Momentum::nesterov;
    double growth_allowed = map_growth;  ///< A map that grows by more restarts the momentum.
    int earliest = 1;                    ///< A small map brings a certificate after so many iterations.
    /// Maps foresee residuals, as those of sweeps do: the residual of x+ is nearly the map of the next sweep, which is
    /// smaller by what the last one was. What certificates find in place of that is expected from then on.
    bool foresees = false;
    /// A start whose residual is at most `nearly_solved` times the tolerance, as those of bodies at rest are, is solved
    /// to a tenth of it. Impulses that stop at the tolerance are those of the step before as far as it allows: they lag
    /// behind the motion, which drives it. Stacks swayed for ever, and cost a solve in each step; deep beds crept
    /// sideways, layer over layer (docs/solver.md).
    bool settles = false;
    /// Bodies are at rest but for what the solver makes of them. Then every start is solved further, to this share of
    /// the tolerance, with up to twenty times the iterations that the tolerance took, also where it is below the
    /// tolerance already: a ball on a plane bobbed by what that allows, and at long steps a stack that sways starts far
    /// from solved and never got there. 0: they are not.
    double share_of_calm = 0.0;
    /// Sums of squares below this have lost bits to underflow: a quotient of two of them may be anything.
    double smallest_trusted = 1e-280;
    /// Differences of velocities below this share of the kinetic energy are rounding.
    double rounding_floor = 1e-20;
    /// What lambda_max cannot exceed, see ProjectedGradientSolver::bound_of_lambda(). At rest, where impulses cancel
    /// forces, velocities are smaller than their roundings, and a quotient of these once stopped all later solves.
    double lambda_bound = 1e300;

    // --- the iteration
    double lambda = 1.0;  ///< Estimate of lambda_max(D^-1/2 N D^-1/2); the step is 1 / lambda.
    double beta = 0.0;    ///< Momentum of the next contact pass.
    double limit = momentum_limit;
    double last_map = 1e300;
    double promise = 0.0;     ///< The residual that maps promise.
    double correction = 1.0;  ///< What the last certificate found, over the promise.
    double goal = 0.0;        ///< The tolerance, or less of it, see `settles`.
    double seen = 0.0;        ///< Largest trusted Rayleigh quotient.
    double metric = 0.0, elastic = 0.0;
    NesterovSequence nesterov;
    int iterations = 0, restarts = 0, since_certified = 0, since_best = 0;
    int most = 0;        ///< Iterations at which to end below the tolerance; 0: not there yet.
    int early = 1;       ///< Iterations after a certificate before a small map brings the next.
    bool y_is_x = true;  ///< V(y) is V(x): at the start and after a lambda that was too small.
    bool certify = false, running = false;
    bool failed = false;  ///< Something was not a number.
    bool current_is_best = true;
    /// Which of three buffers holds the iterate, the one before, and the best certified one.
    int x = 0, previous = 0, best = 0;
    ResidualReport residual;  ///< Of the best.

    /// The buffer that the contact pass writes: that of the iterate before, unless it holds the best.
    [[nodiscard]] SCREE_HD int next() const {
        if (previous != best) return previous;
        for (int k = 0; k < 2; ++k)
            if (k != x && k != best) return k;
        return 2;
    }

    /// The start, certified: a bed at rest often needs nothing more.
    SCREE_HD void begin(const ResidualReport& start) {
        residual = start;
        if (averages) limit = limit_of_means;
        goal = tolerance;
        if (share_of_calm > 0.0)
            goal = share_of_calm * tolerance;
        else if (settles && start.rms <= nearly_solved * tolerance)
            goal = share_of_rest * tolerance;
        failed = !finite(start.rms);
        running = !failed && misses(start, share_of_calm > 0.0 ? goal : tolerance) && max_iterations > 0;
    }

    SCREE_HD void after_contacts(const Reduction<4, 0>& sums) {
        const int written = next();
        previous = x;
        x = written;
        metric = sums.sum[1];
        elastic = sums.sum[2];
        const double map = square_root(sums.sum[3] / contacts);
        failed = failed || !finite(map);
        const bool restart = momentum != Momentum::none && (sums.sum[0] > 0.0 || map > growth_allowed * last_map);
        const double growth = last_map > 0.0 ? map / last_map : 0.0;
        promise = foresees && iterations > 0 ? map * smaller(1.0, growth) : map;
        last_map = map;
        if (restart) {
            nesterov.restart();
            ++restarts;
        }
        beta = 0.0;
        if (momentum != Momentum::none && !restart)
            beta = smaller(limit, momentum == Momentum::nesterov ? nesterov.next() : growth * growth);
    }

    SCREE_HD void after_bodies(const Reduction<2, 0>& sums) {
        y_is_x = false;
        ++iterations;
        const double product = sums.sum[0] + elastic;
        failed = failed || !finite(product);
        // A quotient of differences that rounding may have made is not evidence.
        if (!failed && metric > smallest_trusted && sums.sum[0] > rounding_floor * sums.sum[1]) {
            const double quotient = smaller(product / metric, lambda_bound);
            seen = larger(seen, quotient);
            if (quotient > lambda * 1.0001) {
                lambda = quotient * lambda_margin;
                nesterov.restart();
                beta = 0.0;
                y_is_x = true;
            }
        }
        ++since_certified;
        certify =
            !failed && ((correction * promise <= goal && since_certified >= early) ||
                        since_certified >= certify_interval || iterations == max_iterations || iterations == most);
        running = !failed;
    }

    SCREE_HD void after_certificate(const ResidualReport& now) {
        certify = false;
        failed = failed || !finite(now.rms);
        if (foresees && promise > 0.0)
            correction = smaller(larger(least_correction, now.rms / promise), largest_correction);
        current_is_best = now.rms < residual.rms;
        if (current_is_best) {
            best = x;
            residual = now;
        }
        since_best = current_is_best ? 0 : since_best + since_certified;
        since_certified = 0;
        // With a mean term the map may be small where the residual is not: look less often.
        early = current_is_best ? earliest : (2 * early < certify_interval ? 2 * early : certify_interval);
        if (since_best >= patience) {
            since_best = 0;
            limit = larger(0.0, 1.0 - 2.0 * (1.0 - limit));
            nesterov.restart();
        }
        // Nor is more than as much again spent on what is below the tolerance.
        if (most == 0 && !misses(residual, tolerance))
            most = (share_of_calm > 0.0 ? effort_of_calm : effort_of_rest) * iterations + certify_interval / 2;
        running = !failed && misses(residual, goal) && iterations < max_iterations && (most == 0 || iterations < most);
    }

private:
    [[nodiscard]] SCREE_HD bool misses(const ResidualReport& now, double rms) const {
        return now.rms > rms || now.max > largest;
    }
    [[nodiscard]] SCREE_HD static bool finite(double value) { return value - value == 0.0; }
};

}  // namespace scree::kernels
