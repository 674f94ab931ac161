// SPDX-License-Identifier: BSD-3-Clause
// Free rotation of spheres. (Bodies of this version are spheres: the flip of an asymmetric body, validation A11 and
// B21, has nothing to act on.)
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

class FreeRotation : public testing::TestWithParam<std::tuple<double, model::Precision>> {};
INSTANTIATE_TEST_SUITE_P(Step, FreeRotation,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

TEST_P(FreeRotation, FollowsTheClosedFormForAHundredTurns) {
    const auto [h, precision] = GetParam();
    const Vec3 spin{40.0, -20.0, 40.0};  // 60 rad/s; numbers that float holds exactly
    SceneMaker scene(h);
    scene.acceleration({}).precision(precision);
    scene.sphere({.radius = 0.1, .angular_velocity = spin});
    Experiment run(scene);

    run.until(10.5);  // 100.3 turns

    const model::Quat expected = model::from_axis_angle(spin, norm(spin) * run.time());
    const model::Quat d = run.now().orientation[0] * model::conjugate(expected);
    EXPECT_EQ(run.body(0).angular_velocity, spin);
    EXPECT_LT(2.0 * norm(Vec3{d.x, d.y, d.z}), 1e-9);  // [rad]; 2e4 steps of rounding
}

TEST_P(FreeRotation, DoesNotDependOnTheFall) {
    const auto [h, precision] = GetParam();
    SceneMaker scene(h);
    scene.precision(precision);
    scene.sphere({.radius = 0.1, .velocity = {1, 2, 3}, .angular_velocity = {4, 5, 6}});
    Experiment run(scene);
    run.until(1.0);
    EXPECT_EQ(run.body(0).angular_velocity, (Vec3{4, 5, 6}));
    EXPECT_NEAR(run.body(0).position.z, 3.0 - 0.5 * gravity, 0.5 * gravity * h + 1e-5);  // half-implicit: - g h t / 2
}

}  // namespace
}  // namespace scree::test
