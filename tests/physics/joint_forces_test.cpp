// SPDX-License-Identifier: BSD-3-Clause
// What acts along the free axes of joints: springs, limits, motors and friction, against closed forms.
#include "tests/support/joints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

using model::JointAxis;
using model::SolidBox;
using model::SolidCylinder;

constexpr double pi = std::numbers::pi;
constexpr std::size_t ground = SceneMaker::ground;

TEST(Spring, OscillatesAtItsFrequencyAndKeepsItsEnergy) {
    const double stiffness = 400.0, mass = 1.0, h = 1e-3;
    SceneMaker scene(h);
    scene.exact().acceleration({});
    const std::size_t ball = scene.sphere({.position = {1.2, 0, 0}, .radius = 0.1, .mass = mass});
    auto& slide = scene.joint(model::SpringJoint{{}, {1.2, 0, 0}}, ground, ball).slide;
    slide.stiffness = stiffness;
    slide.rest = 1.0;
    Experiment run(scene);
    const double w = std::sqrt(stiffness / mass);
    double first = 0.0, last = 0.0, before = 0.0, most = 0.0;
    int turns = 0;
    run.until(20.0, [&] {
        const double v = run.body(ball).velocity.x;
        if (before * v < 0.0) {
            last = run.time() - h * v / (v - before);
            if (++turns == 1) first = last;
        }
        before = v;
        if (run.time() > 18.0) most = std::max(most, run.body(ball).position.x - 1.0);
    });
    const double period = 2.0 * (last - first) / (turns - 1);
    // The scheme's own frequency is 2 / h atan(w h / 2), 1 - (w h)^2 / 12 of the exact one.
    EXPECT_NEAR(period, 2.0 * pi / w * (1.0 + w * w * h * h / 12.0), 1e-7 * period);
    // Started half a step late: amplitude sqrt(1 + (w h / 2)^2).
    EXPECT_NEAR(most, 0.2, 1e-3 * 0.2);
}

class AnySpring : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Stiffness, AnySpring, testing::Values(1.0, 1e4, 1e8, 1e12));

TEST_P(AnySpring, IsStableAndHangsWhereItsForceIsTheWeight) {
    const double k = GetParam();
    SceneMaker scene(5e-3);
    scene.exact();
    const double rest = 1.0;
    const std::size_t ball = scene.sphere({.position = {0, 0, -rest}, .radius = 0.1, .mass = 2.0});
    auto& slide = scene.joint(model::SpringJoint{{}, {0, 0, -rest}}, ground, ball).slide;
    slide.stiffness = k;
    slide.rest = rest;
    slide.damping = 2.0 * std::sqrt(2.0 * k);  // critical
    Experiment run(scene);
    run.until(40.0);
    EXPECT_NEAR(joint_now(run, 0).slide, rest + 2.0 * gravity / k, 1e-6 * (rest + 2.0 * gravity / k));
    EXPECT_NEAR(joint_now(run, 0).force.z, 2.0 * gravity, 1e-4);
}

TEST(Rope, HoldsABallThatFallsIntoItAndGainsNoEnergy) {
    SceneMaker scene(2e-3);
    scene.exact();
    const std::size_t ball = scene.sphere({.position = {0.6, 0, 0}, .radius = 0.05, .velocity = {0.5, 0.3, 1}});
    scene.joint(model::SpringJoint{{}, {0.6, 0, 0}}, ground, ball).slide.upper = 1.0;
    Experiment run(scene);
    double longest = 0.0, most = -1e300, before = 1e300;
    run.until(10.0, [&] {
        const BodyNow b = run.body(ball);
        longest = std::max(longest, joint_now(run, 0).slide);
        // Position at the middle of the step, where the velocity is.
        const double e = 0.5 * dot(b.velocity, b.velocity) + gravity * (b.position.z - 1e-3 * b.velocity.z);
        most = std::max(most, e - before);
        before = std::min(before, e);
    });
    EXPECT_LT(longest, 1.0 + 1e-9);
    EXPECT_LT(most, 2e-3);
}

TEST(Limit, StopsAPendulumWhereItSays) {
    Pendulum p(2e-3, 1.0);
    p.scene.edit().joints[0].turn.lower = -1.2;
    p.scene.edit().joints[0].turn.upper = 0.3;
    Experiment run(p.scene);
    double least = 0.0, most = 0.0;
    run.until(3.0, [&] {
        least = std::min(least, joint_now(run, 0).turn);
        most = std::max(most, joint_now(run, 0).turn);
    });
    EXPECT_GT(least, -1.2 - 1e-9);
    EXPECT_LT(most, 0.3 + 1e-9);
    // From 1 rad it falls towards 0 by turning by +1 about y or -1: one of the limits holds it at the end.
    const double end = joint_now(run, 0).turn;
    EXPECT_TRUE(std::abs(end - 0.3) < 1e-6 || std::abs(end + 1.2) < 1e-6 || std::abs(end + 1.0) < 0.8) << end;
}

TEST(Motor, BySpeedPushesNoHarderThanItsLimit) {
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t wheel = scene.solid(SolidCylinder{0.2, 0.05}, {.mass = 5.0});
    auto& turn = scene.joint(model::RevoluteJoint{{}, {0, 0, 1}}, ground, wheel).turn;
    turn.motor = JointAxis::Motor::speed;
    turn.target.constant = 10.0;
    turn.motor_limit = 0.5;
    Experiment run(scene);
    const double inertia = 0.5 * 5.0 * 0.04, alpha = 0.5 / inertia;
    run.until(1.0);
    EXPECT_NEAR(run.body(wheel).angular_velocity.z, alpha, 1e-9 * alpha);
    EXPECT_NEAR(joint_now(run, 0).turn_motor, 0.5, 1e-12);
    run.until(3.0);
    EXPECT_NEAR(run.body(wheel).angular_velocity.z, 10.0, 1e-9);
    EXPECT_NEAR(joint_now(run, 0).turn_motor, 0.0, 1e-9);
}

TEST(Motor, ByPositionFollowsAnExpression) {
    Pendulum p(2e-3, 0.0);
    auto& turn = p.scene.edit().joints[0].turn;
    turn.motor = JointAxis::Motor::position;
    turn.target.expression = "0.5 * sin(3 * t) * t";
    Experiment run(p.scene);
    double worst = 0.0;
    run.until(2.0, [&] {
        const double t = run.time();
        worst = std::max(worst, std::abs(joint_now(run, 0).turn - 0.5 * std::sin(3.0 * t) * t));
    });
    EXPECT_LT(worst, 1e-9);
    // The torque is that of the motion: I alpha + m g l sin(angle), at the middle of the last steps.
    const double t = run.time() - 2e-3;
    const double angle = 0.5 * std::sin(3 * t) * t;
    const double alpha = 3.0 * std::cos(3 * t) - 4.5 * t * std::sin(3 * t);
    EXPECT_NEAR(joint_now(run, 0).turn_motor, Pendulum::inertia * alpha + gravity * std::sin(angle), 2e-3);
}

TEST(Motor, FollowsATable) {
    SceneMaker scene(1e-3);
    scene.exact().acceleration({});
    const std::size_t block = scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {});
    auto& slide = scene.joint(model::PrismaticJoint{{}, {1, 0, 0}}, ground, block).slide;
    slide.motor = JointAxis::Motor::speed;
    slide.target.table = {{0.5, 0.0}, {1.5, 2.0}};
    Experiment run(scene);
    run.until(2.0);
    EXPECT_NEAR(joint_now(run, 0).slide, 1.0 + 1.0, 1e-9);
}

TEST(HingeFriction, StopsAWheelAndHoldsAPendulum) {
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t wheel = scene.solid(SolidCylinder{0.2, 0.05}, {.angular_velocity = {0, 0, 5}, .mass = 5.0});
    scene.joint(model::RevoluteJoint{{}, {0, 0, 1}}, ground, wheel).turn.friction = 0.2;
    const std::size_t ball = scene.sphere({.position = {2.2, 0, -1}, .radius = 0.1});
    scene.joint(model::RevoluteJoint{{2, 0, 0}, {0, 1, 0}}, ground, ball).turn.friction = 2.5;
    Experiment run(scene);
    const double inertia = 0.5 * 5.0 * 0.04;
    run.until(1.0);
    EXPECT_NEAR(run.body(wheel).angular_velocity.z, 5.0 - 0.2 / inertia, 1e-9);
    run.until(3.0);
    EXPECT_LT(std::abs(run.body(wheel).angular_velocity.z), 1e-11);
    EXPECT_NEAR(joint_now(run, 0).turn, 0.5 * 25.0 * inertia / 0.2, 5e-3);
    // .2 m x 9.81 N = 1.96 N m; friction gives way by 2e-9 of what its impulse would do to the free ball: 1e-9 rad/s.
    EXPECT_LT(std::abs(joint_now(run, 1).turn), 4e-9);
}

}  // namespace
}  // namespace scree::test
