// SPDX-License-Identifier: BSD-3-Clause
// Stewart (2000), sections 1.3, 2.3 and 3.3.1: the Painlevé rod (validation.md, B4 and B22).
#include "engine/reference/lcp_stepper.hpp"
#include "tests/support/mechanisms.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double angle = 1.0, gravity = 9.81;

PainleveRod rod(double mu) {
    PainleveRod rod;
    rod.law.friction.sliding = mu;
    return rod;
}

/// n^T M^-1 (n + mu t): what a normal force does to the gap while the end slides to the left.
double sliding_response(double mu, double at) { return 1.0 + 3.0 * std::cos(at) * (std::cos(at) - mu * std::sin(at)); }

StepOutcome one_step(double mu, double spin, double h, Geometry geometry, State* after = nullptr) {
    const PainleveRod system = rod(mu);
    State state = system.touching(angle, -1.0, spin);
    LcpStepper stepper({.geometry = geometry});
    StepOutcome outcome = stepper.step(system, state, h);
    if (after != nullptr) *after = state;
    return outcome;
}

/// Every solution of the LCP of one planar contact: all complementary bases.
std::vector<VectorXd> all_solutions(const complementarity::LinearProblem& problem) {
    const Index n = problem.size();
    std::vector<VectorXd> found;
    for (int set = 0; set < 1 << n; ++set) {
        std::vector<Index> in;
        for (Index i = 0; i < n; ++i)
            if ((set >> i & 1) != 0) in.push_back(i);
        VectorXd z = VectorXd::Zero(n);
        if (!in.empty()) {
            const Eigen::FullPivLU<MatrixXd> lu(MatrixXd(problem.matrix(in, in)));
            if (!lu.isInvertible()) continue;
            z(in) = -lu.solve(VectorXd(problem.vector(in)));
        }
        const VectorXd w = problem.matrix * z + problem.vector;
        if (z.minCoeff() < -1e-12 || w.minCoeff() < -1e-12) continue;
        bool known = false;
        // Impulses make the solution: c_n and the sum of the opposite betas. The rest is not unique.
        for (const VectorXd& other : found)
            known = known || std::hypot(other[0] - z[0], other[1] - other[2] - z[1] + z[2]) < 1e-9;
        if (!known) found.push_back(z);
    }
    return found;
}

TEST(StewartPainleve, ParadoxBeginsAtTheCriticalFriction) {
    // 1 + 3 cos (cos - mu sin) = 0
    const double critical = (1.0 + 3.0 * std::cos(angle) * std::cos(angle)) / (3.0 * std::cos(angle) * std::sin(angle));
    EXPECT_NEAR(critical, 1.3752, 1e-4);  // as published, to its digits
    EXPECT_GT(sliding_response(1.375, angle), 0.0);
    EXPECT_LT(sliding_response(1.376, angle), 0.0);
}

TEST(StewartPainleve, RegularSlidingHasTheForceOfTheAccelerationLevel) {
    for (const double h : {1e-2, 5e-3}) {
        const StepOutcome outcome = one_step(0.3, 0.0, h, Geometry::start);
        EXPECT_NEAR(outcome.contacts[0].normal_impulse / h, 6.68896, 5e-6);  // digits of B22
        EXPECT_NEAR(outcome.contacts[0].tangent_impulse[0], 0.3 * outcome.contacts[0].normal_impulse, 1e-14);
    }
}

TEST(StewartPainleve, InconsistentConfigurationIsResolvedByAnImpulse) {
    ASSERT_LT(sliding_response(2.0, angle), 0.0);  // no finite acceleration
    for (const double h : {1e-2, 5e-3, 1e-6}) {
        State after;
        const StepOutcome outcome = one_step(2.0, 0.0, h, Geometry::start, &after);
        const ContactOutcome& contact = outcome.contacts[0];
        // Sliding stops within the step: n v+ = 0 and t v+ = 0 in two unknowns.
        const double nn = 1.0 + 3.0 * std::cos(angle) * std::cos(angle), nt = -3.0 * std::cos(angle) * std::sin(angle),
                     tt = 1.0 + 3.0 * std::sin(angle) * std::sin(angle);
        const double impulse = (gravity * h * tt - nt) / (nn * tt - nt * nt);
        EXPECT_NEAR(contact.normal_impulse, impulse, 1e-12);
        EXPECT_NEAR((contact.contact.tangent * after.v)[0], 0.0, 1e-12);
        EXPECT_LT(contact.tangent_impulse[0], 2.0 * contact.normal_impulse);
    }
    EXPECT_NEAR(one_step(2.0, 0.0, 1e-2, Geometry::start).contacts[0].normal_impulse, 0.417608, 5e-7);  // B22
    // The impulse does not vanish with h: 0.341 N s at h = 0.
    EXPECT_GT(one_step(2.0, 0.0, 1e-9, Geometry::start).contacts[0].normal_impulse, 0.34);
}

TEST(StewartPainleve, IndeterminateConfigurationHasThreeSolutions) {
    // Spin 4 rad/s lifts the end (b = -g + omega^2 sin > 0): it may leave, slide on, or stop at once.
    const double b = -gravity + 16.0 * std::sin(angle);
    for (const double h : {1e-2, 5e-3}) {
        const PainleveRod system = rod(2.0);
        const State start = system.touching(angle, -1.0, 4.0);
        const ContactLcp lcp(system.mass(start.q), system.contacts(0.0, start.q, 1.0), 4);
        ContactTerms terms;
        terms.sliding = 2.0;
        terms.offset = h * b + gravity * h;  // rows at the start do not see omega^2 sin: put b h in whole
        const VectorXd free = start.v - h * gravity * Eigen::Vector3d::UnitY();
        const auto solutions = all_solutions(lcp.problem(free, {terms}));
        ASSERT_EQ(solutions.size(), 3u);
        std::vector<double> forces;
        for (const VectorXd& z : solutions) forces.push_back(z[0] / h);
        std::sort(forces.begin(), forces.end());
        EXPECT_NEAR(forces[0], 0.0, 1e-12);
        EXPECT_NEAR(forces[1], -b / sliding_response(2.0, angle), 1e-9);
        EXPECT_NEAR(forces[1], 4.28758, 5e-5);  // B22 takes b as 3.6535, not 3.653536: 4.28762
        EXPECT_GT(forces[2] * h, 0.3);          // an impulse, whatever h
    }
}

TEST(StewartPainleve, StepTakesTheImpulsiveSolutionOfTheThree) {
    // Rows at the start do not see the lift, which is of second order; rows at the end do. Both stop the slip: the
    // rod stays on its end, and the impulse tends to that of h = 0.
    const double limit = one_step(2.0, 0.0, 1e-9, Geometry::start).contacts[0].normal_impulse;
    for (const double h : {1e-2, 5e-3}) {
        for (const Geometry geometry : {Geometry::start, Geometry::contacts_at_end}) {
            State after;
            const StepOutcome outcome = one_step(2.0, 4.0, h, geometry, &after);
            EXPECT_TRUE(outcome.converged);
            EXPECT_NEAR((outcome.contacts[0].contact.tangent * after.v)[0], 0.0, 1e-9);
            // Terms h g and h omega^2 beside a jump of 1 m/s, over masses of order 1.
            EXPECT_NEAR(outcome.contacts[0].normal_impulse, limit, 16.0 * h);
        }
    }
}

TEST(StewartPainleve, PoissonsLawThrowsTheEndUpWithoutACollisionAndNewtonsDoesNot) {
    // Section 1.3: there is no approach to return, but there is an impulse.
    for (const double h : {5e-3, 2.5e-3}) {
        double rebound[2] = {};
        for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
            PainleveRod system = rod(2.0);
            system.law.restitution = 0.5;
            State state = system.touching(angle, -1.0, 0.0);
            const auto before = system.contacts(0.0, state.q, 1.0)[0];
            LcpStepper stepper({.impact = law});
            stepper.step(system, state, h);
            rebound[std::size_t(law)] = before.normal.dot(state.v);
        }
        EXPECT_NEAR(rebound[0], 0.0, 1e-12);
        EXPECT_GT(rebound[1], 0.1);
    }
}

/// Figure 2.4, seen in a mirror: a rod that spins about a centre at rest falls, and lands on the end that runs ahead.
struct Fall {
    double time = 0.0, angle = 0.0, slip_before = 0.0, slip_after = 0.0, normal_after = 0.0;
    double normal_impulse = 0.0, tangent_impulse = 0.0, energy_change = 0.0, energy_growth_later = 0.0;
};

Fall falls(double h, Geometry geometry) {
    const PainleveRod system = rod(2.0);
    State state{0.0, Eigen::Vector3d(0.0, 1.3, 1.5), Eigen::Vector3d(0.0, 0.0, -1.2)};
    LcpStepper stepper({.geometry = geometry});
    const auto energy = [&] { return kinetic_energy(system, state) + system.potential_energy(state.time, state.q); };
    Fall fall;
    double lowest = 0.0;
    while (state.time < 0.6) {
        const State before = state;
        const double energy_before = energy();
        const StepOutcome outcome = stepper.step(system, state, h);
        double normal = 0.0;
        for (const ContactOutcome& c : outcome.contacts) normal += c.normal_impulse;
        if (fall.time == 0.0 && normal > 0.1) {
            const ContactOutcome& c = outcome.contacts[0];
            fall = {state.time,
                    before.q[2],
                    (c.contact.tangent * before.v)[0],
                    (c.contact.tangent * state.v)[0],
                    c.contact.normal.dot(state.v),
                    c.normal_impulse,
                    c.tangent_impulse[0],
                    energy() - energy_before,
                    0};
            lowest = energy();
        } else if (fall.time > 0.0) {
            fall.energy_growth_later = std::max(fall.energy_growth_later, energy() - lowest);
            lowest = std::min(lowest, energy());
        }
    }
    return fall;
}

TEST(StewartPainleve, FallingRodStopsSlidingWithinTheImpact) {
    Fall by_step[2];
    const double steps[] = {1e-3, 5e-4};
    for (int k = 0; k < 2; ++k) {
        const Fall fall = by_step[k] = falls(steps[k], Geometry::start);
        ASSERT_GT(fall.time, 0.0);
        // A law that keeps the direction of sliding has no impulse that stops the approach.
        EXPECT_LT(sliding_response(2.0, fall.angle), 0.0);
        EXPECT_LT(fall.slip_before, -0.5);
        EXPECT_NEAR(fall.slip_after, 0.0, 1e-10);
        EXPECT_LT(fall.tangent_impulse, 2.0 * fall.normal_impulse);
        EXPECT_LT(fall.energy_change, 0.0);
        // The linearised gap misses h (omega l)^2 / 2 of the way of the end: an energy of order h.
        EXPECT_LT(fall.energy_growth_later, 20.0 * steps[k]);
    }
    EXPECT_NEAR(by_step[0].time, by_step[1].time, 2e-3);
    EXPECT_NEAR(by_step[0].normal_impulse, by_step[1].normal_impulse, 2e-2 * by_step[0].normal_impulse);
}

}  // namespace
}  // namespace scree::reference
