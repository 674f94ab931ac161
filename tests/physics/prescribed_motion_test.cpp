// SPDX-License-Identifier: BSD-3-Clause
// Bodies whose motion is prescribed.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

using model::Motion;
using model::SolidBox;

constexpr double pi = std::numbers::pi;

std::size_t prescribed_box(SceneMaker& scene, SolidBox shape, Vec3 position, std::vector<Motion> motions) {
    const std::size_t box = scene.solid(shape, {.position = position, .fixed = true});
    scene.edit().sources[box].motions = std::move(motions);
    return box;
}

Motion turning(Vec3 axis, double angular_speed) {
    Motion motion;
    motion.kind = Motion::Kind::rotation;
    motion.axis = axis;
    motion.angular_speed = angular_speed;
    return motion;
}
Motion swinging(Vec3 amplitude, double frequency) {
    Motion motion;
    motion.kind = Motion::Kind::oscillation;
    motion.amplitude = amplitude;
    motion.frequency = frequency;
    return motion;
}

class PrescribedBody : public testing::TestWithParam<model::Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, PrescribedBody,
                         testing::Values(model::Precision::mixed, model::Precision::double_));

TEST_P(PrescribedBody, IsWhereItsMotionSays) {
    SceneMaker scene(1e-3);
    scene.precision(GetParam());
    const std::size_t box =
        prescribed_box(scene, {{0.1, 0.1, 0.1}}, {1, 0, 0}, {turning({0, 0, 1}, 3.0), swinging({0, 0, 0.2}, 2.0)});
    Experiment run(scene);
    // It is put there at the start of each step.
    double worst = 0.0;
    for (int k = 0; k < 3000; ++k) {
        run.step();
        const double t = run.time();
        const Vec3 expected{std::cos(3.0 * t), std::sin(3.0 * t), 0.2 * std::sin(4.0 * pi * t)};
        worst = std::max(worst, norm(run.body(box).position - expected));
    }
    EXPECT_LT(worst, GetParam() == model::Precision::mixed ? 1e-9 : 1e-12);
    EXPECT_NEAR(run.body(box).angular_velocity.z, 3.0, 1e-6);
}

TEST(PrescribedBodies, CarriesWhatLiesOnIt) {
    SceneMaker scene(1e-3);
    scene.exact(1e-8).law({.friction = 0.5});
    prescribed_box(scene, {{1, 1, 0.1}}, {0, 0, -0.1}, {swinging({0.05, 0, 0}, 1.0)});
    const std::size_t block = scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {.position = {0, 0, 0.1}, .mass = 2.0});
    Experiment run(scene);
    run.until(0.75);
    // 0.05 (2 pi)^2 = 1.97 m/s^2 < mu g: it sticks, but for the start, where the table begins with its top speed.
    double way = 0.0;
    const double start = run.body(block).position.x;
    const double from = 0.05 * std::sin(2.0 * pi * run.time());
    run.until(1.75, [&] {
        way = std::max(way,
                       std::abs(run.body(block).position.x - start - (0.05 * std::sin(2.0 * pi * run.time()) - from)));
    });
    // It tilts on its contacts, whose springs give 1e-5 m under its weight.
    EXPECT_LT(way, 5e-6);
    EXPECT_NEAR(run.body(block).position.z, 0.1, 1e-4);
}

TEST(PrescribedBodies, DrivesAJoint) {
    // A crank pin that goes round pulls a slider along: x = r cos + sqrt(l^2 - r^2 sin^2).
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t pin = prescribed_box(scene, {{0.02, 0.02, 0.02}}, {0.1, 0, 0}, {turning({0, 1, 0}, 8.0)});
    const std::size_t slider = scene.solid(SolidBox{{0.02, 0.02, 0.02}}, {.position = {0.4, 0, 0}});
    scene.joint(model::DistanceJoint{{0.1, 0, 0}, {0.4, 0, 0}}, pin, slider);
    scene.joint(model::PrismaticJoint{{}, {1, 0, 0}}, SceneMaker::ground, slider);
    Experiment run(scene);
    double worst = 0.0;
    run.until(2.0, [&] {
        const double angle = 8.0 * run.time();
        const double x = 0.1 * std::cos(angle) + std::sqrt(0.09 - std::pow(0.1 * std::sin(angle), 2));
        worst = std::max(worst, std::abs(run.body(slider).position.x - x));
    });
    EXPECT_LT(worst, 1e-9);
}

TEST(PrescribedBodies, ContinuesAfterARestart) {
    const auto make = [] {
        SceneMaker scene(1e-3);
        scene.law({.friction = 0.5});
        prescribed_box(scene, {{1, 1, 0.1}}, {0, 0, -0.1}, {swinging({0.1, 0, 0.01}, 3.0)});
        scene.solid(SolidBox{{0.1, 0.1, 0.1}}, {.position = {0, 0, 0.1}, .mass = 2.0});
        return scene;
    };
    Experiment one(make()), other(make());
    one.steps(150);
    other.simulation().restore(one.simulation().save());
    one.steps(100);
    other.steps(100);
    EXPECT_EQ(model::state_hash(one.now()), model::state_hash(other.now()));
}

}  // namespace
}  // namespace scree::test
