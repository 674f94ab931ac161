// SPDX-License-Identifier: BSD-3-Clause
// Rules that end a run early, and Ctrl-C.
#include "engine/io/checkpoint_folder.hpp"
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scree {
namespace {

using test::Workplace;
using ::testing::HasSubstr;

/// Runs with one stop rule; the run must end early by it.
void expect_stop(const std::string& rule, const std::string& reason, const std::string& scene = test::beads()) {
    const Workplace place(scene);
    const auto outcome = place.run("out", {"--set", "stop." + rule, "--set", "stop.after=0.1", "--until", "3"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto s = place.summary("out");
    EXPECT_EQ(s["status"], "stopped");
    EXPECT_THAT(s["reason"].get<std::string>(), HasSubstr(reason));
    EXPECT_GE(s["steps"], 50);
    EXPECT_LT(s["steps"], 1500);
    EXPECT_TRUE(io::latest_checkpoint(place.folder("out")).has_value());
}

TEST(Stop, AtRestByKineticEnergy) { expect_stop("kinetic_energy_per_mass=1e-4", "kinetic energy"); }
TEST(Stop, AtRestByUnbalancedForce) { expect_stop("unbalanced_force=0.05", "unbalanced force"); }
TEST(Stop, AfterTimeOnTheClock) { expect_stop("wall_clock=1e-6", "wall_clock"); }
TEST(Stop, WhenFewBodiesAreLeft) {
    expect_stop("bodies_left=80", "80 free bodies",
                test::beads("outlets: [{name: low, plane: {point: [0, 0, 9 cm], normal: [0, 0, 1]}}]\n"));
}

TEST(Stop, CtrlCEndsTheStepAndSavesTheRun) {
    const Workplace place;
    test::Launcher launcher({"run", place.scene(), "-o", place.folder("out"), "--quiet", "--until", "1e6"});
    ASSERT_TRUE(test::wait_until([&] { return place.has("out/checkpoint_00000050.h5"); }));
    launcher.send(SIGINT);
    const auto outcome = launcher.wait();
    EXPECT_EQ(outcome.code, 130);
    const auto s = place.summary("out");
    EXPECT_EQ(s["status"], "interrupted");
    const auto latest = io::latest_checkpoint(place.folder("out"));
    ASSERT_TRUE(latest.has_value());
    EXPECT_EQ(*latest, io::checkpoint_path(place.folder("out"), s["steps"].get<std::size_t>()));
}

}  // namespace
}  // namespace scree
