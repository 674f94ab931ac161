// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/nonnegative_least_squares.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Karush-Kuhn-Tucker conditions: x >= 0, E^T r <= 0, x . E^T r = 0.
void expect_optimal(const MatrixXd& E, const VectorXd& f, const NonnegativeSolution& s) {
    ASSERT_TRUE(s.converged);
    const VectorXd gradient = E.transpose() * (f - E * s.x);
    const double scale = E.norm() * f.norm();
    EXPECT_GE(s.x.size() > 0 ? s.x.minCoeff() : 0.0, 0.0);
    // Rounding of a few hundred operations.
    EXPECT_LE(gradient.size() > 0 ? gradient.maxCoeff() : 0.0, 1e-12 * scale);
    EXPECT_NEAR(s.x.dot(gradient), 0.0, 1e-12 * scale * (1.0 + s.x.norm()));
}

TEST(NonnegativeLeastSquares, MeetsItsOptimalityConditionsOnRandomProblems) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 200; ++trial) {
        const Index rows = 1 + trial % 12, columns = 1 + (trial * 7) % 30;
        MatrixXd E(rows, columns);
        VectorXd f(rows);
        for (double& e : E.reshaped()) e = normal(random);
        for (double& e : f) e = normal(random);
        if (trial % 3 == 0 && columns > 1) E.col(0) = E.col(columns - 1);  // duplicated
        if (trial % 5 == 0) E.col(columns / 2).setZero();
        if (trial % 4 == 0) E *= 1e-6;
        expect_optimal(E, f, solve_nonnegative_least_squares(E, f));
    }
}

TEST(NonnegativeLeastSquares, FindsASolutionOfAFeasibleSystem) {
    std::mt19937 random(8);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 100; ++trial) {
        MatrixXd E(6, 14);
        VectorXd x(14);
        for (double& e : E.reshaped()) e = normal(random);
        for (double& e : x) e = std::max(0.0, normal(random));
        const VectorXd f = E * x;
        const NonnegativeSolution s = solve_nonnegative_least_squares(E, f);
        EXPECT_LE(s.distance, 1e-13 * (1.0 + f.norm()));
        EXPECT_GE(s.x.minCoeff(), 0.0);
    }
}

TEST(NonnegativeLeastSquares, RefutesAnInfeasibleSystemByAFarkasVector) {
    MatrixXd E(2, 3);
    E << 1, 0, 1, 0, 1, 1;
    const VectorXd f = Eigen::Vector2d(-1, 2);
    const NonnegativeSolution s = solve_nonnegative_least_squares(E, f);
    EXPECT_NEAR(s.distance, 1.0, 1e-15);
    EXPECT_LE((E.transpose() * s.residual).maxCoeff(), 1e-15);
    EXPECT_GT(f.dot(s.residual), 0.9);
}

TEST(NonnegativeLeastSquares, MinimisesUnderEquations) {
    // x^2 + y^2 + 4 z^2 over x + y + z = 1, x - y = 1/2; with x - y = 2 there is no nonnegative solution.
    const MatrixXd D = Eigen::Vector3d(1, 1, 2).asDiagonal();
    MatrixXd E(2, 3);
    E << 1, 1, 1, 1, -1, 0;
    const auto inner = solve_constrained_least_squares(D, E, Eigen::Vector2d(1.0, 0.5), 1e-12);
    ASSERT_TRUE(inner.has_value());
    // d/dz of (3/4 - z/2)^2 + (1/4 - z/2)^2 + 4 z^2 is 9 z - 1.
    EXPECT_NEAR((*inner)[2], 1.0 / 9.0, 1e-9);
    EXPECT_NEAR((E * *inner - Eigen::Vector2d(1.0, 0.5)).norm(), 0.0, 1e-12);
    EXPECT_FALSE(solve_constrained_least_squares(D, E, Eigen::Vector2d(1.0, 2.0), 1e-12).has_value());
}

TEST(NonnegativeLeastSquares, HandlesEmptyAndBadInput) {
    EXPECT_EQ(solve_nonnegative_least_squares(MatrixXd(0, 0), VectorXd(0)).distance, 0.0);
    EXPECT_EQ(solve_nonnegative_least_squares(MatrixXd(2, 0), Eigen::Vector2d(3, 4)).distance, 5.0);
    EXPECT_THROW(static_cast<void>(solve_nonnegative_least_squares(MatrixXd::Zero(2, 2), VectorXd::Zero(3))),
                 std::invalid_argument);
    const VectorXd bad = VectorXd::Constant(2, std::numeric_limits<double>::quiet_NaN());
    EXPECT_THROW(static_cast<void>(solve_nonnegative_least_squares(MatrixXd::Zero(2, 2), bad)), std::invalid_argument);
}

}  // namespace
}  // namespace scree::complementarity
