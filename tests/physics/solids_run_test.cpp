// SPDX-License-Identifier: BSD-3-Clause
// Runs of many bodies of other shapes: repeatable, restartable, with outlets and periodic faces.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

/// Boxes, ellipsoids, cylinders and spheres that fall into a bin.
model::Scene mixture(std::size_t threads, model::Precision precision = model::Precision::mixed) {
    SceneMaker scene(2e-3);
    scene.precision(precision).solver(1e-2, 300).law({.friction = 0.4, .restitution = 0.3});
    scene.plane();
    for (const double side : {-1.0, 1.0}) {
        scene.plane({0.15 * side, 0, 0}, {-side, 0, 0});
        scene.plane({0, 0.15 * side, 0}, {0, -side, 0});
    }
    const model::Solid shapes[] = {model::SolidBox{{0.02, 0.03, 0.01}}, model::SolidEllipsoid{{0.03, 0.02, 0.01}},
                                   model::SolidCylinder{0.02, 0.02}};
    double height = 0.03;
    for (std::size_t k = 0; k < 4; ++k, height += 0.2) {
        model::Source source;
        source.material = scene.material(1000.0);
        model::RandomSource random;
        random.region.lower = {-0.14, -0.14, height};
        random.region.upper = {0.14, 0.14, height + 0.2};
        random.sizes.kind = model::SizeDistribution::Kind::uniform;
        random.sizes.lower = 0.018;
        random.sizes.upper = 0.03;
        random.count = 40;
        random.seed = 3 + k;
        source.what = random;
        if (k < 3) {
            source.shape = shapes[k];
            source.turned_at_random = true;
            source.turning_seed = k;
        }
        scene.edit().sources.push_back(source);
    }
    model::Scene made = scene.scene();
    made.settings.threads = threads;
    return made;
}

std::uint64_t hash_after(simulation::Simulation& simulation, int steps) {
    for (int k = 0; k < steps; ++k) (void)simulation.step();
    return model::state_hash(simulation.snapshot());
}

TEST(SolidRuns, HaveTheSameBitsForAnyNumberOfThreads) {
    simulation::Simulation one(mixture(1));
    const std::uint64_t expected = hash_after(one, 150);
    for (const std::size_t threads : {2, 5}) {
        simulation::Simulation other(mixture(threads));
        EXPECT_EQ(hash_after(other, 150), expected) << threads;
    }
}

TEST(SolidRuns, ContinueBitForBit) {
    for (const auto precision : {model::Precision::mixed, model::Precision::double_}) {
        simulation::Simulation whole(mixture(1, precision));
        (void)hash_after(whole, 130);
        const io::Checkpoint checkpoint = whole.save();
        simulation::Simulation continued(mixture(1, precision));
        continued.restore(checkpoint);
        EXPECT_EQ(hash_after(continued, 60), hash_after(whole, 60));
    }
}

TEST(SolidRuns, SettleWithoutLossAndWithSmallOverlaps) {
    simulation::Simulation run(mixture(1));
    kernels::StepReport report;
    for (int k = 0; k < 1000; ++k) report = run.step();
    EXPECT_EQ(run.body_count(), 160);
    EXPECT_LT(report.overlap_relative, 0.01);
    double weight = 0.0, floor = 0.0;
    const model::Snapshot now = run.snapshot();
    for (const double mass : now.mass) weight += mass * gravity;
    floor = -now.boundaries[0].force.z;
    for (std::size_t wall = 1; wall < 5; ++wall) floor -= now.boundaries[wall].force.z;
    EXPECT_NEAR(floor, weight, 0.05 * weight);
    for (const Vec3 x : now.position) EXPECT_LT(std::max({std::abs(x.x), std::abs(x.y), -x.z}), 0.15);
}

TEST(SolidRuns, LoseBodiesToOutletsWithAllTheirParts) {
    SceneMaker scene(1e-3);
    scene.law({.friction = 0.3});
    scene.plane({}, {0, 0, 1});
    for (int k = 0; k < 6; ++k)
        scene.solid(model::SolidBox{{0.05, 0.05, 0.05}},
                    {.position = {0.3 * k, 0, 0.05}, .velocity = {k < 3 ? -4.0 : 0.0, 0, 0}});
    scene.outlet({-0.2, 0, 0}, {-1, 0, 0});
    Experiment run(scene);
    run.until(0.5);
    EXPECT_EQ(run.simulation().body_count(), 3);
    for (const Vec3 x : run.now().position) EXPECT_NEAR(x.z, 0.05, 1e-4);
    for (const Vec3 v : run.now().velocity) EXPECT_LT(norm(v), 1e-3);
}

TEST(SolidRuns, MeetAcrossPeriodicFaces) {
    SceneMaker scene(1e-3);
    scene.exact(1e-8).acceleration({0, 0, 0}).law({}).periodic(0, 0.0, 1.0);
    const std::size_t left =
        scene.solid(model::SolidBox{{0.1, 0.1, 0.1}}, {.position = {0.1503, 0, 0}, .velocity = {-1, 0, 0}});
    const std::size_t right =
        scene.solid(model::SolidBox{{0.1, 0.1, 0.1}}, {.position = {0.85, 0, 0}, .velocity = {1, 0, 0}});
    Experiment run(scene);
    run.until(0.2);
    // Plastic, face to face: they stay in touch at the faces' image.
    EXPECT_NEAR(run.body(left).velocity.x, 0.0, 1e-6);
    EXPECT_NEAR(run.body(right).velocity.x, 0.0, 1e-6);
    const double apart = 1.0 - (run.body(right).position.x - run.body(left).position.x);
    EXPECT_NEAR(apart, 0.2, 2e-3);  // they stop where they meet, within the way of a step
    EXPECT_LT(norm(run.body(left).angular_velocity), 1e-6);
}

TEST(SolidRuns, CopiesAreScaledToTheRadiusOfTheSource) {
    const model::Scene scene = mixture(1);
    simulation::Simulation run(scene);
    const model::Snapshot now = run.snapshot();
    const model::SolidBox box{{0.02, 0.03, 0.01}};
    const double whole = norm(box.half_extents);
    for (std::size_t i = 0; i < now.id.size(); ++i) {
        if (now.source[i] != 0) continue;
        const double s = now.radius[i] / whole;
        EXPECT_NEAR(now.mass[i], 1000.0 * 8.0 * 0.02 * 0.03 * 0.01 * s * s * s, 1e-5 * now.mass[i]);
        EXPECT_NEAR(now.semi_axes[i].y, 0.03 * s, 1e-12);
        const double inertia = now.mass[i] / 3.0 * s * s * (0.03 * 0.03 + 0.01 * 0.01);
        EXPECT_NEAR(now.inertia[i].x, inertia, 1e-5 * inertia);
    }
}

}  // namespace
}  // namespace scree::test
