// SPDX-License-Identifier: BSD-3-Clause
// The semismooth Newton method for mixed complementarity problems on textbook problems, on linear ones beside Lemke's
// algorithm, and on random monotone ones made to a known solution.
#include "engine/complementarity/mixed_problem.hpp"

#include "engine/complementarity/lemke.hpp"
#include "tests/support/jacobian_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Functions final : public MixedProblem {
public:
    using Value = std::function<VectorXd(const VectorXd&)>;
    using Jacobian = std::function<MatrixXd(const VectorXd&)>;
    Functions(Index free, Index bounded, Value value, Jacobian jacobian)
        : free_(free), bounded_(bounded), value_(std::move(value)), jacobian_(std::move(jacobian)) {}
    [[nodiscard]] Index free() const override { return free_; }
    [[nodiscard]] Index bounded() const override { return bounded_; }
    void evaluate(const VectorXd& z, VectorXd& value, MatrixXd* jacobian) const override {
        value = value_(z);
        if (jacobian != nullptr) *jacobian = jacobian_(z);
    }

private:
    Index free_, bounded_;
    Value value_;
    Jacobian jacobian_;
};

Functions linear(const MatrixXd& m, const VectorXd& q, Index free = 0) {
    return {free, q.size() - free, [=](const VectorXd& z) { return VectorXd(m * z + q); },
            [=](const VectorXd&) { return m; }};
}

/// Kojima and Shindo's problem: the degenerate solution (sqrt(6)/2, 0, 0, .5) and the regular (1, 0, 3, 0).
Functions kojima_shindo() {
    return {0, 4,
            [](const VectorXd& z) {
                const double a = z[0], b = z[1], c = z[2], d = z[3];
                VectorXd f(4);
                f << 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 10 * c + 2 * d - 2,
                    3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9, a * a + 3 * b * b + 2 * c + 3 * d - 3;
                return f;
            },
            [](const VectorXd& z) {
                const double a = z[0], b = z[1];
                MatrixXd j(4, 4);
                j << 6 * a + 2 * b, 2 * a + 4 * b, 1, 3, 4 * a + 1, 2 * b, 10, 2, 6 * a + b, a + 4 * b, 2, 9, 2 * a,
                    6 * b, 2, 3;
                return j;
            }};
}

/// Josephy's problem: Kojima and Shindo's with other second and third rows; one solution, regular.
Functions josephy() {
    return {0, 4,
            [](const VectorXd& z) {
                const double a = z[0], b = z[1], c = z[2], d = z[3];
                VectorXd f(4);
                f << 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 3 * c + 2 * d - 2,
                    3 * a * a + a * b + 2 * b * b + 2 * c + 3 * d - 1, a * a + 3 * b * b + 2 * c + 3 * d - 3;
                return f;
            },
            [](const VectorXd& z) {
                const double a = z[0], b = z[1];
                MatrixXd j(4, 4);
                j << 6 * a + 2 * b, 2 * a + 4 * b, 1, 3, 4 * a + 1, 2 * b, 3, 2, 6 * a + b, a + 4 * b, 2, 3, 2 * a,
                    6 * b, 2, 3;
                return j;
            }};
}

VectorXd vector(std::initializer_list<double> values) {
    VectorXd v(Index(values.size()));
    Index k = 0;
    for (const double x : values) v[k++] = x;
    return v;
}

/// By hand, so that the solver's own residual is not asked about itself.
void expect_solution(const MixedProblem& problem, const VectorXd& z, double tolerance) {
    VectorXd value;
    problem.evaluate(z, value, nullptr);
    for (Index i = 0; i < z.size(); ++i) {
        if (i < problem.free()) {
            EXPECT_LE(std::abs(value[i]), tolerance) << "row " << i;
            continue;
        }
        EXPECT_GE(z[i], -tolerance) << "row " << i;
        EXPECT_GE(value[i], -tolerance) << "row " << i;
        EXPECT_LE(std::min(z[i], value[i]), tolerance) << "row " << i;
    }
}

TEST(MixedProblem, KojimaShindoFromSeveralStarts) {
    const Functions problem = kojima_shindo();
    const VectorXd regular = vector({1, 0, 3, 0}), degenerate = vector({std::sqrt(6.0) / 2, 0, 0, 0.5});
    for (const VectorXd& start : {vector({0, 0, 0, 0}), vector({1, 1, 1, 1}), vector({1, 0, 1, 0}),
                                  vector({1, 0, 0, 0}), vector({10, 10, 10, 10}), vector({0, 1, 1, 0})}) {
        const MixedResult result = solve_mixed_nonlinear(problem, start);
        ASSERT_EQ(result.status, MixedStatus::solved) << start.transpose() << ": " << result.residual;
        expect_solution(problem, result.z, 1e-9);
        // The degenerate solution is only quadratically determined: sqrt of the tolerance.
        EXPECT_LT(std::min((result.z - regular).norm(), (result.z - degenerate).norm()), 1e-5) << start.transpose();
    }
}

TEST(MixedProblem, JosephyHasItsOneSolution) {
    const Functions problem = josephy();
    for (const VectorXd& start :
         {vector({0, 0, 0, 0}), vector({1, 1, 1, 1}), vector({10, 0, 10, 0}), vector({0, 100, 0, 100})}) {
        const MixedResult result = solve_mixed_nonlinear(problem, start);
        ASSERT_EQ(result.status, MixedStatus::solved) << start.transpose() << ": " << result.residual;
        expect_solution(problem, result.z, 1e-9);
        EXPECT_LT((result.z - vector({std::sqrt(6.0) / 2, 0, 0, 0.5})).norm(), 1e-5) << start.transpose();
    }
}

TEST(MixedProblem, JacobiansOfTheTextbookProblemsAreTheirDerivatives) {
    EXPECT_LT(test::jacobian_error(kojima_shindo(), vector({0.3, 0.7, 1.1, 0.2})), 1e-8);
    EXPECT_LT(test::jacobian_error(josephy(), vector({0.3, 0.7, 1.1, 0.2})), 1e-8);
}

TEST(MixedProblem, RandomMonotoneLinearProblemsHaveLemkesSolution) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 60; ++trial) {
        const Index n = 1 + trial % 12;
        MatrixXd a(n, n), skew(n, n);
        VectorXd q(n);
        for (double& x : a.reshaped()) x = normal(random);
        for (double& x : skew.reshaped()) x = normal(random);
        for (double& x : q) x = normal(random);
        const MatrixXd m = a * a.transpose() + 0.1 * MatrixXd::Identity(n, n) + skew - skew.transpose();
        const LemkeResult lemke = solve_lemke({m, q});
        ASSERT_EQ(lemke.status, LinearStatus::solved);
        const MixedResult result = solve_mixed_nonlinear(linear(m, q), VectorXd::Zero(n));
        ASSERT_EQ(result.status, MixedStatus::solved) << trial << " " << result.residual;
        // Strongly monotone with modulus .1: |z - z*| <= (1 + |M|) / .1 times the residual.
        EXPECT_LT((result.z - lemke.z).norm(), (1.0 + m.norm()) / 0.1 * 1e-10 * double(n) + 1e-9) << trial;
    }
}

TEST(MixedProblem, RandomMixedProblemsWithAKnownSolution) {
    // Strongly monotone F(z) = A A^T z / n + z + .2 atan(z) + c, c chosen so that z* solves; some pairs degenerate.
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 40; ++trial) {
        const Index free = trial % 5, bounded = 1 + trial % 9, n = free + bounded;
        MatrixXd a(n, n);
        for (double& x : a.reshaped()) x = normal(random);
        const MatrixXd m = a * a.transpose() / double(n) + MatrixXd::Identity(n, n);
        VectorXd star(n), wanted = VectorXd::Zero(n);
        for (double& x : star) x = normal(random);
        for (Index i = free; i < n; ++i) {
            const auto kind = (i + trial) % 3;  // v > 0; f > 0; both zero
            star[i] = kind == 0 ? std::abs(star[i]) : 0.0;
            wanted[i] = kind == 1 ? 1.0 : 0.0;
        }
        const VectorXd c = wanted - m * star - 0.2 * VectorXd(star.array().atan());
        const Functions problem(
            free, bounded, [=](const VectorXd& z) { return VectorXd(m * z + 0.2 * VectorXd(z.array().atan()) + c); },
            [=](const VectorXd& z) {
                MatrixXd j = m;
                j.diagonal().array() += 0.2 / (1.0 + z.array().square());
                return j;
            });
        const MixedResult result = solve_mixed_nonlinear(problem, VectorXd::Zero(n));
        ASSERT_EQ(result.status, MixedStatus::solved) << trial << " " << result.residual;
        EXPECT_EQ(result.starts, 1U) << trial;
        EXPECT_LT((result.z - star).norm(), 1e-8) << trial;
    }
}

TEST(MixedProblem, DegenerateAndRankDeficientLinearProblemsAreSolved) {
    // z = w = 0; all z >= 0 on a segment; duplicated rows.
    for (const auto& [m, q] : std::vector<std::pair<MatrixXd, VectorXd>>{
             {MatrixXd::Identity(2, 2), vector({0, 0})},
             {MatrixXd::Ones(2, 2), vector({-1, -1})},
             {MatrixXd::Zero(3, 3), vector({0, 1, 2})},
             {(MatrixXd(3, 3) << 2, 2, 1, 2, 2, 1, 1, 1, 1).finished(), vector({-4, -4, -2})}}) {
        const Functions problem = linear(m, q);
        const MixedResult result = solve_mixed_nonlinear(problem, VectorXd::Ones(q.size()));
        EXPECT_EQ(result.status, MixedStatus::solved) << m;
        expect_solution(problem, result.z, 1e-9);
    }
}

TEST(MixedProblem, SaysThatAProblemWithoutASolutionIsNotSolved) {
    // w = -1 - z < 0 for all z >= 0; and u^2 + 1 = 0.
    const MixedResult none = solve_mixed_nonlinear(linear(-MatrixXd::Identity(1, 1), vector({-1})), vector({1}));
    EXPECT_NE(none.status, MixedStatus::solved);
    EXPECT_GE(none.residual, 0.5);
    const Functions imaginary(
        1, 0, [](const VectorXd& z) { return VectorXd(vector({z[0] * z[0] + 1.0})); },
        [](const VectorXd& z) { return MatrixXd(MatrixXd::Constant(1, 1, 2.0 * z[0])); });
    const MixedResult result = solve_mixed_nonlinear(imaginary, vector({2}));
    EXPECT_NE(result.status, MixedStatus::solved);
    EXPECT_NEAR(result.residual, 1.0, 1e-3);  // the least it can be
}

TEST(MixedProblem, TurnsBackFromOutsideTheDomain) {
    // 0 <= v _|_ log(v) + v >= 0 from v = 3: a full Newton step of -min leaves the domain of the logarithm.
    const Functions problem(
        0, 1, [](const VectorXd& z) { return VectorXd(vector({std::log(z[0]) + z[0]})); },
        [](const VectorXd& z) { return MatrixXd(MatrixXd::Constant(1, 1, 1.0 / z[0] + 1.0)); });
    const MixedResult result = solve_mixed_nonlinear(problem, vector({30}));
    ASSERT_EQ(result.status, MixedStatus::solved);
    EXPECT_NEAR(result.z[0], 0.56714329040978387, 1e-10);  // the omega constant
}

TEST(MixedProblem, IsTheSameEachTime) {
    const MixedResult a = solve_mixed_nonlinear(kojima_shindo(), vector({10, 10, 10, 10}));
    const MixedResult b = solve_mixed_nonlinear(kojima_shindo(), vector({10, 10, 10, 10}));
    EXPECT_EQ(a.history, b.history);
    EXPECT_EQ(a.z, b.z);
}

TEST(MixedProblem, HoldsForNoUnknownsAndRefusesWhatIsNoStart) {
    EXPECT_EQ(solve_mixed_nonlinear(linear(MatrixXd(0, 0), VectorXd(0)), VectorXd(0)).status, MixedStatus::solved);
    const Functions problem = kojima_shindo();
    EXPECT_THROW((void)solve_mixed_nonlinear(problem, vector({1})), std::invalid_argument);
    EXPECT_THROW((void)solve_mixed_nonlinear(problem, vector({1, 1, 1, std::nan("")})), std::invalid_argument);
    MixedSettings settings;
    settings.tolerance = 0.0;
    EXPECT_THROW((void)solve_mixed_nonlinear(problem, vector({1, 1, 1, 1}), settings), std::invalid_argument);
}

}  // namespace
}  // namespace scree::complementarity
