// SPDX-License-Identifier: BSD-3-Clause
// The same bits again: after a restart, and for any number of threads.
#include "kernels/step/step_engine.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace scree::kernels {
namespace {

using test::WorldDescription;

class StepRepeatability : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Both, StepRepeatability, testing::Bool(),
                         [](const auto& precision) { return precision.param ? "Double" : "Mixed"; });

TEST_P(StepRepeatability, ContinuesARestoredRunBitForBit) {
    // Across steps 40 and 80, where bodies are re-sorted, and across removals; with rolling rows and without.
    for (const double rolling : {0.0, 1e-4}) {
        WorldDescription world = test::collapsing_pile(250, 1, {0.3, 0.2, rolling, rolling, 0.0, 1e5});
        OutletPart outlet;
        outlet.a[0] = 0.105;
        outlet.b[0] = 1.0;
        world.outlets = {outlet};
        for (std::size_t i = 0; i < world.velocity.size(); i += 6) world.velocity[i] += 0.3;
        const auto poses = test::still_poses(world);
        const auto run = make_cpu_engine(world, GetParam());
        std::vector<EngineState> states;
        std::int64_t removed = 0;
        for (int step = 0; step <= 95; ++step) {
            states.push_back(run->save());
            removed += run->step(poses).removed;
        }
        ASSERT_GT(removed, 20);
        ASSERT_GT(run->body_count(), 50);
        const EngineState end = run->save();
        for (const std::size_t from : {0U, 1U, 17U, 39U, 40U, 41U, 80U, 95U}) {
            const auto restored = make_cpu_engine(world, GetParam());
            restored->restore(states[from]);
            for (std::size_t step = from; step <= 95; ++step) (void)restored->step(poses);
            EXPECT_EQ(test::first_difference(end, restored->save()), "") << "from step " << from;
        }
    }
}

TEST_P(StepRepeatability, HasTheSameBitsForAnyNumberOfThreads) {
    WorldDescription world = test::collapsing_pile(2000, 2);
    const auto poses = test::still_poses(world);
    EngineState one;
    for (std::size_t threads = 1; threads <= 4; ++threads) {
        world.threads = threads;
        const auto engine = make_cpu_engine(world, GetParam());
        for (int step = 0; step < 100; ++step) (void)engine->step(poses);
        if (threads == 1)
            one = engine->save();
        else
            EXPECT_EQ(test::first_difference(one, engine->save()), "") << threads << " threads";
        if (GetParam() && threads == 2) break;  // the order of sums is the same code in either precision
    }
}

}  // namespace
}  // namespace scree::kernels
