// SPDX-License-Identifier: BSD-3-Clause
// Periodic faces: what leaves at one enters at the other, and contacts reach across.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 0.05;

class PeriodicFacesTest : public testing::TestWithParam<std::tuple<double, model::Precision>> {
protected:
    static SceneMaker scene(const Law& law) {
        const auto [h, precision] = GetParam();
        SceneMaker scene(h);
        scene.law(law).precision(precision).solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(Step, PeriodicFacesTest,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

TEST_P(PeriodicFacesTest, SphereThatLeavesAtOneSideEntersAtTheOther) {
    SceneMaker maker = scene({});
    maker.acceleration({}).periodic(0, -0.5, 0.5).periodic(2, 0.0, 2.0);
    const std::size_t ball = maker.sphere({.position = {0.4, 0, 0.1}, .radius = radius, .velocity = {1, 0.25, -2}});
    Experiment run(maker);
    run.until(2.0);
    const Vec3 p = run.body(ball).position;
    EXPECT_NEAR(std::remainder(p.x - 2.4, 1.0), 0.0, 1e-9);
    EXPECT_NEAR(std::remainder(p.z + 3.9, 2.0), 0.0, 1e-9);
    EXPECT_NEAR(p.y, 0.5, 1e-9);
    EXPECT_GE(p.x, -0.5);
    EXPECT_LT(p.x, 0.5);
    EXPECT_EQ(run.body(ball).velocity, (Vec3{1, 0.25, -2}));
}

TEST_P(PeriodicFacesTest, SpheresCollideAcrossTheFace) {
    SceneMaker maker = scene({.restitution = 1.0});
    maker.acceleration({}).periodic(0, 0.0, 1.0);
    maker.sphere({.position = {0.8, 0, 0}, .radius = radius, .velocity = {1, 0, 0}});
    maker.sphere({.position = {0.2, 0, 0}, .radius = radius, .velocity = {-1, 0, 0}, .mass = 3.0});
    Experiment run(maker);
    run.until(0.3);
    // Elastic, masses 1 and 3: the centre moves at -0.5.
    EXPECT_NEAR(run.body(0).velocity.x, -2.0, 1e-4);
    EXPECT_NEAR(run.body(1).velocity.x, 0.0, 1e-4);
}

TEST_P(PeriodicFacesTest, ColumnAcrossTheFaceKeepsItsContacts) {
    // Gravity along -x; the column stands on a fixed sphere just below the upper face and goes on above the lower one.
    const int spheres = 4;
    SceneMaker maker = scene({.friction = 0.5});
    maker.acceleration({-gravity, 0, 0}).periodic(0, 0.0, 1.0);
    maker.sphere({.position = {1.0 - radius, 0, 0}, .radius = radius, .fixed = true});
    for (int i = 0; i < spheres; ++i) maker.sphere({.position = {radius * (1 + 2 * i), 0, 0}, .radius = radius});
    Experiment run(maker);
    run.until(0.5);
    for (int i = 0; i < spheres; ++i)
        EXPECT_NEAR(run.body(std::size_t(i) + 1).position.x, radius * (1 + 2 * i), 1e-3 * radius);
    double across = 0.0;
    for (const model::ContactRecord& c : run.now().contacts)
        if (std::min(c.id_a, c.id_b) == 1) across += std::abs(c.force.x);
    EXPECT_NEAR(across, spheres * gravity, 1e-3 * spheres * gravity);
}

TEST_P(PeriodicFacesTest, SphereRollsAcrossTheFaceOnItsFloor) {
    SceneMaker maker = scene({.friction = 0.5});
    maker.periodic(0, 0.0, 1.0);
    maker.plane();
    const std::size_t ball = maker.sphere({.position = {0.5, 0, radius},
                                           .radius = radius,
                                           .velocity = {1, 0, 0},
                                           .angular_velocity = {0, 1 / radius, 0}});
    Experiment run(maker);
    run.until(3.0);
    EXPECT_NEAR(run.body(ball).velocity.x, 1.0, 1e-3);
    EXPECT_NEAR(std::remainder(run.body(ball).position.x - 3.5, 1.0), 0.0, 3e-3);
    EXPECT_NEAR(run.body(ball).position.z, radius, 1e-3 * radius);
}

TEST_P(PeriodicFacesTest, SphereThatCrossesManyPeriodsAStepStaysInside) {
    SceneMaker maker = scene({});
    const double h = std::get<0>(GetParam());
    maker.acceleration({}).periodic(0, -0.5, 0.5);
    const std::size_t ball = maker.sphere({.radius = radius, .velocity = {7.25 / h, 0, 0}});
    Experiment run(maker);
    run.step();
    EXPECT_NEAR(run.body(ball).position.x, 0.25, 1e-6);
    run.step();
    EXPECT_NEAR(std::abs(run.body(ball).position.x), 0.5, 1e-6);
}

TEST_P(PeriodicFacesTest, SphereOfSuchSpeedMeetsTheOthers) {
    // Its way is longer than the grid can count cells.
    SceneMaker maker = scene({});
    maker.acceleration({}).periodic(0, -0.5, 0.5);
    maker.sphere({.position = {0, 0.09, 0}, .radius = radius, .velocity = {1e12, 0, 0}});
    maker.sphere({.radius = radius});
    Experiment run(maker);
    run.step();
    EXPECT_EQ(run.report().contacts, 1);
}

}  // namespace
}  // namespace scree::test
