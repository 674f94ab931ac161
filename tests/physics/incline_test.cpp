// SPDX-License-Identifier: BSD-3-Clause
// A sphere let go on an incline (validation A5).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 0.05;

struct Acceleration {
    double along;    ///< Down the slope [m/s^2].
    double angular;  ///< In the sense of rolling down [rad/s^2].
};

/// Mean accelerations between 0.1 s and 0.5 s.
Acceleration let_go(double h, double slope, double friction, model::Precision precision) {
    SceneMaker scene(h);
    scene.law({.friction = friction})
        .precision(precision)
        .solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
    const Vec3 normal{std::sin(slope), 0, std::cos(slope)}, down{std::cos(slope), 0, -std::sin(slope)};
    scene.plane({}, normal);
    const std::size_t ball = scene.sphere({.position = radius * normal, .radius = radius});
    Experiment run(scene);
    run.until(0.1);
    const BodyNow early = run.body(ball);
    run.until(0.5);
    const BodyNow late = run.body(ball);
    const Vec3 dv = late.velocity - early.velocity;
    return {dot(dv, down) / 0.4, (late.angular_velocity.y - early.angular_velocity.y) / 0.4};
}

class Incline : public testing::TestWithParam<std::tuple<double, model::Precision>> {};
INSTANTIATE_TEST_SUITE_P(A5, Incline,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

TEST_P(Incline, RollsBelowTheSlipAngle) {
    const auto [h, precision] = GetParam();
    const double friction = 0.2, limit = std::atan(3.5 * friction);
    for (const double slope : {0.1, 0.4, 0.98 * limit}) {
        const double expected = 5.0 / 7.0 * gravity * std::sin(slope);
        const Acceleration a = let_go(h, slope, friction, precision);
        EXPECT_NEAR(a.along, expected, 5e-3 * expected) << "slope " << slope;
        EXPECT_NEAR(a.angular, expected / radius, 5e-3 * expected / radius) << "slope " << slope;
    }
}

TEST_P(Incline, SlipsAboveTheSlipAngle) {
    const auto [h, precision] = GetParam();
    const double friction = 0.2, limit = std::atan(3.5 * friction);
    for (const double slope : {1.02 * limit, 0.8, 1.2}) {
        const double along = gravity * (std::sin(slope) - friction * std::cos(slope));
        const double angular = 5.0 * friction * gravity * std::cos(slope) / (2.0 * radius);
        const Acceleration a = let_go(h, slope, friction, precision);
        EXPECT_NEAR(a.along, along, 5e-3 * along) << "slope " << slope;
        EXPECT_NEAR(a.angular, angular, 5e-3 * angular) << "slope " << slope;
    }
}

TEST_P(Incline, WithoutFrictionItOnlySlides) {
    const auto [h, precision] = GetParam();
    const Acceleration a = let_go(h, 0.3, 0.0, precision);
    EXPECT_NEAR(a.along, gravity * std::sin(0.3), 5e-3 * gravity * std::sin(0.3));
    EXPECT_NEAR(a.angular, 0.0, 1e-5 * gravity / radius);  // rounding of n x n
}

}  // namespace
}  // namespace scree::test
