// SPDX-License-Identifier: BSD-3-Clause
// Friction laws: Stewart (2000), sections 1.1 and 4.3, and validation.md B3, B6, B14, B16, B20.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/world.hpp"
#include "tests/support/mechanisms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::reference {
namespace {

constexpr double gravity = 9.81;

/// A brick 1 x 1/2 on a ramp; the ramp lies still and gravity turns instead. `angle` may be changed between steps.
World brick_on_ramp(double angle, const FrictionLaw& friction) {
    World world;
    world.planar = true;
    world.laws = {{.friction = friction}};
    world.gravity = gravity * Eigen::Vector3d(std::sin(angle), 0.0, -std::cos(angle));
    world.bodies.resize(2);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    world.bodies[1].shape = Box{{0.5, 0.5, 0.25}};
    world.bodies[1].inertia.setConstant((1.0 + 0.25) / 12.0);
    world.bodies[1].pose.position = {0.0, 0.0, 0.25};
    return world;
}

const FrictionLaw static_and_dynamic{.sliding = 0.3, .sticking = 0.5};

double speed_after(World world, double start, double duration, double h) {
    world.bodies[1].velocity.x() = start;
    State state = world.start();
    LcpStepper stepper;
    while (state.time < duration - 0.5 * h) stepper.step(world, state, h);
    return state.v[0];
}

TEST(StewartFriction, BetweenTheTwoAnglesABrickAtRestStaysAndAMovingOneSlides) {
    const double angle = 0.5 * (std::atan(0.3) + std::atan(0.5));
    const double slides = gravity * (std::sin(angle) - 0.3 * std::cos(angle));
    for (const double h : {1e-2, 5e-3}) {
        const World world = brick_on_ramp(angle, static_and_dynamic);
        EXPECT_NEAR(speed_after(world, 0.0, 1.0, h), 0.0, 1e-12);
        EXPECT_NEAR(speed_after(world, 0.1, 1.0, h), 0.1 + slides, 1e-10);  // constant: the step is exact
        // Thrown uphill it slides to a stop and is held there: it does not come back.
        EXPECT_NEAR(speed_after(world, -2.0, 1.0, h), 0.0, 1e-12);
    }
}

TEST(StewartFriction, BrickBreaksAwayAtTheStaticAngleAndIsHeldAgainBelowTheDynamicOne) {
    for (const double h : {1e-2, 5e-3}) {
        const double rate = 0.02;  // rad/s
        World world = brick_on_ramp(0.0, static_and_dynamic);
        State state = world.start();
        LcpStepper stepper;
        double angle = 0.4, breaks = 0.0, stops = 0.0, fastest = 0.0;
        const auto step = [&](double turn) {
            angle += turn * h;
            world.gravity = gravity * Eigen::Vector3d(std::sin(angle), 0.0, -std::cos(angle));
            stepper.step(world, state, h);
        };
        while (breaks == 0.0) {
            step(rate);
            if (state.v[0] > 1e-9) breaks = angle;
        }
        EXPECT_NEAR(breaks, std::atan(0.5), rate * h);
        // It then has the dynamic coefficient at once.
        const double jump = gravity * (std::sin(angle) - 0.3 * std::cos(angle));
        EXPECT_NEAR(state.v[0], jump * h, 1e-10);
        // Laid back it is still moving between the two angles, and stops only below the lower one.
        while (stops == 0.0 && angle > 0.0) {
            const double before = state.v[0];
            step(-0.1);
            fastest = std::max(fastest, state.v[0]);
            if (angle > std::atan(0.3)) {
                EXPECT_GT(state.v[0], before);
            }
            if (state.v[0] <= 1e-12) stops = angle;
        }
        EXPECT_GT(fastest, 0.5);
        EXPECT_LT(stops, std::atan(0.3));
        EXPECT_GT(stops, 0.0);
    }
}

TEST(StewartFriction, FallingLawIsUnstableAsTheEquationOfMotionSays) {
    // Eq. 4.1: m dv/dt = m g sin - m g cos mu(v), mu(v) = .3 + .2 exp(-v / .2); the steeper the fall the faster it runs
    // off.
    const FrictionLaw law{.sliding = 0.3, .sticking = 0.5, .fall_speed = 0.2};
    const double angle = std::atan(0.45);
    // Reference: the classical Runge-Kutta method at 1e-5 s.
    double v = 0.1;
    const auto rate = [&](double u) {
        return gravity * (std::sin(angle) - std::cos(angle) * (0.3 + 0.2 * std::exp(-u / 0.2)));
    };
    for (int k = 0; k < 50000; ++k) {
        const double h = 1e-5, a = rate(v), b = rate(v + 0.5 * h * a), c = rate(v + 0.5 * h * b), d = rate(v + h * c);
        v += h * (a + 2.0 * b + 2.0 * c + d) / 6.0;
    }
    const double coarse = speed_after(brick_on_ramp(angle, law), 0.1, 0.5, 2e-3) - v;
    const double fine = speed_after(brick_on_ramp(angle, law), 0.1, 0.5, 1e-3) - v;
    EXPECT_LT(std::abs(coarse), 2e-2 * v);
    EXPECT_NEAR(coarse / fine, 2.0, 0.1);  // first order
    // At rest and below atan(mu(0)) it stays.
    EXPECT_NEAR(speed_after(brick_on_ramp(angle, law), 0.0, 0.5, 2e-3), 0.0, 1e-12);
}

TEST(StewartFriction, OscillatorTurnsTwoLessEachTimeAndSticks) {
    // B16: each half swing loses twice the threshold.
    for (const double h : {1e-3, 5e-4}) {
        FrictionOscillator system;
        system.law.friction.sliding = 1.0;
        State state{0.0, Eigen::Vector2d(12.0, 0.0), Eigen::Vector2d(6.0, 0.0)};
        LcpStepper stepper;
        std::vector<double> turns;
        while (state.time < 30.0) {
            const double before = state.v[0];
            stepper.step(system, state, h);
            if (before * state.v[0] < 0.0 || (before != 0.0 && state.v[0] == 0.0)) turns.push_back(state.q[0]);
        }
        const double first = std::sqrt(13.0 * 13.0 + 36.0) - 1.0;  // 13.3178
        ASSERT_EQ(turns.size(), 8u);                               // the last is where it sticks
        // The symplectic step has its amplitude wrong by h / 2 times the speed, at most 14.3, once.
        for (std::size_t k = 0; k < 7; ++k)
            EXPECT_NEAR(std::abs(turns[k]), first - 2.0 * double(k), 8.0 * h) << "turning point " << k;
        EXPECT_NEAR(std::abs(state.q[0]), 0.682179, 8.0 * h);
        EXPECT_EQ(state.v[0], 0.0);
    }
}

/// A disc of radius 1/2 and mass 1 with inertia .4 m R^2 over the line z = 0.
World disc(const ContactLaw& law, double height) {
    World world;
    world.planar = true;
    world.laws = {law};
    world.bodies.resize(2);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    world.bodies[1].shape = Sphere{0.5};
    world.bodies[1].inertia.setConstant(0.1);
    world.bodies[1].pose.position = {0.0, 0.0, height};
    return world;
}

TEST(StewartFriction, SpinningBallThatBouncesEndsRolling) {
    // B14: the moment about the line of contact is kept: omega = 2/7 of 2 rad/s, whatever the bounces.
    for (const double h : {5e-3, 2.5e-3}) {
        BouncingDisc ball;
        ball.law = {.friction = {.sliding = 0.1}, .restitution = 0.9};
        State state{0.0, Eigen::Vector3d(0.0, 1.0, 0.0), Eigen::Vector3d(0.0, 0.0, -2.0)};
        LcpStepper stepper;
        while (state.time < 9.0) stepper.step(ball, state, h);
        EXPECT_NEAR(-state.v[2], 0.5714286, 5e-8);  // digits of B14
        EXPECT_NEAR(state.v[0], 0.2857143, 5e-8);
        EXPECT_NEAR(state.q[1], 0.5, 1e-12);
    }
}

TEST(StewartFriction, RollingResistanceStopsTheSpinBeforeTheDisc) {
    // B20: the resisting moment is larger than that of friction: the disc slides from the start.
    for (const double h : {1e-3, 5e-4}) {
        World world = disc({.friction = {.sliding = 0.05, .rolling = 0.04}}, 0.5);
        world.bodies[1].velocity = {2.5, 0.0, 0.0};
        world.bodies[1].angular_velocity = {0.0, 5.0, 0.0};
        State state = world.start();
        LcpStepper stepper;
        double spins = 0.0, moves = 0.0;
        while (state.time < 6.0) {
            stepper.step(world, state, h);
            if (std::abs(state.v[2]) > 1e-9) spins = state.time;
            if (std::abs(state.v[0]) > 1e-9) moves = state.time;
        }
        EXPECT_NEAR(spins, 3.398, h + 5e-4);
        EXPECT_NEAR(moves, 5.097, h + 5e-4);
        EXPECT_NEAR(state.q[0], 6.371, 0.5 * 2.5 * h + 5e-4);  // v+ moves the disc: h / 2 of the speed lost
    }
}

}  // namespace
}  // namespace scree::reference
