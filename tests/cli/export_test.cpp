// SPDX-License-Identifier: BSD-3-Clause
// scree export as a user calls it.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string content(const test::Workplace& place, const std::string& name) {
    return test::content_of(std::filesystem::path(place.folder(name)));
}

TEST(ExportCommand, WritesTheStartOfASceneAndTheEndOfARun) {
    const test::Workplace place;
    const test::Outcome start = test::scree({"export", place.scene(), "-o", place.folder("start.csv"), "--json"});
    ASSERT_EQ(start.code, 0) << start.err;
    EXPECT_EQ(test::Json::parse(start.out)["bodies"], 81);
    ASSERT_EQ(place.run("out", {"--steps", "10"}).code, 0);
    const test::Outcome end = test::scree({"export", place.folder("out"), "-o", place.folder("end.csv")});
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("81 bodies at step 10, t = 0.02 s (csv)"));
    EXPECT_THAT(content(place, "start.csv"), StartsWith("id,x,y,z,radius,vx"));
    EXPECT_NE(content(place, "start.csv"), content(place, "end.csv"));
}

TEST(ExportCommand, ASceneOfExportedSpheresStartsWhereTheRunEnded) {
    const test::Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "10"}).code, 0);
    ASSERT_EQ(test::scree({"export", place.folder("out"), "-o", place.folder("end.csv")}).code, 0);
    const test::Workplace next(
        "name: next\nmaterials: {glass: {density: 2500}}\n"
        "pairs: [{between: [glass, glass], friction: 0.4, restitution: 0.5}]\nbodies:\n"
        "  - {name: beads, material: glass, file: {path: " +
        place.folder("end.csv") + "}}\n");
    ASSERT_EQ(test::scree({"export", next.scene(), "-o", next.folder("start.csv")}).code, 0);
    EXPECT_EQ(content(next, "start.csv"), content(place, "end.csv"));
}

TEST(ExportCommand, RefusesFilesThatExistUnknownFormatsAndShapesThatAFormatHasNot) {
    const test::Workplace place(
        "name: box\nmaterials: {a: {density: 1000}}\nbodies:\n"
        "  - {material: a, body: {box: {half_extents: [.1, .1, .1]}, position: [0, 0, 1]}}\n");
    const std::string file = place.folder("box.bin");
    ASSERT_EQ(test::scree({"export", place.scene(), "-o", file}).code, 0);
    EXPECT_EQ(content(place, "box.bin").size(), 13U * 8U);
    const test::Outcome again = test::scree({"export", place.scene(), "-o", file});
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("exists"));
    EXPECT_EQ(test::scree({"export", place.scene(), "-o", file, "--force"}).code, 0);
    const test::Outcome unknown = test::scree({"export", place.scene(), "-o", place.folder("box.txt")});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("lammps (.lammps), csv (.csv), records (.bin)"));
    const test::Outcome box = test::scree({"export", place.scene(), "-o", place.folder("box.lammps")});
    EXPECT_EQ(box.code, 2);
    EXPECT_THAT(box.err, HasSubstr("body 1 is no sphere"));
    EXPECT_FALSE(place.has("box.lammps"));
    EXPECT_EQ(test::scree({"export", place.folder("nothing"), "-o", place.folder("n.csv")}).code, 2);
}

TEST(ExportCommand, NamesTheCheckpointsThatItPassesOver) {
    const test::Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "10", "--set", "output.checkpoint_interval=10ms"}).code, 0);
    std::ofstream(place.folder("out/checkpoint_00000010.h5")) << "cut short";
    const test::Outcome outcome = test::scree({"export", place.folder("out"), "-o", place.folder("end.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const test::Json report = test::Json::parse(outcome.out);
    EXPECT_EQ(report["step"], 5);
    ASSERT_EQ(report["warnings"].size(), 1U);
    EXPECT_THAT(report["warnings"][0].get<std::string>(), HasSubstr("checkpoint_00000010.h5"));
}

TEST(ExportCommand, ReadsAnyNameAsASceneAndNeverReplacesIt) {
    const test::Workplace place;
    const std::string scene = place.folder("scene.csv");
    std::filesystem::copy_file(place.scene(), scene);
    const std::string before = content(place, "scene.csv");
    ASSERT_EQ(test::scree({"export", scene, "-o", place.folder("start.csv")}).code, 0);
    const test::Outcome itself = test::scree({"export", scene, "-o", scene, "--force"});
    EXPECT_EQ(itself.code, 1);
    EXPECT_THAT(itself.err, HasSubstr("is a file that the export reads"));
    EXPECT_EQ(content(place, "scene.csv"), before);
}

TEST(ExportCommand, NeverReplacesACheckpointOrParticlesThatItReads) {
    const test::Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "10"}).code, 0);
    const std::string checkpoint = place.folder("out/checkpoint_00000010.h5"), csv = place.folder("end.csv");
    ASSERT_EQ(test::scree({"export", place.folder("out"), "-o", csv}).code, 0);
    const test::Outcome over_checkpoint =
        test::scree({"export", place.folder("out"), "-o", checkpoint, "--format", "csv", "--force"});
    EXPECT_EQ(over_checkpoint.code, 1);
    EXPECT_THAT(over_checkpoint.err, HasSubstr("is a file that the export reads"));
    EXPECT_EQ(test::scree({"export", place.folder("out"), "-o", csv, "--force"}).code, 0);
    const test::Workplace next(
        "name: next\nmaterials: {glass: {density: 2500}}\n"
        "pairs: [{between: [glass, glass], friction: 0.4}]\nbodies:\n"
        "  - {name: beads, material: glass, file: {path: " +
        csv + "}}\n");
    EXPECT_EQ(test::scree({"export", next.scene(), "-o", csv, "--force"}).code, 1);
}

TEST(ExportCommand, WritesTheMaterialsDensityThoughMassesAreStoredInFloat) {
    const test::Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "10", "--set", "precision=mixed"}).code, 0);
    ASSERT_EQ(test::scree({"export", place.folder("out"), "-o", place.folder("end.lammps")}).code, 0);
    EXPECT_THAT(content(place, "end.lammps"), HasSubstr(" 2500 "));
    EXPECT_THAT(content(place, "end.lammps"), Not(HasSubstr(" 2499.")));
}

}  // namespace
}  // namespace scree
