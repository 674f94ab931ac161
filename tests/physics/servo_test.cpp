// SPDX-License-Identifier: BSD-3-Clause
// Walls that press with a given force.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {
namespace {

model::Motion servo(double force, double speed) {
    model::Motion motion;
    motion.kind = model::Motion::Kind::servo;
    motion.axis = {0, 0, -1};
    motion.force = force;
    motion.largest_speed = speed;
    return motion;
}

constexpr double radius = 0.01, ball_mass = 0.01;

/// 5 x 5 x 5 balls, each a little off its place, in a shaft; wall 5 is a lid above them.
SceneMaker shaft(double h, const std::vector<model::Motion>& of_lid) {
    SceneMaker maker(h);
    maker.law({.friction = 0.3, .restitution = 0.3});
    const double half = 5.2 * radius;
    maker.plane();
    maker.plane({-half, 0, 0}, {1, 0, 0});
    maker.plane({half, 0, 0}, {-1, 0, 0});
    maker.plane({0, -half, 0}, {0, 1, 0});
    maker.plane({0, half, 0}, {0, -1, 0});
    maker.boundary(model::PlaneShape{{0, 0, 0.13}, {0, 0, -1}}, of_lid);
    for (int k = 0; k < 125; ++k) {
        const int layer = k / 25;
        const Vec3 place{double(k % 5) - 2.0, double(k / 5 % 5) - 2.0, double(layer)};
        const Vec3 off{0.03 * std::sin(3.0 * k), 0.03 * std::cos(5.0 * k), 0.0};
        maker.sphere({.position = (2.05 * radius) * (place + off) + Vec3{0, 0, 1.02 * radius},
                      .radius = radius,
                      .mass = ball_mass});
    }
    return maker;
}

struct Pressed {
    double mean = 0.0, largest_error = 0.0;
};
/// What the lid bears from now until `end`.
Pressed pressed_until(Experiment& run, double end, double wanted) {
    Pressed p;
    double steps = 0.0;
    run.until(end, [&] {
        const double borne = run.now().boundaries[5].force.z;
        p.mean += borne;
        p.largest_error = std::max(p.largest_error, std::abs(borne - wanted));
        steps += 1.0;
    });
    p.mean /= steps;
    return p;
}

class Servo : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Step, Servo, testing::Values(2e-3, 1e-3, 2e-4));

TEST_P(Servo, ComesAtItsSpeedAndHoldsItsForce) {
    const double wanted = 20.0;  // 16 times the weight of the balls
    Experiment run(shaft(GetParam(), {servo(wanted, 0.1)}));
    run.until(0.1);
    EXPECT_NEAR(run.now().boundaries[5].displacement.z, -0.01, 1e-9);
    EXPECT_NEAR(run.now().boundaries[5].velocity.z, -0.1, 1e-9);
    run.until(2.0);
    const Pressed held = pressed_until(run, 2.5, wanted);
    EXPECT_NEAR(held.mean, wanted, 0.01 * wanted);
    EXPECT_LT(held.largest_error, 0.05 * wanted);
    EXPECT_EQ(run.simulation().body_count(), 125);
}

TEST_P(Servo, FollowsRowsOfForces) {
    model::Motion motion = servo(0.0, 0.1);
    motion.rows = {{0.0, {5, 0, 0}}, {1.5, {5, 0, 0}}, {1.6, {50, 0, 0}}, {2.5, {50, 0, 0}}, {2.6, {10, 0, 0}}};
    Experiment run(shaft(GetParam(), {motion}));
    run.until(0.1);
    EXPECT_NEAR(run.now().boundaries[5].displacement.z, -0.01, 1e-9);  // its speed, though more is wanted later
    run.until(1.3);
    EXPECT_NEAR(pressed_until(run, 1.5, 5.0).mean, 5.0, 0.1);
    run.until(2.3);
    EXPECT_NEAR(pressed_until(run, 2.5, 50.0).mean, 50.0, 1.0);
    run.until(3.3);
    EXPECT_NEAR(pressed_until(run, 3.5, 10.0).mean, 10.0, 0.2);
}

TEST(ServoStiffness, AutoIsForTheForceToo) {
    Experiment pressed(shaft(1e-3, {servo(20.0, 0.1)})), free(shaft(1e-3, {}));
    const double weight = 125.0 * ball_mass * gravity;
    EXPECT_NEAR(pressed.simulation().resolved().stiffness / free.simulation().resolved().stiffness, 1.0 + 20.0 / weight,
                1e-9);
}

// A ball under a large force: as stiff as the step bears, and quiet.
TEST(ServoStiffness, IsNoMoreThanTheStepBears) {
    const double wanted = 300.0;
    SceneMaker maker(1e-3);
    maker.plane();
    maker.boundary(model::PlaneShape{{0, 0, 0.03}, {0, 0, -1}}, {servo(wanted, 0.2)});
    maker.sphere({.position = {0, 0, radius}, .radius = radius, .mass = ball_mass});
    Experiment run(maker);
    run.until(0.5);
    double largest_error = 0.0;
    run.until(0.6,
              [&] { largest_error = std::max(largest_error, std::abs(run.now().boundaries[1].force.z - wanted)); });
    EXPECT_LT(largest_error, 1e-3 * wanted);
    EXPECT_LT(run.kinetic_energy(), 1e-6);
}

// The bed yields without an end: a floor sinks. What the lid bears is no less on average for it.
TEST(ServoDrift, FollowsABedThatMoves) {
    SceneMaker maker = shaft(1e-3, {servo(20.0, 0.1)});
    model::Motion sinking;
    sinking.velocity = {0, 0, -1e-3};
    sinking.start = 1.0;
    maker.edit().boundaries[0].motions = {sinking};
    Experiment run(maker);
    run.until(2.0);
    EXPECT_NEAR(pressed_until(run, 4.0, 20.0).mean, 20.0, 0.2);
    EXPECT_NEAR(run.now().boundaries[0].displacement.z, -3e-3, 1e-9);
}

// Balls that a shaken floor throws at the lid: the force comes in blows, and is the one wanted on average.
TEST(ServoImpacts, AreBorneWithTheForceOnAverage) {
    SceneMaker maker = shaft(1e-3, {servo(20.0, 0.1)});
    maker.law({.friction = 0.3, .restitution = 0.7});
    model::Motion shaking;
    shaking.kind = model::Motion::Kind::oscillation;
    shaking.amplitude = {0, 0, 2e-3};
    shaking.frequency = 30.0;
    maker.edit().boundaries[0].motions = {shaking};
    Experiment run(maker);
    run.until(2.0);
    const Pressed pressed = pressed_until(run, 8.0, 20.0);
    EXPECT_NEAR(pressed.mean, 20.0, 0.6);
    EXPECT_GT(pressed.largest_error, 20.0);  // or there were no blows
}

TEST(ServoTimes, StandsStillBeforeItsStartAndAfterItsStop) {
    model::Motion motion = servo(20.0, 0.1);
    motion.start = 0.05;
    motion.stop = 0.1;
    Experiment run(shaft(1e-3, {motion}));
    run.until(0.05);
    EXPECT_EQ(run.now().boundaries[5].displacement.z, 0.0);
    run.until(0.3);
    EXPECT_NEAR(run.now().boundaries[5].displacement.z, -0.005, 1e-9);
    EXPECT_EQ(run.now().boundaries[5].velocity.z, 0.0);
}

TEST(ServoRestart, GoesOnBitForBit) {
    const SceneMaker maker = shaft(1e-3, {servo(20.0, 0.1)});
    Experiment whole(maker), first(maker), second(maker);
    whole.until(1.0);
    first.until(0.6);
    second.simulation().restore(first.simulation().save());
    second.until(1.0);
    const model::Snapshot a = whole.now(), b = second.now();
    EXPECT_EQ(a.boundaries[5].displacement.z, b.boundaries[5].displacement.z);
    EXPECT_LT(a.boundaries[5].displacement.z, -0.01);
    for (std::size_t i = 0; i < a.id.size(); ++i) EXPECT_EQ(a.position[i].z, b.position[i].z) << i;
}

}  // namespace
}  // namespace scree::test
