// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/lcp_stepper.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

/// A sphere of radius 1/2 and mass 1, `height` above the plane z = 0.
World ball(double height, const ContactLaw& law) {
    World world;
    world.laws = {law};
    world.bodies.resize(2);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    world.bodies[1].shape = Sphere{0.5};
    world.bodies[1].mass = 1.0;
    world.bodies[1].inertia.setConstant(0.1);
    world.bodies[1].pose.position = {0.0, 0.0, 0.5 + height};
    return world;
}

TEST(LcpStepper, ElasticBouncesReturnToTheHeightTheyFellFrom) {
    for (const double h : {1e-2, 5e-3}) {
        const World world = ball(1.0, {.restitution = 1.0});
        State state = world.start();
        LcpStepper stepper;
        // What the step keeps in free fall is the energy with v taken half a step back: it is v^2 / 2 + g z - g h v
        // / 2.
        const auto energy = [&] { return 0.5 * state.v[2] * (state.v[2] - 9.81 * h) + 9.81 * state.q[2]; };
        const double at_start = energy();
        double highest = 0.0;
        for (int k = 0; k < int(9.0 / h); ++k) {
            stepper.step(world, state, h);
            if (state.time > 8.0) highest = std::max(highest, state.q[2] - 0.5);
            ASSERT_NEAR(energy(), at_start, 1e-11);
        }
        // A trajectory sampled at h misses its apex by at most g h^2 / 2.
        EXPECT_LE(highest, 1.0 + 1e-12);
        EXPECT_GE(highest, 1.0 - 9.81 * h * h / 2.0);
    }
}

TEST(LcpStepper, AtRestTheImpulseIsTheWeightOfTheStep) {
    const World world = ball(0.0, {.friction = {.sliding = 0.5}, .restitution = 0.9});
    State state = world.start();
    LcpStepper stepper;
    for (int k = 0; k < 20; ++k) {
        const StepOutcome outcome = stepper.step(world, state, 1e-2);
        ASSERT_EQ(outcome.contacts.size(), 1u);
        EXPECT_NEAR(outcome.contacts[0].normal_impulse, 9.81e-2, 1e-14);
        EXPECT_TRUE(outcome.converged);
    }
    EXPECT_NEAR(state.q[2], 0.5, 1e-15);
}

TEST(LcpStepper, ASlidingBallRollsAfterTwoSeventhsOfItsSpeed) {
    // A4 of shared/validation.md: slips for 2 u / (7 mu g), then rolls at 5/7 u. Motion along a friction direction.
    for (const double h : {1e-3, 5e-4}) {
        World world = ball(0.0, {.friction = {.sliding = 0.2}});
        world.bodies[1].velocity = {0.0, 1.0, 0.0};
        State state = world.start();
        LcpStepper stepper;
        double stops = 0.0;
        while (state.time < 0.3) {
            const StepOutcome outcome = stepper.step(world, state, h);
            if (outcome.contacts[0].tangent_impulse.norm() > 0.1 * 0.2 * 9.81 * h) stops = state.time;
        }
        EXPECT_NEAR(stops, 2.0 / (7.0 * 0.2 * 9.81), h);
        EXPECT_NEAR(state.v[1], 5.0 / 7.0, 1e-12);
        EXPECT_NEAR(std::abs(state.v[3]), 5.0 / (7.0 * 0.5), 1e-12);
    }
}

TEST(LcpStepper, BadInputGivesOneError) {
    const World world = ball(0.0, {});
    LcpStepper stepper;
    State state = world.start();
    EXPECT_THROW(stepper.step(world, state, 0.0), model::Error);
    EXPECT_THROW(stepper.step(world, state, std::nan("")), model::Error);
    state.v[0] = std::numeric_limits<double>::infinity();
    EXPECT_THROW(stepper.step(world, state, 1e-3), model::Error);
    State small = world.start();
    small.v.resize(2);
    EXPECT_THROW(stepper.step(world, small, 1e-3), model::Error);
    EXPECT_THROW(LcpStepper({.directions = 5}), model::Error);
    EXPECT_THROW(LcpStepper({.directions = 2}), model::Error);
}

}  // namespace
}  // namespace scree::reference
