// SPDX-License-Identifier: BSD-3-Clause
// Cylinders, cones and boxes: motion with a closed form, and loads that equal weights.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

namespace scree::test {
namespace {

constexpr double radius = 0.05;

class BoundaryShapes : public testing::TestWithParam<std::tuple<double, model::Precision>> {
protected:
    static SceneMaker scene(const Law& law) {
        const auto [h, precision] = GetParam();
        SceneMaker scene(h);
        scene.law(law).precision(precision).solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(Step, BoundaryShapes,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

// Rolling: omega^2 = 5 g / (7 (R - r)); sliding without friction: g / (R - r). Both for small angles; the period of a
// pendulum at angle a is longer by 1 + a^2 / 16.
TEST_P(BoundaryShapes, SphereSwingsInACylinderAtTheClosedFormFrequency) {
    const double cylinder = 0.5, angle = 0.1, length = cylinder - radius;
    for (const double friction : {0.0, 0.5}) {
        SceneMaker maker = scene({.friction = friction});
        maker.boundary(model::RevolutionShape{{0, -1, 0}, {0, 1, 0}, 2.0, cylinder, cylinder, model::Side::inside});
        const std::size_t ball =
            maker.sphere({.position = {length * std::sin(angle), 0, -length * std::cos(angle)}, .radius = radius});
        Experiment run(maker);
        std::vector<double> crossings;
        double last_x = length * std::sin(angle);
        run.until(6.0, [&] {
            const double x = run.body(ball).position.x;
            if (last_x * x < 0.0) crossings.push_back(run.time() - run.h() * x / (x - last_x));
            last_x = x;
        });
        ASSERT_GE(crossings.size(), 5U);
        const double period = 2.0 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
        const double inertia = friction > 0.0 ? 7.0 / 5.0 : 1.0;
        const double expected =
            2.0 * std::numbers::pi * std::sqrt(inertia * length / gravity) * (1.0 + angle * angle / 16.0);
        EXPECT_NEAR(period, expected, 5e-3 * expected) << "friction " << friction;
    }
}

TEST_P(BoundaryShapes, LoadsOfACylinderEqualTheWeightOfWhatRestsInIt) {
    const double mass = 2.0;
    SceneMaker maker = scene({.friction = 0.5});
    const std::size_t cylinder =
        maker.boundary(model::RevolutionShape{{0, -1, 0}, {0, 1, 0}, 2.0, 0.5, 0.5, model::Side::inside});
    maker.edit().boundaries[cylinder].torque_point = {0.3, 0, 0};
    maker.sphere({.position = {0, 0.2, radius - 0.5}, .radius = radius, .mass = mass});
    Experiment run(maker);
    run.until(0.5);
    const double weight = mass * gravity;
    EXPECT_NEAR(run.wall(cylinder).force.z, -weight, 1e-3 * weight);
    EXPECT_NEAR(run.wall(cylinder).force.x, 0.0, 1e-3 * weight);
    // (-0.3, 0.2, .) x (0, 0, -weight)
    EXPECT_NEAR(run.wall(cylinder).torque.x, -0.2 * weight, 1e-3 * weight);
    EXPECT_NEAR(run.wall(cylinder).torque.y, -0.3 * weight, 1e-3 * weight);
    EXPECT_NEAR(run.wall(cylinder).torque.z, 0.0, 1e-3 * weight);
}

// Without friction a sphere circles in a cone at constant height where the wall's push balances both: v^2 = g rho times
// the slope of the wall.
TEST_P(BoundaryShapes, SphereCirclesInAConeAtConstantHeight) {
    const double slope = 1.0;  // 45 deg; the wall rises by 1 per 1 outwards
    // The centre's surface is the cone shifted along its axis by r / cos(slope angle).
    const double orbit = 0.5, height = orbit * slope + radius * std::numbers::sqrt2;
    SceneMaker maker = scene({});
    maker.boundary(model::RevolutionShape{{0, 0, 0}, {0, 0, 1}, 1.0, 0.0, 1.0, model::Side::inside});
    const double speed = std::sqrt(gravity * orbit * slope);
    const std::size_t ball =
        maker.sphere({.position = {orbit, 0, height}, .radius = radius, .velocity = {0, speed, 0}});
    Experiment run(maker);
    double lowest = height, highest = height;
    run.until(2.0, [&] {
        lowest = std::min(lowest, run.body(ball).position.z);
        highest = std::max(highest, run.body(ball).position.z);
    });
    // The chord of a step leaves the circle by v h: first order.
    EXPECT_LT(highest - lowest, 4.0 * speed * run.h());
    const Vec3 p = run.body(ball).position;
    EXPECT_NEAR(std::hypot(p.x, p.y), orbit, 4.0 * speed * run.h());
}

TEST_P(BoundaryShapes, SphereRollsDownACone) {
    // Along a meridian a cone is a straight incline: a = 5/7 g sin.
    SceneMaker maker = scene({.friction = 0.8});
    maker.boundary(model::RevolutionShape{{0, 0, 0}, {0, 0, 1}, 1.0, 0.0, 1.0, model::Side::inside});
    const double start = 0.7;
    const std::size_t ball =
        maker.sphere({.position = {start, 0, start + radius * std::numbers::sqrt2}, .radius = radius});
    Experiment run(maker);
    run.until(0.1);
    const Vec3 early = run.body(ball).velocity;
    run.until(0.3);
    const double a = norm(run.body(ball).velocity - early) / 0.2;
    const double expected = 5.0 / 7.0 * gravity / std::numbers::sqrt2;
    EXPECT_NEAR(a, expected, 5e-3 * expected);
    EXPECT_NEAR(run.body(ball).position.y, 0.0, 1e-6);
}

TEST_P(BoundaryShapes, LoadsOfABoxEqualTheWeightOfWhatLiesInIt) {
    SceneMaker maker = scene({.friction = 0.3});
    const std::size_t box = maker.boundary(model::BoxShape{{0, 0, 0.5}, {0.3, 0.3, 0.5}, {}, true, {}});
    double mass = 0.0;
    Vec3 moment;
    for (int i = 0; i < 4; ++i) {
        const Vec3 at{-0.2 + 0.12 * i, 0.1 * (i % 2), radius};
        maker.sphere({.position = at, .radius = radius, .mass = 1.0 + i});
        mass += 1.0 + i;
        moment = moment + (1.0 + i) * cross(Vec3{at.x, at.y, 0}, Vec3{0, 0, -gravity});
    }
    Experiment run(maker);
    run.until(0.3);
    EXPECT_NEAR(run.wall(box).force.z, -mass * gravity, 1e-3 * mass * gravity);
    EXPECT_NEAR(norm(run.wall(box).torque - moment), 0.0, 1e-3 * norm(moment));
}

TEST_P(BoundaryShapes, SphereInTheEdgeOfABoxTouchesBothFaces) {
    // Gravity at 45 deg presses a sphere into the edge: each face bears the half.
    SceneMaker maker = scene({});
    maker.acceleration({-gravity / std::numbers::sqrt2, 0, -gravity / std::numbers::sqrt2});
    const std::size_t box = maker.boundary(model::BoxShape{{0.5, 0, 0.5}, {0.5, 0.5, 0.5}, {}, true, {}});
    const std::size_t ball = maker.sphere({.position = {radius, 0, radius}, .radius = radius});
    Experiment run(maker);
    run.until(0.5);
    EXPECT_NEAR(run.wall(box).force.x, -gravity / std::numbers::sqrt2, 1e-3 * gravity);
    EXPECT_NEAR(run.wall(box).force.z, -gravity / std::numbers::sqrt2, 1e-3 * gravity);
    EXPECT_LT(norm(run.body(ball).velocity), 1e-5);
    EXPECT_EQ(run.now().contacts.size(), 2U);
}

TEST_P(BoundaryShapes, SphereLiesOnASolidBoxAndFallsBesideIt) {
    SceneMaker maker = scene({.friction = 0.5});
    maker.boundary(model::BoxShape{{0, 0, -0.1}, {0.2, 0.2, 0.1}, {}, false, {}});
    const std::size_t on = maker.sphere({.position = {0.1, 0, radius}, .radius = radius});
    const std::size_t beside = maker.sphere({.position = {0.4, 0, radius}, .radius = radius});
    const std::size_t edge = maker.sphere({.position = {-0.2 - 0.3 * radius, 0, radius}, .radius = radius});
    Experiment run(maker);
    run.until(0.5);
    EXPECT_NEAR(run.body(on).position.z, radius, 1.1e-4 * radius);  // automatic stiffness: 5e-5 d
    EXPECT_NEAR(run.body(beside).position.z, radius - 0.5 * gravity * 0.25, gravity * 0.5 * run.h());
    EXPECT_LT(run.body(edge).position.z, -radius);  // tips over the edge
    EXPECT_LT(run.body(edge).position.x, -0.2 - 0.3 * radius);
}

}  // namespace
}  // namespace scree::test
