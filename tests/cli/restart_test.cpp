// SPDX-License-Identifier: BSD-3-Clause
// A continued run equals the uninterrupted one, whatever ended the first part.
#include "engine/io/checkpoint_folder.hpp"
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace scree {
namespace {

using test::Arguments;
using test::Workplace;
using ::testing::HasSubstr;

std::vector<std::string> frames_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".vtp") names.push_back(file.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

/// Folders "whole" and "part" hold the same run.
void expect_same(const Workplace& place) {
    EXPECT_EQ(place.hash("whole"), place.hash("part"));
    EXPECT_TRUE(place.series("whole") == place.series("part"));
    EXPECT_EQ(frames_in(place.folder("whole")), frames_in(place.folder("part")));
    for (const std::string& name : frames_in(place.folder("whole")))
        EXPECT_TRUE(test::content_of(place.folder("whole") + "/" + name) ==
                    test::content_of(place.folder("part") + "/" + name))
            << name;
    for (const char* key : {"steps", "time", "bodies", "contacts", "penetration", "energy", "probes"})
        EXPECT_EQ(place.summary("whole")[key], place.summary("part")[key]) << key;
    EXPECT_EQ(place.summary("whole")["solver"]["iterations_mean"], place.summary("part")["solver"]["iterations_mean"]);
}

test::Outcome restart(const Workplace& place, const Arguments& more = {}) {
    Arguments arguments{"restart", place.folder("part"), "--quiet", "--threads", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::scree(arguments);
}

TEST(Restart, EqualsTheUninterruptedRun) {
    const Workplace place;
    ASSERT_EQ(place.run("whole").code, 0);
    // Ends between all outputs, so that its last row and frame must go.
    ASSERT_EQ(place.run("part", {"--steps", "113"}).code, 0);
    EXPECT_NE(place.series("whole"), place.series("part"));
    const auto outcome = restart(place);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_same(place);
}

TEST(Restart, WorksWithParticleFilesAndFromAnotherFolder) {
    const Workplace place(
        "materials: {m: {density: 2500}}\npairs: [{between: [m, m]}]\n"
        "time: {step: 1 ms, end: 0.1 s}\n"
        "bodies: [{name: file, material: m, file: {path: data.csv}}]\n"
        "boundaries: [{name: floor, material: m, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n");
    test::put(place.folder("data.csv"), "x,y,z,radius\n0,0,0.011,0.01\n0.001,0,0.04,0.01\n");
    ASSERT_EQ(place.run("whole").code, 0);
    ASSERT_EQ(place.run("part", {"--until", "50 ms"}).code, 0);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path("/");
    const auto outcome = restart(place);
    std::filesystem::current_path(before);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(place.hash("whole"), place.hash("part"));
    EXPECT_EQ(place.series("whole"), place.series("part"));
}

TEST(Restart, RefusesAParticleFileThatHasChanged) {
    const Workplace place(
        "materials: {m: {density: 2500}}\npairs: [{between: [m, m]}]\n"
        "bodies: [{name: file, material: m, file: {path: data.csv}}]\n");
    const std::string rows = "x,y,z,radius\n0,0,0,0.01\n0,0,1,0.01\n";
    test::put(place.folder("data.csv"), rows);
    ASSERT_EQ(place.run("part", {"--steps", "5"}).code, 0);
    test::put(place.folder("data.csv"), rows + "0,0,2,0.01\n");
    auto outcome = restart(place, {"--steps", "1"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("the run began with 2 bodies, the scene has 3"));
    test::put(place.folder("data.csv"), "x,y,z,radius\n0,0,0,0.01\n0,0,1,0.02\n");
    outcome = restart(place, {"--steps", "1"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("body 2 had 1 / mass"));
    test::put(place.folder("data.csv"), rows);
    EXPECT_EQ(restart(place, {"--steps", "1"}).code, 0);
}

TEST(Restart, KeepsCountsOfOutletsAndGates) {
    const Workplace place(test::beads("outlets: [{name: up, plane: {point: [0, 0, 7 cm], normal: [0, 0, 1]}}]\n"));
    ASSERT_EQ(place.run("whole").code, 0);
    ASSERT_EQ(place.run("part", {"--steps", "60"}).code, 0);
    ASSERT_EQ(restart(place).code, 0);
    EXPECT_GT(place.summary("whole")["bodies"]["removed"], 0);
    expect_same(place);
}

TEST(Restart, GoesOnFeeding) {
    const std::string feed =
        "bodies: [{name: spout, material: glass, velocity: [0, 0, -1], shape: {box: {half_extents: [4 mm, 3 mm, 2 "
        "mm]}}, "
        "orientations: random, feed: {box: {lower: [-0.02, -0.02, 0.1], upper: [0.02, 0.02, 0.13]}, mass_rate: 0.2 "
        "kg/s, "
        "sizes: {uniform: [3 mm, 5 mm]}}}]\n";
    const Workplace place(
        "materials: {glass: {density: 2500}}\npairs: [{between: [glass, glass], friction: 0.4}]\n"
        "time: {step: 1 ms, end: 0.3 s}\noutput: {interval: 50 ms, checkpoint_interval: 0.1}\n" +
        feed +
        "boundaries: [{name: bin, material: glass, box: {lower: [-0.03, -0.03, 0], upper: [0.03, 0.03, 0.2]}}]\n");
    ASSERT_EQ(place.run("whole").code, 0);
    // A longer run than was planned at first: the stiffness stays that of the first part.
    ASSERT_EQ(place.run("part", {"--steps", "113"}).code, 0);
    const auto outcome = restart(place);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_same(place);
    EXPECT_EQ(place.summary("whole")["feeds"], place.summary("part")["feeds"]);
    EXPECT_NEAR(place.summary("whole")["feeds"][0]["mass"].get<double>(), 0.06, 0.002);
    const auto longer = restart(place, {"-o", place.folder("longer"), "--set", "time.end=0.4"});
    ASSERT_EQ(longer.code, 0) << longer.err;
    EXPECT_NEAR(place.summary("longer")["feeds"][0]["mass"].get<double>(), 0.08, 0.002);
    EXPECT_EQ(place.summary("longer")["settings"]["contact"]["stiffness"],
              place.summary("whole")["settings"]["contact"]["stiffness"]);
}

TEST(Restart, GoesOnWithTablesOfProbes) {
    const Workplace place(test::beads(
        "  - {name: mean, kind: force, target: box, average: true}\n"
        "  - {name: map, kind: field, box: {lower: [0, 0, 0], upper: [5 cm, 5 cm, 6 cm]}, cells: [2, 1, 3]}\n"
        "  - {name: low, kind: stress, box: {lower: [0, 0, 0], upper: [5 cm, 5 cm, 1 cm]}}\n"
        "  - {name: top, kind: repose, surface: plane}\n"));
    ASSERT_EQ(place.run("whole").code, 0);
    ASSERT_EQ(place.run("part", {"--steps", "113"}).code, 0);
    const auto table = [&](const char* run) { return test::content_of(place.folder(run) + "/field_map.csv"); };
    EXPECT_NE(table("whole"), table("part"));
    ASSERT_EQ(restart(place).code, 0);
    expect_same(place);
    EXPECT_EQ(table("whole"), table("part"));
    const std::string whole = table("whole");
    EXPECT_THAT(whole, testing::StartsWith("time,x,y,z,count,fraction,density,vx,"));
    // A header, and six cells at each of the rows of series.csv.
    EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 1 + 6 * 41);
    EXPECT_EQ(place.summary("whole")["probes"]["map"]["table"], "field_map.csv");
    EXPECT_GT(place.summary("whole")["probes"]["low"]["zz"], 0.0);
    // A run anew without the probe leaves no table of the run before; another file of such a name stays.
    test::put(place.folder("whole/field_notes.csv"), "time,remark\n");
    ASSERT_EQ(place.run("whole", {"--force", "--set", "probes=[{name: load, kind: force, target: box}]"}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(place.folder("whole") + "/field_map.csv"));
    EXPECT_TRUE(std::filesystem::exists(place.folder("whole") + "/field_notes.csv"));
}

TEST(Restart, DrawsInfinitePlanesAsBefore) {
    // Bodies that spread out must not make the squares of later frames larger.
    const Workplace place(test::beads("outlets: [{name: far, plane: {point: [0, 0, -9], normal: [0, 0, -1]}}]\n") +
                          "periodic: {}\n");
    const Arguments plane{"--set", "boundaries=[{name: box, material: glass, plane: {normal: [0.5, 0, 1]}}]"};
    ASSERT_EQ(place.run("whole", plane).code, 0);
    ASSERT_EQ(place.run("part", {plane[0], plane[1], "--steps", "113"}).code, 0);
    ASSERT_EQ(restart(place).code, 0);
    expect_same(place);
}

TEST(Restart, FromAnEarlierCheckpointIntoAnotherFolder) {
    const Workplace place;
    ASSERT_EQ(place.run("whole", {"--set", "output.checkpoints_kept=0"}).code, 0);
    const auto outcome = test::scree({"restart", place.folder("whole/checkpoint_00000100.h5"), "-o",
                                      place.folder("part"), "--quiet", "--until", "0.4"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(place.hash("whole"), place.hash("part"));
    // The rows after the restart are the same.
    const std::string whole = place.series("whole"), part = place.series("part");
    const std::string rows = part.substr(part.find('\n'));
    EXPECT_THAT(whole, ::testing::EndsWith(rows));
}

TEST(Restart, GoesOnWithOtherValuesInAnotherFolder) {
    const Workplace place;
    ASSERT_EQ(place.run("part", {"--steps", "113"}).code, 0);
    const auto with = [&](const std::string& folder, const Arguments& more) {
        Arguments arguments{"-o", place.folder(folder), "--until", "0.3"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = restart(place, arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return place.summary(folder);
    };
    const auto same = with("same", {}), tight = with("tight", {"--set", "solver.tolerance=1e-4"});
    EXPECT_EQ(tight["settings"]["solver"]["tolerance"], 1e-4);
    EXPECT_GT(tight["solver"]["iterations_mean"], same["solver"]["iterations_mean"]);
    EXPECT_FALSE(tight["energy"]["balance_relative"].is_null());
    const auto tilted = with("tilted", {"--set", "gravity=[3, 0, -9]"});
    EXPECT_NE(place.hash("tilted"), place.hash("same"));
    EXPECT_TRUE(tilted["energy"]["balance_relative"].is_null());
    EXPECT_FALSE(tilted["energy"]["work"]["friction"].is_null());

    const auto refused = [&](const Arguments& arguments) {
        const auto outcome = restart(place, arguments);
        EXPECT_EQ(outcome.code, 1);
        return outcome.err;
    };
    EXPECT_THAT(refused({"--set", "solver.tolerance=1e-4"}), HasSubstr("needs a folder of its own"));
    for (const char* key : {"time.step", "boundaries.floor.plane", "bodies.grains", "materials", "timestep"})
        EXPECT_THAT(refused({"-o", place.folder("other"), "--set", std::string(key) + "=1"}),
                    HasSubstr("a continued run cannot change '" + std::string(key) + "'"));
}

TEST(Restart, WakesSleepersThatOtherValuesMayMove) {
    const Workplace place(
        "name: block\ntime: {step: 1 ms, end: 0.3}\nsleep: {speed: 2 mm/s, time: 50 ms}\n"
        "materials: {wood: {density: 600}}\npairs: [{between: [wood, wood], friction: 0.5}]\n"
        "bodies: [{name: block, material: wood, body: {box: {half_extents: [0.1, 0.1, 0.1]}, position: [0, 0, 0.1]}}]\n"
        "boundaries: [{name: floor, material: wood, plane: {}}]\nprobes: [{name: block, kind: body, target: block}]\n");
    ASSERT_EQ(place.run("part", {}).code, 0);
    const auto way = [&](const std::string& folder, const Arguments& more) {
        Arguments arguments{"-o", place.folder(folder), "--until", "0.8"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(restart(place, arguments).code, 0);
        return place.summary(folder)["probes"]["block"]["x"].get<double>();
    };
    EXPECT_NEAR(way("same", {}), 0.0, 1e-6);
    EXPECT_NEAR(way("written", {"--set", "output.interval=1"}), 0.0, 1e-6);
    // It slides: a = 9 - .5 x 9.81, for half a second.
    EXPECT_NEAR(way("tilted", {"--set", "gravity=[9, 0, -9.81]"}), 0.5 * (9.0 - 0.5 * 9.81) * 0.25, 5e-3);
}

TEST(Restart, ContinuesAfterCtrlC) {
    const Workplace place;
    test::Launcher launcher({"run", place.scene(), "-o", place.folder("part"), "--quiet", "--until", "1e6"});
    ASSERT_TRUE(test::wait_until([&] { return place.has("part/checkpoint_00000050.h5"); }));
    launcher.send(SIGTERM);
    ASSERT_EQ(launcher.wait().code, 130);
    // Wherever the signal hit, 50 steps more and the same steps in one go are the same run.
    const int steps = place.summary("part")["steps"].get<int>() + 50;
    const auto outcome = restart(place, {"--steps", "50"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(place.run("whole", {"--steps", std::to_string(steps)}).code, 0);
    expect_same(place);
}

TEST(Restart, ContinuesAfterKillDuringOutput) {
    const Workplace place;
    // A checkpoint and all frames at every step: the kill hits a write.
    const Arguments busy{"--set", "output.interval=2ms",      "--set",   "output.checkpoint_interval=2ms",
                         "--set", "output.series_interval=0", "--until", "80 ms"};
    ASSERT_EQ(place.run("whole", busy).code, 0);
    Arguments arguments{"run", place.scene(), "-o", place.folder("part"), "--quiet", "--threads", "1"};
    arguments.insert(arguments.end(), busy.begin(), busy.end());
    test::Launcher launcher(arguments);
    ASSERT_TRUE(test::wait_until([&] { return place.has("part/particles_00000015.vtp"); }));
    launcher.send(SIGKILL);
    ASSERT_EQ(launcher.wait().signal, SIGKILL);
    ASSERT_TRUE(io::latest_checkpoint(place.folder("part")).has_value());
    const auto outcome = restart(place, {"--until", "80 ms"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_same(place);
    for (const auto& file : std::filesystem::directory_iterator(place.folder("part")))
        EXPECT_NE(file.path().extension(), ".tmp") << file.path();
}

TEST(Restart, ContinuesAfterAFullDisk) {
    const Workplace place;
    const Arguments rows{
        "--set", "time.step=0.5ms",       "--set", "output.series_interval=0",       "--set", "output.particles=false",
        "--set", "output.contacts=false", "--set", "output.checkpoint_interval=20ms"};
    ASSERT_EQ(place.run("whole", rows).code, 0);
    Arguments arguments{"run", place.scene(), "-o", place.folder("part"), "--quiet", "--threads", "1"};
    arguments.insert(arguments.end(), rows.begin(), rows.end());
    // Room for any checkpoint, not for all rows.
    const auto outcome = test::Launcher(arguments, place.series("whole").size() * 3 / 4).wait();
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_THAT(outcome.err, ::testing::StartsWith("error: "));
    EXPECT_THAT(outcome.err, HasSubstr("part/"));
    ASSERT_TRUE(io::latest_checkpoint(place.folder("part")).has_value());
    EXPECT_EQ(place.summary("part")["status"], "failed");
    ASSERT_EQ(restart(place).code, 0);
    EXPECT_EQ(place.hash("whole"), place.hash("part"));
    EXPECT_EQ(place.series("whole"), place.series("part"));
}

TEST(Restart, SaysWhatIsWrong) {
    const Workplace place;
    EXPECT_EQ(test::scree({"restart", place.folder("nothing")}).code, 2);
    std::filesystem::create_directory(place.folder("empty"));
    EXPECT_EQ(test::scree({"restart", place.folder("empty")}).code, 2);
    ASSERT_EQ(place.run("part", {"--steps", "3"}).code, 0);
    const auto over = restart(place, {"--until", "4 ms"});
    EXPECT_EQ(over.code, 1);
    EXPECT_THAT(over.err, HasSubstr("--until"));
}

}  // namespace
}  // namespace scree
