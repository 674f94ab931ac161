// SPDX-License-Identifier: BSD-3-Clause
// Scenes for the reference steppers, from the launcher.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

namespace scree {
namespace {

using test::Arguments;
using test::Json;
using ::testing::HasSubstr;

std::string scene(const std::string& name) { return std::string(SCREE_SOURCE_DIR) + "/scenes/" + name + ".yaml"; }

struct Shipped {
    const char *scene, *stepper, *until;
};
void PrintTo(const Shipped& shipped, std::ostream* out) { *out << shipped.scene; }

class ShippedScene : public ::testing::TestWithParam<Shipped> {};

TEST_P(ShippedScene, RunsAndContinuesBitForBit) {
    const test::TemporaryDirectory folder;
    const std::string whole = (folder / "whole").string(), part = (folder / "part").string();
    const std::string file = scene(GetParam().scene);
    const auto check = test::scree({"check", file});
    EXPECT_EQ(check.code, 0) << check.err;
    EXPECT_THAT(check.out, HasSubstr(std::string("stepper     ") + GetParam().stepper));
    EXPECT_THAT(check.out, HasSubstr("the scene is valid\n"));  // without warnings

    const std::string until = GetParam().until;
    ASSERT_EQ(test::scree({"run", file, "-o", whole, "--quiet", "--until", until}).code, 0);
    ASSERT_EQ(test::scree({"run", file, "-o", part, "--quiet", "--steps", "17"}).code, 0);
    const auto restart = test::scree({"restart", part, "--quiet", "--until", until});
    ASSERT_EQ(restart.code, 0) << restart.err;
    const Json a = Json::parse(test::content_of(whole + "/summary.json"));
    const Json b = Json::parse(test::content_of(part + "/summary.json"));
    EXPECT_EQ(a["state_hash"], b["state_hash"]);
    EXPECT_EQ(a["solver"]["name"], GetParam().stepper);
    EXPECT_EQ(a["precision"], "double");
    EXPECT_EQ(a["solver"]["converged_fraction"], 1.0);
    EXPECT_EQ(a["warnings"], Json::array());
    EXPECT_EQ(test::content_of(whole + "/series.csv"), test::content_of(part + "/series.csv"));
    for (const char* name : {"particles.pvd", "contacts.pvd", "walls.pvd"})
        EXPECT_TRUE(std::filesystem::exists(whole + "/" + name)) << name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, ShippedScene,
                         ::testing::Values(Shipped{"rolling_disc", "ncp", "0.1"},
                                           Shipped{"painleve_rod", "lcp", "0.05"},
                                           Shipped{"song_ellipse", "compliant", "0.05"},
                                           Shipped{"billiards", "lcp", "0.2"}),
                         [](const auto& stepper) { return std::string(stepper.param.scene); });

TEST(Steppers, OneSceneRunsWithTheProductionStepAndAReferenceStepper) {
    const test::Workplace place(
        "materials: {m: {density: 1000}}\npairs: [{between: [m, m], friction: 0.5}]\ntime: {step: 1 ms, end: 0.2}\n"
        "bodies: [{name: ball, material: m, sphere: {position: [0, 0, 0.11], radius: 0.1}}]\n"
        "boundaries: [{name: floor, material: m, plane: {}}]\nprobes: [{name: load, kind: force, target: floor}]\n");
    const auto load = [&](const std::string& stepper) -> double {
        const auto run = place.run(stepper, {"--set", "stepper=" + stepper});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(place.summary(stepper)["settings"]["stepper"], stepper);
        return place.summary(stepper)["probes"]["load"]["fz"];
    };
    // Weight of a ball of 4.18879 kg; the production run is solved to 1e-2 of g h.
    EXPECT_NEAR(load("ccp"), -41.0920, 0.01 * 41.0920);
    EXPECT_NEAR(load("lcp"), -41.0920, 1e-4);
    EXPECT_NEAR(load("ncp"), -41.0920, 1e-4);
}

TEST(Steppers, ErrorsNameFileAndLine) {
    const test::Workplace place(
        "stepper: lcp\nmaterials: {m: {}}\nbodies:\n  - {material: m, body: {capsule: {radius: 1, half_length: 1}, "
        "position: [0, 0, 0]}}\n");
    const auto outcome = test::scree({"check", place.scene()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("scene.yaml:4"));
    EXPECT_THAT(outcome.err, HasSubstr("has no such shape"));

    const test::Workplace box(
        "stepper: lcp\nmaterials: {m: {}}\nbodies:\n  - {material: m, body: {box: {half_extents: [1, 1, 1]}, "
        "position: [0, 0, 0]}}\n");
    const auto dump = box.run("out", {"--set", "time.end=0.1", "--dump-problem", "step=1"});
    EXPECT_EQ(dump.code, 2);
    EXPECT_THAT(dump.err, HasSubstr("stepper: lcp has no cone problem to write"));
}

TEST(Steppers, AnalyseSeesBodiesOfAnyShape) {
    const test::Workplace place(
        "stepper: lcp\nmaterials: {m: {}}\npairs: [{between: [m, m], friction: 0.3}]\n"
        "bodies: [{name: block, material: m, body: {box: {half_extents: [1, 1, 0.5]}, position: [0, 0, 0.5]}}]\n"
        "boundaries: [{name: floor, material: m, plane: {}}]\n");
    const auto outcome = test::scree({"analyse", place.scene()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("contacts    4 at zero gap"));
    EXPECT_THAT(outcome.out, HasSubstr("block - floor"));
}

TEST(Steppers, SettingsWithoutEffectAreWarnedAbout) {
    const auto outcome = test::scree({"check", scene("billiards"), "--set", "solver.tolerance=1e-6"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("solver.tolerance has no effect"));
}

/// A box with its centre at `height` over another, which stands 2 m high on the floor; its own half-height is 1 m.
std::string two_boxes(const std::string& stepper, const std::string& height) {
    return "stepper: " + stepper +
           "\nmaterials: {m: {}}\npairs: [{between: [m, m], friction: 0.3}]\ntime: {step: 1 ms, end: 20 ms}\n"
           "bodies:\n  - {name: lower, material: m, body: {box: {half_extents: [3, 3, 1]}, position: [0, 0, 1]}}\n"
           "  - {name: upper, material: m, body: {box: {half_extents: [1, 1, 1]}, position: [0, 0, " +
           height + "]}}\nboundaries: [{name: floor, material: m, plane: {}}]\n";
}

TEST(Steppers, DeepOverlapsAtTheStartAreWarnedAbout) {
    const test::Workplace deep(two_boxes("lcp", "2.75")), held(two_boxes("compliant", "2.75"));
    const auto outcome = test::scree({"check", deep.scene()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("warning: 'lower' and 'upper' overlap by 0.25 m at the start, 25 % of the half "
                                       "thickness of the smaller, and will be pushed apart"));
    EXPECT_THAT(test::scree({"check", held.scene()}).out, HasSubstr("will rest in each other"));
    const test::Workplace touching(two_boxes("lcp", "2.9999"));
    EXPECT_THAT(test::scree({"check", touching.scene()}).out, HasSubstr("the scene is valid\n"));
    // Walls too, and the deepest of several.
    const auto sunk = test::scree({"check", deep.scene(), "--set", "boundaries.floor.plane.point=[0, 0, 1]"});
    EXPECT_THAT(sunk.out, HasSubstr("'lower' and 'floor' overlap by 1 m at the start, 100 % of the half thickness of "
                                    "the smaller (the deepest of 2 such pairs)"));
}

TEST(Steppers, WarningsOfARunNameNoKeyThatItsStepperDoesNotRead) {
    const test::Workplace place(two_boxes("compliant", "2.5"));
    ASSERT_EQ(place.run("out").code, 0);
    const Json warnings = place.summary("out")["warnings"];
    ASSERT_EQ(warnings.size(), 2u);  // at the start, and at the end
    EXPECT_THAT(warnings[0].get<std::string>(), HasSubstr("'lower' and 'upper' overlap"));
    EXPECT_THAT(warnings[1].get<std::string>(), HasSubstr("bodies overlapped by up to"));
    for (const auto& warning : warnings) {
        EXPECT_THAT(warning.get<std::string>(), ::testing::Not(HasSubstr("solver.")));
        EXPECT_THAT(warning.get<std::string>(), ::testing::Not(HasSubstr("contact.")));
    }
}

TEST(Steppers, TheFallbackCountsItsSteps) {
    const test::Workplace place(
        "materials: {m: {density: 1000}}\npairs: [{between: [m, m], friction: 0.5}]\ntime: {step: 1 ms, end: 20 ms}\n"
        "solver: {tolerance: 1e-4, max_iterations: 5}\nprecision: double\nbackend: cpu\n"
        "bodies: [{material: m, lattice: {kind: fcc, lower: [0, 0, 0], upper: [0.3, 0.3, 0.3], radius: 0.05}}]\n"
        "boundaries: [{name: floor, material: m, plane: {}}]\n");
    ASSERT_EQ(place.run("none").code, 0);
    ASSERT_EQ(place.run("lemke", {"--set", "solver.fallback=lemke"}).code, 0);
    const test::Json none = place.summary("none")["solver"], lemke = place.summary("lemke")["solver"];
    EXPECT_LT(none["converged_fraction"].get<double>(), 0.5);
    EXPECT_EQ(none["fallback_tried"], 0);
    EXPECT_EQ(lemke["converged_fraction"], 1.0);
    EXPECT_GT(lemke["fallback_used"].get<int>(), 0);
    EXPECT_EQ(lemke["fallback_used"], lemke["fallback_tried"]);
}

}  // namespace
}  // namespace scree
