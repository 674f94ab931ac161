// SPDX-License-Identifier: BSD-3-Clause
// Newton's law of impacts: what bodies leave with, and the speed below which they do not.
#include "tests/support/throws.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

using model::FrictionLaw;

TEST(Restitution, OfBallsIsThatOfThePairWhateverTheFriction) {
    for (std::size_t k = 0; k < 100; ++k) {
        Dice dice(5000 + k);
        const Law law = dice.law();
        Experiment run(thrown({1e-3, 0.0, FrictionLaw::coulomb}, dice, 0, law));
        const double before = run.body(0).velocity.z;
        std::int64_t limited = 0;
        run.until(0.2, [&] { limited += run.report().limited_clusters; });
        EXPECT_EQ(limited, 0);
        EXPECT_NEAR(run.body(0).velocity.z, -law.restitution * before, 1e-8 * std::abs(before));
    }
}

TEST(Restitution, OfAnyShapeIsThatOfThePairWithoutFriction) {
    for (std::size_t k = 0; k < 200; ++k) {
        Dice dice(6000 + k);
        Law law = dice.law();
        law.friction = 0.0;
        SceneMaker scene = thrown({1e-3, 0.0, FrictionLaw::coulomb}, dice, k % shapes, law);
        // Of a body that tumbles, energy and Newton's law differ by what its free motion adds within the step.
        scene.edit().sources.back().angular_velocity = {};
        Experiment run(scene);
        for (int step = 0; step < 300 && !run.report().impacts; ++step) run.step();
        ASSERT_TRUE(run.report().impacts);
        EXPECT_EQ(run.report().limited_clusters, 0);
    }
}

// A rod comes down on its end, leaning, with e = .95 and friction that holds it: Newton's law would have it leave with
// more than it has. In the plane, with the arm (a, b) from its centre to its end, the end sticks (u = 0 after) and
// leaves at s e times its speed; with N = M^-1 + rotations and the impulse gamma(s) = N^-1 (s e v n - u), the energy
// that is lost, u . N^-1 u / 2 - (s e v)^2 n . N^-1 n / 2, is zero for the s that it tells.
TEST(Restitution, OfALeaningRodIsTheLargestThatItsEnergyAdmits) {
    const double length = 0.07, radius = 0.02, lean = 0.6, speed = 1.0, e = 0.95, mass = 1.0;
    SceneMaker scene(1e-5);
    scene.exact(1e-12).acceleration({}).law({.friction = 1.0, .restitution = e}).plane();
    const double height = length * std::cos(lean) + radius;
    const std::size_t rod =
        scene.solid(model::SolidCapsule{radius, length}, {.position = {0, 0, height + 1e-9},
                                                          .orientation = model::from_axis_angle({0, 1, 0}, lean),
                                                          .velocity = {0.55, 0, -speed},
                                                          .mass = mass});
    Experiment run(scene);
    const double inertia = run.now().inertia.at(0).x, before = run.kinetic_energy();
    // Of the lower end, at (-length sin, -height).
    const double a = -length * std::sin(lean), b = -height;
    const double nxx = 1.0 / mass + b * b / inertia, nzz = 1.0 / mass + a * a / inertia, nxz = -a * b / inertia;
    const double determinant = nxx * nzz - nxz * nxz, ux = 0.55, uz = -speed;
    const double held = (nzz * ux * ux - 2.0 * nxz * ux * uz + nxx * uz * uz) / determinant;  // u . N^-1 u
    const double needed = nxx / determinant;                                                  // n . N^-1 n
    const double largest = std::sqrt(held / needed);
    ASSERT_LT(largest, 0.95 * e);
    run.step();
    ASSERT_EQ(run.report().limited_clusters, 1);
    const BodyNow now = run.body(rod);
    const double parts = now.velocity.z - a * now.angular_velocity.y;
    // The end turns by 1e-5 of a radian within the step.
    EXPECT_NEAR(parts, largest, 1e-3 * largest);
    EXPECT_NEAR(run.kinetic_energy(), before, 1e-9 * before);
}

// Three equal balls in a row, e = 1: the first hits the second, which catches the third, that runs ahead of it, in the
// same step. Newton's law for the first pair alone would make (2/3) u (1 - u) of energy.
TEST(Restitution, OfAChainLeavesItsEnergyAndMomentum) {
    const double u = 0.5;
    SceneMaker scene(1e-3);
    scene.exact(1e-12).acceleration({}).law({.restitution = 1.0, .stiffness = 1e12});
    scene.sphere({.position = {0, 0, 0}, .radius = 0.05, .velocity = {1, 0, 0}});
    scene.sphere({.position = {0.1, 0, 0}, .radius = 0.05});
    scene.sphere({.position = {0.2, 0, 0}, .radius = 0.05, .velocity = {u, 0, 0}});
    Experiment run(scene);
    const double before = run.kinetic_energy();
    const Vec3 momentum = run.momentum();
    run.step();
    EXPECT_EQ(run.report().limited_clusters, 1);
    EXPECT_NEAR(run.kinetic_energy(), before, 1e-10 * before);
    EXPECT_LT(norm(run.momentum() - momentum), 1e-12);
    EXPECT_GE(run.body(1).velocity.x, run.body(0).velocity.x);
    EXPECT_GE(run.body(2).velocity.x, run.body(1).velocity.x - 1e-6);  // k h^2 = 1e6 m
}

// The threshold of rebounds, 2 g h, follows gravity: balls come to rest after the Zeno time under any.
TEST(RestitutionThreshold, FollowsGravity) {
    const double e = 0.8, height = 1.0;
    for (const double g : {1.62, 98.1}) {
        const double h = 1e-3 * std::sqrt(gravity / g), rest = std::sqrt(2.0 * height / g) * (1.0 + e) / (1.0 - e);
        SceneMaker scene(h);
        scene.exact().acceleration({0, 0, -g}).law({.restitution = e}).plane();
        scene.sphere({.position = {0, 0, 0.05 + height}, .radius = 0.05});
        Experiment run(scene);
        EXPECT_NEAR(run.simulation().resolved().restitution_threshold, 2.0 * g * h, 1e-12);
        run.until(0.99 * rest);
        EXPECT_GT(std::abs(run.body(0).velocity.z), 0.1 * g * h);
        run.until(1.02 * rest);
        run.until(1.2 * rest, [&] { EXPECT_LT(std::abs(run.body(0).velocity.z), 1e-6); });
    }
}

// Without gravity the threshold is zero, and a body that a constant force presses on a floor comes to rest all the
// same: rebounds that the force turns round within the step are none.
TEST(RestitutionThreshold, IsNoneWithoutGravityAndPressedBodiesComeToRest) {
    SceneMaker scene(1e-3);
    scene.exact().acceleration({}).law({.friction = 0.5, .restitution = 0.8}).plane();
    const std::size_t ball = scene.solid(model::SolidSphere{0.05}, {.position = {0, 0, 0.15}});
    std::get<model::BodySource>(scene.edit().sources[ball].what).force = {0, 0, -gravity};
    Experiment run(scene);
    EXPECT_EQ(run.simulation().resolved().restitution_threshold, 0.0);
    const double rest = std::sqrt(2.0 * 0.1 / gravity) * (1.0 + 0.8) / (1.0 - 0.8);
    run.until(1.2 * rest);
    run.until(1.5 * rest, [&] { EXPECT_LT(std::abs(run.body(ball).velocity.z), 1e-6); });
}

}  // namespace
}  // namespace scree::test
