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
TEST(Stop, AtRestForATime) {
    const std::string beads = test::beads("stop: {rest_speed: 5 mm/s, rest_time: 1}\n");
    expect_stop("rest_time=50 ms", "at rest: no free body has been faster than stop.rest_speed = 0.005 m/s", beads);
}
TEST(Stop, AfterTimeOnTheClock) { expect_stop("wall_clock=1e-6", "wall_clock"); }
TEST(Stop, WhenFewBodiesAreLeft) {
    expect_stop("bodies_left=80", "80 free bodies",
                test::beads("outlets: [{name: low, plane: {point: [0, 0, 9 cm], normal: [0, 0, 1]}}]\n"));
}

TEST(Stop, AtRestInTheSameStepAfterARestart) {
    const Workplace place;
    const test::Arguments rest{"--set", "stop.rest_time=50 ms", "--set", "stop.rest_speed=5 mm/s", "--until", "3"};
    ASSERT_EQ(place.run("whole", rest).code, 0);
    const auto steps = place.summary("whole")["steps"].get<int>();
    EXPECT_EQ(place.summary("whole")["status"], "stopped");
    // Ends in the midst of the 25 steps that bodies must rest.
    test::Arguments part = rest;
    part.insert(part.end(), {"--steps", std::to_string(steps - 10)});
    ASSERT_EQ(place.run("part", part).code, 0);
    EXPECT_EQ(place.summary("part")["status"], "done");
    ASSERT_EQ(test::scree({"restart", place.folder("part"), "--quiet", "--until", "3"}).code, 0);
    EXPECT_EQ(place.summary("part")["steps"], steps);
    EXPECT_EQ(place.summary("part")["reason"], place.summary("whole")["reason"]);
    EXPECT_EQ(place.hash("part"), place.hash("whole"));
}

TEST(Stop, AtRestByTheAutomaticSpeed) {
    const Workplace place(
        "materials: {m: {density: 2500}}\npairs: [{between: [m, m], friction: 0.5}]\ntime: {step: 1 ms, end: 2}\n"
        "bodies:\n  - {material: m, sphere: {position: [0, 0, 2 cm], radius: 1 cm}}\n"
        "boundaries:\n  - {name: floor, material: m, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "stop: {rest_time: 0.1}\n");
    ASSERT_EQ(place.run("out").code, 0);
    const auto s = place.summary("out");
    EXPECT_THAT(s["reason"].get<std::string>(), HasSubstr("stop.rest_speed = 0.001 m/s for 0.1 s"));
    EXPECT_GT(s["time"], 0.14);  // a fall of 1 cm takes 45 ms
    EXPECT_LT(s["time"], 0.5);
}

TEST(Stop, NotAtRestWhileOneBodyMoves) {
    // A ball that spins in place is no slower than its surface.
    const Workplace place(
        "materials: {m: {density: 2500}}\npairs: [{between: [m, m], friction: 0}]\ngravity: [0, 0, 0]\n"
        "bodies:\n  - {material: m, sphere: {position: [0, 0, 0], radius: 1 cm}}\n"
        "  - {material: m, sphere: {position: [1, 0, 0], radius: 1 cm, angular_velocity: [0, 0, 1]}}\n");
    const auto status = [&](const std::string& speed) {
        const std::string name = "out" + speed;
        EXPECT_EQ(place.run(name, {"--set", "stop.rest_time=0.1", "--set", "stop.rest_speed=" + speed}).code, 0);
        return place.summary(name)["status"].get<std::string>();
    };
    EXPECT_EQ(status("9e-3"), "done");
    EXPECT_EQ(status("11e-3"), "stopped");
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
