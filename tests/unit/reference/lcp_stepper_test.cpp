// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/lcp_stepper.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// A ball that slides over the plane in the direction `angle`; the outcome of one step.
StepOutcome sliding(const FrictionLaw& friction, double angle, int directions, State& state, const World& world_of_law,
                    double h) {
    World world = world_of_law;
    world.laws[0].friction = friction;
    world.bodies[1].velocity = {std::cos(angle), std::sin(angle), 0.0};
    state = world.start();
    LcpStepper stepper({.directions = directions});
    return stepper.step(world, state, h);
}

TEST(LcpStepper, FrictionDissipatesAsMuchAsItsPolyhedronAllows) {
    const World world = ball(0.0, {});
    for (const int m : {4, 8, 16}) {
        for (int k = 0; k < 25; ++k) {
            State state;
            const StepOutcome outcome = sliding({.sliding = 0.3, .aspect = 0.6}, 0.1 + 0.25 * k, m, state, world, 1e-3);
            const ContactOutcome& c = outcome.contacts[0];
            const Eigen::VectorXd slip = c.contact.tangent * state.v;
            // Eq. 1.2: no generator, so no point of their hull, has a smaller slip . f.
            double least = 0.0;
            const auto cone = cones_of(c.contact, m).front();
            for (Index j = 0; j < cone.weights.rows(); ++j)
                least = std::min(least, 0.3 * c.normal_impulse * cone.weights.row(j).dot(slip));
            EXPECT_NEAR(slip.dot(c.tangent_impulse), least, 1e-12);
            EXPECT_LT(least, 0.0);
            // The hull is inside the ellipse, and loses at most 1 - cos(pi / m) of it.
            const double within =
                std::hypot(c.tangent_impulse[0], c.tangent_impulse[1] / 0.6) / (0.3 * c.normal_impulse);
            EXPECT_LE(within, 1.0 + 1e-12);
            EXPECT_GE(within, std::cos(3.14159265358979 / m) - 1e-12);
        }
    }
}

TEST(LcpStepper, TorsionStopsASpinAndSharesTheConeWithSliding) {
    World world = ball(0.0, {.friction = {.sliding = 0.2, .torsion_radius = 0.3}});
    world.bodies[1].angular_velocity = {0.0, 0.0, 3.0};
    State state = world.start();
    LcpStepper stepper;
    const double h = 1e-3;
    stepper.step(world, state, h);
    // mu r m g / I; B8's law without sliding.
    EXPECT_NEAR(state.v[5], 3.0 - 0.2 * 0.3 * 9.81 / 0.1 * h, 1e-12);
    // While it slides fast friction has nothing left for the spin: the generators at 45 degrees win from a ratio on.
    world.bodies[1].velocity = {100.0, 0.0, 0.0};
    state = world.start();
    const StepOutcome outcome = stepper.step(world, state, h);
    EXPECT_NEAR(outcome.contacts[0].tangent_impulse.norm(), 0.2 * outcome.contacts[0].normal_impulse, 1e-14);
    EXPECT_EQ(outcome.contacts[0].twist_impulse, 0.0);
}

TEST(LcpStepper, RollingResistanceInSpaceSlowsARollingBall) {
    // A10 of validation.md: deceleration (5/7) mu_r g / r.
    World world = ball(0.0, {.friction = {.sliding = 0.5, .rolling = 0.01}});
    world.bodies[1].velocity = {0.0, 1.0, 0.0};
    world.bodies[1].angular_velocity = {-2.0, 0.0, 0.0};
    State state = world.start();
    LcpStepper stepper;
    for (int k = 0; k < 100; ++k) stepper.step(world, state, 1e-3);
    EXPECT_NEAR(state.v[1], 1.0 - 5.0 / 7.0 * 0.01 * 9.81 / 0.5 * 0.1, 1e-10);
}

TEST(LcpStepper, PoissonReturnsTheCompressionAndEqualsNewtonForOneFrictionlessContact) {
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
        World world = ball(1e-4, {.restitution = 0.5});
        world.gravity.setZero();
        world.bodies[1].velocity = {0.0, 0.0, -2.0};
        State state = world.start();
        LcpStepper stepper({.impact = law});
        const StepOutcome outcome = stepper.step(world, state, 1e-3);
        EXPECT_NEAR(state.v[2], 1.0, 1e-14);
        EXPECT_NEAR(outcome.contacts[0].normal_impulse, 3.0, 1e-14);
    }
}

TEST(LcpStepper, GapsOfTheEndPointKeepABallOnABall) {
    // A sphere rolls down a fixed one: the gap linearised at the start drifts by the curvature, h^2 v^2 / (2 R) a step
    // before it is taken back; that of the end point does not.
    const auto lowest_gap = [](Geometry geometry) {
        World world = ball(0.0, {.friction = {.sliding = 0.8}});
        world.bodies[0].shape = Sphere{1.0};
        world.bodies[1].pose.position = 1.5 * Eigen::Vector3d(std::sin(0.2), 0.0, std::cos(0.2));
        State state = world.start();
        LcpStepper stepper({.geometry = geometry});
        double largest = 0.0;
        while (state.time < 0.5) {
            const StepOutcome outcome = stepper.step(world, state, 5e-3);
            EXPECT_TRUE(outcome.converged);
            const auto contacts = world.contacts(state.time, state.q, 1.0);
            largest = std::max(largest, std::abs(contacts[0].gap));
        }
        return largest;
    };
    EXPECT_GT(lowest_gap(Geometry::start), 1e-6);
    EXPECT_LT(lowest_gap(Geometry::contacts_at_end), 1e-9);
}

TEST(LcpStepper, VelocityConditionIsThePapersAndDrifts) {
    // From touching at rest the first step falls freely: f(q + h v) = 0 is not below zero. It then stays there.
    const World world = ball(0.0, {});
    State state = world.start();
    LcpStepper stepper({.condition = ContactCondition::velocity});
    for (int k = 0; k < 10; ++k) stepper.step(world, state, 1e-2);
    EXPECT_NEAR(state.q[2], 0.5 - 9.81e-4, 1e-12);
    EXPECT_NEAR(state.v[2], 0.0, 1e-12);
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
