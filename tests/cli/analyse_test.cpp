// SPDX-License-Identifier: BSD-3-Clause
// scree analyse as a user calls it: answers, exit codes, errors.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A ball of radius 0.1 m on a plane; gravity falls by 30 degrees towards +x.
std::string ramp(const std::string& friction, const std::string& more = "") {
    return "name: ramp\n"
           "time: {step: 1 ms, end: 0.1 s}\n"
           "gravity: [4.905, 0, -8.495709]\n"
           "materials: {glass: {density: 2500}}\n"
           "pairs: [{between: [glass, glass], friction: " +
           friction +
           "}]\n"
           "bodies:\n"
           "  - {sphere: {name: ball, position: [0, 0, 0.1], radius: 0.1}, material: glass}\n"
           "boundaries:\n"
           "  - {name: ramp, material: glass, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n" +
           more;
}

test::Json answer(const std::string& scene) {
    const test::Workplace place(scene);
    const test::Outcome outcome = test::scree({"analyse", place.scene(), "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::Json::parse(outcome.out);
}

TEST(AnalyseCommand, SaysHowABallRollsOrSlidesDownARamp) {
    // Five figures of gravity in the scene.
    const test::Json rolls = answer(ramp("0.5"));
    EXPECT_EQ(rolls["cone"]["existence"], "unique");
    const test::Json rolling = rolls["cone"]["solutions"][0];
    EXPECT_EQ(rolling["contacts"][0]["transition"], "rolling -> rolling");
    EXPECT_NEAR(rolling["bodies"][0]["acceleration"][0].get<double>(), 5.0 / 7.0 * 4.905, 1e-6);
    const test::Json sliding = answer(ramp("0.1"))["cone"]["solutions"][0];
    EXPECT_EQ(sliding["contacts"][0]["transition"], "rolling -> sliding");
    EXPECT_NEAR(sliding["bodies"][0]["acceleration"][0].get<double>(), 4.905 - 0.1 * 8.495709, 1e-6);
    // The force on the ramp: the weight across it, and friction along the slip.
    const double n = sliding["contacts"][0]["normal_force"];
    EXPECT_NEAR(sliding["contacts"][0]["force"][2].get<double>(), -n, 1e-9);
    EXPECT_NEAR(sliding["contacts"][0]["force"][0].get<double>(), 0.1 * n, 1e-9);
}

TEST(AnalyseCommand, GivesTheVerdictOnAFixture) {
    const std::string held =
        ramp("0.5", "  - {name: stop, material: glass, plane: {point: [0.1, 0, 0], normal: [-1, 0, 0]}}\n");
    EXPECT_EQ(answer(held)["fixture"], "stable");
    EXPECT_EQ(answer(ramp("0.5"))["fixture"], "collapses");
    const test::Workplace place(held);
    const test::Outcome text = test::scree({"analyse", place.scene()});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, HasSubstr("fixture     stable"));
    EXPECT_THAT(text.out, HasSubstr("ball - stop"));
}

TEST(AnalyseCommand, NamesAnImpact) {
    std::string scene = ramp("0.5");
    scene.replace(scene.find("radius: 0.1}"), 12, "radius: 0.1, velocity: [0, 0, -1]}");
    const test::Workplace place(scene);
    const test::Outcome outcome = test::scree({"analyse", place.scene()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("an impact comes first"));
}

TEST(AnalyseCommand, RefusesScenesThatTheReferenceWorldCannotHold) {
    const test::Workplace drum(ramp(
        "0.5",
        "  - {name: drum, material: glass, cylinder: {start: [0, 0, 0], axis: [0, 0, 1], length: 1, radius: 1}}\n"));
    const test::Outcome refused = test::scree({"analyse", drum.scene()});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("scene.yaml:10: boundary 'drum'"));
    EXPECT_THAT(refused.out, IsEmpty());
    EXPECT_EQ(test::scree({"analyse"}).code, 1);
    EXPECT_EQ(test::scree({"analyse", drum.scene(), "--gap", "-1"}).code, 1);
    const test::Workplace many(ramp("0.5") + "outlets: []\n");
    EXPECT_EQ(test::scree({"analyse", many.scene(), "--boxes", "0"}).code, 1);
}

TEST(AnalyseCommand, NumbersOutOfRangeAreErrorsInShortForm) {
    const test::Workplace place(ramp("0.5"));
    for (const std::string flag : {"--gap", "--speed"})
        for (const std::string value : {"nan", "-nan", "inf", "-1", "1e999"}) {
            const test::Outcome outcome = test::scree({"analyse", place.scene(), flag + "=" + value});
            EXPECT_EQ(outcome.code, 1) << flag << " " << value;
            EXPECT_THAT(outcome.err, HasSubstr(flag + ": "));
            EXPECT_THAT(outcome.err, HasSubstr("(allowed: a finite number >= 0)"));
            EXPECT_LT(outcome.err.size(), 160u) << outcome.err;
        }
    EXPECT_EQ(test::scree({"analyse", place.scene(), "--gap", "0"}).code, 0);
}

TEST(AnalyseCommand, PlanarScenesReportInWorldAxes) {
    // A block slides to +x on the floor: a = -mu g, and it would tip about y only.
    const std::string scene =
        "stepper: lcp\nplanar: true\ntime: {step: 1 ms, end: 0.1 s}\nmaterials: {m: {}}\n"
        "pairs: [{between: [m, m], friction: 0.25}]\n"
        "bodies:\n"
        "  - {name: block, material: m, velocity: [1, 0, 0], body: {box: {half_extents: [1, 1, 0.5]}, position: [0, 0, "
        "0.5], mass: 2, inertia: [1, 1, 1]}}\n"
        "  - {name: ball, material: m, sphere: {position: [9, 0, 9], radius: 1}}\n"
        "boundaries: [{name: floor, material: m, plane: {}}]\n";
    const test::Json found = answer(scene);
    const test::Json solution = found["cone"]["solutions"][0];
    const auto near = [](const test::Json& list, double x, double y, double z) {
        ASSERT_EQ(list.size(), 3u);
        EXPECT_NEAR(list[0].get<double>(), x, 1e-9);
        EXPECT_NEAR(list[1].get<double>(), y, 1e-9);
        EXPECT_NEAR(list[2].get<double>(), z, 1e-9);
    };
    near(solution["bodies"][0]["acceleration"], -0.25 * 9.81, 0.0, 0.0);
    near(solution["bodies"][0]["angular_acceleration"], 0.0, 0.0, 0.0);
    near(solution["bodies"][1]["acceleration"], 0.0, 0.0, -9.81);
    near(found["contacts"][0]["slip"], -1.0, 0.0, 0.0);  // of the floor against the block
    double normal = 0.0, along = 0.0;
    for (const auto& contact : solution["contacts"]) {
        EXPECT_EQ(contact["force"][1], 0.0);
        normal += contact["force"][2].get<double>();
        along += contact["force"][0].get<double>();
    }
    EXPECT_NEAR(normal, -2.0 * 9.81, 1e-9);
    EXPECT_NEAR(along, 0.25 * 2.0 * 9.81, 1e-9);

    const test::Workplace place(scene);
    const test::Outcome text = test::scree({"analyse", place.scene()});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, HasSubstr("acceleration (-2.4525, 0, 0) m/s^2, angular (0, 0, 0) rad/s^2"));
    EXPECT_THAT(text.out, HasSubstr("acceleration (0, 0, -9.81) m/s^2"));
}

TEST(AnalyseCommand, LeavesOutRollingResistanceAndSaysSo) {
    const std::string file = std::string(SCREE_SOURCE_DIR) + "/scenes/billiards.yaml";
    const test::Outcome outcome = test::scree({"analyse", file});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("contacts    11 at zero gap"));
    EXPECT_THAT(outcome.out, HasSubstr("rolling resistance is left out at 11 contacts"));
    EXPECT_THAT(outcome.out, HasSubstr("one acceleration, and no other"));
}

TEST(AnalyseCommand, NotesDeepOverlaps) {
    std::string scene = ramp("0.5");
    scene.replace(scene.find("[0, 0, 0.1]"), 11, "[0, 0, 0.02]");
    const test::Json notes = answer(scene)["notes"];
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_THAT(notes[0].get<std::string>(), HasSubstr("'ball' and 'ramp' overlap by 0.08 m: the answer is as if"));
}

TEST(AnalyseCommand, ComputesInDoubleWhateverTheSceneSays) {
    std::string scene = ramp("0.5");
    const std::string size = "position: [0, 0, 0.1], radius: 0.1";
    scene.replace(scene.find(size), size.size(), "position: [0, 0, 1e-12], radius: 1e-12");
    EXPECT_NEAR(answer(scene)["cone"]["solutions"][0]["bodies"][0]["acceleration"][0].get<double>(), 5.0 / 7.0 * 4.905,
                1e-6);
}

TEST(AnalyseCommand, RefusesTooManyBodies) {
    const test::Outcome outcome = test::scree({"analyse", std::string(SCREE_SOURCE_DIR) + "/scenes/pile_1000.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("at most 300"));
}

}  // namespace
}  // namespace scree
