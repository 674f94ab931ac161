// SPDX-License-Identifier: BSD-3-Clause
// The best strategy where its earlier stages stall: hyperstatic contacts (W of low rank) with much friction.
#include "engine/complementarity/friction_problem.hpp"
#include "engine/complementarity/lemke.hpp"
#include "engine/complementarity/polyhedral.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// `contacts` of mu from .1 to 10 on bodies of `freedoms` degrees of freedom in all, which is the rank of W, and of
/// masses from 1e-6 to 1e6.
FrictionProblem hyperstatic(Index contacts, Index freedoms, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    MatrixXd h(freedoms, 3 * contacts);
    for (Index j = 0; j < h.cols(); ++j)
        for (Index i = 0; i < h.rows(); ++i) h(i, j) = normal(random);
    for (Index i = 0; i < freedoms; ++i) h.row(i) *= std::pow(10.0, double(random() % 7) - 3.0);
    VectorXd v(freedoms);
    for (double& x : v) x = normal(random);
    FrictionProblem problem;
    problem.W = (h.transpose() * h).sparseView();
    problem.q = h.transpose() * v;
    problem.mu.resize(contacts);
    for (double& mu : problem.mu) mu = std::pow(10.0, double(random() % 1000) / 500.0 - 1.0);
    return problem;
}

/// What the stages before Lemke's algorithm end with.
FrictionResult without_pivots(const FrictionProblem& problem) {
    FrictionSettings settings;
    settings.max_iterations = 1500;
    settings.start = solve_apgd(problem, settings).r;
    settings.max_iterations = 0;
    return solve_proximal(problem, settings);
}

TEST(BestStrategy, PivotsWhereTheStagesBeforeStall) {
    std::size_t stalled = 0, saved = 0;
    for (unsigned seed = 1; seed <= 16; ++seed) {
        const FrictionProblem problem = hyperstatic(3 + seed % 6, 3 + seed % 3, seed);
        if (without_pivots(problem).status == FrictionStatus::solved) continue;
        ++stalled;
        const auto begin = std::chrono::steady_clock::now();
        const FrictionResult result = solve_best(problem, {});
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        EXPECT_LT(time.count(), 20.0) << seed;  // 2 s, on a machine that is ten times busier
        const double residual = natural_map_residual(problem, contact_scales(problem), Friction::coulomb, result.r,
                                                     problem.W * result.r + problem.q);
        EXPECT_EQ(result.status == FrictionStatus::solved, residual <= 1e-8) << seed;
        if (result.status == FrictionStatus::solved) ++saved;
    }
    EXPECT_GE(stalled, 5U);
    EXPECT_GE(saved, 2U);
}

TEST(BestStrategy, BeginsWithAndersonAboveAThousandContacts) {
    // A chain: each contact pushes on the next.
    const Index contacts = 1001, n = 3 * contacts;
    FrictionProblem problem;
    problem.W.resize(n, n);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < n; ++i) {
        entries.emplace_back(int(i), int(i), 2.0);
        if (i + 3 < n) {
            entries.emplace_back(int(i), int(i + 3), -0.9);
            entries.emplace_back(int(i + 3), int(i), -0.9);
        }
    }
    problem.W.setFromTriplets(entries.begin(), entries.end());
    problem.q = VectorXd::Constant(n, -1.0);
    problem.mu = VectorXd::Constant(contacts, 0.3);
    const FrictionResult best = solve_best(problem, {}), anderson = solve_anderson(problem, {});
    ASSERT_EQ(anderson.status, FrictionStatus::solved);
    EXPECT_EQ(best.status, FrictionStatus::solved);
    EXPECT_EQ(best.history, anderson.history);
}

TEST(Pyramids, AreExactInThePlane) {
    FrictionProblem problem = hyperstatic(2, 4, 1);
    problem.dimension = 2;
    problem.W = MatrixXd(Eigen::Vector4d(1, 2, 3, 4).asDiagonal()).sparseView();
    problem.q = Eigen::Vector4d(-1, 3, -2, 0.1);
    problem.mu = Eigen::Vector2d(0.5, 0.5);
    const LemkeResult lemke = solve_lemke(polyhedral_problem(problem, 2));
    ASSERT_EQ(lemke.status, LinearStatus::solved);
    const VectorXd r = polyhedral_impulses(problem, 2, {}, lemke.z);
    // Slides: r_n = 1, r_t = -mu r_n. Sticks: r_n = 2/3, r_t = -.1/4.
    EXPECT_LT((r - Eigen::Vector4d(1, -0.5, 2.0 / 3.0, -0.025)).norm(), 1e-14);
}

TEST(Pyramids, RefuseWhatTheyCannotBe) {
    const FrictionProblem problem = hyperstatic(2, 4, 1);
    EXPECT_THROW((void)polyhedral_problem(problem, 2), std::invalid_argument);
    EXPECT_THROW((void)polyhedral_problem(problem, 4, VectorXd::Zero(3)), std::invalid_argument);
}

}  // namespace
}  // namespace scree::complementarity
