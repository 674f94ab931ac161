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
    EXPECT_TRUE(a["energy"]["balance_relative"].is_null()) << "the work of joints is not in the balance";
    const std::string joints = test::content_of(whole + "/joints.csv");
    EXPECT_THAT(joints, StartsWith("time,"));
    EXPECT_THAT(joints, HasSubstr(".force_x,"));
    EXPECT_EQ(joints, test::content_of(part + "/joints.csv"));
}

TEST(JointedSceneByGaussSeidel, IsLeftToConjugateAndTheSummarySaysSo) {
    const test::TemporaryDirectory folder;
    const std::string out = (folder / "out").string();
    const auto run =
        test::scree({"run", scene("rover"), "-o", out, "--steps", "20", "--set", "solver.kind=gauss_seidel"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json summary = Json::parse(test::content_of(out + "/summary.json"));
    const int handed_over = summary["solver"]["handed_over"];
    EXPECT_GT(handed_over, 0);
    EXPECT_THAT(run.out, HasSubstr("handed over  " + std::to_string(handed_over) + " steps to conjugate"));
}

TEST(JointErrors, NameFileLineAndJoint) {
    const test::TemporaryDirectory folder;
    const auto outcome = test::scree({"run", scene("rover"), "-o", (folder / "out").string(), "--quiet", "--set",
                                      "joints.front_left.bodies=[box, wheel]"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("joint 'front_left': bodies[1] = 'wheel' is the name of no body"));
}

TEST(JointWarnings, NameMotorsThatTurnByHalfATurnInOneStep) {
    const auto warnings_at = [](const std::string& motor) {
        const test::Workplace place(
            "materials: {steel: {density: 7800}}\n"
            "pairs: [{between: [steel, steel]}]\n"
            "time: {step: 1 ms}\n"
            "bodies: [{name: wheel, material: steel, body: {position: [0, 0, 0], sphere: {radius: 0.1}}}]\n"
            "joints:\n"
            "  - {name: axle, bodies: [ground, wheel], revolute: {point: [0, 0, 0], axis: [0, 1, 0]}, turn: {motor: " +
            motor + "}}\n");
        const test::Outcome check = test::scree({"check", place.scene()});
        EXPECT_EQ(check.code, 0) << check.err;
        return check.out;
    };
    EXPECT_THAT(warnings_at("{speed: -4000}"),
                HasSubstr("scene.yaml:6): its motor's speed -4000 rad/s is 0.637 turns in one "
                          "step"));
    EXPECT_THAT(warnings_at("{by: speed, table: [[0, 0], [1, 3200]]}"), HasSubstr("joint 'axle'"));
    EXPECT_THAT(warnings_at("{speed: 3000}"), HasSubstr("the scene is valid\n"));
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
