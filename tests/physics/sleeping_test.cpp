// SPDX-License-Identifier: BSD-3-Clause
// Islands of bodies at rest fall asleep, weigh and bear what they did, and wake for whatever touches them.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

constexpr double h = 1e-3, radius = 0.05;
/// Without it balls stand by symmetry alone: a place that is off by 1e-6 m lets the heap roll apart.
constexpr double rolling = 1e-3;

/// Two layers of spheres or cubes of 1 kg on a floor, in the shape of a small heap.
struct Heap {
    SceneMaker scene{h};
    std::size_t bodies = 0, floor = 0;

    explicit Heap(bool sleeps, bool cubes = false) {
        scene.law({.friction = 0.5, .rolling = rolling}).precision(model::Precision::double_);
        if (sleeps) scene.edit().settings.sleep = {.speed = 2e-3, .time = 0.1};
        floor = scene.plane();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) add({2.0 * radius * i, 2.0 * radius * j, radius}, cubes);
        const double rise = cubes ? 2.0 * radius : std::sqrt(2.0) * radius;
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) add({radius * (2.0 * i + 1.0), radius * (2.0 * j + 1.0), radius + rise}, cubes);
    }
    void add(Vec3 place, bool cube) {
        if (cube)
            scene.solid(model::SolidBox{{radius, radius, radius}}, {.position = place});
        else
            scene.sphere({.position = place, .radius = radius});
        ++bodies;
    }
};

TEST(Sleeping, IsOffUnlessAskedFor) {
    Experiment run(Heap(false).scene);
    run.until(0.5);
    EXPECT_EQ(run.report().sleeping, 0);
}

TEST(Sleeping, KeepsPlacesAndForcesOnTheFloor) {
    for (const bool cubes : {false, true}) {
        Heap heap(true, cubes);
        Experiment run(heap.scene);
        run.until(0.5);
        ASSERT_EQ(run.report().sleeping, std::int64_t(heap.bodies)) << cubes;
        const std::vector<Vec3> places = run.now().position;
        const double weight = double(heap.bodies) * gravity;
        run.until(1.0);
        EXPECT_EQ(run.report().contacts, 0);
        EXPECT_EQ(run.report().kinetic_translation, 0.0);
        // The residual of the solve is 1e-2 of g h, so each body's load is known to about that share.
        EXPECT_NEAR(run.wall(heap.floor).force.z, -weight, 0.02 * weight);
        for (std::size_t i = 0; i < heap.bodies; ++i) {
            EXPECT_EQ(norm(run.now().position[i] - places[i]), 0.0);
            EXPECT_NEAR(run.now().force[i].z, run.now().mass[i] * gravity, 1e-9);
            EXPECT_DOUBLE_EQ(run.now().mass[i], 1.0);
        }
    }
}

TEST(Sleeping, BallThatFallsOnSleepersFindsBodiesNotAWall) {
    for (const bool cubes : {false, true}) {
        const auto drop = [&](bool sleeps) {
            Heap heap(sleeps, cubes);
            heap.scene.law({.friction = 0.5, .restitution = 0.5, .rolling = rolling});
            heap.scene.sphere({.position = {2.0 * radius, 2.0 * radius, 2.0}, .radius = radius, .mass = 2.0});
            Experiment run(heap.scene);
            std::int64_t most = 0;
            run.until(0.7, [&] { most = std::max(most, run.report().sleeping); });
            EXPECT_EQ(most, sleeps ? std::int64_t(heap.bodies) : 0);
            std::vector<Vec3> places;
            for (std::size_t i = 0; i <= heap.bodies; ++i) places.push_back(run.body(i).position);
            return places;
        };
        const std::vector<Vec3> awake = drop(false), slept = drop(true);
        // The impact is at .60 s; the heap slept at places that differ by what it crept in .4 s.
        for (std::size_t i = 0; i < awake.size(); ++i) EXPECT_LT(norm(awake[i] - slept[i]), 0.02 * radius) << i;
        EXPECT_LT(awake[4].z, radius + 1e-3);
    }
}

TEST(Sleeping, ForceOnTheFloorHasNoPeakWhenTheyFallAsleep) {
    Heap heap(true);
    Experiment run(heap.scene);
    const double weight = double(heap.bodies) * gravity;
    double least = 1e300, most = 0.0;
    run.until(0.5, [&] {
        if (run.time() < 0.1) return;
        least = std::min(least, -run.wall(heap.floor).force.z);
        most = std::max(most, -run.wall(heap.floor).force.z);
    });
    ASSERT_EQ(run.report().sleeping, std::int64_t(heap.bodies));
    EXPECT_GT(least, 0.9 * weight);
    EXPECT_LT(most, 1.1 * weight);
}

TEST(Sleeping, ShockGoesThroughSleepersThatDoNotTouch) {
    SceneMaker scene(h);
    scene.exact().law({.restitution = 0.9});
    scene.edit().settings.sleep = {.speed = 2e-3, .time = 0.1};
    scene.plane();
    const auto ball = [&](double x, double speed) {
        return scene.sphere({.position = {x, 0, radius}, .radius = radius, .velocity = {speed, 0, 0}});
    };
    for (int k = 0; k < 5; ++k) (void)ball((2.0 * radius + 1e-4) * k, 0.0);
    (void)ball(-2.0, 5.0);
    Experiment run(scene);
    std::int64_t most = 0;
    run.until(0.6, [&] { most = std::max(most, run.report().sleeping); });
    EXPECT_EQ(most, 5);
    // Double precision, a frictionless floor: round-off and the residual of 1e-9 g h a step.
    EXPECT_NEAR(run.momentum().x, 5.0, 1e-6);
    EXPECT_GT(run.body(4).velocity.x, 0.5);
}

TEST(Sleeping, NobodySleepsInMidAir) {
    SceneMaker scene(1e-5);
    scene.edit().settings.sleep = {.speed = 2e-3, .time = 1e-3};
    const std::size_t floor = scene.plane();
    // Between two looks for islands at rest, when the ball has been slow for long.
    scene.edit().boundaries[floor].remove_at = 5.04e-3;
    const std::size_t ball = scene.sphere({.position = {0, 0, radius}, .radius = radius, .velocity = {0, 0, 1e-5}});
    Experiment run(scene);
    run.until(0.02);
    EXPECT_EQ(run.report().sleeping, 0);
    EXPECT_LT(run.body(ball).velocity.z, -0.1);
}

TEST(Sleeping, NeighbouringIslandSleepsOn) {
    Heap heap(true);
    for (int k = 0; k < 3; ++k) heap.add({1.0 + 2.0 * radius * k, 0, radius}, false);
    heap.scene.sphere({.position = {radius * 2.0, radius * 2.0, 2.0}, .radius = radius});
    Experiment run(heap.scene);
    run.until(0.61);
    EXPECT_EQ(run.report().sleeping, 3);
}

TEST(Sleeping, WallThatComesWakesBeforeItTouches) {
    Heap heap(true);
    model::BoxShape ram;
    ram.center = {-0.6, radius, 0.1};
    ram.half_extents = {0.05, 0.5, 0.1};
    ram.container = false;
    model::Motion motion;
    motion.velocity = {1, 0, 0};
    motion.start = 0.4;
    heap.scene.boundary(ram, {motion});
    Experiment run(heap.scene);
    run.until(0.4);
    ASSERT_EQ(run.report().sleeping, std::int64_t(heap.bodies));
    run.until(1.2);
    EXPECT_EQ(run.report().sleeping, 0);
    for (std::size_t i = 0; i < heap.bodies; ++i) EXPECT_GT(run.body(i).position.x, 0.2 + 0.5 * radius) << i;
    EXPECT_LT(run.report().overlap_relative, 0.01);
}

TEST(Sleeping, PrescribedBodyWakes) {
    Heap heap(true);
    model::Motion motion;
    motion.velocity = {1, 0, 0};
    motion.start = 0.4;
    heap.scene.solid(model::SolidBox{{0.05, 0.5, 0.1}}, {.position = {-0.6, radius, 0.1}, .fixed = true});
    heap.scene.edit().sources.back().motions = {motion};
    Experiment run(heap.scene);
    run.until(0.4);
    ASSERT_EQ(run.report().sleeping, std::int64_t(heap.bodies));
    run.until(1.2);
    for (std::size_t i = 0; i < heap.bodies; ++i) EXPECT_GT(run.body(i).position.x, 0.2 + 0.5 * radius) << i;
}

TEST(Sleeping, FloorThatGoesDropsThem) {
    Heap heap(true);
    heap.scene.plane({0, 0, -1});
    heap.scene.edit().boundaries[heap.floor].remove_at = 0.5;
    Experiment run(heap.scene);
    run.until(0.5);
    ASSERT_EQ(run.report().sleeping, std::int64_t(heap.bodies));
    run.until(0.8);
    // 0.3 s of free fall, half a step more or less.
    EXPECT_NEAR(run.body(0).position.z, radius - 0.5 * gravity * 0.09, 0.3 * gravity * h);
}

TEST(Sleeping, JointsKeepTheirBodiesAwake) {
    SceneMaker scene(h);
    scene.edit().settings.sleep = {.speed = 2e-3, .time = 0.1};
    scene.plane();
    const std::size_t a = scene.solid(model::SolidBox{{0.05, 0.05, 0.05}}, {.position = {0, 0, 0.05}});
    const std::size_t b = scene.solid(model::SolidBox{{0.05, 0.05, 0.05}}, {.position = {0.2, 0, 0.05}});
    scene.solid(model::SolidBox{{0.05, 0.05, 0.05}}, {.position = {1.0, 0, 0.05}});
    scene.joint(model::FixedJoint{}, a, b);
    Experiment run(scene);
    run.until(0.5);
    EXPECT_EQ(run.report().sleeping, 1);
}

TEST(Sleeping, GoesOnAfterARestart) {
    Heap heap(true, true);
    heap.scene.sphere({.position = {radius * 2.0, radius * 2.0, 2.0}, .radius = radius});
    Experiment whole(heap.scene), half(heap.scene), rest(heap.scene);
    whole.until(0.9);
    half.until(0.5);
    ASSERT_EQ(half.report().sleeping, std::int64_t(heap.bodies));
    rest.simulation().restore(half.simulation().save());
    rest.until(0.9);
    for (std::size_t i = 0; i <= heap.bodies; ++i) {
        EXPECT_EQ(norm(whole.body(i).position - rest.body(i).position), 0.0) << i;
        EXPECT_EQ(norm(whole.body(i).velocity - rest.body(i).velocity), 0.0) << i;
    }
}

TEST(Sleeping, DoesNotDependOnThreads) {
    const auto end = [](std::size_t threads) {
        Heap heap(true);
        heap.scene.sphere({.position = {radius * 2.0, radius * 2.0, 1.0}, .radius = radius});
        heap.scene.edit().settings.threads = threads;
        Experiment run(heap.scene);
        run.until(0.6);
        return run.body(4).position;
    };
    EXPECT_EQ(norm(end(1) - end(3)), 0.0);
}

}  // namespace
}  // namespace scree::test
