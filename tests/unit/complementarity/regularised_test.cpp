// SPDX-License-Identifier: BSD-3-Clause
// Lemke's algorithm on regularised problems: their limit is a solution of the problem itself, or nothing is claimed.
#include "engine/complementarity/regularised.hpp"

#include "engine/complementarity/lemke.hpp"
#include "engine/complementarity/linear_problem.hpp"
#include "engine/model/interrupt.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <random>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double tolerance = 1e-9;  // of the certificate, the default of solve_lemke()

/// The certificate of the point found, judged here.
double regularised(const LinearProblem& problem, VectorXd* z = nullptr) {
    RegularisedSettings settings;
    settings.tolerance = tolerance;
    settings.max_pivots = std::size_t(200 + 4 * problem.size());
    const RegularisedPoint point =
        solve_regularised(problem.matrix, problem.vector, VectorXd::Ones(problem.size()), settings,
                          [&](const VectorXd& at) { return certify(problem, at).worst(); });
    if (z != nullptr) *z = point.z;
    return certify(problem, point.z).worst();
}

TEST(Regularised, LeavesNothingOfItsWeightInTheSolution) {
    LinearProblem problem{MatrixXd(2, 2), VectorXd(2)};
    problem.matrix << 2.0, -1.0, -1.0, 2.0;
    problem.vector << -1.0, -1.0;
    VectorXd z;
    EXPECT_LE(regularised(problem, &z), tolerance);
    // Two digits or more a step until rounding: far below the weight of 1e-4.
    EXPECT_NEAR(z[0], 1.0, 1e-9);
    EXPECT_NEAR(z[1], 1.0, 1e-9);
}

TEST(Regularised, SharesALoadEquallyAmongEqualRows) {
    VectorXd z;
    EXPECT_LE(regularised({MatrixXd::Ones(6, 6), VectorXd::Constant(6, -3.0)}, &z), tolerance);
    for (const double share : z) EXPECT_NEAR(share, 0.5, 1e-9);
}

TEST(Regularised, SolvesMonotoneProblemsOfAnyRank) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 60; ++trial) {
        const Index n = 2 + trial % 30, rank = 1 + trial % n;
        MatrixXd factor(n, rank);
        for (double& x : factor.reshaped()) x = normal(random);
        factor /= factor.norm();  // entries near 1 are what it is for
        VectorXd z(n), w(n);
        for (Index i = 0; i < n; ++i) {
            const bool active = normal(random) > 0.0;
            z[i] = active ? std::abs(normal(random)) : 0.0;
            w[i] = active ? 0.0 : std::abs(normal(random));
        }
        LinearProblem problem{factor * factor.transpose(), {}};
        problem.vector = w - problem.matrix * z;
        if (problem.vector.minCoeff() >= 0.0) continue;
        EXPECT_LE(regularised(problem), tolerance) << "n " << n << ", rank " << rank << ", trial " << trial;
    }
}

TEST(Regularised, ClaimsNothingWhereThereIsNoSolution) {
    LinearProblem none{MatrixXd::Zero(2, 2), VectorXd::Constant(2, -1.0)};
    none.matrix(0, 0) = 1.0;
    EXPECT_GT(regularised(none), 1e-3);
    // The path of the problem itself ends on a ray, and that stays the answer.
    EXPECT_EQ(solve_lemke(none).status, LinearStatus::ray);
}

TEST(Lemke, GivesUpWhenItIsInterrupted) {
    const std::atomic<bool> interrupt{true};
    LemkeSettings settings;
    settings.interrupt = &interrupt;
    const LinearProblem problem{MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0)};
    EXPECT_THROW((void)solve_lemke(problem, settings), model::Interrupted);
}

}  // namespace
}  // namespace scree::complementarity
