// SPDX-License-Identifier: BSD-3-Clause
// What a program imposes between steps: forces, velocities, walls, motors.
#include "engine/model/error.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::test {
namespace {

constexpr double radius = 0.05, mass = 2.0, inertia = 0.4 * mass * radius * radius;

void push(Experiment& run, std::uint64_t id, Vec3 force, Vec3 torque = {}) {
    run.simulation().apply(std::array{model::AppliedForce{id, force, torque}});
}

/// A free body whose inertia is that of a ball; with shapes, a cube beside it makes all bodies have parts.
class AppliedForce : public testing::TestWithParam<bool> {
protected:
    static SceneMaker scene(double h = 1e-3) {
        SceneMaker maker(h);
        maker.exact().acceleration({});
        maker.sphere({.radius = radius, .mass = mass});
        if (GetParam()) maker.solid(model::SolidBox{{radius, radius, radius}}, {.position = {1, 0, 0}});
        return maker;
    }
};
INSTANTIATE_TEST_SUITE_P(WithShapes, AppliedForce, testing::Bool());

TEST_P(AppliedForce, AcceleratesUntilItIsTakenAway) {
    Experiment run(scene());
    push(run, 1, {3, 0, -1}, {0, 0.01, 0});
    double work = 0.0;
    run.until(0.5, [&] { work += run.report().other_work; });
    EXPECT_NEAR(run.body(0).velocity.x, 3.0 / mass * 0.5, 1e-12);
    EXPECT_NEAR(run.body(0).velocity.z, -1.0 / mass * 0.5, 1e-12);
    EXPECT_NEAR(run.body(0).angular_velocity.y, 0.01 / inertia * 0.5, 1e-10);
    // The ledger's work is that along the mean of both velocities.
    EXPECT_NEAR(work, run.kinetic_energy(), 1e-10);
    EXPECT_NEAR(norm(run.body(0).force), 0.0, 1e-10);  // no contact has a part in it
    const Vec3 velocity = run.body(0).velocity;
    push(run, 1, {});
    run.until(1.0);
    EXPECT_EQ(run.body(0).velocity, velocity);
}

TEST_P(AppliedForce, PressesABallOnAWall) {
    SceneMaker maker = scene();
    const std::size_t wall = maker.plane({0, 0, -radius});
    Experiment run(maker);
    push(run, 1, {0, 0, -20});
    run.until(0.2);
    EXPECT_NEAR(run.wall(wall).force.z, -20.0, 1e-6);
    EXPECT_NEAR(run.body(0).force.z, 20.0, 1e-6);
}

TEST_P(AppliedForce, StaysWithItsBodyWhenSlotsChange) {
    SceneMaker maker = scene();
    const std::size_t first = GetParam() ? 2 : 1;
    const int count = 60;
    for (int k = 0; k < count; ++k)  // bodies in no order of space
        maker.sphere({.position = {double(k * 37 % count), 2.0, 0.5}, .radius = radius, .mass = mass});
    maker.outlet({20.5, 0, 0}, {-1, 0, 0});
    Experiment run(maker);
    std::vector<model::AppliedForce> forces;
    for (int k = 0; k < count; ++k) forces.push_back({first + std::size_t(k) + 1, {0, 0.1 * k, 0}, {0, 0, 1e-4 * k}});
    run.simulation().apply(forces);
    run.steps(100);  // some reorderings
    std::size_t seen = 0;
    const model::Snapshot& now = run.now();
    for (std::size_t i = 0; i < now.id.size(); ++i) {
        if (now.id[i] <= first) continue;
        const double k = double(now.id[i] - first - 1);
        EXPECT_NEAR(now.velocity[i].y, 0.1 * k / mass * run.time(), 1e-12);
        EXPECT_NEAR(now.angular_velocity[i].z, 1e-4 * k / inertia * run.time(), 1e-10);
        ++seen;
    }
    EXPECT_EQ(seen, 39U);  // those beyond 20.5
}

TEST_P(AppliedForce, WakesASleeper) {
    SceneMaker maker = scene();
    maker.acceleration({0, 0, -gravity}).law({.friction = 0.5}).plane({0, 0, -radius});
    maker.edit().settings.sleep = {.speed = 2e-3, .time = 0.05};
    Experiment run(maker);
    run.until(0.3);
    ASSERT_EQ(run.report().sleeping, GetParam() ? 2 : 1);
    push(run, 1, {1, 0, 0});
    run.until(0.4);
    const double rolling = 5.0 / 7.0 / mass * 0.1;                 // a = 5/7 F/m
    EXPECT_NEAR(run.body(0).velocity.x, rolling, 2e-4 * rolling);  // the radius is less by the overlap at rest
    EXPECT_EQ(run.report().sleeping, GetParam() ? 1 : 0);
    push(run, 1, {});
    run.simulation().set_velocities(std::array{model::ImposedVelocity{1, {}, {}}});
    run.until(0.7);
    EXPECT_EQ(run.report().sleeping, GetParam() ? 2 : 1);
    run.simulation().set_velocities(std::array{model::ImposedVelocity{1, {0, 0, 1}, {}}});
    run.step();
    EXPECT_NEAR(run.body(0).velocity.z, 1.0 - gravity * run.h(), 1e-12);
}

TEST_P(AppliedForce, IsGoneAfterARestore) {
    Experiment run(scene());
    const io::Checkpoint start = run.simulation().save();
    push(run, 1, {3, 0, 0});
    run.steps(10);
    run.simulation().restore(start);
    run.steps(10);
    EXPECT_EQ(run.body(0).velocity, Vec3{});
}

TEST(ImposedVelocity, ReplacesTheVelocityOfOneBody) {
    SceneMaker maker(1e-3);
    maker.exact();
    for (int k = 0; k < 3; ++k) maker.sphere({.position = {double(k), 0, 0}, .radius = radius, .mass = mass});
    Experiment run(maker);
    run.steps(10);
    run.simulation().set_velocities(std::array{model::ImposedVelocity{2, {1, 2, 3}, {4, 5, 6}}});
    run.step();
    EXPECT_NEAR(run.body(1).velocity.z, 3.0 - gravity * run.h(), 1e-12);
    EXPECT_EQ(run.body(1).angular_velocity, (Vec3{4, 5, 6}));
    EXPECT_NEAR(run.body(1).position.x, 1.0 + run.h(), 1e-12);
    EXPECT_NEAR(run.body(2).velocity.z, -11.0 * gravity * run.h(), 1e-12);
}

TEST(SteeredWall, LiftsWhatLiesOnIt) {
    SceneMaker maker(1e-3);
    maker.exact().law({.friction = 0.5});
    const std::size_t ball = maker.sphere({.position = {0, 0, radius}, .radius = radius, .mass = mass});
    const std::size_t floor = maker.plane();
    Experiment run(maker);
    run.until(0.1);
    const double height = run.body(ball).position.z;
    run.simulation().steer(floor, {0.05, 0, 0.1});
    run.until(0.6);
    EXPECT_NEAR(run.wall(floor).displacement.z, 0.05, 1e-12);
    EXPECT_NEAR(run.wall(floor).displacement.x, 0.025, 1e-12);
    EXPECT_NEAR(run.body(ball).position.z, height + 0.05, 1e-9);
    const double rolling = 2.0 / 7.0 * 0.05;                          // as on a belt
    EXPECT_NEAR(run.body(ball).velocity.x, rolling, 2e-4 * rolling);  // the radius is less by the overlap at rest
    run.simulation().steer(floor, {});
    run.until(0.8);
    EXPECT_NEAR(run.wall(floor).displacement.z, 0.05, 1e-12);
    EXPECT_EQ(run.wall(floor).velocity, Vec3{});
}

TEST(SteeredWall, TurnsAboutItsTorquePointOnTopOfItsOwnMotion) {
    SceneMaker maker(1e-3);
    maker.exact();
    model::Motion moves;
    moves.velocity = {1, 0, 0};
    const std::size_t wall = maker.boundary(model::PlaneShape{{0, 0, -1}, {0, 0, 1}}, {moves});
    maker.edit().boundaries[wall].torque_point = {0, 2, 0};
    maker.sphere({.position = {0, 0, 50}, .radius = radius, .mass = mass});
    Experiment run(maker);
    run.simulation().steer(wall, {}, {0, 0, 0.5});
    run.until(1.0);
    const model::BoundaryState state = run.wall(wall);
    // Where its point (0, 3, 0) is, one metre beside the torque point, which has gone one metre along x.
    const Vec3 at = model::rotate(state.rotation, {0, 3, 0}) + state.displacement;
    EXPECT_NEAR(at.x, 1.0 - std::sin(0.5), 1e-12);
    EXPECT_NEAR(at.y, 2.0 + std::cos(0.5), 1e-12);
    EXPECT_NEAR(state.velocity.x, 1.0, 1e-9);
    EXPECT_NEAR(state.angular_velocity.z, 0.5, 1e-12);
}

TEST(SteeredWall, GoesOnBitForBitFromACheckpoint) {
    SceneMaker maker(1e-3);
    maker.law({.friction = 0.3, .restitution = 0.5});
    for (int k = 0; k < 20; ++k)
        maker.sphere({.position = {0.12 * (k % 5), 0.12 * (k / 5), 0.2 + 0.01 * k}, .radius = radius, .mass = mass});
    const std::size_t floor = maker.plane();
    Experiment run(maker), other(maker);
    run.steps(100);
    run.simulation().steer(floor, {0, 0, 0.2}, {0.1, 0.2, 0});
    run.steps(50);
    const io::Checkpoint half = run.simulation().save();
    run.steps(100);
    other.simulation().restore(half);
    other.steps(100);
    EXPECT_EQ(model::state_hash(run.now()), model::state_hash(other.now()));
    EXPECT_EQ(run.wall(floor).displacement, other.wall(floor).displacement);
    EXPECT_EQ(run.wall(floor).rotation, other.wall(floor).rotation);
}

TEST(Motor, TakesTargetsOfAProgram) {
    SceneMaker maker(1e-3);
    maker.exact().acceleration({});
    const std::size_t wheel = maker.sphere({.radius = radius, .mass = mass});
    model::Joint& hinge = maker.joint(model::RevoluteJoint{{0, 0, 0}, {0, 0, 1}}, SceneMaker::ground, wheel);
    hinge.turn.motor = model::JointAxis::Motor::speed;
    hinge.turn.target.constant = 1.0;
    Experiment run(maker);
    run.steps(10);
    EXPECT_NEAR(run.body(wheel).angular_velocity.z, 1.0, 1e-9);
    run.simulation().set_motor(0, true, -3.0);
    run.steps(10);
    EXPECT_NEAR(run.body(wheel).angular_velocity.z, -3.0, 1e-9);
    run.simulation().set_motor(0, true, std::nullopt);
    run.steps(10);
    EXPECT_NEAR(run.body(wheel).angular_velocity.z, 1.0, 1e-9);
    EXPECT_THROW(run.simulation().set_motor(0, false, 1.0), model::Error);
    EXPECT_THROW(run.simulation().set_motor(1, true, 1.0), model::Error);
    EXPECT_THROW(run.simulation().set_motor(0, true, std::numeric_limits<double>::quiet_NaN()), model::Error);
}

TEST(Control, RefusesWhatIsNotThereAndNotANumber) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {0, 0, 1}, .radius = radius, .mass = mass});
    maker.sphere({.position = {1, 0, 1}, .radius = radius, .mass = mass, .fixed = true});
    maker.plane();
    Experiment run(maker);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(push(run, 0, {}), model::Error);
    EXPECT_THROW(push(run, 3, {}), model::Error);
    EXPECT_THROW(push(run, 2, {1, 0, 0}), model::Error);
    EXPECT_THROW(push(run, 1, {nan, 0, 0}), model::Error);
    EXPECT_THROW(push(run, 1, {}, {0, INFINITY, 0}), model::Error);
    EXPECT_THROW(run.simulation().set_velocities(std::array{model::ImposedVelocity{2, {}, {}}}), model::Error);
    EXPECT_THROW(run.simulation().steer(1, {}), model::Error);
    EXPECT_THROW(run.simulation().steer(0, {0, 0, nan}), model::Error);
    run.steps(10);  // and is as it was
    EXPECT_NEAR(run.body(0).velocity.z, -10.0 * gravity * run.h(), 1e-6);
}

TEST(Control, IsNotForReferenceSteppers) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {0, 0, 1}, .radius = radius, .mass = mass});
    maker.plane();
    maker.edit().settings.stepper = model::Stepper::lcp;
    Experiment run(maker);
    EXPECT_THROW(push(run, 1, {1, 0, 0}), model::Error);
    EXPECT_THROW(run.simulation().set_velocities(std::array{model::ImposedVelocity{1, {}, {}}}), model::Error);
    EXPECT_THROW(run.simulation().steer(0, {0, 0, 1}), model::Error);
}

}  // namespace
}  // namespace scree::test
