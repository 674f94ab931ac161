// SPDX-License-Identifier: BSD-3-Clause
// The compliant feedback has two limits: k -> infinity and h -> 0 lead to the rigid answer (numerics section 3).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace scree::test {
namespace {

constexpr double radius = 0.05, mass = 1.0;
constexpr int spheres = 6;

/// A tower that stands, with the settings of the case.
double top_sinks_by(double h, double stiffness, model::PositionFeedback feedback, model::Precision precision) {
    SceneMaker scene(h);
    scene.law({.friction = 0.5, .stiffness = stiffness}).feedback(feedback).precision(precision).solver(1e-5, 5000);
    scene.plane();
    for (int i = 0; i < spheres; ++i)
        scene.sphere({.position = {0, 0, radius * (1 + 2 * i)}, .radius = radius, .mass = mass});
    Experiment run(scene);
    run.until(1.0);
    return radius * (2 * spheres - 1) - run.body(spheres - 1).position.z;
}

class FeedbackLimits : public testing::TestWithParam<std::tuple<double, model::Precision>> {};
INSTANTIATE_TEST_SUITE_P(Step, FeedbackLimits,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

// The sum of the overlaps (n - i) m g / k: the closed form, a tenth of it at ten times the stiffness, none when rigid.
TEST_P(FeedbackLimits, OverlapOfATowerFallsWithTheStiffness) {
    const auto [h, precision] = GetParam();
    const double k = 1e6, expected = spheres * (spheres + 1) / 2 * mass * gravity / k;
    EXPECT_NEAR(top_sinks_by(h, k, model::PositionFeedback::compliant, precision), expected, 0.01 * expected);
    EXPECT_NEAR(top_sinks_by(h, 10 * k, model::PositionFeedback::compliant, precision), 0.1 * expected,
                0.01 * expected);
    EXPECT_NEAR(top_sinks_by(h, 0, model::PositionFeedback::rigid, precision), 0.0, 0.01 * expected);
}

/// Where and how fast a sphere is that slid, rolled and met another one, after 1 s.
std::vector<double> journey(double h, double stiffness, model::PositionFeedback feedback) {
    SceneMaker scene(h);
    scene.exact(1e-8).law({.friction = 0.3, .stiffness = stiffness}).feedback(feedback);
    scene.plane();
    scene.sphere({.position = {0, 0, radius}, .radius = radius, .velocity = {1, 0, 0}, .mass = mass});
    scene.sphere({.position = {0.5, 0.02, radius}, .radius = radius, .mass = 2.0 * mass});
    Experiment run(scene);
    run.until(1.0);
    const BodyNow a = run.body(0), b = run.body(1);
    return {a.position.x, a.position.y, b.position.x, b.position.y, a.velocity.x, b.velocity.x};
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

TEST(FeedbackLimitsOfAJourney, StifferAndShorterStepsApproachTheRigidAnswer) {
    const double h = 1e-3;
    const auto rigid = journey(h / 16, 0, model::PositionFeedback::rigid);
    const double soft = difference(journey(h, 2e5, model::PositionFeedback::compliant), rigid);
    const double stiff = difference(journey(h / 2, 2e6, model::PositionFeedback::compliant), rigid);
    const double stiffest = difference(journey(h / 8, 2e7, model::PositionFeedback::compliant), rigid);
    EXPECT_LT(soft, 1e-2);
    EXPECT_LT(stiff, soft);
    EXPECT_LT(stiffest, 0.5 * soft);
}

}  // namespace
}  // namespace scree::test
