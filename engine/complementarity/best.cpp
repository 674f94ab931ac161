// SPDX-License-Identifier: BSD-3-Clause
// The best strategy: cheap solvers first, each from the best impulses so far, and only E_q says which they are.
#include "engine/complementarity/friction_problem.hpp"
#include "engine/complementarity/lemke.hpp"
#include "engine/complementarity/polyhedral.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Beyond, the linear systems of Newton's method take longer than thousands of sweeps.
constexpr Index many_contacts = 1000;
/// Where a whole Newton iteration that does not converge still ends within a second or two.
constexpr Index few_contacts = 100;
constexpr std::size_t most_apgd = 1500, most_anderson = 5000;
/// Unknowns of a linear complementarity problem whose last rung, in long double, takes half a second.
constexpr Index largest_linear = 72;
constexpr Index most_directions = 12;
constexpr int lemke_rounds = 4;

/// Adds the work of a stage to what came before and keeps the better impulses.
void absorb(FrictionResult& result, FrictionResult stage) {
    stage.iterations += result.iterations;
    stage.operator_products += result.operator_products;
    stage.history.insert(stage.history.begin(), result.history.begin(), result.history.end());
    if (!(stage.residual < result.residual)) {
        stage.r = std::move(result.r);
        stage.u = std::move(result.u);
        stage.residual = result.residual;
        stage.status = result.status;
    }
    result = std::move(stage);
}

/// The pyramid of each contact turned so that an edge lies along its slip: exact where the guess is.
VectorXd slip_angles(const FrictionProblem& problem, const FrictionResult& guess) {
    VectorXd angles = VectorXd::Zero(problem.contacts());
    if (problem.dimension == 2) return angles;
    for (Index c = 0; c < problem.contacts(); ++c) {
        const auto t = guess.r.segment(3 * c + 1, 2);
        angles[c] = std::atan2(t[1], t[0]);
    }
    return angles;
}

/// Lemke's algorithm on pyramids, Newton's method on the cones from there; again with the pyramids turned to what came
/// out. Another path than those of all iterations before: it does not contract, it pivots to a
/// vertex, where the solutions of regularised problems are those that the proximal iteration comes to anyway.
void pivot(const FrictionProblem& problem, const FrictionSettings& settings, FrictionResult& result) {
    const Index contacts = problem.contacts();
    if (contacts == 0) return;
    const Index directions = std::min(most_directions, largest_linear / contacts - 2) / 2 * 2;
    if (problem.dimension == 3 ? directions < 4 : 4 * contacts > largest_linear) return;
    VectorXd angles = VectorXd::Zero(contacts);
    for (int round = 0; round < lemke_rounds; ++round) {
        const LinearProblem linear = polyhedral_problem(problem, directions, angles);
        LemkeSettings lemke;
        lemke.tolerance = 1e-6;  // a start, not an answer
        lemke.regularise = false;
        lemke.max_pivots = std::size_t(2 * linear.size());
        const LemkeResult path = solve_lemke(linear, lemke);
        FrictionSettings next = settings;
        next.start = polyhedral_impulses(problem, directions, angles, path.z);
        if (!next.start.allFinite()) return;
        next.max_iterations = 40;
        FrictionResult answer = solve_proximal(problem, next);
        answer.iterations += path.pivots;
        angles = slip_angles(problem, answer);
        absorb(result, std::move(answer));
        if (result.status == FrictionStatus::solved || path.rung > 3) return;  // slow ones do not get faster
    }
}

}  // namespace

FrictionResult solve_best(const FrictionProblem& problem, const FrictionSettings& settings) {
    const bool many = problem.contacts() > many_contacts && settings.friction == Friction::coulomb;
    FrictionSettings stage = settings;
    FrictionResult result;
    const auto next = [&](auto* solver, std::size_t most) {
        stage.max_iterations = settings.max_iterations != 0 ? settings.max_iterations : most;
        if (result.r.size() > 0) stage.start = result.r;
        result.r.size() > 0 ? absorb(result, solver(problem, stage)) : void(result = solver(problem, stage));
        return result.status == FrictionStatus::solved;
    };
    if (many && next(solve_anderson, most_anderson)) return result;
    if (next(solve_apgd, most_apgd) || settings.friction == Friction::associated) return result;
    if (many && next(solve_gauss_seidel, 0)) return result;
    if (next(solve_proximal, 0)) return result;
    pivot(problem, settings, result);
    // Another function of the cone, from where the caller began: what stalled the others need not stall it.
    if (result.status != FrictionStatus::solved && problem.contacts() <= few_contacts)
        absorb(result, solve_proximal_fb(problem, settings));
    return result;
}

}  // namespace scree::complementarity
