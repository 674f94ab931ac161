// SPDX-License-Identifier: BSD-3-Clause
// Negrut, Serban and Tasora (2017), section 5: the cone complementarity problem is the first-order condition of the
// convex quadratic programme min f(r) = r.N r / 2 + p.r over the friction cones (eq. 10 to 12), here on piles of
// spheres with redundant contacts, solved by every solver of the relaxed law and by the production step's own.
#include "engine/complementarity/friction_problem.hpp"
#include "kernels/parallel/cpu.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/solved.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>
#include <vector>

namespace scree {
namespace {

using complementarity::Friction;
using complementarity::friction_solvers;
using complementarity::FrictionProblem;
using complementarity::FrictionResult;
using complementarity::FrictionSettings;
using complementarity::FrictionSolver;
using complementarity::FrictionStatus;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A pile in the corner of a floor and two walls with rigid contacts, N = D^T M^-1 D alone, that all touch: Phi = 0.
/// Between opposite walls it would be jammed, and impulses of any size would do.
test::ReferenceProblem pile(unsigned seed, double mu, double h) {
    test::WorldDescription world = test::random_pile(30, seed, 0.05, {mu, 0.0, 0.0, 0.0, 0.0, 1e6});
    world.contact.step = h;
    world.parts = {world.parts[0], world.parts[1], world.parts[3]};
    test::ReferenceProblem problem = test::problem_of(world, false);
    for (test::ReferenceContact& contact : problem.contacts) contact.compliance = contact.bias = 0.0;
    return problem;
}

/// Rotates world axes of each contact to (n, t1, t2).
MatrixXd contact_axes(const test::ReferenceProblem& problem) {
    MatrixXd axes = MatrixXd::Zero(3 * problem.count(), 3 * problem.count());
    for (int c = 0; c < problem.count(); ++c) {
        const Eigen::Vector3d& n = problem.contacts[std::size_t(c)].n;
        const Eigen::Vector3d t = n.unitOrthogonal();
        axes.block<1, 3>(3 * c, 3 * c) = n.transpose();
        axes.block<1, 3>(3 * c + 1, 3 * c) = t.transpose();
        axes.block<1, 3>(3 * c + 2, 3 * c) = n.cross(t).transpose();
    }
    return axes;
}

FrictionProblem programme(const test::ReferenceProblem& reference) {
    const MatrixXd axes = contact_axes(reference);
    FrictionProblem problem;
    problem.W = MatrixXd(axes * test::dense_operator(reference) * axes.transpose()).sparseView();
    problem.q = axes * test::free_relative_velocity(reference);
    problem.mu.resize(reference.count());
    for (int c = 0; c < reference.count(); ++c) {
        problem.q[3 * c] += reference.contacts[std::size_t(c)].bias;
        problem.mu[c] = reference.contacts[std::size_t(c)].friction;
    }
    return problem;
}

double objective(const FrictionProblem& problem, const VectorXd& r) { return r.dot(0.5 * (problem.W * r) + problem.q); }

/// A scale of f: what the free velocities q would cost to stop, contact by contact.
double scale_of(const FrictionProblem& problem) {
    const VectorXd w = complementarity::contact_scales(problem);
    double sum = 0.0;
    for (Index c = 0; c < problem.contacts(); ++c) sum += problem.q.segment(3 * c, 3).squaredNorm() / w[c];
    return sum;
}

FrictionResult solve(const FrictionSolver& solver, const FrictionProblem& problem, double tolerance) {
    FrictionSettings settings;
    settings.friction = Friction::associated;
    settings.tolerance = tolerance;
    settings.max_iterations = 200000;
    return solver.solve(problem, settings);
}

constexpr double tolerance = 1e-9;  // of the natural map, relative to |q|
constexpr double same_value =
    1e-8;  // of f, relative to its scale: r and N r + p both within `tolerance`, and some room

class Optimality : public testing::TestWithParam<std::tuple<unsigned, double, double>> {
protected:
    const test::ReferenceProblem reference = std::apply(pile, GetParam());
    const FrictionProblem problem = programme(reference);
};
INSTANTIATE_TEST_SUITE_P(Negrut, Optimality,
                         testing::Combine(testing::Values(1U, 2U, 3U), testing::Values(0.2, 0.6),
                                          testing::Values(1e-3, 5e-4)));

TEST_P(Optimality, SolutionsSatisfyTheConditionsOfTheProgramme) {
    const VectorXd w = complementarity::contact_scales(problem);
    const double bound = tolerance * problem.q.norm();  // of each velocity, by the natural map; [m/s]
    for (const FrictionSolver& solver : friction_solvers()) {
        if (solver.coulomb_only) continue;
        const FrictionResult result = solve(solver, problem, tolerance);
        ASSERT_EQ(result.status, FrictionStatus::solved) << solver.name << " " << result.residual;
        const VectorXd d = problem.W * result.r + problem.q;  // the gradient
        for (Index c = 0; c < problem.contacts(); ++c) {
            const double mu = problem.mu[c], normal = result.r[3 * c], dn = d[3 * c];
            const Eigen::Vector2d t = result.r.segment<2>(3 * c + 1), dt = d.segment<2>(3 * c + 1);
            // r in K, the gradient in K*, r . d = 0: with the natural map within `bound` of zero, r is within
            // bound / w of the cone, d within bound of its dual.
            EXPECT_LE(t.norm(), mu * normal + 2.0 * bound / w[c]) << solver.name;
            EXPECT_LE(mu * dt.norm(), dn + 2.0 * bound) << solver.name;
            EXPECT_LE(std::abs(normal * dn + t.dot(dt)),
                      2.0 * bound * (std::hypot(normal, t.norm()) + std::hypot(dn, dt.norm()) / w[c]))
                << solver.name;
            // Eq. 12: d = psi (mu, -t / |t|) with psi >= 0 the multiplier of the cone, zero inside it.
            if (t.norm() < 1e-6 * result.r.lpNorm<Eigen::Infinity>()) continue;
            const double psi = -dt.dot(t.normalized());
            EXPECT_GE(psi, -2.0 * bound);
        }
    }
}

TEST_P(Optimality, NoFeasiblePointLiesLower) {
    const FrictionResult result = solve(friction_solvers()[0], problem, tolerance);
    ASSERT_EQ(result.status, FrictionStatus::solved);
    const double least = objective(problem, result.r), scale = scale_of(problem);
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int sample = 0; sample < 2000; ++sample) {
        // Near the solution, far from it, and anywhere in the cones; on rays through it.
        const double size = std::pow(10.0, -5.0 + double(sample % 8));
        VectorXd point = sample % 3 == 0 ? VectorXd(VectorXd::Zero(result.r.size())) : result.r;
        for (double& x : point) x += size * normal(random) * result.r.lpNorm<Eigen::Infinity>();
        if (sample % 3 == 1) point = (1.0 + size * normal(random)) * result.r;
        complementarity::project(problem, point);
        // f is convex: above its minimum by at least the quadratic form of the distance.
        const VectorXd way = point - result.r;
        EXPECT_GE(objective(problem, point) - least,
                  0.5 * way.dot(problem.W * way) - tolerance * (scale + problem.q.norm() * way.norm()));
    }
}

TEST_P(Optimality, CoulombsLawIsFeasibleButNotTheMinimum) {
    FrictionSettings settings;
    settings.tolerance = tolerance;
    const FrictionResult coulomb = complementarity::solve_best(problem, settings);
    const FrictionResult relaxed = solve(friction_solvers()[0], problem, tolerance);
    ASSERT_EQ(coulomb.status, FrictionStatus::solved);
    ASSERT_EQ(relaxed.status, FrictionStatus::solved);
    // Contacts slide, and there the laws differ.
    EXPECT_GT(objective(problem, coulomb.r), objective(problem, relaxed.r) + 1e-3 * scale_of(problem));
}

TEST_P(Optimality, DualityGapBoundsWhatAnySolverCouldGain) {
    // max over d in K* of the dual is -r.N r / 2 for a solution: f(r) - min f <= r.d, whoever solves it.
    const double scale = scale_of(problem);
    std::vector<double> values;
    VectorXd velocities;
    for (const FrictionSolver& solver : friction_solvers()) {
        if (solver.coulomb_only) continue;
        const FrictionResult result = solve(solver, problem, tolerance);
        ASSERT_EQ(result.status, FrictionStatus::solved) << solver.name;
        const VectorXd d = problem.W * result.r + problem.q;
        EXPECT_LT(std::abs(result.r.dot(d)), same_value * scale) << solver.name;
        values.push_back(objective(problem, result.r));
        // N r is unique though r is not.
        if (velocities.size() == 0) velocities = d;
        EXPECT_LT((d - velocities).norm(), 1e-4 * problem.q.norm()) << solver.name;
    }
    for (const double value : values) EXPECT_NEAR(value, values[0], same_value * scale);
}

TEST_P(Optimality, ProductionSolverReachesTheSameMinimum) {
    const FrictionResult result = solve(friction_solvers()[0], problem, tolerance);
    ASSERT_EQ(result.status, FrictionStatus::solved);
    const double scale = scale_of(problem);
    for (const kernels::SolverName name :
         {kernels::SolverName::conjugate, kernels::SolverName::apgd, kernels::SolverName::projected_jacobi}) {
        test::SolverFixture<kernels::Cpu, double> fixture(name, kernels::Cpu(1));
        const test::Solved solved = fixture.solve(reference, {1e-9, 200000});
        const VectorXd r = contact_axes(reference) * solved.gamma;
        EXPECT_NEAR(objective(problem, r), objective(problem, result.r), same_value * scale) << int(name);
    }
}

}  // namespace
}  // namespace scree
