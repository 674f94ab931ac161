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
/// out. Another path than those of all iterations before: it does not contract, it pivots.
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
        if (result.status == FrictionStatus::solved || path.rung > 2) return;
    }
}

}  // namespace

FrictionResult solve_best(const FrictionProblem& problem, const FrictionSettings& settings) {
    FrictionSettings stage = settings;
    if (stage.max_iterations == 0) stage.max_iterations = 1500;
    FrictionResult result = solve_apgd(problem, stage);
    if (result.status == FrictionStatus::solved || settings.friction == Friction::associated) return result;
    stage.max_iterations = settings.max_iterations;
    if (problem.contacts() > many_contacts) {
        stage.start = result.r;
        absorb(result, solve_gauss_seidel(problem, stage));
        if (result.status == FrictionStatus::solved) return result;
    }
    stage.start = result.r;
    absorb(result, solve_proximal(problem, stage));
    if (result.status != FrictionStatus::solved) pivot(problem, settings, result);
    return result;
}

}  // namespace scree::complementarity
