// SPDX-License-Identifier: BSD-3-Clause
// True Coulomb friction against the associated law, whose sliding contacts open by mu |u_t| per time (numerics section
// 4; the sphere's counterpart of validation A7).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 0.05, speed = 5.0, friction = 0.5;

SceneMaker thrown(double h, model::FrictionLaw law, model::PositionFeedback feedback) {
    SceneMaker scene(h);
    scene.exact().law({.friction = friction}).friction_law(law).feedback(feedback);
    scene.plane();
    // The associated law starts where it floats: from the plane it would jump up at mu |u_t|.
    const double start = law == model::FrictionLaw::associated ? friction * speed * h : 0.0;
    scene.sphere({.position = {0, 0, radius + start}, .radius = radius, .velocity = {speed, 0, 0}});
    return scene;
}

class FrictionLaw : public testing::TestWithParam<std::tuple<double, model::PositionFeedback>> {};
INSTANTIATE_TEST_SUITE_P(Step, FrictionLaw,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::PositionFeedback::compliant,
                                                          model::PositionFeedback::rigid)));

TEST_P(FrictionLaw, AssociatedFloatsByFrictionTimesSlipTimesStep) {
    const auto [h, feedback] = GetParam();
    Experiment run(thrown(h, model::FrictionLaw::associated, feedback));
    run.until(0.05);  // slips until 0.29 s
    double worst = 0.0;
    run.until(0.2, [&] {
        const BodyNow b = run.body(0);
        const double slip = b.velocity.x - radius * b.angular_velocity.y;
        worst = std::max(worst, std::abs(b.position.z - radius - friction * slip * h));
    });
    EXPECT_LT(worst, 0.01 * friction * speed * h);  // 1 %, as A7
}

TEST_P(FrictionLaw, CoulombStaysOnThePlane) {
    const auto [h, feedback] = GetParam();
    Experiment run(thrown(h, model::FrictionLaw::coulomb, feedback));
    double farthest = 0.0;
    run.until(0.4, [&] { farthest = std::max(farthest, std::abs(run.body(0).position.z - radius)); });
    EXPECT_LT(farthest, 1e-5);
}

TEST_P(FrictionLaw, BothSlowTheSphereAlike) {
    const auto [h, feedback] = GetParam();
    for (const auto law : {model::FrictionLaw::associated, model::FrictionLaw::coulomb}) {
        Experiment run(thrown(h, law, feedback));
        run.until(0.1);
        const double early = run.body(0).velocity.x;
        run.until(0.2);
        EXPECT_NEAR((early - run.body(0).velocity.x) / 0.1, friction * gravity, 0.01 * friction * gravity);
    }
}

}  // namespace
}  // namespace scree::test
