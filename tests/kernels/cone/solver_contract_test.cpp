// SPDX-License-Identifier: BSD-3-Clause
// What the interface of cone solvers promises: the best iterate, guarded warm starts, limits, errors, repeatability.
#include "kernels/parallel/cpu.hpp"
#include "kernels/parallel/error.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/solved.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace scree::kernels {
namespace {

using test::ReferenceProblem;
using test::Solved;
using test::SolverFixture;
using Vector = Eigen::VectorXd;

class SolverContract : public testing::TestWithParam<SolverName> {
protected:
    template <class R>
    static Solved solve(const ReferenceProblem& p, const SolveSettings& settings, const Vector* start = nullptr,
                        std::size_t threads = 1) {
        return SolverFixture<Cpu, R>(GetParam(), Cpu(threads)).solve(p, settings, start);
    }
};
INSTANTIATE_TEST_SUITE_P(All, SolverContract,
                         testing::Values(SolverName::conjugate, SolverName::apgd, SolverName::projected_jacobi,
                                         SolverName::gauss_seidel),
                         [](const auto& solver) {
                             return solver.param == SolverName::conjugate      ? "Conjugate"
                                    : solver.param == SolverName::apgd         ? "Apgd"
                                    : solver.param == SolverName::gauss_seidel ? "GaussSeidel"
                                                                               : "ProjectedJacobi";
                         });

/// Associated objective 1/2 g.N g + g.p.
double objective(const ReferenceProblem& p, const Vector& gamma) {
    Vector linear = free_relative_velocity(p);
    for (int c = 0; c < p.count(); ++c)
        linear.segment<3>(p.rows() * c) += p.contacts[std::size_t(c)].bias * p.contacts[std::size_t(c)].n;
    return 0.5 * gamma.dot(dense_operator(p) * gamma) + gamma.dot(linear);
}

TEST_P(SolverContract, ReportsTheResidualOfTheImpulsesItReturns) {
    const ReferenceProblem p = test::problem_of(test::random_pile(80, 1, 0.2), true);
    double last = std::numeric_limits<double>::infinity();
    for (const int limit : {0, 1, 2, 7, 19, 20, 21, 40, 63, 200}) {
        const Solved s = solve<double>(p, {0.0, limit, true});
        const auto checked = reference_residual(p, s.gamma);
        // Velocities of .1 m/s with roundings of 1e-16 in sums of some hundred.
        EXPECT_NEAR(s.report.residual.rms, checked.rms, 1e-13) << limit;
        EXPECT_NEAR(s.report.residual.max, checked.max, 1e-12) << limit;
        EXPECT_LT((s.velocity - velocity_after(p, s.gamma)).cwiseAbs().maxCoeff(), 1e-11) << limit;
        EXPECT_LE(s.report.iterations, limit);
        EXPECT_FALSE(s.report.converged);
        // The best of the certified iterates never gets worse when the solver may go on; certificates come every 20.
        if (limit % 20 == 0) {
            EXPECT_LE(s.report.residual.rms, last) << limit;
            last = s.report.residual.rms;
        }
    }
}

TEST_P(SolverContract, StopsAsSoonAsTheToleranceIsReached) {
    const ReferenceProblem p = test::problem_of(test::random_pile(80, 2), true);
    const Solved loose = solve<double>(p, {1e-3, 100000, true}), tight = solve<double>(p, {1e-6, 100000, true});
    EXPECT_TRUE(loose.report.converged);
    EXPECT_TRUE(tight.report.converged);
    EXPECT_LE(tight.report.residual.rms, 1e-6);
    EXPECT_LT(loose.report.iterations, tight.report.iterations);
    EXPECT_GE(tight.report.operator_products, tight.report.iterations);
}

TEST(GaussSeidel, LooksWhereItsMapsSayThatTheToleranceIsReached) {
    // A look costs a product, so that not every sweep has one: the first sweep that is good enough, or the one after
    // it.
    const ReferenceProblem p = test::problem_of(test::random_pile(200, 9), true);
    const auto solve = [&](double tolerance, int limit) {
        return SolverFixture<Cpu, double>(SolverName::gauss_seidel, Cpu(1)).solve(p, {tolerance, limit, true}).report;
    };
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
        const SolveReport stopped = solve(tolerance, 1000);
        ASSERT_TRUE(stopped.converged);
        int enough = 0;
        while (solve(0.0, enough).residual.rms > tolerance) ++enough;
        EXPECT_GE(stopped.iterations, enough) << tolerance;
        EXPECT_LE(stopped.iterations, enough + 1) << tolerance;
        // The start, one look in twenty sweeps, and those at the end.
        EXPECT_LE(stopped.operator_products - stopped.iterations, 5 + stopped.iterations / 20) << tolerance;
    }
}

TEST_P(SolverContract, NeverStartsWorseThanFromZero) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    const ReferenceProblem p = test::problem_of(test::random_pile(60, 3), false);
    const Vector solution = solve<double>(p, {1e-9, 100000, true}).gamma;
    for (int k = 0; k < 30; ++k) {
        Vector start = both(random) * 3.0 * solution;
        for (double& g : start) g += 1e-4 * std::pow(10.0, 2.0 * both(random)) * both(random);
        const Solved s = solve<double>(p, {0.0, 0, true}, &start);
        EXPECT_GE(s.report.start_scale, 0.0);
        EXPECT_LE(s.report.start_scale, 1.0);
        EXPECT_LE(objective(p, s.gamma), 1e-18) << k;  // zero impulses have 0; rounding of joules of 1e-3
        EXPECT_LT((s.gamma - s.report.start_scale * start).norm(), 1e-15);
    }
}

TEST_P(SolverContract, UsesAGoodStartAndIgnoresItWhenToldTo) {
    const ReferenceProblem p = test::problem_of(test::random_pile(80, 4), true);
    const Solved cold = solve<double>(p, {1e-7, 100000, true});
    const Solved warm = solve<double>(p, {1.01e-7, 100000, true}, &cold.gamma);
    EXPECT_EQ(warm.report.iterations, 0);
    EXPECT_GT(warm.report.start_scale, 0.9);
    const Solved told = solve<double>(p, {1e-7, 100000, false}, &cold.gamma);
    EXPECT_EQ(told.report.start_scale, 0.0);
    EXPECT_EQ(told.report.iterations, cold.report.iterations);
}

TEST_P(SolverContract, ClearsAStartThatIsNotANumber) {
    const ReferenceProblem p = test::problem_of(test::random_pile(30, 5), true);
    Vector start = Vector::Zero(3 * p.count());
    start[4] = std::numeric_limits<double>::quiet_NaN();
    const Solved s = solve<double>(p, {1e-6, 100000, true}, &start);
    EXPECT_TRUE(s.report.converged);
    EXPECT_EQ(s.report.start_scale, 0.0);
}

TEST_P(SolverContract, ThrowsWhenTheProblemHoldsANaN) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const ReferenceProblem good = test::problem_of(test::random_pile(60, 6), true);
    ASSERT_NO_THROW(solve<double>(good, {1e-6, 50, true}));
    const std::pair<const char*, std::function<void(ReferenceProblem&)>> damages[] = {
        {"velocity", [&](ReferenceProblem& p) { p.free_velocity[6 * 31] = nan; }},
        {"spin", [&](ReferenceProblem& p) { p.free_velocity[6 * 31 + 5] = nan; }},
        {"infinite velocity",
         [&](ReferenceProblem& p) { p.free_velocity[6 * 31 + 2] = -std::numeric_limits<double>::infinity(); }},
        {"normal", [&](ReferenceProblem& p) { p.contacts[50].n.y() = nan; }},
        {"bias", [&](ReferenceProblem& p) { p.contacts[50].bias = nan; }},
        {"lever", [&](ReferenceProblem& p) { p.contacts[50].lever_a = nan; }},
        {"friction", [&](ReferenceProblem& p) { p.contacts[50].friction = nan; }},
        {"compliance", [&](ReferenceProblem& p) { p.contacts[50].compliance = nan; }},
        {"mass", [&](ReferenceProblem& p) { p.inverse_mass[2 * std::size_t(p.contacts[50].a)] = nan; }},
    };
    for (const auto& [name, damage] : damages)
        for (const bool coulomb : {false, true}) {
            ReferenceProblem p = good;
            p.coulomb = coulomb;
            damage(p);
            EXPECT_THROW((void)solve<double>(p, {1e-6, 50, true}), NumericalError) << name;
            EXPECT_THROW((void)solve<float>(p, {1e-6, 50, true}), NumericalError) << name << " in float";
        }
}

TEST_P(SolverContract, HasTheSameBitsForAnyNumberOfThreads) {
    // Enough contacts for several blocks of a reduction and several parts of a loop.
    const ReferenceProblem p = tiled_copies(test::problem_of(test::random_pile(100, 7), true), 60);
    ASSERT_GT(p.count(), 3 * Cpu::reduction_block);
    const Solved one = solve<float>(p, {0.0, 40, true});
    for (std::size_t threads = 2; threads <= 4; ++threads) {
        const Solved several = solve<float>(p, {0.0, 40, true}, nullptr, threads);
        EXPECT_EQ((several.gamma - one.gamma).cwiseAbs().maxCoeff(), 0.0) << threads;
        EXPECT_EQ((several.velocity - one.velocity).cwiseAbs().maxCoeff(), 0.0) << threads;
        EXPECT_EQ(several.report.residual.rms, one.report.residual.rms);
    }
}

TEST_P(SolverContract, ContinuesBitForBitFromItsMemory) {
    const ReferenceProblem first = test::problem_of(test::random_pile(50, 8), true);
    const ReferenceProblem second = test::problem_of(test::random_pile(50, 9), true);
    SolverFixture<Cpu, float> going_on(GetParam(), Cpu(1)), restored(GetParam(), Cpu(1));
    (void)going_on.solve(first, {0.0, 30, true});
    restored.solver().restore(going_on.solver().memory());
    const Solved a = going_on.solve(second, {0.0, 30, true}), b = restored.solve(second, {0.0, 30, true});
    EXPECT_EQ((a.gamma - b.gamma).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(a.report.operator_products, b.report.operator_products);
}

TEST_P(SolverContract, GetsOverStepsThatWereMuchTooLong) {
    // A spectral estimate of another world: the first steps leave all numbers behind.
    const ReferenceProblem p = test::problem_of(test::random_pile(50, 8), true);
    SolverFixture<Cpu, float> solver(GetParam(), Cpu(1));
    solver.solver().restore(1e-36);
    const Solved s = solver.solve(p, {1e-5, 20000, true});
    EXPECT_TRUE(s.report.converged);
    EXPECT_NEAR(s.report.residual.rms, reference_residual(p, s.gamma).rms, 1e-6);
    // Gauss-Seidel has no step length, and leaves that of the solver behind it alone.
    if (GetParam() != SolverName::gauss_seidel) {
        EXPECT_GT(solver.solver().memory(), 0.1);
    }
}

TEST_P(SolverContract, HighFrictionConverges) {
    // At mu = 2 De Saxce's term of each iterate itself goes round in circles, at any step length.
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        const ReferenceProblem p =
            test::problem_of(test::random_pile(300, seed, 0.2, {2.0, 0.0, 0.0, 0.0, 0.0, 1e5}), true);
        const Solved s = solve<double>(p, {1e-2 * 9.81e-3, 20000, true});
        EXPECT_TRUE(s.report.converged) << "seed " << seed << ": " << s.report.residual.rms;
        EXPECT_NEAR(s.report.residual.rms, reference_residual(p, s.gamma).rms, 1e-9);
    }
}

TEST_P(SolverContract, IsHonestWhereItStalls) {
    // Mass ratios of 1e6 are beyond first-order methods: whatever they reach, they must report it.
    const ReferenceProblem p = test::random_problem(30, 90, 10, 6.0, false, true);
    const Solved s = solve<double>(p, {1e-12, 300, true});
    EXPECT_NEAR(s.report.residual.rms, reference_residual(p, s.gamma).rms, 1e-9 * (1.0 + s.report.residual.rms));
    EXPECT_EQ(s.report.converged, s.report.residual.rms <= 1e-12);
    EXPECT_LE(s.report.residual.rms, reference_residual(p, Vector::Zero(3 * p.count())).rms);
}

}  // namespace
}  // namespace scree::kernels
