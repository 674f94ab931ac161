// SPDX-License-Identifier: BSD-3-Clause
// Joints and contacts together: chains, heavy bodies on light links, welded bodies, forces of both.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

using model::SolidBox;
using model::SolidCapsule;

constexpr std::size_t ground = SceneMaker::ground;

model::JointState joint_now(Experiment& run, std::size_t index) { return run.simulation().joints().at(index); }

/// A chain of balls joints along `way` from `start`, its first link held by the ground.
std::vector<std::size_t> chain(SceneMaker& scene, std::size_t links, Vec3 start, Vec3 way, double mass) {
    std::vector<std::size_t> bodies;
    const double length = norm(way);
    const Vec3 u = (1.0 / length) * way;
    // The capsule's axis is z.
    const Vec3 axis = cross({0, 0, 1}, u);
    const double s = norm(axis);
    const model::Quat turn = s > 0.0 ? model::from_axis_angle(axis, std::atan2(s, u.z))
                                     : model::from_axis_angle({1, 0, 0}, u.z > 0 ? 0 : M_PI);
    for (std::size_t k = 0; k < links; ++k) {
        const Vec3 at = start + (double(k) + 0.5) * way;
        bodies.push_back(
            scene.solid(SolidCapsule{0.2 * length, 0.3 * length}, {.position = at, .orientation = turn, .mass = mass}));
        scene.joint(model::SphericalJoint{start + double(k) * way}, k == 0 ? ground : bodies[k - 1], bodies[k]);
    }
    return bodies;
}

TEST(Chain, OfAHundredLinksCarriesItsWeight) {
    SceneMaker scene(2e-3);
    scene.exact();
    chain(scene, 100, {0, 0, 20}, {0, 0, -0.1}, 0.5);
    Experiment run(scene);
    run.until(0.2);
    for (std::size_t k = 0; k < 100; ++k)
        EXPECT_NEAR(joint_now(run, k).force.z, 0.5 * gravity * double(100 - k), 1e-6) << k;
}

TEST(Chain, OfAHundredLinksFallsFromTheHorizontalWithoutDriftOrGain) {
    SceneMaker scene(1e-3);
    scene.exact();
    const auto links = chain(scene, 100, {0, 0, 20}, {0.1, 0, 0}, 0.5);
    Experiment run(scene);
    const auto energy = [&] {
        double sum = 0.0;
        const auto& s = run.now();
        for (std::size_t i = 0; i < s.id.size(); ++i)
            sum += kinetic_energy_of(s, i) + s.mass[i] * gravity * (s.position[i].z - 0.5e-3 * s.velocity[i].z);
        return sum;
    };
    const double start = energy();
    double worst = 0.0;
    int count = 0;
    run.until(3.0, [&] {
        if (++count % 10 != 0) return;
        worst = std::max(worst, energy() - start);
    });
    // It falls through 5 m of centre of mass, 2450 J.
    EXPECT_LT(worst, 1e-3 * 2450.0);
    // Neighbours stay together: midpoints of links 0.1 m apart at most.
    for (std::size_t k = 1; k < 100; ++k)
        EXPECT_LT(norm(run.body(links[k]).position - run.body(links[k - 1]).position), 0.1 + 1e-9);
}

TEST(WreckingBall, AThousandTimesItsLinksSwingsIntoAWall) {
    SceneMaker scene(1e-3);
    scene.exact(1e-4).law({.friction = 0.4});
    scene.plane();
    const std::size_t count = 20;
    auto links = chain(scene, count, {0, 0, 3.2}, {0.1, 0, 0}, 0.1);
    const std::size_t ball = scene.sphere({.position = {2.2, 0, 3.2}, .radius = 0.2, .mass = 100.0});
    scene.joint(model::SphericalJoint{{2.0, 0, 3.2}}, links.back(), ball);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 8; ++k)
            scene.solid(SolidBox{{0.1, 0.15, 0.1}},
                        {.position = {-0.6 - 1e-4 * k, 0.31 * (i - 1.5), 0.1 + 0.2 * k}, .mass = 5.0});
    Experiment run(scene);
    double longest = 0.0, overlap = 0.0, most = 0.0;
    int missed = 0;
    run.until(2.0, [&] {
        longest = std::max(longest, norm(run.body(ball).position - Vec3{0, 0, 3.2}));
        overlap = std::max(overlap, run.report().overlap_max);
        missed += run.report().converged ? 0 : 1;
        most = std::max(most, norm(run.body(ball).velocity));
    });
    EXPECT_LT(longest, 2.2 + 1e-9);
    EXPECT_GT(most, 0.9 * std::sqrt(2 * gravity * 2.2));
    EXPECT_LT(most, 1.001 * std::sqrt(2 * gravity * 2.2));
    EXPECT_LT(overlap, 2e-3);
    EXPECT_LT(missed, 10);  // of 2000, at the blow
}

TEST(Weld, OfTwoCubesSlidesAsOneBox) {
    const double angle = std::atan(0.3) + 0.15, edge = 0.1;
    const auto at = [&](double along, double height) {
        return Vec3{along * std::cos(angle) + height * std::sin(angle), 0,
                    -along * std::sin(angle) + height * std::cos(angle)};
    };
    const model::Quat turn{std::cos(angle / 2), 0, std::sin(angle / 2), 0};
    SceneMaker scene(1e-3);
    scene.exact(1e-8).law({.friction = 0.3});
    scene.plane({}, {std::sin(angle), 0, std::cos(angle)});
    const SolidBox cube{{edge / 2, edge / 2, edge / 2}};
    // One above the other: alone the upper one would stay on the lower one by friction only.
    const std::size_t low = scene.solid(cube, {.position = at(0, edge / 2), .orientation = turn});
    const std::size_t high = scene.solid(cube, {.position = at(0, 1.5 * edge), .orientation = turn});
    scene.joint(model::FixedJoint{}, low, high);
    Experiment run(scene);
    run.until(0.5);
    const double expected = 0.5 * gravity * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(norm(run.body(low).velocity), expected, 1e-3 * expected);
    EXPECT_NEAR(norm(run.body(high).position - run.body(low).position), edge, 1e-12);
    EXPECT_LT(norm(run.body(high).angular_velocity), 1e-4);
}

TEST(Pendulum, LeansOnAWallWithTheForceOfItsWeight) {
    SceneMaker scene(2e-3);
    scene.exact(1e-8).law({});
    const double angle = 0.5, radius = 0.1;
    scene.plane({std::sin(angle) - radius, 0, 0}, {1, 0, 0});
    const std::size_t ball =
        scene.sphere({.position = {std::sin(angle), 0, -std::cos(angle)}, .radius = radius, .mass = 2.0});
    scene.joint(model::RevoluteJoint{{}, {0, 1, 0}}, ground, ball);
    Experiment run(scene);
    run.until(1.0);
    const double push = 2.0 * gravity * std::tan(angle);
    EXPECT_NEAR(run.wall(0).force.x, -push, 1e-3 * push);
    EXPECT_NEAR(run.body(ball).force.x, push, 1e-3 * push);  // of contacts alone
    EXPECT_NEAR(run.body(ball).force.z, 0.0, 1e-3 * push);
    EXPECT_NEAR(joint_now(run, 0).force.x, -push, 1e-3 * push);
    EXPECT_NEAR(joint_now(run, 0).force.z, 2.0 * gravity, 1e-3 * push);
}

TEST(Motor, WithALimitIsHeldByAnObstacleAndPushesWithIt) {
    SceneMaker scene(1e-3);
    scene.exact(1e-8).acceleration({}).law({});
    scene.plane({1.0, 0, 0}, {-1, 0, 0});
    const std::size_t block = scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {.position = {0.5, 0, 0}});
    auto& slide = scene.joint(model::PrismaticJoint{{}, {1, 0, 0}}, ground, block).slide;
    slide.motor = model::JointAxis::Motor::speed;
    slide.target.constant = 1.0;
    slide.motor_limit = 30.0;
    Experiment run(scene);
    run.until(1.0);
    EXPECT_NEAR(run.body(block).position.x, 0.9, 1e-4);
    EXPECT_NEAR(run.wall(0).force.x, 30.0, 1e-6);
    EXPECT_NEAR(joint_now(run, 0).slide_motor, 30.0, 1e-9);
}

/// Many pendulums among loose balls in a box.
SceneMaker crowd(std::size_t threads, model::Precision precision) {
    SceneMaker scene(2e-3);
    scene.precision(precision).solver(1e-3, 300).law({.friction = 0.4});
    scene.edit().settings.threads = threads;
    scene.boundary(model::BoxShape{{0, 0, 0.5}, {0.6, 0.6, 0.6}, {}, true, {}});
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 5; ++k) {
            const Vec3 at{-0.4 + 0.2 * i, -0.4 + 0.2 * k, 0.9};
            const std::size_t bob = scene.solid(SolidBox{{0.05, 0.04, 0.03}}, {.position = at + Vec3{0.15, 0, 0}});
            auto& joint = scene.joint(model::RevoluteJoint{at, {0, 1, 0}}, ground, bob);
            joint.turn.stiffness = 0.1 * k;
            joint.turn.lower = -1.0;
            joint.turn.friction = 0.01 * i;
            scene.sphere({.position = at + Vec3{0.05, 0.1, -0.5}, .radius = 0.04, .velocity = {0, 0, 1}});
        }
    return scene;
}

TEST(Joints, GiveTheSameBitsOnAnyNumberOfThreadsAndAfterARestart) {
    for (const auto precision : {model::Precision::mixed, model::Precision::double_}) {
        Experiment one(crowd(1, precision)), two(crowd(2, precision)), again(crowd(1, precision));
        one.steps(120);
        two.steps(120);
        again.simulation().restore(one.simulation().save());
        EXPECT_EQ(model::state_hash(one.now()), model::state_hash(two.now()));
        one.steps(100);
        again.steps(100);
        EXPECT_EQ(model::state_hash(one.now()), model::state_hash(again.now()));
        EXPECT_EQ(one.simulation().joints().at(7).turn, again.simulation().joints().at(7).turn);
    }
}

TEST(Joints, OfABodyThatLeavesAreGone) {
    SceneMaker scene(2e-3);
    scene.exact();
    scene.outlet({0, 0, -1}, {0, 0, -1});
    const std::size_t a = scene.sphere({.position = {0, 0, 0}, .radius = 0.1});
    const std::size_t b = scene.sphere({.position = {0.5, 0, 5}, .radius = 0.1});
    scene.joint(model::DistanceJoint{{0, 0, 0}, {0.5, 0, 5}}, a, b);
    Experiment run(scene);
    run.until(0.8);
    EXPECT_EQ(run.simulation().body_count(), 1);
    EXPECT_TRUE(std::isfinite(run.body(b).position.z));
    EXPECT_NEAR(norm(joint_now(run, 0).force), 0.0, 1e-12);
}

TEST(Joints, KeepTheirBodiesApartFromOneAnotherOnlyUnlessTold) {
    for (const bool collide : {false, true}) {
        SceneMaker scene(1e-3);
        scene.exact();
        const std::size_t a = scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {.position = {0, 0, 0}, .fixed = true});
        const std::size_t b = scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {.position = {0, 0, 0.21}});
        scene.joint(model::PrismaticJoint{{}, {0, 0, 1}}, a, b).collide = collide;
        Experiment run(scene);
        run.until(0.5);
        if (collide) {
            EXPECT_NEAR(run.body(b).position.z, 0.2, 1e-4);
        } else {
            EXPECT_LT(run.body(b).position.z, -0.5);
        }
    }
}

TEST(Joints, OfTheLastBodiesThatLeaveAreGoneToo) {
    SceneMaker scene(2e-3);
    scene.exact();
    scene.outlet({0, 0, -1}, {0, 0, -1});
    const std::size_t a = scene.sphere({.position = {0, 0, 0}, .radius = 0.1});
    const std::size_t b = scene.sphere({.position = {0.5, 0, 0}, .radius = 0.1});
    scene.joint(model::FixedJoint{}, a, b);
    Experiment run(scene);
    run.until(0.8);
    EXPECT_EQ(run.simulation().body_count(), 0);
}

TEST(Joints, CountWaysOverPeriods) {
    SceneMaker scene(2e-3);
    scene.exact().acceleration({}).periodic(0, -1.0, 1.0);
    const std::size_t block = scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {.velocity = {3, 0, 0}});
    scene.joint(model::PrismaticJoint{{}, {1, 0, 0}}, ground, block).slide.upper = 7.0;
    Experiment run(scene);
    run.until(2.0);
    EXPECT_NEAR(joint_now(run, 0).slide, 6.0, 1e-9);
    run.until(3.0);
    EXPECT_NEAR(joint_now(run, 0).slide, 7.0, 1e-9);
    EXPECT_NEAR(run.body(block).velocity.x, 0.0, 1e-9);
}

TEST(Net, OfJointsIsTautWithoutGainingEnergy) {
    // Four balls in a plane held at their outer sides: redundant, and loose to first order across the plane.
    SceneMaker scene(1e-3);
    scene.exact();
    std::vector<std::size_t> balls;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) balls.push_back(scene.sphere({.position = {0.1 * i, 0.1 * k, 0}, .radius = 0.05}));
    scene.joint(model::SphericalJoint{{0.05, 0, 0}}, balls[0], balls[2]);
    scene.joint(model::SphericalJoint{{0.05, 0.1, 0}}, balls[1], balls[3]);
    scene.joint(model::SphericalJoint{{0, 0.05, 0}}, balls[0], balls[1]);
    scene.joint(model::SphericalJoint{{0.1, 0.05, 0}}, balls[2], balls[3]);
    scene.joint(model::SphericalJoint{{-0.05, 0, 0}}, ground, balls[0]);
    scene.joint(model::SphericalJoint{{0.15, 0.1, 0}}, ground, balls[3]);
    Experiment run(scene);
    double gap = 0.0, most = 0.0;
    run.until(1.0, [&] {
        gap = std::max(gap, run.report().joint_gap);
        most = std::max(most, run.report().kinetic_translation + run.report().kinetic_rotation);
    });
    EXPECT_LT(gap, 1e-9);
    EXPECT_LT(most, 4 * gravity * 0.1);  // it falls by less than a radius or two
}

}  // namespace
}  // namespace scree::test
