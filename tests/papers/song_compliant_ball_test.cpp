// SPDX-License-Identifier: BSD-3-Clause
// A ball that falls on one spring (papers/000, the lumped case n_s = 1 without damping): half a period of an
// oscillator.
#include "engine/reference/compliant_stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

constexpr double mass = 1.0, radius = 0.1, stiffness = 100.0, gravity = 9.81, drop = 1.0;

struct Bounce {
    double contact_time = 0.0, lowest = 0.0, force = 0.0;
};

/// Contact at speed v: x'' = -g - w^2 x.
Bounce exact() {
    const double w = std::sqrt(stiffness / mass), v = std::sqrt(2.0 * gravity * (drop - radius));
    const double sag = gravity / (w * w), swing = std::hypot(sag, v / w);
    return {(std::numbers::pi + 2.0 * std::atan2(gravity, w * v)) / w, radius - sag - swing, stiffness * (sag + swing)};
}

Bounce simulated(double h) {
    World world;
    world.bodies.resize(2);
    world.bodies[0].shape = Sphere{radius};
    world.bodies[0].mass = mass;
    world.bodies[0].pose.position.z() = drop;
    world.bodies[1].shape = HalfSpace{};
    world.bodies[1].fixed = true;
    CompliantSettings settings;
    settings.lumped = true;
    settings.lump = {stiffness, stiffness, 0.0, 0.0};
    CompliantStepper stepper(settings);
    State state = world.start();
    // Times at which the gap passes through zero, between steps.
    double before = drop - radius, enters = 0.0, leaves = 0.0;
    Bounce bounce;
    bounce.lowest = drop;
    while (state.time < 1.2) {
        const StepOutcome outcome = stepper.step(world, state, h);
        if (!outcome.contacts.empty()) bounce.force = std::max(bounce.force, outcome.contacts[0].normal_impulse / h);
        const double gap = state.q[2] - radius;
        const double crossing = state.time - h * gap / (gap - before);
        if (before >= 0.0 && gap < 0.0) enters = crossing;
        if (before < 0.0 && gap >= 0.0) leaves = crossing;
        before = gap;
        bounce.lowest = std::min(bounce.lowest, state.q[2]);
    }
    bounce.contact_time = leaves - enters;
    return bounce;
}

TEST(SongCompliantBall, ClosedForm) {
    const Bounce bounce = exact();
    EXPECT_NEAR(bounce.contact_time, 0.36003, 5e-6);
    EXPECT_NEAR(bounce.lowest, -0.42961, 5e-6);
    EXPECT_NEAR(bounce.force, 52.96, 5e-3);
}

TEST(SongCompliantBall, ContactTimeLowestPointAndLargestForce) {
    // One period of the oscillator is .63 s: h w = 1e-4 leaves an error of about that size, relative to the swing.
    const Bounce bounce = simulated(1e-5);
    EXPECT_NEAR(bounce.contact_time, 0.36003, 2e-5);
    EXPECT_NEAR(bounce.lowest, -0.42961, 1e-4);
    EXPECT_NEAR(bounce.force, 52.96, 1e-2);
}

TEST(SongCompliantBall, ErrorIsOfFirstOrder) {
    const Bounce coarse = simulated(1e-3), fine = simulated(5e-4);
    const Bounce solution = exact();
    const double lowest = (coarse.lowest - solution.lowest) / (fine.lowest - solution.lowest);
    const double force = (coarse.force - solution.force) / (fine.force - solution.force);
    const double time = (coarse.contact_time - solution.contact_time) / (fine.contact_time - solution.contact_time);
    // Two, but for terms of second order: h w is 1e-2.
    EXPECT_NEAR(lowest, 2.0, 0.05);
    EXPECT_NEAR(force, 2.0, 0.05);
    EXPECT_NEAR(time, 2.0, 0.05);
}

}  // namespace
}  // namespace scree::reference
