// SPDX-License-Identifier: BSD-3-Clause
// Scenes with joints, from the launcher.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace scree {
namespace {

using test::Json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string scene(const std::string& name) { return std::string(SCREE_SOURCE_DIR) + "/scenes/" + name + ".yaml"; }

class JointedScene : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, JointedScene, ::testing::Values("wrecking_ball", "rover"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(JointedScene, RunsAndContinuesBitForBit) {
    const test::TemporaryDirectory folder;
    const std::string whole = (folder / "whole").string(), part = (folder / "part").string();
    const std::string file = scene(GetParam());
    const auto check = test::scree({"check", file});
    EXPECT_EQ(check.code, 0) << check.err;
    EXPECT_THAT(check.out, HasSubstr("the scene is valid\n"));  // without warnings

    ASSERT_EQ(test::scree({"run", file, "-o", whole, "--quiet", "--steps", "60"}).code, 0);
    ASSERT_EQ(test::scree({"run", file, "-o", part, "--quiet", "--steps", "25"}).code, 0);
    const auto restart = test::scree({"restart", part, "--quiet", "--until", "0.06"});
    ASSERT_EQ(restart.code, 0) << restart.err;

    const Json a = Json::parse(test::content_of(whole + "/summary.json"));
    const Json b = Json::parse(test::content_of(part + "/summary.json"));
    EXPECT_EQ(a["state_hash"], b["state_hash"]);
    EXPECT_EQ(a["solver"]["joints_linearised"], 0);
    const std::string joints = test::content_of(whole + "/joints.csv");
    EXPECT_THAT(joints, StartsWith("time,"));
    EXPECT_THAT(joints, HasSubstr(".force_x,"));
    EXPECT_EQ(joints, test::content_of(part + "/joints.csv"));
}

TEST(JointErrors, NameFileLineAndJoint) {
    const test::TemporaryDirectory folder;
    const auto outcome = test::scree({"run", scene("rover"), "-o", (folder / "out").string(), "--quiet", "--set",
                                      "joints.front_left.bodies=[box, wheel]"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("joint 'front_left': bodies[1] = 'wheel' is the name of no body"));
}

TEST(JointedProblems, AreNotDumped) {
    const test::TemporaryDirectory folder;
    const auto outcome = test::scree({"run", scene("rover"), "-o", (folder / "out").string(), "--quiet", "--steps", "3",
                                      "--dump-problem", "step=2"});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("joints"));
}

}  // namespace
}  // namespace scree
