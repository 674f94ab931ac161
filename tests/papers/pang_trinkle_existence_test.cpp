// SPDX-License-Identifier: BSD-3-Clause
// The theorems of papers/003 (Pang and Trinkle) as properties of random problems.
#include "engine/reference/existence_condition.hpp"
#include "engine/reference/mode_search.hpp"
#include "tests/support/contact_systems.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <algorithm>
#include <random>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

AccelerationProblem problem_of(const test::GivenRows& system) {
    std::vector<std::size_t> active;
    std::vector<std::string> notes;
    const State state = system.state();
    return acceleration_problem(system, state, classify(system, state, {}), active, notes);
}

TEST(PangTrinkle, CurvatureTermsAreThoseOfTheTurningRows) {
    std::mt19937 random(1);
    const auto system = test::random_rolling(random, 2, 3, 3, 0.5, 2.0);
    const AccelerationProblem p = problem_of(system);
    ASSERT_EQ(p.count(), 3);
    EXPECT_LE((p.curvature - system.curvature).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(PangTrinkle, TheoremFourAndFiveACurvedRollingProblemHasASolutionWhereTheConditionHolds) {
    // One body and more rows than degrees of freedom: the rank does not decide.
    std::mt19937 random(2);
    int held = 0, failed = 0, without = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const auto system = test::random_rolling(random, 1, 3, 3, 0.4, 1.0);
        const AccelerationProblem p = problem_of(system);
        const ExistenceCondition condition = existence_condition(p, RollingLaw::cone);
        ASSERT_TRUE(condition.all_rolling);
        const SearchOutcome found = search_modes(p, RollingLaw::cone, 20000);
        if (condition.status == Condition::holds || condition.status == Condition::holds_by_rank) {
            ++held;
            ASSERT_FALSE(found.forces.empty()) << "trial " << trial;
            for (const VectorXd& c : found.forces) EXPECT_LE(residual_of(p, RollingLaw::cone, c), solution_tolerance);
        } else if (condition.status == Condition::fails) {
            ++failed;
            if (found.forces.empty() && found.complete) ++without;
        }
    }
    // The draw must exercise the theorem.
    EXPECT_GE(held, 40);
    RecordProperty("condition_fails", failed);
    RecordProperty("of_these_without_solution", without);
}

TEST(PangTrinkle, TheoremSixThePyramidHasASolutionWhereItsConditionHolds) {
    std::mt19937 random(3);
    int held = 0, failed = 0, lemke_solved = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const auto system = test::random_rolling(random, 1, 2 + trial % 2, 2 + trial % 2, 0.8, 1.0);
        const AccelerationProblem p = problem_of(system);
        const ExistenceCondition condition = existence_condition(p, RollingLaw::pyramid);
        const SearchOutcome found = search_modes(p, RollingLaw::pyramid, 20000);
        if (condition.status == Condition::fails) ++failed;
        if (condition.status != Condition::holds && condition.status != Condition::holds_by_rank) continue;
        ++held;
        ASSERT_FALSE(found.forces.empty()) << "trial " << trial;
        EXPECT_LE(residual_of(p, RollingLaw::pyramid, found.forces[0]), 1e-10);
        const auto lemke = complementarity::solve_lemke(pyramid_problem(p).lcp);
        if (lemke.status == complementarity::LinearStatus::solved) ++lemke_solved;
    }
    EXPECT_GE(held, 60);
    EXPECT_GT(failed, 0);
    // Lemke need not find a solution that exists (the remark after theorem 1).
    RecordProperty("condition_holds", held);
    RecordProperty("lemke_solved", lemke_solved);
}

TEST(PangTrinkle, CorollaryOneAtRestASolutionAlwaysExists) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 60; ++trial) {
        const auto system = test::random_rolling(random, 1 + trial % 2, 1 + trial % 3, 3, 1.5, 0.0);
        const AccelerationProblem p = problem_of(system);
        EXPECT_EQ(existence_condition(p, RollingLaw::cone).status, Condition::holds_by_rank);
        const SearchOutcome found = search_modes(p, RollingLaw::cone, 20000);
        ASSERT_FALSE(found.forces.empty()) << "trial " << trial;
        EXPECT_LE(residual_of(p, RollingLaw::cone, found.forces[0]), solution_tolerance);
    }
}

TEST(PangTrinkle, WitnessOfAFailedConditionBreaksIt) {
    // Two opposite contacts on one body whose rows turn so that both gaps must close: b . c < 0 on the squeeze.
    test::GivenRows system;
    system.M = Eigen::MatrixXd::Identity(2, 2);
    system.k = VectorXd::Zero(2);
    system.rows.resize(2);
    for (int i = 0; i < 2; ++i) {
        system.rows[std::size_t(i)].normal = Eigen::RowVector2d(i == 0 ? 1.0 : -1.0, 0.0);
        system.rows[std::size_t(i)].tangent = Eigen::RowVector2d(0.0, 1.0);
        system.rows[std::size_t(i)].law.friction.sliding = 0.5;
    }
    system.speed = 1.0;
    system.curvature = Eigen::Vector4d(-1.0, 0.0, -1.0, 0.0);
    const AccelerationProblem p = problem_of(system);
    const ExistenceCondition condition = existence_condition(p, RollingLaw::cone);
    ASSERT_EQ(condition.status, Condition::fails);
    EXPECT_LE((p.rows.transpose() * condition.witness).norm(), 1e-9 * condition.witness.norm());
    EXPECT_LT(p.b.dot(condition.witness), 0.0);
    // And indeed nothing can hold two walls that close in.
    const SearchOutcome found = search_modes(p, RollingLaw::cone, 1000);
    EXPECT_TRUE(found.complete);
    EXPECT_TRUE(found.forces.empty());
    system.curvature = Eigen::Vector4d(1.0, 0.0, -0.5, 0.0);
    EXPECT_EQ(existence_condition(problem_of(system), RollingLaw::cone).status, Condition::holds);
}

/// Every complementary basis of a small LCP: the reference for the search over modes.
std::vector<VectorXd> all_bases(const complementarity::LinearProblem& lcp) {
    std::vector<VectorXd> found;
    const Index n = lcp.size();
    for (int bits = 0; bits < (1 << n); ++bits) {
        Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
        for (Index i = 0; i < n; ++i)
            if ((bits >> i & 1) != 0) basis.col(i) = -lcp.matrix.col(i);
        const Eigen::FullPivLU<Eigen::MatrixXd> lu(basis);
        if (!lu.isInvertible()) continue;
        const VectorXd x = lu.solve(lcp.vector);
        if (x.minCoeff() < -1e-9) continue;
        VectorXd z = VectorXd::Zero(n);
        for (Index i = 0; i < n; ++i)
            if ((bits >> i & 1) != 0) z[i] = x[i];
        found.push_back(z);
    }
    return found;
}

TEST(PangTrinkle, SearchOverModesFindsWhatAllComplementaryBasesFind) {
    std::mt19937 random(5);
    std::size_t with_several = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const int dimension = 2 + trial % 2;
        // n = 5 per rolling contact in space, 3 in the plane: at most 10 unknowns.
        const auto system = test::random_rolling(random, 1, dimension == 3 ? 2 : 3, dimension, 1.5, 0.5);
        const AccelerationProblem p = problem_of(system);
        const PyramidProblem pyramid = pyramid_problem(p);
        std::vector<VectorXd> expected;
        for (const VectorXd& z : all_bases(pyramid.lcp)) {
            const VectorXd c = pyramid.forces * z;
            EXPECT_LE(residual_of(p, RollingLaw::pyramid, c), 1e-8);
            if (std::none_of(expected.begin(), expected.end(), [&](const VectorXd& e) { return same_motion(p, c, e); }))
                expected.push_back(c);
        }
        const SearchOutcome found = search_modes(p, RollingLaw::pyramid, 20000);
        EXPECT_TRUE(found.complete);
        ASSERT_EQ(found.forces.size(), expected.size()) << "trial " << trial;
        for (const VectorXd& c : expected)
            EXPECT_TRUE(std::any_of(found.forces.begin(), found.forces.end(),
                                    [&](const VectorXd& f) { return same_motion(p, c, f); }));
        if (expected.size() > 1) ++with_several;
    }
    EXPECT_GT(with_several, 0u);
}

}  // namespace
}  // namespace scree::reference
