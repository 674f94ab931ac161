// SPDX-License-Identifier: BSD-3-Clause
// Walls that turn, swing and vanish.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

class MovingBoundary : public testing::TestWithParam<std::tuple<double, model::Precision>> {
protected:
    static constexpr double radius = 0.05;
    static SceneMaker scene(const Law& law) {
        const auto [h, precision] = GetParam();
        SceneMaker scene(h);
        scene.law(law).precision(precision).solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(Step, MovingBoundary,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

// A sphere at the bottom of a turning drum slips until the surfaces run equally fast: it feels mu m g along the wall
// and spins up at 5 mu g / (2 r), while the wall drags it up the drum; then it rolls on the wall.
TEST_P(MovingBoundary, DrumDragsASphereUntilTheSurfacesRunTogether) {
    const double drum = 1.0, speed = 0.2;  // [m], [m/s] of the wall
    model::Motion turn;
    turn.kind = model::Motion::Kind::rotation;
    turn.axis = {0, 1, 0};
    turn.angular_speed = speed / drum;
    SceneMaker maker = scene({.friction = 0.3});
    maker.boundary(model::RevolutionShape{{0, -0.5, 0}, {0, 1, 0}, 1.0, drum, drum, model::Side::inside}, {turn});
    const std::size_t ball = maker.sphere({.position = {0, 0, radius - drum}, .radius = radius});
    Experiment run(maker);
    run.until(1.0);
    double slip = 0.0;
    run.until(3.0, [&] {
        const BodyNow b = run.body(ball);
        const Vec3 out = model::normalized(Vec3{b.position.x, 0, b.position.z});
        const Vec3 surface = b.velocity + cross(b.angular_velocity, radius * out);
        const Vec3 wall = cross(Vec3{0, speed / drum, 0}, drum * out);
        slip = std::max(slip, norm(surface - wall));
    });
    EXPECT_LT(slip, 2e-3 * speed);  // levers: the overlap is 1e-4 r; the arc of a step: v h / R
    EXPECT_LT(std::abs(run.body(ball).position.x), 0.2 * drum);
}

// A belt takes a ball along until the surfaces run together: mu g forwards and 5 mu g / (2 r) of spin, so that it slips
// for 2 V / (7 mu g) and rolls at 2 V / 7. A block comes to the belt's speed, after V / (mu g).
TEST_P(MovingBoundary, BeltTakesBodiesAlongAndStaysWhereItIs) {
    const double speed = 0.7, g = 9.81, mu = 0.3;
    const double h = std::get<0>(GetParam());
    model::Motion belt;
    belt.kind = model::Motion::Kind::belt;
    belt.velocity = {speed, 0, 0};
    const model::MeshShape mesh{"", {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}}, 0};
    for (const model::BoundaryShape& shape : {model::BoundaryShape(model::PlaneShape{}), model::BoundaryShape(mesh)}) {
        SceneMaker maker = scene({.friction = mu});
        const std::size_t floor = maker.boundary(shape, {belt});
        const std::size_t ball = maker.sphere({.position = {0, 1, radius}, .radius = radius});
        const std::size_t block =
            maker.solid(model::SolidBox{{radius, radius, radius}}, {.position = {0, 0, radius}, .mass = 1.0});
        Experiment run(maker);
        run.until(0.05);
        EXPECT_NEAR(run.body(block).velocity.x, mu * g * 0.05, 1e-3);
        EXPECT_NEAR(run.wall(floor).force.x, -run.wall(floor).force.z * -mu, 1e-3 * mu * g);
        run.until(2.0 * speed / (7.0 * mu * g) + 2.0 * h);
        const BodyNow rolling = run.body(ball);
        EXPECT_NEAR(rolling.velocity.x, 2.0 / 7.0 * speed, 2e-3 * speed);
        EXPECT_NEAR(rolling.angular_velocity.y, -5.0 / 7.0 * speed / radius, 2e-3 * speed / radius);
        run.until(0.5);
        EXPECT_NEAR(run.body(block).velocity.x, speed, 1e-4 * speed);
        EXPECT_NEAR(run.body(block).position.x, speed * (0.5 - 0.5 * speed / (mu * g)), 2.0 * speed * h);
        EXPECT_EQ(norm(run.wall(floor).displacement), 0.0);
        EXPECT_NEAR(run.wall(floor).velocity.x, speed, 1e-12);
    }
}

TEST_P(MovingBoundary, BeltsTurnWithTheirWallsAndStop) {
    model::Motion turn, belt;
    turn.kind = model::Motion::Kind::rotation;
    turn.angular_speed = 1.0;
    turn.stop = std::numbers::pi / 2.0;
    belt.kind = model::Motion::Kind::belt;
    belt.velocity = {0.5, 0, 0};
    belt.stop = 2.0;
    SceneMaker maker = scene({.friction = 0.5});
    const std::size_t floor = maker.boundary(model::PlaneShape{}, {turn, belt});
    maker.sphere({.position = {0, 0, radius}, .radius = radius});
    Experiment run(maker);
    run.until(1.8);
    EXPECT_NEAR(run.wall(floor).velocity.x, 0.0, 1e-12);
    EXPECT_NEAR(run.wall(floor).velocity.y, 0.5, 1e-12);
    run.until(2.1);
    EXPECT_EQ(norm(run.wall(floor).velocity), 0.0);
}

// A floor rises by rows, rests, and tilts by others under a ball that sticks to it.
TEST_P(MovingBoundary, LiftCarriesASphereAlongItsRows) {
    model::Motion lift, tilt;
    lift.kind = model::Motion::Kind::path;
    lift.rows = {{0.1, {0, 0, 0.5}}, {0.6, {0, 0.1, 0.8}}, {1.0, {0, 0.1, 0.8}}};
    tilt.kind = model::Motion::Kind::turning;
    tilt.axis = {0, 1, 0};
    tilt.rows = {{0.7, {-0.2, 0, 0}}, {0.9, {0.0, 0, 0}}};
    SceneMaker maker = scene({.friction = 0.9, .rolling = 0.9 * radius});
    const std::size_t floor = maker.boundary(model::PlaneShape{}, {lift, tilt});
    const std::size_t ball = maker.sphere({.position = {0, 0, radius}, .radius = radius});
    Experiment run(maker);
    run.until(0.05);
    EXPECT_EQ(norm(run.wall(floor).velocity), 0.0);
    run.until(0.35);
    EXPECT_NEAR(run.wall(floor).velocity.z, 0.6, 1e-9);
    EXPECT_NEAR(run.body(ball).position.z, radius + 0.15, 1e-3 * radius);
    EXPECT_NEAR(run.body(ball).position.y, 0.05, 1e-2 * radius);
    run.until(0.8);
    EXPECT_NEAR(run.wall(floor).angular_velocity.y, 1.0, 1e-9);
    run.until(1.2);
    EXPECT_EQ(norm(run.wall(floor).velocity), 0.0);
    const model::Quat turned = run.wall(floor).rotation;
    EXPECT_NEAR(2.0 * std::atan2(turned.y, turned.w), 0.2, 1e-12);
    EXPECT_NEAR(run.wall(floor).displacement.z, 0.3, 1e-12);
    // It stays where it is on the floor, which fell away from under it nowhere.
    const Vec3 normal = rotate(turned, Vec3{0, 0, 1});
    EXPECT_NEAR(dot(run.body(ball).position - run.wall(floor).displacement, normal), radius, 1e-2 * radius);
}

TEST_P(MovingBoundary, BeltCarriesASphereThatCannotRoll) {
    // A translating floor under a sphere whose rolling is resisted: both end at the belt's speed.
    model::Motion run_motion;
    run_motion.velocity = {0.5, 0, 0};
    SceneMaker maker = scene({.friction = 0.4, .rolling = 0.2 * radius});
    const std::size_t belt = maker.boundary(model::PlaneShape{}, {run_motion});
    const std::size_t ball = maker.sphere({.position = {0, 0, radius}, .radius = radius});
    Experiment run(maker);
    run.until(1.5);
    EXPECT_NEAR(run.body(ball).velocity.x, 0.5, 1e-3 * 0.5);
    EXPECT_NEAR(run.body(ball).angular_velocity.y, 0.0, 1e-3 * 0.5 / radius);
    EXPECT_NEAR(run.wall(belt).displacement.x, 0.5 * 1.5, 1e-9);
}

TEST_P(MovingBoundary, GateThatIsRemovedLetsGo) {
    SceneMaker maker = scene({});
    const std::size_t gate = maker.plane();
    maker.edit().boundaries[gate].remove_at = 0.3;
    const std::size_t ball = maker.sphere({.position = {0, 0, radius}, .radius = radius, .mass = 2.0});
    Experiment run(maker);
    run.until(0.3);
    EXPECT_NEAR(run.body(ball).position.z, radius, 1.1e-4 * radius);  // automatic stiffness: 5e-5 d
    EXPECT_TRUE(run.now().boundaries[gate].force.z < -1.99 * gravity);
    run.until(0.5);
    const double fall = 0.5 * gravity * 0.2 * 0.2;
    EXPECT_NEAR(run.body(ball).position.z, radius - fall, gravity * 0.2 * run.h() + 2e-4 * radius);
    EXPECT_FALSE(run.now().boundaries[gate].active);
    EXPECT_EQ(run.now().boundaries[gate].force, Vec3{});
}

model::Motion swing(double amplitude, double frequency) {
    model::Motion motion;
    motion.kind = model::Motion::Kind::oscillation;
    motion.amplitude = {0, 0, amplitude};
    motion.frequency = frequency;
    return motion;
}

// Below 1 g the sphere stays on the floor and pushes with m (g + acceleration).
TEST_P(MovingBoundary, SphereStaysOnAGentlyOscillatingFloor) {
    const double frequency = 2.0, omega = 2.0 * std::numbers::pi * frequency,
                 amplitude = 0.5 * gravity / (omega * omega);
    SceneMaker maker = scene({});
    maker.boundary(model::PlaneShape{}, {swing(amplitude, frequency)});
    const std::size_t ball =
        maker.sphere({.position = {0, 0, radius}, .radius = radius, .velocity = {0, 0, amplitude * omega}});
    Experiment run(maker);
    double apart = 0.0, force_error = 0.0;
    run.until(0.1);
    run.until(2.0, [&] {
        const double floor = run.now().boundaries[0].displacement.z;
        apart = std::max(apart, std::abs(run.body(ball).position.z - radius - floor));
        // The force of a step belongs to the change of the floor's mean velocity, that is to the time of its start.
        const double acceleration = -amplitude * omega * omega * std::sin(omega * (run.time() - run.h()));
        force_error = std::max(force_error, std::abs(run.body(ball).force.z - (gravity + acceleration)));
    });
    EXPECT_LT(apart, 2e-4 * radius);  // overlaps of up to 1.5 weights
    EXPECT_LT(force_error, 0.02 * gravity);
}

// Above 1 g it leaves when the floor's acceleration reaches -g: sin(omega t) = g / (A omega^2).
TEST_P(MovingBoundary, SphereLeavesAStronglyOscillatingFloorAtOneG) {
    const double frequency = 2.0, omega = 2.0 * std::numbers::pi * frequency,
                 amplitude = 2.0 * gravity / (omega * omega);
    SceneMaker maker = scene({});
    maker.boundary(model::PlaneShape{}, {swing(amplitude, frequency)});
    const std::size_t ball =
        maker.sphere({.position = {0, 0, radius}, .radius = radius, .velocity = {0, 0, amplitude * omega}});
    Experiment run(maker);
    double left = 0.0;
    run.until(0.2, [&] {
        if (run.body(ball).force.z > 1e-3 * gravity) left = run.time();
    });
    const double expected = std::asin(0.5) / omega;
    EXPECT_NEAR(left, expected, 2.0 * run.h());
    // From there it flies: apex above the floor's middle.
    double highest = 0.0;
    run.until(0.6, [&] { highest = std::max(highest, run.body(ball).position.z - radius); });
    const double speed = amplitude * omega * std::cos(omega * expected);
    const double apex = amplitude * 0.5 + speed * speed / (2.0 * gravity);
    EXPECT_NEAR(highest, apex, 0.01 * apex + speed * run.h());
}

TEST_P(MovingBoundary, PistonPushesASphere) {
    model::Motion push;
    push.velocity = {1.0, 0, 0};
    push.start = 0.1;
    push.stop = 0.5;
    SceneMaker maker = scene({.restitution = 1.0});
    maker.acceleration({});
    maker.boundary(model::PlaneShape{{0, 0, 0}, {1, 0, 0}}, {push});
    const std::size_t ball = maker.sphere({.position = {radius + 0.1, 0, 0}, .radius = radius});
    Experiment run(maker);
    run.until(1.0);
    EXPECT_NEAR(run.body(ball).velocity.x, 2.0, 1e-5);  // elastic: twice the wall's speed
    EXPECT_NEAR(run.body(ball).position.x, radius + 0.1 + 2.0 * 0.8, 4.0 * run.h());
}

}  // namespace
}  // namespace scree::test
