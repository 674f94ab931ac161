// SPDX-License-Identifier: BSD-3-Clause
// The forms of the CUDA loop, run through the sequential model of a block, against one another: the same sums, the same
// decisions, the same bits.
#include "tests/support/model_device.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/solved.hpp"

#include "kernels/parallel/cpu.hpp"
#include "kernels/parallel/error.hpp"

#include <gtest/gtest.h>

namespace scree::kernels {
namespace {

using test::LoopForm;
using test::ModelDevice;
using test::ReferenceProblem;
using test::Solved;
using test::SolverFixture;

template <LoopForm form, class R>
Solved solve(const ReferenceProblem& p, const SolveSettings& settings, SolverName name = SolverName::apgd) {
    return SolverFixture<ModelDevice<form>, R>(name, ModelDevice<form>{}).solve(p, settings);
}

void expect_same_bits(const Solved& a, const Solved& b) {
    EXPECT_EQ(a.report.iterations, b.report.iterations);
    EXPECT_EQ(a.report.restarts, b.report.restarts);
    EXPECT_EQ(a.report.residual.rms, b.report.residual.rms);
    EXPECT_EQ(a.report.residual.max, b.report.residual.max);
    EXPECT_EQ(a.report.lambda, b.report.lambda);
    EXPECT_TRUE(a.gamma == b.gamma);
    EXPECT_TRUE(a.velocity == b.velocity);
}

class DeviceLoop : public testing::TestWithParam<Index> {};
// Contacts: below and above a warp, a block, and several blocks, never a multiple.
INSTANTIATE_TEST_SUITE_P(Bodies, DeviceLoop, testing::Values(1, 5, 40, 150, 700));

TEST_P(DeviceLoop, HasTheSameBitsInEveryForm) {
    for (const auto& [rolling, friction] : {std::pair{false, 0.5}, std::pair{true, 0.5}, std::pair{false, 1.5}}) {
        const PairLaw<double> law{friction, 0.0, rolling ? 5e-4 : 0.0, rolling ? 5e-4 : 0.0, 0.0, 1e5};
        const ReferenceProblem p = test::problem_of(test::random_pile(GetParam(), 7, 0.2, law), true);
        for (const int limit : {1, 2, 19, 20, 21, 130}) {
            const SolveSettings settings{1e-9, limit, true};
            const Solved host = solve<LoopForm::host, float>(p, settings);
            expect_same_bits(solve<LoopForm::graph, float>(p, settings), host);
            expect_same_bits(solve<LoopForm::persistent, float>(p, settings), host);
        }
    }
}

TEST_P(DeviceLoop, HasTheSameBitsWithArms) {
    for (const bool rolling : {false, true}) {
        const ReferenceProblem p =
            test::random_problem_with_arms(GetParam() + 1, 3 * GetParam(), 17, 2.0, rolling, true);
        for (const int limit : {1, 20, 61}) {
            const SolveSettings settings{1e-9, limit, true};
            const Solved host = solve<LoopForm::host, float>(p, settings);
            expect_same_bits(solve<LoopForm::graph, float>(p, settings), host);
            expect_same_bits(solve<LoopForm::persistent, float>(p, settings), host);
        }
    }
}

/// Bodies that fall are many, contacts few: a pass over bodies needs more blocks than one over contacts.
TEST(DeviceLoop, HasTheSameBitsWithMoreBodiesThanContacts) {
    const ReferenceProblem p = test::random_problem_with_arms(3000, 400, 23, 2.0, false, true);
    for (const int limit : {1, 40}) {
        const SolveSettings settings{1e-9, limit, true};
        const Solved host = solve<LoopForm::host, float>(p, settings);
        EXPECT_GT(host.report.iterations, 0);
        expect_same_bits(solve<LoopForm::graph, float>(p, settings), host);
        expect_same_bits(solve<LoopForm::persistent, float>(p, settings), host);
    }
}

TEST_P(DeviceLoop, DoesAsTheCpu) {
    const ReferenceProblem p =
        test::problem_of(test::random_pile(GetParam(), 8, 0.2, {0.5, 0.0, 0.0, 0.0, 0.0, 1e5}), true);
    for (const SolverName name : {SolverName::conjugate, SolverName::apgd, SolverName::projected_jacobi}) {
        const SolveSettings settings{0.0, 60, true};
        const Solved cpu = SolverFixture<Cpu, double>(name, Cpu(1)).solve(p, settings);
        const Solved device = solve<LoopForm::persistent, double>(p, settings, name);
        EXPECT_EQ(device.report.iterations, cpu.report.iterations);
        EXPECT_EQ(device.report.restarts, cpu.report.restarts);
        // Sums of another shape: velocities of .1 m/s with roundings of 1e-16 that 60 iterations may enlarge.
        EXPECT_LT((device.velocity - cpu.velocity).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_NEAR(device.report.residual.rms, cpu.report.residual.rms, 1e-12);
    }
}

TEST(DeviceLoop, EndsWhereSomethingIsNotANumber) {
    ReferenceProblem p = test::problem_of(test::random_pile(40, 9, 0.2), true);
    p.contacts[3].bias = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((solve<LoopForm::graph, float>(p, {1e-9, 100, true})), NumericalError);
    EXPECT_THROW((solve<LoopForm::persistent, float>(p, {1e-9, 100, true})), NumericalError);
}

}  // namespace
}  // namespace scree::kernels
