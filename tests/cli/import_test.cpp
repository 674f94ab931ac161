// SPDX-License-Identifier: BSD-3-Clause
// scree import as a user calls it, and runs of what it makes.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string robot(const std::string& name) { return std::string(SCREE_SOURCE_DIR) + "/tests/data/urdf/" + name; }

std::string content(const std::string& file) {
    std::ostringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
}

TEST(ImportCommand, MakesASceneThatRuns) {
    const test::Workplace place;
    const std::string scene = place.folder("arm.yaml");
    const test::Outcome made = test::scree({"import", robot("arm.urdf"), "-o", scene, "--pose", "joint_3=0.7"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("10 links, 9 joints"));
    EXPECT_THAT(made.err, HasSubstr("<visual> of <link> is ignored"));
    EXPECT_THAT(made.err, HasSubstr("<transmission> of <robot> is ignored"));
    EXPECT_THAT(made.err, HasSubstr("the joint 'tool_mount' fixes it"));
    const test::Outcome run =
        test::scree({"run", scene, "-o", place.folder("run"), "--steps", "50", "--quiet", "--threads", "1"});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST(ImportCommand, MakesARoverThatDrivesWithMotorsByHand) {
    const test::Workplace place;
    const std::string scene = place.folder("rover.yaml");
    const test::Outcome made = test::scree({"import", robot("rover.urdf"), "-o", scene, "--floating", "--floor", "0"});
    ASSERT_EQ(made.code, 0) << made.err;
    // The axles have a damper in their `turn`; a motor comes beside it.
    std::string text = content(scene);
    const std::string damper = "damping: 0.01";
    int axles = 0;
    for (std::size_t at = text.find(damper); at != std::string::npos;
         at = text.find(damper, at + damper.size()), ++axles)
        text.replace(at, damper.size(), "motor: {speed: 10, limit: 20}");
    ASSERT_EQ(axles, 4) << text;
    std::ofstream(scene) << text << "probes: [{name: chassis, kind: body, target: footprint}]\n";
    const test::Outcome run =
        test::scree({"run", scene, "-o", place.folder("run"), "--until", "1 s", "--quiet", "--threads", "1"});
    ASSERT_EQ(run.code, 0) << run.err;
    // 10 rad/s on wheels of 0.1 m: 1 m/s, after a short start.
    const std::string series = place.series("run");
    std::istringstream rows(series);
    std::string names, row, last;
    std::getline(rows, names);
    while (std::getline(rows, row)) last = row;
    std::istringstream keys(names), values(last);
    double x = 0.0;
    for (std::string key, value; std::getline(keys, key, ',') && std::getline(values, value, ',');)
        if (key == "chassis.x") x = std::stod(value);
    EXPECT_GT(x, 0.5) << names << "\n" << last;
    EXPECT_LT(x, 1.1);
}

TEST(ImportCommand, WritesToStandardOutputAndNotesToStandardError) {
    const test::Outcome made = test::scree({"import", robot("double_pendulum.urdf")});
    ASSERT_EQ(made.code, 0);
    EXPECT_THAT(made.out, StartsWith("# Made by scree import from double_pendulum.urdf."));
    EXPECT_THAT(made.err, HasSubstr("double_pendulum.urdf:"));
    EXPECT_THAT(made.err, HasSubstr("link 'lower' has no collision geometry"));
}

TEST(ImportCommand, AnswersInJson) {
    const test::Outcome made = test::scree({"import", robot("arm.urdf"), "--json"});
    ASSERT_EQ(made.code, 0);
    EXPECT_THAT(made.err, IsEmpty());
    const test::Json json = test::Json::parse(made.out);
    EXPECT_EQ(json["links"], 10);
    EXPECT_EQ(json["scene"]["joints"], 9);
    EXPECT_GT(json["notes"].size(), 10U);
    EXPECT_THAT(json["yaml"].get<std::string>(), HasSubstr("joint_6"));
}

TEST(ImportCommand, NeverWritesOverTheRobot) {
    const std::string text = content(robot("double_pendulum.urdf"));
    const test::Workplace place(text);
    const std::string link = place.folder("link.yaml");
    std::filesystem::create_symlink(place.scene(), link);
    for (const std::string& output : {place.scene(), link}) {
        const test::Outcome made = test::scree({"import", place.scene(), "-o", output, "--force"});
        EXPECT_EQ(made.code, 1);
        EXPECT_THAT(made.err, HasSubstr("is the robot file itself"));
        EXPECT_EQ(content(place.scene()), text);
    }
}

TEST(ImportCommand, ReplacesAFileWhenTold) {
    const test::Workplace place;
    const std::string scene = place.folder("arm.yaml");
    std::ofstream(scene) << "by hand\n";
    const test::Outcome refused = test::scree({"import", robot("arm.urdf"), "-o", scene});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("exists [choose another name with -o, or replace the file with --force]"));
    EXPECT_EQ(content(scene), "by hand\n");
    EXPECT_EQ(test::scree({"import", robot("arm.urdf"), "-o", scene, "--force"}).code, 0);
    EXPECT_THAT(content(scene), HasSubstr("joint_6"));
}

TEST(ImportCommand, OptionsMayComeBeforeTheRobot) {
    EXPECT_EQ(test::scree({"import", "--pose", "joint_3=0.7", robot("arm.urdf")}).code, 0);
    EXPECT_EQ(test::scree({"import", "--package", "a=b", "--package", "c=d", robot("arm.urdf")}).code, 0);
}

TEST(ImportCommand, WhatTheSceneCannotHaveIsAFaultOfTheRobot) {
    const auto link = [](const std::string& mass, const std::string& moment) {
        return "<robot name=\"r\">\n<link name=\"a\">\n<inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" +
               moment + "\" iyy=\"" + moment + "\" izz=\"" + moment + "\"/></inertial></link></robot>\n";
    };
    for (const auto& [mass, moment] : {std::pair{"1e300", "1"}, {"1e-320", "1"}, {"1", "1e200"}}) {
        const test::Workplace place(link(mass, moment));
        const test::Outcome made = test::scree({"import", place.scene(), "--floating", "-o", place.folder("out.yaml")});
        EXPECT_EQ(made.code, 2) << mass << " kg, " << moment << " kg m^2";
        EXPECT_THAT(made.err, HasSubstr("scene.yaml:2: "));
        EXPECT_FALSE(std::filesystem::exists(place.folder("out.yaml")));
    }
}

TEST(ImportCommand, NamesFileAndLineOfAFault) {
    const test::Workplace place("<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n</robot>\n");
    const test::Outcome made = test::scree({"import", place.scene()});
    EXPECT_EQ(made.code, 2);
    EXPECT_THAT(made.err, HasSubstr("scene.yaml:3: the robot has two roots"));
    EXPECT_EQ(test::scree({"import", robot("arm.urdf"), "--pose", "joint_1"}).code, 1);
    EXPECT_EQ(test::scree({"import", robot("arm.urdf"), "--pose", "joint_1=a"}).code, 1);
    EXPECT_EQ(test::scree({"import", "nowhere.urdf"}).code, 4);
}

}  // namespace
}  // namespace scree
