// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/influence.hpp"

#include "engine/model/error.hpp"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double pi = std::numbers::pi;
const Elastic steel{2e11, 0.3};
const Elastic soft{1e9, 0.2};
const Elastic rigid{std::numeric_limits<double>::infinity(), 0.3};

TEST(Influence, IsSymmetricAndPositiveDefinite) {
    for (const int n : {1, 2, 3, 5, 9}) {
        for (const bool planar : {false, true}) {
            const MatrixXd xi = influence_matrix({n, planar ? 1 : n, 1e-3}, soft, steel, planar);
            EXPECT_LT((xi - xi.transpose()).norm(), 1e-15 * xi.norm());
            const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(xi);
            EXPECT_GT(eigen.eigenvalues().minCoeff(), 0.0) << n;
        }
    }
}

TEST(Influence, AsPrintedTwoNeighboursWouldBeIndefinite) {
    // Appendix A has .95 / (pi rho) on the diagonal and 1 / (pi rho) beside it.
    const double own = 0.95 / pi, neighbour = 1.0 / pi;
    EXPECT_LT(own * own - neighbour * neighbour, 0.0);
    const MatrixXd xi = influence_matrix({2, 1, 1.0}, soft, rigid, true);
    EXPECT_GT(xi(0, 0) * xi(1, 1) - xi(0, 1) * xi(1, 0), 0.0);
}

TEST(Influence, ElementsFeelEachOtherAsPointLoads) {
    // Body b gives way: Boussinesq and Cerruti for a load at element 0, seen from element 3 at (2, 1) spacings.
    const double rho = 0.01, e = soft.young, nu = soft.poisson;
    const MatrixXd xi = influence_matrix({3, 2, rho}, rigid, soft, false);
    const Index n = 6, from = 0, at = 5;
    const double x = 2 * rho, y = rho, r = std::hypot(x, y), g = e / (2 * (1 + nu));
    const double eps = 1e-14 / (e * rho);
    EXPECT_NEAR(xi(at, from), (1 - nu) / (2 * pi * g * r), eps);
    EXPECT_NEAR(xi(n + at, from), -(1 - 2 * nu) * x / (4 * pi * g * r * r), eps);
    EXPECT_NEAR(xi(2 * n + at, from), -(1 - 2 * nu) * y / (4 * pi * g * r * r), eps);
    EXPECT_NEAR(xi(n + at, n + from), ((1 - nu) / r + nu * x * x / (r * r * r)) / (2 * pi * g), eps);
    EXPECT_NEAR(xi(2 * n + at, n + from), nu * x * y / (2 * pi * g * r * r * r), eps);
    EXPECT_NEAR(xi(at, n + from), (1 - 2 * nu) * x / (4 * pi * g * r * r), eps);
}

TEST(Influence, DoesNotDependOnTheDirectionOfTheTangents) {
    // Two elements on a diagonal, turned to lie along t: the 2 x 2 tensors must turn with them.
    const MatrixXd xi = influence_matrix({2, 2, 1.0}, rigid, soft, false);
    const double c = std::sqrt(0.5);
    const Eigen::Matrix2d turn = (Eigen::Matrix2d() << c, c, -c, c).finished();
    Eigen::Matrix2d tensor;
    for (int k = 0; k < 2; ++k)
        for (int m = 0; m < 2; ++m) tensor(k, m) = xi((1 + k) * 4 + 3, (1 + m) * 4 + 0);
    const Eigen::Matrix2d along = turn * tensor * turn.transpose();
    EXPECT_NEAR(along(0, 1), 0.0, 1e-14 / soft.young);
    EXPECT_NEAR(along(0, 0), (1 + soft.poisson) / (pi * std::sqrt(2.0)) / soft.young, 1e-14 / soft.young);
}

/// Displacement of the elements of an n x n patch of side 1 under unit pressure, times E / (1 - nu^2).
Eigen::VectorXd pressed(int n) {
    const MatrixXd xi = influence_matrix({n, n, 1.0 / n}, rigid, soft, false);
    const Index count = Index(n) * n;
    const Eigen::VectorXd force = Eigen::VectorXd::Constant(count, 1.0 / double(count));
    return xi.topLeftCorner(count, count) * force * soft.young / (1 - soft.poisson * soft.poisson);
}

TEST(Influence, UniformPressureOnASquareGivesLovesDisplacements) {
    // Love: 4 ln(1 + sqrt 2) / pi = 1.1222 in the middle, .9460 on average. What is left is the mean displacement .95
    // (of the elements' own) for .9460, and points for squares beside it: first order in 1 / n.
    const double middle = 4.0 * std::log(1.0 + std::sqrt(2.0)) / pi;
    const double mean = 0.9460;
    const auto errors = [&](int n) {
        const Eigen::VectorXd u = pressed(n);
        return std::pair{std::abs(u[u.size() / 2] / middle - 1.0), std::abs(u.mean() / mean - 1.0)};
    };
    const auto [middle_9, mean_9] = errors(9);
    const auto [middle_27, mean_27] = errors(27);
    EXPECT_LT(middle_9, 0.03);
    EXPECT_LT(mean_9, 0.03);
    EXPECT_LT(middle_27, middle_9 / 2.0);
    EXPECT_LT(mean_27, mean_9 / 2.0);
}

TEST(Influence, AlikeBodiesDoNotSlipUnderPressure) {
    const MatrixXd xi = influence_matrix({3, 3, 1e-3}, soft, soft, false);
    EXPECT_LT(xi.topRightCorner(9, 18).norm(), 1e-15 * xi.norm());  // their difference, rounded
}

TEST(Influence, TheElasticBodyMayBeEitherOfTheTwo) {
    const MatrixXd of_b = influence_matrix({3, 3, 1e-3}, rigid, soft, false);
    const MatrixXd of_a = influence_matrix({3, 3, 1e-3}, soft, rigid, false);
    MatrixXd mirrored = of_a;
    mirrored.topRightCorner(9, 18) *= -1.0;
    mirrored.bottomLeftCorner(18, 9) *= -1.0;
    EXPECT_LT((of_b - mirrored).norm(), 1e-15 * of_b.norm());
}

TEST(Influence, RefusesConstantsOutOfRange) {
    const auto with = [](const PatchGrid& grid, const Elastic& a) {
        return [=] { (void)influence_matrix(grid, a, rigid, false); };
    };
    EXPECT_THROW(with({3, 3, 1e-3}, rigid)(), model::Error);
    EXPECT_THROW(with({3, 3, 1e-3}, {-1.0, 0.3})(), model::Error);
    EXPECT_THROW(with({3, 3, 1e-3}, {1e9, 0.6})(), model::Error);
    EXPECT_THROW(with({3, 3, 1e-3}, {std::nan(""), 0.3})(), model::Error);
    EXPECT_THROW(with({0, 3, 1e-3}, soft)(), model::Error);
    EXPECT_THROW(with({3, 3, 0.0}, soft)(), model::Error);
}

}  // namespace
}  // namespace scree::reference
