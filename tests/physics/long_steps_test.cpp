// SPDX-License-Identifier: BSD-3-Clause
// Steps in which bodies fall by more than their size: what is asked of the default solver is that it arrives all the
// same. Many rows are then of bodies far apart, and some bodies have more than a sweep takes one by one.
#include "engine/scene/load.hpp"
#include "engine/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::test {
namespace {

struct Pour {
    std::string step, sizes;
    int count = 0;
    double restitution = 0.0, tolerance = 0.0;
};

/// Balls that fall into an open box of 60 x 60 x 300 mm.
simulation::Simulation poured(const Pour& pour, int seed) {
    const std::string text =
        "backend: cpu\nthreads: 1\ntime: {step: " + pour.step +
        ", end: 2}\nsolver: {tolerance: " + std::to_string(pour.tolerance) +
        "}\nmaterials: {m: {density: 2500}}\npairs: [{between: [m, m], friction: 0.2, " +
        "restitution: " + std::to_string(pour.restitution) +
        "}]\nbodies:\n  - {name: balls, material: m, random: {box: " +
        "{lower: [-0.03, -0.03, 0], upper: [0.03, 0.03, 0.12]}, count: " + std::to_string(pour.count) +
        ", sizes: {uniform: " + pour.sizes + "}, seed: " + std::to_string(seed) +
        "}}\nboundaries:\n  - {name: box, material: m, box: {lower: [-0.03, -0.03, 0], upper: [0.03, 0.03, 0.3], " +
        "open: [+z]}}\n";
    return simulation::Simulation(scene::parse_scene(text, "pour.yaml"));
}

TEST(LongSteps, OfTwentyMillisecondsKeepBallsInTheirBox) {
    for (int seed = 1; seed <= 60; ++seed) {
        simulation::Simulation run = poured({"20 ms", "[4 mm, 4.01 mm]", 100, 0.9, 0.1}, seed);
        for (int step = 0; step < 100; ++step) run.step();
        for (const model::Vec3& place : run.snapshot(false).position) {
            EXPECT_LT(std::abs(place.x), 0.03) << seed;
            EXPECT_LT(std::abs(place.y), 0.03) << seed;
            EXPECT_GT(place.z, 0.0) << seed;
        }
    }
}

TEST(LongSteps, OfTenMillisecondsAreSolvedWhereSomeBallsHaveManyRows) {
    for (int seed = 1; seed <= 3; ++seed) {
        simulation::Simulation run = poured({"10 ms", "[1 mm, 2 mm]", 250, 0.0, 1e-2}, seed);
        int solved = 0;
        double worst = 0.0;
        for (int step = 0; step < 200; ++step) {
            const kernels::StepReport report = run.step();
            solved += report.converged ? 1 : 0;
            worst = std::max(worst, report.residual.rms / report.tolerance);
        }
        EXPECT_GE(solved, 195) << seed;
        EXPECT_LT(worst, 5.0) << seed;
    }
}

}  // namespace
}  // namespace scree::test
