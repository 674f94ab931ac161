// SPDX-License-Identifier: BSD-3-Clause
// A sphere thrown along a plane slides until it rolls (validation A4).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 5e-3, speed = 1.0;

class Rolling : public testing::TestWithParam<std::tuple<double, double, model::Precision>> {};
INSTANTIATE_TEST_SUITE_P(A4, Rolling,
                         testing::Combine(testing::Values(1e-3, 5e-4), testing::Values(0.8, 0.2),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

TEST_P(Rolling, SlidesForTheClosedFormTimeAndRollsOn) {
    const auto [h, friction, precision] = GetParam();
    const double mass = mass_of(2500.0, radius);
    SceneMaker scene(h);
    // Mixed precision cannot be asked for more than the rounding of its velocities allows.
    scene.law({.friction = friction})
        .precision(precision)
        .solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
    scene.plane();
    const std::size_t ball =
        scene.sphere({.position = {0, 0, radius}, .radius = radius, .velocity = {speed, 0, 0}, .mass = mass});
    Experiment run(scene);

    const double expected_time = 2.0 * speed / (7.0 * friction * gravity);
    double slip_time = 0.0, slip_way = 0.0;
    run.until(3.0 * expected_time, [&] {
        const BodyNow b = run.body(ball);
        if (std::abs(b.velocity.x - b.position.z * b.angular_velocity.y) > 1e-5 * speed) {
            slip_time = run.time();
            slip_way = b.position.x;
        }
    });

    const BodyNow b = run.body(ball);
    EXPECT_NEAR(slip_time, expected_time, h);
    // The way that belongs to an error of h in time.
    EXPECT_NEAR(slip_way, 12.0 * speed * speed / (49.0 * friction * gravity), speed * h);
    EXPECT_NEAR(b.velocity.x, 5.0 / 7.0 * speed, 1e-3 * speed);
    EXPECT_NEAR(b.angular_velocity.y, 5.0 * speed / (7.0 * radius), 1e-3 * speed / radius);
}

}  // namespace
}  // namespace scree::test
