// SPDX-License-Identifier: BSD-3-Clause
// What a run's folder says about what was run.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scree {
namespace {

using test::Json;
using test::Workplace;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Particles and walls from files beside the scene.
class FilesBeside : public Workplace {
public:
    FilesBeside()
        : Workplace(
              "time: {step: 1 ms, end: 0.05 s}\n"
              "materials: {m: {density: 2500}}\npairs: [{between: [m, m], friction: 0.3, restitution: 0.5}]\n"
              "bodies: [{name: file, material: m, file: {path: data.csv}}]\n"
              "boundaries: [{name: floor, material: m, mesh: {path: floor.txt, scale: 0.001}}]\n") {
        test::put(folder("data.csv"), "x,y,z,radius\n0,0,0.011,0.01\n0.001,0,0.04,0.01\n");
        test::put(folder("floor.txt"), "-100 -100 0 100 -100 0 100 100 0\n-100 -100 0 100 100 0 -100 100 0\n");
    }
};

TEST(Provenance, TheFolderHoldsTheSceneThatRan) {
    const FilesBeside place;
    const test::Arguments overrides{"--set", "time.step=0.5ms", "--set", "pairs.m-m.friction=0.7"};
    ASSERT_EQ(place.run("out", overrides).code, 0);
    const std::string copy = test::content_of(place.folder("out/scene.yaml"));
    EXPECT_THAT(copy, StartsWith("# Written by scree run: the scene as it ran, all defaults written out (scree "));
    EXPECT_THAT(copy, HasSubstr("# From: " + place.scene() + "\n# --set time.step=0.5ms\n# --set pairs.m-m.friction="));
    EXPECT_THAT(copy, HasSubstr("friction: 0.7"));
    // From another folder, without the mesh file.
    std::filesystem::remove(place.folder("floor.txt"));
    const auto again =
        test::scree({"run", place.folder("out/scene.yaml"), "-o", place.folder("again"), "--quiet", "--threads", "1"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(place.hash("out"), place.hash("again"));
    EXPECT_EQ(place.series("out"), place.series("again"));
}

TEST(Provenance, TheSummaryNamesFileOverridesMaterialsAndPairs) {
    const FilesBeside place;
    ASSERT_EQ(place.run("out", {"--set", "time.step=0.5ms", "--set", "pairs.m-m.friction=0.7"}).code, 0);
    const Json summary = place.summary("out"), made = summary["provenance"];
    EXPECT_EQ(summary["scene"], place.scene()) << "keys are added, never renamed";
    EXPECT_EQ(made["file"], "scene.yaml");
    EXPECT_EQ(made["overrides"], Json({"time.step=0.5ms", "pairs.m-m.friction=0.7"}));
    EXPECT_EQ(made["materials"]["m"]["density"], 2500);
    ASSERT_EQ(made["pairs"].size(), 1U);
    EXPECT_EQ(made["pairs"][0]["between"], Json({"m", "m"}));
    EXPECT_EQ(made["pairs"][0]["friction"], 0.7);
    EXPECT_EQ(made["pairs"][0]["restitution"], 0.5);
    EXPECT_EQ(made["pairs"][0]["cohesion"], 0.0) << "defaults too";
}

TEST(Provenance, RestartsKeepItAndReadTheirCheckpoint) {
    const FilesBeside place;
    ASSERT_EQ(place.run("whole", {"--set", "pairs.m-m.friction=0.7"}).code, 0);
    ASSERT_EQ(place.run("part", {"--set", "pairs.m-m.friction=0.7", "--until", "20 ms"}).code, 0);
    const std::string copy = test::content_of(place.folder("part/scene.yaml"));
    test::put(place.folder("part/scene.yaml"), "not a scene: [");
    ASSERT_EQ(test::scree({"restart", place.folder("part"), "--quiet"}).code, 0);
    EXPECT_EQ(place.hash("whole"), place.hash("part"));
    EXPECT_EQ(place.summary("part")["provenance"], place.summary("whole")["provenance"]);
    EXPECT_EQ(test::content_of(place.folder("part/scene.yaml")), "not a scene: [") << "it is no longer the run's";
    ASSERT_EQ(
        test::scree({"restart", place.folder("part"), "-o", place.folder("on"), "--quiet", "--until", "0.1"}).code, 0);
    EXPECT_EQ(test::content_of(place.folder("on/scene.yaml")), copy);
}

TEST(Provenance, ARestartWithOtherValuesNamesThemBehindTheEarlierOnes) {
    const FilesBeside place;
    ASSERT_EQ(place.run("part", {"--set", "pairs.m-m.friction=0.7", "--until", "20 ms"}).code, 0);
    const auto on = test::scree(
        {"restart", place.folder("part"), "-o", place.folder("on"), "--quiet", "--set", "pairs.m-m.friction=0.2"});
    ASSERT_EQ(on.code, 0) << on.err;
    const Json made = place.summary("on")["provenance"];
    EXPECT_EQ(made["overrides"], Json({"pairs.m-m.friction=0.7", "pairs.m-m.friction=0.2"}));
    EXPECT_EQ(made["pairs"][0]["friction"], 0.2);
    EXPECT_THAT(test::content_of(place.folder("on/scene.yaml")), HasSubstr("friction: 0.2"));
}

TEST(Provenance, LeavesAScenesOwnFolderAlone) {
    const Workplace place;
    const std::string mine = test::content_of(place.scene());
    ASSERT_EQ(test::scree({"run", place.scene(), "-o", place.folder("."), "--quiet", "--steps", "2"}).code, 0);
    EXPECT_EQ(test::content_of(place.scene()), mine);
    ASSERT_EQ(test::scree({"run", place.scene(), "-o", place.folder("."), "--quiet", "--steps", "2", "--force"}).code,
              0);
    EXPECT_EQ(test::content_of(place.scene()), mine);
}

TEST(Provenance, CheckOfARunsFolderNamesTheSceneInIt) {
    const Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "1"}).code, 0);
    const auto outcome = test::scree({"check", place.folder("out")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(
        outcome.err,
        HasSubstr("this is a folder, not a scene file [name the file in it: " + place.folder("out/scene.yaml") + "]"));
    EXPECT_EQ(test::scree({"check", place.folder("out/scene.yaml")}).code, 0);
    std::filesystem::create_directory(place.folder("empty"));
    EXPECT_THAT(test::scree({"check", place.folder("empty")}).err, HasSubstr("[name a .yaml file]"));
}

}  // namespace
}  // namespace scree
