// SPDX-License-Identifier: BSD-3-Clause
// Painleve's rod: no, one or two accelerations (papers/004, sections 1.3 and 3.3.1; papers/003, section 5).
//
// Against a slip to the left, mu f = a with p = 1/m + l^2/J cos (cos - mu sin) and b = l spin^2 sin - g:
// 0 <= p N + b _|_ N >= 0. Half-length 1, mass 1, inertia 1/3, 1 rad.
#include "engine/reference/acceleration.hpp"
#include "tests/support/rod.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::reference {
namespace {

Analysis rod(double mu, double spin, double slip = -1.0) {
    PainleveRod system;
    system.law.friction.sliding = mu;
    return analyse(system, system.touching(1.0, slip, spin));
}

double p(double mu) { return 1.0 + 3.0 * std::cos(1.0) * (std::cos(1.0) - mu * std::sin(1.0)); }
double b(double spin) { return spin * spin * std::sin(1.0) - 9.81; }

std::vector<double> normal_forces(const Analysis& a) {
    std::vector<double> n;
    for (const AccelerationSolution& s : a.cone.solutions) n.push_back(s.normal_force[0]);
    std::sort(n.begin(), n.end());
    return n;
}

TEST(PainleveRod, ModerateFrictionHasOneSolution) {
    const Analysis a = rod(0.3, 0.0);
    ASSERT_EQ(a.contacts.size(), 1u);
    EXPECT_EQ(a.contacts[0].state, ContactState::sliding);
    ASSERT_EQ(a.cone.existence, Existence::unique);
    const AccelerationSolution& s = a.cone.solutions[0];
    EXPECT_NEAR(s.normal_force[0], 6.68896, 5e-6);  // printed to six figures
    EXPECT_NEAR(s.normal_force[0], -b(0.0) / p(0.3), 1e-12);
    EXPECT_NEAR(s.tangent_force(0, 0), 0.3 * s.normal_force[0], 1e-12);
    EXPECT_EQ(s.transitions[0], Transition::sliding_to_sliding);
    EXPECT_LT(s.residual, 1e-13);
    EXPECT_EQ(a.lemke, "solved");
}

TEST(PainleveRod, ParadoxBeginsWhereTheNormalCoefficientChangesItsSign) {
    // 1 + 3 cos (cos - mu sin) = 0.
    const double critical = (1.0 + 3.0 * std::cos(1.0) * std::cos(1.0)) / (3.0 * std::cos(1.0) * std::sin(1.0));
    EXPECT_NEAR(critical, 1.3752, 1e-4);  // printed, cut after four digits
    EXPECT_EQ(rod(critical * (1.0 - 1e-4), 0.0).cone.existence, Existence::unique);
    const Analysis beyond = rod(critical * (1.0 + 1e-4), 0.0);
    EXPECT_EQ(beyond.cone.existence, Existence::none);
    EXPECT_EQ(beyond.lemke, "ray");
}

TEST(PainleveRod, InconsistentConfigurationHasNoFiniteAccelerationByCertificate) {
    const Analysis a = rod(2.0, 0.0);
    ASSERT_EQ(a.cone.existence, Existence::none);
    EXPECT_TRUE(a.cone.solutions.empty());
    EXPECT_EQ(a.cone.undecided, 0u);
    EXPECT_GT(a.cone.refuted, 0u);
    EXPECT_GT(a.cone.weakest_refutation, 0.1);  // far from the tolerances
    EXPECT_EQ(a.lemke, "ray");
    EXPECT_TRUE(a.notes.empty());
}

TEST(PainleveRod, RelaxedFrictionFindsAnAccelerationWhereCoulombHasNone) {
    const Analysis a = rod(2.0, 0.0);
    ASSERT_TRUE(a.relaxed.solved);
    EXPECT_TRUE(a.relaxed.complete);
    // Friction F in [0, 2 N] with a_n = (1 + 3 cos^2) N - 3 cos sin F + b = 0; the least (2 N - F) |v|. In the limit
    // of large forces F / N -> ratio below 2, so that the least lies at the smallest N: F = 0.
    const double cos = std::cos(1.0), sin = std::sin(1.0);
    double least = HUGE_VAL, at = 0.0;
    for (double f = 0.0; f <= 40.0; f += 1e-3) {
        const double n = (9.81 + 3.0 * cos * sin * f) / (1.0 + 3.0 * cos * cos);
        if (f <= 2.0 * n && (2.0 * n - f) < least) {
            least = 2.0 * n - f;
            at = f;
        }
    }
    const AccelerationSolution& s = a.relaxed.solution;
    EXPECT_NEAR(s.tangent_force(0, 0), at, 2e-3);
    EXPECT_NEAR(std::sqrt(a.relaxed.objective), least, 5e-3);
    EXPECT_NEAR(s.normal_acceleration[0], 0.0, 1e-9);
}

TEST(PainleveRod, FastSpinHasTwoSolutions) {
    // papers/004, section 3.3.1: l spin^2 sin > g, and p < 0: it slides on, or it lifts off.
    const double spin = 4.0, mu = 2.0;
    ASSERT_LT(p(mu), 0.0);
    ASSERT_GT(b(spin), 0.0);
    const Analysis a = rod(mu, spin);
    ASSERT_EQ(a.cone.existence, Existence::several);
    const auto n = normal_forces(a);
    ASSERT_EQ(n.size(), 2u);
    EXPECT_EQ(n[0], 0.0);
    EXPECT_NEAR(n[1], -b(spin) / p(mu), 1e-8);
    const bool lifts = std::any_of(a.cone.solutions.begin(), a.cone.solutions.end(),
                                   [](const auto& s) { return s.transitions[0] == Transition::sliding_to_separating; });
    EXPECT_TRUE(lifts);
}

TEST(PainleveRod, IndeterminateForcesAreThoseOfTheReference) {
    // The friction and spin of tests/data/lcp/painleve_accel_indeterminate: 0.852112... N = 3.653535...
    const Analysis a = rod(2.0, 4.0);
    const auto n = normal_forces(a);
    ASSERT_EQ(n.size(), 2u);
    EXPECT_NEAR(n[1], 3.6535357569263436 / 0.8521125352977583, 1e-11);
    // A published 4.28758 is this quotient, 4.287621, to 1e-5 of it.
    EXPECT_NEAR(n[1] / 4.28758, 1.0, 1e-5);
}

TEST(PainleveRod, WithoutSlipTheAllRollingProblemHasASolution) {
    // Theorem 5: at rest a solution exists whatever mu is, also beyond the paradox.
    for (const double mu : {0.1, 0.5, 1.0, 2.0, 5.0}) {
        const Analysis a = rod(mu, 0.0, 0.0);
        EXPECT_EQ(a.contacts[0].state, ContactState::rolling);
        EXPECT_EQ(a.condition.status, Condition::holds_by_rank);
        EXPECT_FALSE(a.cone.solutions.empty()) << mu;
        EXPECT_LT(a.cone.solutions[0].residual, 1e-12);
    }
}

TEST(PainleveRod, AnImpactComesBeforeAnyAcceleration) {
    PainleveRod system;
    State state = system.touching(1.0, -1.0, 0.0);
    state.v[1] = -0.1;
    const Analysis a = analyse(system, state);
    EXPECT_TRUE(a.impact);
    EXPECT_EQ(a.contacts[0].state, ContactState::approaching);
    EXPECT_TRUE(a.cone.solutions.empty());
}

}  // namespace
}  // namespace scree::reference
