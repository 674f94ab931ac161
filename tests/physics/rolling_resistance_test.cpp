// SPDX-License-Identifier: BSD-3-Clause
// Rolling and spinning resistance (validation A10).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 0.1, mass = 1.0, inertia = 0.4 * mass * radius * radius;

class Resistance : public testing::TestWithParam<std::tuple<double, model::Precision>> {
protected:
    static SceneMaker on_plane(double rolling, double spinning) {
        const auto [h, precision] = GetParam();
        SceneMaker scene(h);
        scene.law({.friction = 0.6, .rolling = rolling, .spinning = spinning}).precision(precision);
        scene.solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
        scene.plane();
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(A10, Resistance,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

TEST_P(Resistance, SlowsARollingSphereAtAConstantRate) {
    const double mu_r = 0.02 * radius, speed = 0.3;
    const double deceleration = 5.0 / 7.0 * mu_r * gravity / radius;
    SceneMaker scene = on_plane(mu_r, 0.0);
    const std::size_t ball = scene.sphere({.position = {0, 0, radius},
                                           .radius = radius,
                                           .velocity = {0, speed, 0},
                                           .angular_velocity = {-speed / radius, 0, 0},
                                           .mass = mass});
    Experiment run(scene);
    run.until(0.5);
    const double early = run.body(ball).velocity.y;
    run.until(1.5);
    EXPECT_NEAR(early - run.body(ball).velocity.y, deceleration, 0.01 * deceleration);
    EXPECT_NEAR(run.body(ball).angular_velocity.x, -run.body(ball).velocity.y / radius, 1e-3 * speed / radius);
    // It stops after v / deceleration and stays.
    double last_moving = 0.0;
    run.until(1.2 * speed / deceleration, [&] {
        if (run.body(ball).velocity.y > 1e-3 * speed) last_moving = run.time();
    });
    EXPECT_NEAR(last_moving, speed / deceleration, 0.01 * speed / deceleration);
    EXPECT_LT(norm(run.body(ball).velocity), 1e-5);
}

TEST_P(Resistance, StopsASphereThatSpinsInPlace) {
    const double mu_s = 0.01 * radius, spin = 10.0;
    const double expected = inertia * spin / (mu_s * mass * gravity);
    SceneMaker scene = on_plane(0.0, mu_s);
    const std::size_t ball =
        scene.sphere({.position = {0, 0, radius}, .radius = radius, .angular_velocity = {0, 0, spin}, .mass = mass});
    Experiment run(scene);
    run.until(0.5 * expected);
    EXPECT_NEAR(run.wall(0).torque.z, mu_s * mass * gravity, 1e-3 * mu_s * mass * gravity);
    double last_moving = 0.0;
    run.until(1.5 * expected, [&] {
        if (run.body(ball).angular_velocity.z > 1e-3 * spin) last_moving = run.time();
    });
    EXPECT_NEAR(last_moving, expected, 0.01 * expected);
    EXPECT_NEAR(run.body(ball).angular_velocity.z, 0.0, 1e-4 * spin);
    EXPECT_LT(norm(run.body(ball).velocity), 1e-6);
}

// A sphere on an incline starts to roll where the moment of gravity about the contact exceeds mu_r N.
TEST_P(Resistance, HoldsASphereOnAnInclineUpToItsAngle) {
    const double mu_r = 0.1 * radius;
    for (const double ratio : {0.95, 1.05}) {
        const double slope = std::atan(ratio * mu_r / radius);
        SceneMaker scene = on_plane(mu_r, 0.0);
        scene.acceleration({gravity * std::sin(slope), 0, -gravity * std::cos(slope)});
        const std::size_t ball = scene.sphere({.position = {0, 0, radius}, .radius = radius, .mass = mass});
        Experiment run(scene);
        run.until(1.0);
        const double way = run.body(ball).position.x;
        if (ratio < 1.0)
            EXPECT_LT(std::abs(way), 1e-6);
        else  // a = 5/7 (g sin - mu_r g cos / r)
            EXPECT_NEAR(way, 0.5 * 5.0 / 7.0 * gravity * (std::sin(slope) - mu_r / radius * std::cos(slope)),
                        0.01 * way);
    }
}

}  // namespace
}  // namespace scree::test
