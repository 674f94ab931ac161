// SPDX-License-Identifier: BSD-3-Clause
// Towers of spheres at rest (validation A3).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace scree::test {
namespace {

constexpr double radius = 0.05, mass = 1.0;

SceneMaker tower(double h, int spheres, model::PositionFeedback feedback) {
    SceneMaker scene(h);
    scene.law({.friction = 0.5}).feedback(feedback).exact(1e-7);
    scene.plane();
    for (int i = 0; i < spheres; ++i)
        scene.sphere({.position = {0, 0, radius * (2 * i + 1)}, .radius = radius, .mass = mass});
    return scene;
}

/// Force in the contact below sphere i [N].
double force_below(Experiment& run, std::uint64_t i) {
    for (const model::ContactRecord& c : run.now().contacts) {
        const bool floor = c.boundary >= 0 && c.id_a == 1 && i == 0;
        const bool pair = c.boundary < 0 && std::min(c.id_a, c.id_b) == i && std::max(c.id_a, c.id_b) == i + 1;
        if (floor || pair) return std::abs(c.force.z);
    }
    return 0.0;
}

struct TowerCase {
    int spheres;
    double h;
    model::Precision precision;
    model::PositionFeedback feedback;
};

class Tower : public testing::TestWithParam<TowerCase> {};
using enum model::PositionFeedback;
using enum model::Precision;
INSTANTIATE_TEST_SUITE_P(A3, Tower,
                         testing::Values(TowerCase{10, 1e-3, double_, compliant},
                                         TowerCase{10, 5e-4, double_, compliant}, TowerCase{10, 1e-3, mixed, compliant},
                                         TowerCase{10, 5e-4, mixed, compliant}, TowerCase{10, 1e-3, double_, rigid},
                                         TowerCase{10, 5e-4, double_, rigid}, TowerCase{100, 1e-3, double_, compliant},
                                         TowerCase{100, 5e-4, double_, compliant}, TowerCase{100, 1e-3, double_, rigid},
                                         TowerCase{100, 5e-4, double_, rigid}));

TEST_P(Tower, ContactsBearTheWeightAbove) {  // k m g within 1e-3
    const auto [spheres, h, precision, feedback] = GetParam();
    // Mixed precision: no tighter than the rounding of float velocities allows.
    SceneMaker scene = tower(h, spheres, feedback);
    if (precision == mixed) scene.precision(mixed).solver(1e-5, 20000);
    Experiment run(scene);
    run.until(1.0);  // the lowest mode of 100 spheres dies at 24/s
    double worst = 0.0;
    for (int i = 0; i < spheres; ++i) {
        const double weight = (spheres - i) * mass * gravity;
        worst = std::max(worst, std::abs(force_below(run, std::uint64_t(i)) - weight) / weight);
    }
    EXPECT_LT(worst, 1e-3);
    EXPECT_NEAR(run.wall(0).force.z, -spheres * mass * gravity, 1e-3 * spheres * mass * gravity);
}

TEST_P(Tower, StandsStill) {
    const auto [spheres, h, precision, feedback] = GetParam();
    // Mixed precision: no tighter than the rounding of float velocities allows.
    SceneMaker scene = tower(h, spheres, feedback);
    if (precision == mixed) scene.precision(mixed).solver(1e-5, 20000);
    Experiment run(scene);
    run.until(1.0);                                         // the lowest mode of 100 spheres dies at 24/s
    EXPECT_LT(run.report().speed_max, 1e-3 * gravity * h);  // a tenth of the default residual
    // Automatic stiffness: the largest static overlap is 5e-5 d.
    EXPECT_LT(run.report().overlap_max, 5.1e-5 * 2.0 * radius);
}

}  // namespace
}  // namespace scree::test
