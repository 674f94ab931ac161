// SPDX-License-Identifier: BSD-3-Clause
// Instruction sets: every form of the step that runs here tells the same story, and the environment may choose it.
#include "kernels/step/cpu_engine.hpp"
#include "kernels/parallel/error.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/sphere_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace scree::kernels {
namespace {

using testing::HasSubstr;

/// Sets the variable for a test and restores what was there.
class Choice {
public:
    Choice() {
        if (const char* value = std::getenv(name)) before_ = value;
    }
    ~Choice() { choose(before_.c_str()); }
    Choice(const Choice&) = delete;
    Choice& operator=(const Choice&) = delete;
    void choose(const char* set) const { setenv(name, set, 1); }

private:
    static constexpr const char* name = "SCREE_INSTRUCTION_SET";
    std::string before_;
};

TEST(InstructionSets, TheWidestThatRunsIsTaken) {
    const Choice choice;
    choice.choose("");  // as if it were not set
    const auto sets = instruction_sets();
    ASSERT_FALSE(sets.empty());
    EXPECT_TRUE(sets.front().runs_here);
    std::string widest;
    for (const InstructionSet& set : sets)
        if (set.runs_here) widest = set.name;
    EXPECT_EQ(instruction_set().name, widest);
}

TEST(InstructionSets, AnUnknownOneIsRefusedByName) {
    const Choice choice;
    choice.choose("avx1024");
    try {
        (void)make_cpu_engine(test::empty_world(), false);
        FAIL() << "no error";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("SCREE_INSTRUCTION_SET: avx1024 is not in this build (to be had: "));
        EXPECT_THAT(error.what(), HasSubstr(instruction_sets().front().name));
    }
}

TEST(InstructionSets, EachGivesTheSameFirstStepToRounding) {
    const Choice choice;
    const WorldDescription world = test::collapsing_pile(500, 1);
    const auto poses = test::still_poses(world);
    for (const bool double_precision : {false, true}) {
        std::vector<std::vector<double>> velocities;
        for (const InstructionSet& set : instruction_sets()) {
            if (!set.runs_here) continue;
            choice.choose(set.name);
            const auto engine = make_cpu_engine(world, double_precision);
            const StepReport report = engine->step(poses);
            EXPECT_GT(report.contacts, 100) << set.name;
            velocities.push_back(engine->save().velocity);
        }
        // Products and sums fuse in the wider sets: roundings differ by an ulp each, and the iteration ends where its
        // residual is below the tolerance, which this bounds by the velocity that a step of gravity gives.
        const double g_h = 9.81 * world.contact.step;
        for (const auto& other : velocities) {
            ASSERT_EQ(other.size(), velocities.front().size());
            for (std::size_t i = 0; i < other.size(); ++i)
                ASSERT_NEAR(other[i], velocities.front()[i], g_h * world.tolerance);
        }
    }
}

}  // namespace
}  // namespace scree::kernels
