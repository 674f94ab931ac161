// SPDX-License-Identifier: BSD-3-Clause
// A cohesive contact bears a pull of up to c.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 0.05, mass = 1.0, weight = mass * gravity;

class Cohesion : public testing::TestWithParam<std::tuple<double, model::Precision, model::PositionFeedback>> {
protected:
    static SceneMaker scene(const Law& law) {
        const auto [h, precision, feedback] = GetParam();
        SceneMaker scene(h);
        scene.law(law).precision(precision).feedback(feedback);
        scene.solver(precision == model::Precision::mixed ? 1e-4 : 1e-9, 5000);
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(
    Step, Cohesion,
    testing::Combine(testing::Values(1e-3, 5e-4), testing::Values(model::Precision::double_, model::Precision::mixed),
                     testing::Values(model::PositionFeedback::compliant, model::PositionFeedback::rigid)));

TEST_P(Cohesion, HoldsASphereThatHangsUpToItsPull) {
    // A compliant contact starts at the elongation that bears the weight: let go at gap 0 it would overshoot.
    const double k = 1e6;
    const bool compliant = std::get<2>(GetParam()) == model::PositionFeedback::compliant;
    for (const double share : {0.5, 0.99, 1.01, 2.0}) {
        SceneMaker maker = scene({.cohesion = weight / share, .stiffness = k});
        maker.sphere({.radius = radius, .fixed = true});
        const double gap = compliant ? std::min(1.0, 1.0 / share) * weight / k : 0.0;
        const std::size_t lower =
            maker.sphere({.position = {0, 0, -2.0 * radius - gap}, .radius = radius, .mass = mass});
        Experiment run(maker);
        run.until(0.5);
        if (share < 1.0) {
            EXPECT_NEAR(run.body(lower).position.z, -2.0 * radius, 1e-3 * radius) << "weight / c = " << share;
            EXPECT_NEAR(run.body(lower).force.z, weight, 1e-3 * weight) << "weight / c = " << share;
        } else {
            EXPECT_LT(run.body(lower).position.z, -3.0 * radius) << "weight / c = " << share;
        }
    }
}

TEST_P(Cohesion, OnTheCeilingIsReadOutAsAPull) {
    SceneMaker maker = scene({.cohesion = 1.5 * weight});
    const std::size_t ceiling = maker.plane({0, 0, 0}, {0, 0, -1});
    const std::size_t ball = maker.sphere({.position = {0, 0, -radius}, .radius = radius, .mass = mass});
    Experiment run(maker);
    run.until(0.3);
    EXPECT_NEAR(run.wall(ceiling).force.z, -weight, 1e-3 * weight);
    EXPECT_NEAR(run.body(ball).force.z, weight, 1e-3 * weight);
    ASSERT_EQ(run.now().contacts.size(), 1U);
    EXPECT_NEAR(run.now().contacts[0].force.z, -weight, 1e-3 * weight);
}

TEST_P(Cohesion, AddsToTheFrictionOfAVerticalWall) {
    // Nothing presses, so the wall holds mu c: enough for a sphere of weight below that (it may roll down, so the
    // moment is resisted as well).
    for (const double share : {0.9, 1.1}) {
        const double friction = 0.5;
        SceneMaker maker =
            scene({.friction = friction, .rolling = 2.5 * radius, .cohesion = weight / (share * friction)});
        maker.plane({0, 0, 0}, {1, 0, 0});
        const std::size_t ball = maker.sphere({.position = {radius, 0, 0}, .radius = radius, .mass = mass});
        Experiment run(maker);
        run.until(0.3);
        if (share < 1.0)
            EXPECT_NEAR(run.body(ball).position.z, 0.0, 1e-3 * radius);
        else
            EXPECT_LT(run.body(ball).position.z, -0.5 * radius);
    }
}

TEST_P(Cohesion, DoesNotActAtADistance) {
    SceneMaker maker = scene({.cohesion = 10.0 * weight});
    maker.acceleration({});
    maker.sphere({.radius = radius, .velocity = {0.01, 0, 0}});
    maker.sphere({.position = {2.1 * radius, 0, 0}, .radius = radius, .velocity = {0.02, 0, 0}});
    Experiment run(maker);
    run.until(0.5);
    EXPECT_NEAR(run.body(0).velocity.x, 0.01, 1e-9);
    EXPECT_NEAR(run.body(1).velocity.x, 0.02, 1e-9);
}

TEST_P(Cohesion, AtRestIsInBalance) {
    // The pull is an inner force of a contact: it leaves no net force and does no work.
    SceneMaker maker = scene({.friction = 0.5, .cohesion = 20.0 * weight});
    maker.plane();
    maker.sphere({.position = {0, 0, radius}, .radius = radius, .mass = mass});
    maker.sphere({.position = {0, 0, 3 * radius}, .radius = radius, .mass = mass});
    Experiment run(maker);
    double work = 0.0;
    run.until(0.5, [&] { work += run.report().contact_work; });
    EXPECT_LT(run.simulation().unbalanced_force(), 1e-2);
    // What is at rest does no work: of half a second, a tenth of what the weight adds to the bodies in one step.
    const double h = std::get<0>(GetParam());
    EXPECT_LT(std::abs(work), 0.1 * mass * gravity * gravity * h * h);
}

}  // namespace
}  // namespace scree::test
