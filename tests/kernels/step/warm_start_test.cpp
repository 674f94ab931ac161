// SPDX-License-Identifier: BSD-3-Clause
// Steps that start from the impulses of the last one, from wrong ones, or from none: the same end, and no worse a
// start.
#include "kernels/step/step_engine.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace scree::kernels {
namespace {

/// A pile that falls over: contacts come, go, slide and turn in every step.
WorldDescription falling_pile() {
    WorldDescription world = test::random_pile(120, 4, 0.2, {0.4, 0.0, 0.0, 0.0, 0.0, 1e5});
    world.parts.resize(1);  // the floor
    world.boundaries = 1;
    world.tolerance = 1e-6;
    world.max_iterations = 50000;
    world.contact.threshold = 1e9;  // compliant contacts alone have unique velocities
    return world;
}

TEST(WarmStart, OfWrongImpulsesEndsWhereAColdStartDoes) {
    const WorldDescription world = falling_pile();
    WorldDescription cold_world = world;
    cold_world.warm_start = false;
    const auto poses = test::still_poses(world);
    const auto engine = make_cpu_engine(world, true);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    std::int64_t warm_iterations = 0, cold_iterations = 0, changes = 0;
    std::vector<Index> partners;
    for (int step = 0; step < 25; ++step) {
        const EngineState state = engine->save();
        const double size =
            state.g.empty() ? 0.0 : std::abs(*std::max_element(state.g.begin(), state.g.end(), [](double a, double b) {
                return std::abs(a) < std::abs(b);
            }));
        const std::pair<const char*, std::function<double(double)>> wrongs[] = {
            {"the last step's", [](double g) { return g; }},
            {"reversed", [](double g) { return -g; }},
            {"thousandfold", [](double g) { return 1e3 * g; }},
            {"random", [&](double) { return size * both(random); }},
            {"random thousandfold", [&](double) { return 1e3 * size * both(random); }}};
        const auto cold = make_cpu_engine(cold_world, true);
        cold->restore(state);
        const StepReport from_zero = cold->step(poses);
        ASSERT_TRUE(from_zero.converged);
        EXPECT_EQ(from_zero.start_scale, 0.0);
        cold_iterations += from_zero.iterations;
        for (const auto& [what, change] : wrongs) {
            EngineState wrong = state;
            for (double& g : wrong.g) g = change(g);
            const auto other = make_cpu_engine(world, true);
            other->restore(wrong);
            const StepReport report = other->step(poses);
            EXPECT_TRUE(report.converged) << what << ", step " << step;
            EXPECT_LE(report.residual.rms, report.tolerance) << what << ", step " << step;
            EXPECT_EQ(report.contacts, from_zero.contacts);
            // Two solutions to 1e-6 g h = 1e-8 m/s; conditioning below 1e3.
            EXPECT_LT(test::largest_velocity_difference(*other, *cold), 1e-5) << what << ", step " << step;
        }
        const StepReport report = engine->step(poses);
        warm_iterations += report.iterations;
        const EngineState after = engine->save();
        changes += after.partner != partners ? 1 : 0;
        partners = after.partner;
    }
    EXPECT_GT(changes, 10) << "the contacts stay the same";
    // While a pile falls, the last step's impulses help no solve down to 1e-6 g h; they must not cost (measured: 3 %).
    EXPECT_LT(double(warm_iterations), 1.2 * double(cold_iterations));
}

}  // namespace
}  // namespace scree::kernels
