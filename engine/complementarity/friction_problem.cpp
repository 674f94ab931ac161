// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/friction_problem.hpp"

#include "kernels/items/friction_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace scree::complementarity {

using Eigen::Index;

std::string_view name_of(FrictionStatus status) {
    switch (status) {
        case FrictionStatus::solved:
            return "solved";
        case FrictionStatus::iteration_limit:
            return "iteration_limit";
        case FrictionStatus::stalled:
            return "stalled";
    }
    return "";
}

Eigen::VectorXd contact_scales(const FrictionProblem& problem) {
    const int d = problem.dimension;
    const Eigen::VectorXd diagonal = problem.W.diagonal();
    Eigen::VectorXd scales(problem.contacts());
    for (Index c = 0; c < problem.contacts(); ++c) {
        const double trace = diagonal.segment(d * c, d).sum();
        scales[c] = trace > 0.0 ? trace / d : 1.0;
    }
    return scales;
}

void project(const FrictionProblem& problem, Eigen::VectorXd& r) {
    const int d = problem.dimension;
    for (Index c = 0; c < problem.contacts(); ++c) {
        const double mu = problem.mu[c];
        double& n = r[d * c];
        auto t = r.segment(d * c + 1, d - 1);
        const double length = t.norm();
        n = kernels::project_normal(n, length, mu, 1.0, 1.0);
        t *= kernels::cone_scale(length, mu * n);
    }
}

void add_de_saxce(const FrictionProblem& problem, Friction friction, Eigen::VectorXd& u) {
    if (friction == Friction::associated) return;
    const int d = problem.dimension;
    for (Index c = 0; c < problem.contacts(); ++c) u[d * c] += problem.mu[c] * u.segment(d * c + 1, d - 1).norm();
}

double natural_map_residual(const FrictionProblem& problem, const Eigen::VectorXd& scales, Friction friction,
                            const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
    const int d = problem.dimension;
    Eigen::VectorXd scaled = r;
    for (Index c = 0; c < problem.contacts(); ++c) scaled.segment(d * c, d) *= scales[c];
    Eigen::VectorXd hat = u;
    add_de_saxce(problem, friction, hat);
    Eigen::VectorXd projected = scaled - hat;
    project(problem, projected);
    // Where w r is so large that adding u^ changes nothing, the difference says nothing either: rounding is a part of
    // it.
    const double size = problem.q.stableNorm(), rounding = std::numeric_limits<double>::epsilon() * scaled.stableNorm();
    return std::max((scaled - projected).stableNorm(), rounding) / (size > 0.0 ? size : 1.0);
}

void check(const FrictionProblem& problem, const FrictionSettings& settings) {
    const auto fail = [](const std::string& what) { throw std::invalid_argument("friction problem: " + what); };
    const Index n = problem.dimension * problem.contacts();
    if (problem.dimension < 2 || problem.dimension > 4) fail("the dimension must be 2, 3 or 4");
    if (problem.q.size() != n || problem.W.rows() != n || problem.W.cols() != n)
        fail("W, q and mu do not fit together");
    if (!problem.q.allFinite() || !problem.mu.allFinite()) fail("an entry is not a finite number");
    for (Index k = 0; k < problem.W.outerSize(); ++k)
        for (Operator::InnerIterator entry(problem.W, k); entry; ++entry)
            if (!std::isfinite(entry.value())) fail("an entry of W is not a finite number");
    if (n > 0 && problem.mu.minCoeff() < 0.0) fail("a coefficient of friction is negative");
    if (settings.start.size() != 0 && settings.start.size() != n) fail("the start has another size than q");
}

BestIterate::BestIterate(const FrictionProblem& problem, const FrictionSettings& settings)
    : problem_(problem), settings_(settings) {
    check(problem, settings);
    scales_ = contact_scales(problem);
    result_.residual = std::numeric_limits<double>::infinity();
    result_.r = settings.start.size() > 0 ? settings.start : Eigen::VectorXd::Zero(problem.q.size());
    project(problem, result_.r);
}

bool BestIterate::look(const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
    const double now = natural_map_residual(problem_, scales_, settings_.friction, r, u);
    result_.history.push_back(now);
    if (now < result_.residual) {
        result_.residual = now;
        result_.r = r;
    }
    return result_.residual <= settings_.tolerance;
}

FrictionResult BestIterate::finish(FrictionStatus otherwise) {
    // Outside the cone by rounding is outside: what is returned is judged as it is returned.
    project(problem_, result_.r);
    result_.u = problem_.W * result_.r + problem_.q;
    ++result_.operator_products;
    result_.residual = natural_map_residual(problem_, scales_, settings_.friction, result_.r, result_.u);
    result_.status = result_.residual <= settings_.tolerance ? FrictionStatus::solved : otherwise;
    return std::move(result_);
}

std::span<const FrictionSolver> friction_solvers() {
    static constexpr std::array<FrictionSolver, 10> solvers{{
        {"auto", "APGD; where it stalls proximal Newton, then Lemke on pyramids", solve_best},
        {"projected_jacobi", "projected Jacobi in the metric of the contacts' own blocks", solve_projected_jacobi},
        {"apgd", "accelerated projected gradient descent with restart", solve_apgd},
        {"anderson", "Anderson acceleration of projected Jacobi", solve_anderson},
        {"nsgs", "block Gauss-Seidel with exact solves of single contacts", solve_gauss_seidel},
        {"newton", "nonsmooth Newton on the function of Alart and Curnier", solve_newton, true},
        {"newton_fb", "nonsmooth Newton on the function of Fischer and Burmeister", solve_newton_fb, true},
        {"proximal", "proximal point iteration around nonsmooth Newton", solve_proximal, true},
        {"proximal_fb", "proximal point iteration around newton_fb", solve_proximal_fb, true},
        {"admm", "alternating direction method of multipliers", solve_admm},
    }};
    return solvers;
}

}  // namespace scree::complementarity
