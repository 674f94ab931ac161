// SPDX-License-Identifier: BSD-3-Clause
// A sphere that bounces on a plane (validation A1, A2, B13). Clearance is the free way to the first contact.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {
namespace {

constexpr double diameter = 0.1, clearance = 1.0;

SceneMaker drop(double h, double restitution, double mass = 1.0, double radius = 0.5 * diameter) {
    SceneMaker scene(h);
    scene.exact().law({.restitution = restitution});
    scene.plane();
    scene.sphere({.position = {0, 0, radius + clearance}, .radius = radius, .mass = mass});
    return scene;
}

/// Largest clearance of each flight after an impact, until `count` are complete.
std::vector<double> apexes(Experiment& run, std::size_t count) {
    std::vector<double> heights;
    double last_speed = 0.0, highest = 0.0;
    while (heights.size() <= count && run.time() < 60.0) {
        run.step();
        const BodyNow ball = run.body(0);
        if (last_speed < 0.0 && ball.velocity.z > 0.0) {
            heights.push_back(highest);
            highest = 0.0;
        }
        highest = std::max(highest, ball.position.z - ball.radius);
        last_speed = ball.velocity.z;
    }
    heights.erase(heights.begin());  // the drop itself
    return heights;
}

class Bouncing : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Step, Bouncing, testing::Values(1e-4, 5e-5));

TEST_P(Bouncing, ApexesFallByTheSquareOfRestitution) {  // A1: H e^(2k) within 1 %
    const double e = 0.8;
    Experiment run(drop(GetParam(), e));
    const std::vector<double> heights = apexes(run, 6);
    ASSERT_EQ(heights.size(), 6U);
    for (std::size_t k = 1; k <= heights.size(); ++k) {
        const double expected = clearance * std::pow(e, 2.0 * double(k));
        EXPECT_NEAR(heights[k - 1], expected, 0.01 * expected) << "apex " << k;
    }
}

// Springs and dampers rebound with the pair's restitution where the step resolves the contact; first order in it.
TEST(Bouncing, SpringsAndDampersHaveTheRestitutionOfThePair) {
    const double e = 0.8, k = 1e6;
    for (const double h : {1e-4, 5e-5}) {  // a tenth and a twentieth of sqrt(m / k)
        SceneMaker scene = drop(h, e);
        scene.law({.restitution = e, .stiffness = k}).wall_law({.restitution = e, .stiffness = k}).spring_damper();
        Experiment run(scene);
        const std::vector<double> heights = apexes(run, 3);
        ASSERT_EQ(heights.size(), 3U);
        for (std::size_t b = 1; b <= heights.size(); ++b) {
            const double expected = clearance * std::pow(e, 2.0 * double(b));
            EXPECT_NEAR(heights[b - 1], expected, 2.0 * double(b) * 0.1 * h * std::sqrt(k) * expected) << h << " " << b;
        }
    }
}

// An impact happens up to h |u| above the plane, where the energy of the step is e^2 of what it was but for
// g x (1 - e^2) + g h |u| e (1 - e) / 2 per mass: the apex is too high by less than this, which is first order in h.
TEST(Bouncing, ErrorOfTheFirstApexIsFirstOrderInTheStep) {
    const double e = 0.8, speed = std::sqrt(2.0 * gravity * clearance);
    for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
        Experiment run(drop(h, e));
        const double error = apexes(run, 1).front() - clearance * e * e;
        EXPECT_GE(error, -gravity * h * h);
        EXPECT_LE(error, h * speed * ((1.0 - e * e) + 0.5 * e * (1.0 - e)) + gravity * h * h) << "h = " << h;
    }
}

class RepeatedBouncing : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Step, RepeatedBouncing, testing::Values(1e-3, 5e-4));

TEST_P(RepeatedBouncing, ComesToRestWhenTheBouncesHaveAddedUp) {  // A1
    const double e = 0.8;
    const double rest = std::sqrt(2.0 * clearance / gravity) * (1.0 + e) / (1.0 - e);
    for (const auto precision : {model::Precision::double_, model::Precision::mixed}) {
        // The default residual, 1e-2 g h, would leave 1e-4 m/s.
        Experiment run(drop(GetParam(), e).precision(precision).solver(1e-5, 2000));
        run.until(0.99 * rest);
        EXPECT_GT(std::abs(run.body(0).velocity.z), 1e-3);
        run.until(1.01 * rest);
        double fastest = 0.0, deepest = 0.0;
        run.until(1.2 * rest, [&] {
            fastest = std::max(fastest, norm(run.body(0).velocity));
            deepest = std::max(deepest, diameter / 2 - run.body(0).position.z);
        });
        EXPECT_LT(fastest, 1e-6);
        EXPECT_LT(deepest, 1e-4 * diameter);
    }
}

// A2. Half-implicit Euler conserves v^2/2 + g z - g h v/2 in free flight exactly, and so does an impact with e = 1:
// v turns into -v at the height where it is, and the move of h |v| that follows is what the last term takes back. So
// "never grows" can be tested to rounding; the apexes lie on the trajectory's own parabola, at most g h^2 / 8 above H.
TEST_P(RepeatedBouncing, EnergyNeverGrowsInAHundredElasticBounces) {
    const double h = GetParam();
    Experiment run(drop(h, 1.0).solver(1e-13, 20000));
    const auto energy = [&] {
        const BodyNow ball = run.body(0);
        const double v = ball.velocity.z;
        return 0.5 * v * v + gravity * (ball.position.z - ball.radius) - 0.5 * gravity * h * v;
    };
    const double start = energy();
    double largest = 0.0, smallest = start, last = 0.0, highest = 0.0;
    int bounces = 0;
    while (bounces < 100) {
        run.step();
        const BodyNow ball = run.body(0);
        if (last < 0.0 && ball.velocity.z > 0.0) ++bounces;
        last = ball.velocity.z;
        largest = std::max(largest, energy());
        smallest = std::min(smallest, energy());
        highest = std::max(highest, ball.position.z - ball.radius);
        ASSERT_LT(run.time(), 100.0);
    }
    const double rounding = 1e-11 * start;  // 1e5 steps of 1e-16
    EXPECT_LE(largest - start, rounding);
    EXPECT_GE(smallest - start, -rounding);
    EXPECT_LE(highest, clearance + gravity * h * h / 8.0 + rounding);
}

class ZenoBall : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Step, ZenoBall, testing::Values(1e-3, 5e-4));

TEST_P(ZenoBall, RestsAfterTheZenoTimeOnAnImpulseOfItsWeight) {  // B13
    const double h = GetParam(), mass = 1.0, e = 0.9, zeno = 8.579;
    Experiment run(drop(h, e, mass, 0.5));
    double last_moving = 0.0;
    run.until(9.5, [&] {
        if (std::abs(run.body(0).velocity.z) > 2.0 * gravity * h) last_moving = run.time();  // the law's threshold
    });
    EXPECT_NEAR(last_moving, zeno, 0.01 * zeno);  // as A1
    const double impulse = run.body(0).force.z * h;
    EXPECT_NEAR(impulse, mass * gravity * h, 1e-6 * mass * gravity * h);
}

}  // namespace
}  // namespace scree::test
