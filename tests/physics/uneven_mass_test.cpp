// SPDX-License-Identifier: BSD-3-Clause
// Bodies whose mass is not that of a homogeneous solid, and bodies that touch nothing.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

model::BodySource& body_of(SceneMaker& scene, std::size_t index) {
    return std::get<model::BodySource>(scene.edit().sources[index].what);
}

TEST(UnevenMass, LetsATumblerRockAtItsFrequency) {
    // A ball of radius .5 with its centre of mass .2 below the middle rolls to and fro without slip: small swings have
    // w^2 = m g d / (I + m (r - d)^2).
    constexpr double r = 0.5, d = 0.2, m = 2.0, inertia = 0.15, tilt = 0.05;
    SceneMaker scene(1e-3);
    scene.exact().law({.friction = 1.0}).plane();
    const Vec3 middle{0, 0, r};
    const model::Quat turn = model::from_axis_angle({0, 1, 0}, tilt);
    const std::size_t ball = scene.solid(model::SolidSphere{r}, {.orientation = turn, .mass = m});
    model::BodySource& body = body_of(scene, ball);
    body.center_of_mass = Vec3{0, 0, -d};
    body.inertia = {inertia, inertia, 0.1};
    body.position = middle + model::rotate(turn, {0, 0, -d});
    Experiment run(scene);
    double before = 0.0, first = 0.0, last = 0.0;
    int turns = 0;
    for (int k = 0; k < 20000 && turns < 5; ++k) {
        run.step();
        const double spin = run.body(ball).angular_velocity.y;
        if (before * spin < 0.0) {
            last = run.time();
            if (++turns == 1) first = last;
        }
        before = spin;
    }
    ASSERT_EQ(turns, 5);
    const double expected = 2.0 * std::numbers::pi * std::sqrt((inertia + m * (r - d) * (r - d)) / (m * gravity * d));
    // Four half periods; amplitude and resolution of the turning points are below .1 %.
    EXPECT_NEAR((last - first) / 2.0, expected, 3e-3 * expected);
}

TEST(UnevenMass, SpinsAboutTheAxesThatItIsGiven) {
    // Free spin about a principal axis that is none of the box's own: it stays.
    SceneMaker scene(1e-3);
    scene.exact().acceleration({});
    const model::Quat axes = model::from_axis_angle({0, 0, 1}, 0.5);
    const std::size_t box = scene.solid(model::SolidBox{{0.5, 0.3, 0.2}}, {.position = {0, 0, 1}, .mass = 2.0});
    body_of(scene, box).inertia = {1.0, 0.4, 0.9};
    body_of(scene, box).inertia_axes = axes;
    const Vec3 spin = model::rotate(axes, {3, 0, 0});
    scene.edit().sources[box].angular_velocity = spin;
    Experiment run(scene);
    run.until(2.0);
    EXPECT_LT(norm(run.body(box).angular_velocity - spin), 1e-9);
    EXPECT_LT(norm(run.body(box).position - Vec3{0, 0, 1}), 1e-12);
}

TEST(BodyThatDoesNotCollide, FallsThroughAllOthersAndIsHeldByJoints) {
    SceneMaker scene(1e-3);
    scene.exact().plane();
    const std::size_t ghost = scene.solid(model::SolidSphere{0.1}, {.position = {0, 0, 0.5}});
    const std::size_t box = scene.solid(model::SolidBox{{0.2, 0.2, 0.1}}, {.position = {0, 0, 0.1}});
    const std::size_t held = scene.solid(model::SolidSphere{0.1}, {.position = {0.1, 0, 0.15}});
    body_of(scene, ghost).collide = false;
    body_of(scene, held).collide = false;
    scene.joint(model::FixedJoint{}, SceneMaker::ground, held);
    Experiment run(scene);
    run.until(1.0);
    EXPECT_NEAR(run.body(ghost).position.z, 0.5 - 0.5 * gravity, 1e-2 * gravity);
    EXPECT_NEAR(run.body(box).position.z, 0.1, 1e-4);
    EXPECT_LT(norm(run.body(box).velocity), 1e-3);
    EXPECT_NEAR(run.body(held).position.x, 0.1, 1e-9);
}

}  // namespace
}  // namespace scree::test
