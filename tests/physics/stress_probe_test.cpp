// SPDX-License-Identifier: BSD-3-Clause
// The stress that probes find in a bed at rest is that of the weight above.
#include "engine/measure/probe.hpp"
#include "engine/scene/load.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace scree::test {
namespace {

constexpr double edge = 0.03, cell = 0.01;

/// Periodic across x and y, so that the floor bears all.
Experiment bed() {
    return Experiment(scene::parse_scene(
        "time: {step: 1 ms, end: 1}\nbackend: cpu\nthreads: 2\n"
        "materials: {glass: {density: 2500}}\n"
        "pairs: [{between: [glass, glass], friction: 0.5, restitution: 0.1}]\n"
        "periodic: {x: [0, 3 cm], y: [0, 3 cm]}\n"
        "bodies: [{name: beads, material: glass, random: {box: {lower: [0, 0, 0], upper: [3 cm, 3 cm, 14 cm]}, "
        "count: 1400, sizes: {uniform: [1.8 mm, 2.2 mm]}}}]\n"
        "boundaries: [{name: floor, material: glass, plane: {}}]\n"
        "probes:\n"
        "  - {name: floor, kind: force, target: floor}\n"
        "  - {name: low, kind: stress, box: {lower: [0, 0, 1 cm], upper: [3 cm, 3 cm, 3 cm]}}\n"
        "  - {name: map, kind: field, box: {lower: [0, 0, 0], upper: [3 cm, 3 cm, 5 cm]}, cells: [1, 1, 5]}\n",
        "bed.yaml"));
}

TEST(StressProbe, OfABedAtRestIsTheWeightAbove) {
    Experiment run = bed();
    run.until(0.8);
    const model::Snapshot s = run.simulation().snapshot(true);
    measure::ProbeEvaluator probes(run.simulation().scene());
    const auto row = probes.evaluate(s);
    const auto table = probes.table_rows().front();
    const std::size_t width = probes.tables().front().columns.size();
    ASSERT_EQ(table.size(), 5 * width);
    double mass = 0.0;
    for (const double m : s.mass) mass += m;
    ASSERT_NEAR(-row[2], mass * gravity, 0.01 * mass * gravity);  // at rest
    // Mean over a cell of what lies above each height: the weight above it and half of its own.
    double above = -row[2] / (edge * edge);
    for (std::size_t k = 0; k < 5; ++k) {
        const double fraction = table[k * width + 4], density = table[k * width + 5], zz = table[k * width + 15];
        const double own = density * gravity * cell;
        EXPECT_NEAR(density, 2500.0 * fraction, 1e-6 * density);
        EXPECT_GT(fraction, 0.5);
        EXPECT_NEAR(zz, above - 0.5 * own, 0.03 * zz) << "cell " << k;
        above -= own;
    }
    // The probe's box is the second and third cell; what moves does so about one mean there, and about two here.
    EXPECT_NEAR(row[6 + 2], 0.5 * (table[width + 15] + table[2 * width + 15]), 1e-6 * row[8]);
    // Less to the sides, more than nothing.
    EXPECT_GT(row[6], 0.3 * row[8]);
    EXPECT_LT(row[6], 0.9 * row[8]);
    EXPECT_LT(row[6 + 8], 1e-3 * row[6 + 6]);
}

/// Residuals of 20 layers, all the same way, once made 1e-7 J of shear at a tolerance of 1e-2.
TEST(StressProbe, ABedAtRestDoesNotShear) {
    Experiment run = bed();
    run.until(0.8);
    double mean = 0.0;
    constexpr int steps = 100;
    for (int k = 0; k < steps; ++k) mean += run.step().kinetic_translation / steps;
    EXPECT_LT(mean, 4e-8);
}

}  // namespace
}  // namespace scree::test
