// SPDX-License-Identifier: BSD-3-Clause
// Impacts of several bodies: Stewart (2000), sections 1.2, 4.4 and figures 4.3, 4.4; validation.md B12, B13, B17, B18.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/world.hpp"
#include "tests/support/mechanisms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::VectorXd;

BeadLine beads(std::size_t n, double restitution) {
    BeadLine line;
    line.masses.assign(n, 1.0);
    line.radius = 0.1;
    line.restitution = restitution;
    return line;
}

/// The first at 1 m/s, `apart` before the others, which stand `apart` from one another.
State struck(const BeadLine& line, double apart) {
    State state{0.0, VectorXd(line.coordinates()), VectorXd::Zero(line.coordinates())};
    for (Index i = 0; i < line.coordinates(); ++i) state.q[i] = double(i) * (0.2 + apart);
    state.v[0] = 1.0;
    return state;
}

VectorXd after_impact(const BeadLine& line, State state, double h, ImpactLaw law = ImpactLaw::newton) {
    LcpStepper stepper({.impact = law});
    double energy = kinetic_energy(line, state);
    const double until = 40.0 * h;
    while (state.time < until) {
        stepper.step(line, state, h);
        EXPECT_LE(kinetic_energy(line, state), energy + 1e-12);
        energy = kinetic_energy(line, state);
    }
    return state.v;
}

TEST(StewartImpacts, CradleOfTouchingBallsMovesAsOneAndKeepsItsEnergy) {
    // B12. One LCP for all contacts: the struck four leave together at 2/5, the first returns at -3/5. Energy 1/2.
    for (const double h : {1e-3, 5e-4}) {
        for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
            const BeadLine line = beads(5, 1.0);
            const VectorXd v = after_impact(line, struck(line, 0.0), h, law);
            EXPECT_NEAR(v[0], -0.6, 1e-12);
            for (Index i = 1; i < 5; ++i) EXPECT_NEAR(v[i], 0.4, 1e-12);
        }
    }
}

TEST(StewartImpacts, CradleOfSeparateBallsPassesTheBlowToTheLast) {
    for (const double h : {1e-3, 5e-4}) {
        const BeadLine line = beads(5, 1.0);
        const VectorXd v = after_impact(line, struck(line, 2.5 * h), h);  // a gap takes more than one step
        for (Index i = 0; i < 4; ++i) EXPECT_NEAR(v[i], 0.0, 1e-12);
        EXPECT_NEAR(v[4], 1.0, 1e-12);
    }
}

TEST(StewartImpacts, StiffnessRatioDecidesBetweenTheRigidLimits) {
    // Section 4.4: m1 strikes m2, which touches m3.
    const auto with_springs = [](double k1, double k2) {
        BeadLine line = beads(3, 0.0);
        line.stiffness = {k1, k2};
        State state = struck(line, 0.0);
        LcpStepper stepper;
        // Explicit forces: a hundredth of the fastest oscillation, through three of the slowest.
        const double h = 0.01 / std::sqrt(std::max(k1, k2));
        while (state.time < 8.0 / std::sqrt(std::min(k1, k2))) stepper.step(line, state, h);
        return state.v;
    };
    const double ratio = 1e4;
    const VectorXd soft_first = with_springs(1.0, ratio), stiff_first = with_springs(ratio, 1.0);
    // k1 << k2: m2 and m3 are one body. The softer spring is left with an oscillation of order sqrt(k1 / k2).
    const Eigen::Vector3d together(-1.0 / 3, 2.0 / 3, 2.0 / 3), in_turn(0.0, 0.0, 1.0);
    EXPECT_LT((soft_first - together).norm(), 2.0 / std::sqrt(ratio));
    EXPECT_LT((stiff_first - in_turn).norm(), 2.0 / std::sqrt(ratio));
    // The rigid laws know no ratio: both give the first limit for touching masses and, one impact after the other,
    // the second for masses apart.
    for (const double h : {1e-3, 5e-4}) {
        const BeadLine rigid = beads(3, 1.0);
        EXPECT_LT((after_impact(rigid, struck(rigid, 0.0), h) - together).norm(), 1e-12);
        EXPECT_LT((after_impact(rigid, struck(rigid, 0.0), h, ImpactLaw::poisson) - together).norm(), 1e-12);
        EXPECT_LT((after_impact(rigid, struck(rigid, 2.5 * h), h) - in_turn).norm(), 1e-12);
    }
}

TEST(StewartImpacts, BouncingBallComesToRestInFiniteTime) {
    // B13: H = 1 m, e = .9: rest after sqrt(2 H / g) (1 + e) / (1 - e) = 8.579 s.
    for (const double h : {1e-3, 5e-4}) {
        BeadLine line = beads(1, 0.9);
        line.gravity = 9.81;
        line.floor = true;
        State state{0.0, VectorXd::Constant(1, 1.1), VectorXd::Zero(1)};
        LcpStepper stepper;
        double moved = 0.0, impulse = 0.0;
        while (state.time < 10.0) {
            const StepOutcome outcome = stepper.step(line, state, h);
            if (std::abs(state.v[0]) > 1e-6) moved = state.time;
            impulse = outcome.contacts.empty() ? 0.0 : outcome.contacts[0].normal_impulse;
        }
        // Restitution ends below 2 g h, whose bounces would last 2 (2 h) / (1 - e) = 40 h more; each of the n bounces
        // before shifts by less than h.
        const double bounces = std::log(std::sqrt(2.0 * 9.81) / (2.0 * 9.81 * h)) / std::log(1.0 / 0.9);
        EXPECT_NEAR(moved, 8.579, (40.0 + bounces) * h);
        RecordProperty("rest_time_" + std::to_string(int(1.0 / h)), std::to_string(moved));
        EXPECT_NEAR(impulse, 9.81 * h, 1e-12);
        EXPECT_NEAR(state.q[0], 0.1, 1e-12);
    }
}

TEST(StewartImpacts, ColumnOfBeadsComesToRest) {
    // B17: ten beads of R = .1, gaps .25, e = .9, h = 5e-4: rest at .1 + .2 i, impulses (10 - i) m g h.
    for (const double h : {5e-4, 2.5e-4}) {
        BeadLine line = beads(10, 0.9);
        line.gravity = 9.81;
        line.floor = true;
        State state{0.0, VectorXd(10), VectorXd::Zero(10)};
        for (Index i = 0; i < 10; ++i) state.q[i] = 0.1 + 0.25 + 0.45 * double(i);
        LcpStepper stepper;
        StepOutcome outcome;
        while (state.time < 9.0) outcome = stepper.step(line, state, h);
        ASSERT_EQ(outcome.contacts.size(), 10u);
        for (Index i = 0; i < 10; ++i) {
            EXPECT_NEAR(state.q[i], 0.1 + 0.2 * double(i), 1e-9);
            EXPECT_NEAR(outcome.contacts[std::size_t(i)].normal_impulse, double(10 - i) * 9.81 * h, 1e-9);
        }
    }
}

TEST(StewartImpacts, StickHitsTheGroundWithItsEnds) {
    // B18: two impacts and the vertical speed of the centre before and after each.
    for (const double h : {1e-4, 5e-5}) {
        ImpactingStick stick;
        stick.law.restitution = 1.0;
        stick.law.friction.sliding = 0.01;
        State state{0.0, Eigen::Vector3d(0.3536, 0.3636, 0.7854), Eigen::Vector3d(-0.5, 0.1, 0.1)};
        LcpStepper stepper;
        std::vector<std::array<double, 3>> impacts;
        while (state.time < 0.2) {
            const double before = state.v[1];
            const StepOutcome outcome = stepper.step(stick, state, h);
            for (const ContactOutcome& c : outcome.contacts)
                if (c.normal_impulse > 0.1) impacts.push_back({state.time, before, state.v[1]});
        }
        ASSERT_EQ(impacts.size(), 2u);
        // Time and speed are sampled at h here and at 1e-4 s where the values come from.
        const double time = h + 1e-4, speed = 10.0 * time;
        EXPECT_NEAR(impacts[0][0], 0.0604, time);
        EXPECT_NEAR(impacts[0][1], -0.503, speed);
        EXPECT_NEAR(impacts[0][2], -0.1301, speed);
        EXPECT_NEAR(impacts[1][0], 0.1636, time);
        EXPECT_NEAR(impacts[1][1], -1.1611, speed);
        EXPECT_NEAR(impacts[1][2], -0.8493, speed);
    }
}

/// Discs of radius 1/2 and mass 1 on the line z = 0, side by side.
World discs(std::size_t n, const ContactLaw& law, double apart) {
    World world;
    world.planar = true;
    world.laws = {law};
    world.bodies.resize(n + 1);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    for (std::size_t i = 1; i <= n; ++i) {
        world.bodies[i].shape = Sphere{0.5};
        world.bodies[i].inertia.setConstant(0.1);
        world.bodies[i].pose.position = {(1.0 + apart) * double(i - 1), 0.0, 0.5};
    }
    return world;
}

TEST(StewartImpacts, RollingBallJumpsWhenItHitsAnotherInelastically) {
    // Figure 4.3: friction between the balls lifts the first, though every impact is inelastic.
    std::vector<double> jumps;
    for (const double h : {1e-3, 5e-4}) {
        World world = discs(2, {.friction = {.sliding = 0.3}}, 0.01);
        world.bodies[1].velocity = {1.0, 0.0, 0.0};
        world.bodies[1].angular_velocity = {0.0, 2.0, 0.0};  // rolls
        State state = world.start();
        LcpStepper stepper;
        double energy = kinetic_energy(world, state);
        bool hit = false;
        while (!hit && state.time < 0.1) {
            const StepOutcome outcome = stepper.step(world, state, h);
            double together = 0.0;
            for (const ContactOutcome& c : outcome.contacts)
                if (c.contact.body_a == 1 && c.contact.body_b == 2) together = c.normal_impulse;
            // Landing takes up to h |v| of the gap first: the impact is where momentum passes.
            if (together < 0.1) continue;
            hit = true;
            for (const ContactOutcome& c : outcome.contacts) {
                const double opens = c.contact.normal.dot(state.v);
                if (c.contact.body_b == 1) {
                    EXPECT_GT(opens, 0.05);  // contact 1 is not inelastic
                    EXPECT_EQ(c.normal_impulse, 0.0);
                } else {
                    EXPECT_NEAR(opens, 0.0, 1e-12);
                    EXPECT_GT(c.normal_impulse, 0.0);
                }
            }
            EXPECT_LT(kinetic_energy(world, state), energy);
            jumps.push_back(state.v[1]);
        }
        ASSERT_TRUE(hit);
    }
    EXPECT_NEAR(jumps[0], jumps[1], 9.81e-3);  // the weight of one step
}

}  // namespace
}  // namespace scree::reference
