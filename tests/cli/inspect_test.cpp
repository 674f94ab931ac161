// SPDX-License-Identifier: BSD-3-Clause
// check, info, compare and bench.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace scree {
namespace {

using test::Json;
using test::Workplace;
using ::testing::HasSubstr;

TEST(Check, SaysWhatARunWouldBeAndWritesNothing) {
    const Workplace place;
    const auto text = test::scree({"check", place.scene()});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, HasSubstr("80 requested, 80 inserted"));
    EXPECT_THAT(text.out, HasSubstr("the scene is valid"));
    const Json plan = Json::parse(test::scree({"check", place.scene(), "--json"}).out);
    EXPECT_EQ(plan["bodies"], 81);
    EXPECT_EQ(plan["end_step"], 200);
    EXPECT_GT(plan["memory_estimate_bytes"], 0);
    EXPECT_EQ(plan["sources"].size(), 2U);
    EXPECT_FALSE(place.has("out"));
}

TEST(Check, WarnsOfBodiesInWrongPlacesAndTooFast) {
    const Workplace place;
    const auto warnings = [&](const std::string& override_value) {
        return Json::parse(test::scree({"check", place.scene(), "--json", "--set", override_value}).out)["warnings"]
            .dump();
    };
    EXPECT_THAT(warnings("bodies.ball.position=[-1 cm, 0, 0]"), HasSubstr("outside the boundary 'box'"));
    EXPECT_THAT(warnings("bodies.ball.velocity=[0, 0, -10]"), HasSubstr("moves 2.5 radii in one step"));
    EXPECT_THAT(warnings("output.interval=1 ms"), HasSubstr("shorter than time.step"));
    EXPECT_THAT(warnings("gravity=[0, 0, -9810]"), HasSubstr("gravity alone moves"));
    // A gate that is never there.
    const std::string gate = "boundaries=[{name: box, material: glass, remove_at: ";
    EXPECT_THAT(warnings(gate + "1, plane: {point: [0, 0, 1]}}]"), HasSubstr("outside the boundary 'box'"));
    EXPECT_EQ(warnings(gate + "0, plane: {point: [0, 0, 1]}}]"), "[]");
}

TEST(Check, WarnsOfPartsThatBothCountForTheMass) {
    const auto warnings = [](const std::string& body) {
        const Workplace place(
            "materials: {wood: {density: 700}}\n"
            "pairs: [{between: [wood, wood]}]\n"
            "bodies:\n"
            "  - {name: hook, material: wood, body: {position: [0, 0, 0], " +
            body + "}}\n");
        return Json::parse(test::scree({"check", place.scene(), "--json"}).out)["warnings"].dump();
    };
    const auto boxes = [](const std::string& height) {
        return "compound: [{box: {half_extents: [10 cm, 2 cm, 1 cm]}}, {box: {half_extents: [1 cm, 2 cm, 5 cm]}, "
               "position: [9 cm, 0, " +
               height + "]}]";
    };
    EXPECT_THAT(warnings(boxes("-5.5 cm")),
                HasSubstr("parts 0 and 1 of 'hook' (line 4) overlap by 0.005 m: both count for its mass"));
    EXPECT_EQ(warnings(boxes("-6 cm")), "[]");  // face on face
    EXPECT_EQ(warnings(boxes("-5.5 cm") + ", mass: 1"), "[]");
    EXPECT_EQ(warnings(boxes("-5.5 cm") + ", fixed: true"), "[]");
    // A clump has the mass of the union.
    EXPECT_EQ(warnings("compound: [{sphere: {radius: 1 cm}}, {sphere: {radius: 1 cm}, position: [1 cm, 0, 0]}]"), "[]");
}

TEST(Info, NamesBuildBackendsAndDevices) {
    const Json info = Json::parse(test::scree({"info", "--json"}).out);
    for (const char* key : {"version", "commit", "build", "compiler", "processor", "threads", "devices"})
        EXPECT_TRUE(info.contains(key)) << key;
    EXPECT_EQ(info["backends"][0]["name"], "cpu");
    const Json sets = info["backends"][0]["instruction_sets"];
    EXPECT_TRUE(std::any_of(sets.begin(), sets.end(), [&](const Json& set) {
        return set["runs_here"] == true && set["name"] == info["backends"][0]["instruction_set"];
    })) << info;
    EXPECT_EQ(info["backends"][1]["name"], "cuda");
    EXPECT_TRUE(info["backends"][1]["available"] == true || info["backends"][1]["reason"] != "");
    EXPECT_NE(info["auto"]["reason"], "");
    EXPECT_THAT(test::scree({"info"}).out, HasSubstr("auto "));
}

TEST(Info, ShowsAndRunsRefuseAnInstructionSetThatIsNotThere) {
    setenv("SCREE_INSTRUCTION_SET", "mmx", 1);
    const auto info = test::scree({"info"}), json = test::scree({"info", "--json"});
    const Workplace place;
    const auto run = place.run("out", {"--backend", "cpu"});
    unsetenv("SCREE_INSTRUCTION_SET");
    const std::string reason = "environment variable SCREE_INSTRUCTION_SET: mmx is not in this build";
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.err, HasSubstr(reason));
    EXPECT_THAT(run.err, HasSubstr("unset the variable"));
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("cpu         not available: " + reason));
    const Json cpu = Json::parse(json.out)["backends"][0];
    EXPECT_EQ(cpu["available"], false);
    EXPECT_TRUE(cpu["instruction_set"].is_null());
    EXPECT_THAT(cpu["reason"].get<std::string>(), HasSubstr(reason));
}

TEST(Compare, FindsEqualRunsEqual) {
    const Workplace place;
    ASSERT_EQ(place.run("a").code, 0);
    ASSERT_EQ(place.run("b").code, 0);
    const auto outcome = test::scree({"compare", place.folder("a"), place.folder("b"), "--json"});
    EXPECT_EQ(outcome.code, 0);
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report["equal"], true);
    EXPECT_EQ(report["steps_compared"], 2);
    EXPECT_EQ(report["bodies"], 81);
}

TEST(Compare, FindsAPlantedDifference) {
    const Workplace place;
    ASSERT_EQ(place.run("a", {"--steps", "1"}).code, 0);
    ASSERT_EQ(place.run("b", {"--steps", "1", "--set", "bodies.ball.velocity=[0, 0, -1.001]"}).code, 0);
    const auto outcome = test::scree({"compare", place.folder("a"), place.folder("b"), "--json"});
    EXPECT_EQ(outcome.code, 1);
    const Json first = Json::parse(outcome.out)["first"];
    EXPECT_EQ(first["step"], 1);
    EXPECT_EQ(first["id"], 81);  // The ball is the last body.
    EXPECT_EQ(first["field"], "position");
    EXPECT_NEAR(first["distance"].get<double>(), 2e-6, 1e-9);
    EXPECT_EQ(first["differing_bodies"], 1);
    EXPECT_EQ(test::scree({"compare", place.folder("a"), place.folder("b"), "--tolerance", "2e-3", "--quiet"}).code, 0);
    EXPECT_EQ(test::scree({"compare", place.folder("a"), place.folder("b"), "--tolerance", "1e-5", "--relative"}).code,
              1);
}

TEST(Compare, NeedsACommonStep) {
    const Workplace place;
    ASSERT_EQ(place.run("a", {"--steps", "1"}).code, 0);
    ASSERT_EQ(place.run("b", {"--steps", "2"}).code, 0);
    const auto outcome = test::scree({"compare", place.folder("a"), place.folder("b")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("no checkpoint of the same step"));
}

TEST(Compare, StepsOneSceneSideBySide) {
    const Workplace place;
    const auto outcome = test::scree({"compare", place.scene(), "--backends", "cpu,cpu", "--threads-a", "1",
                                      "--threads-b", "3", "--steps", "60", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report["equal"], true);
    EXPECT_EQ(report["last_step"], 60);
    EXPECT_EQ(report["a"]["threads"], 1);
    EXPECT_EQ(report["b"]["threads"], 3);
    EXPECT_EQ(report["a"]["solver"], "gauss_seidel") << "what auto became";
}

TEST(Bench, GivesTheRowsThatScriptsRead) {
    const Workplace place;
    const auto outcome = test::scree({"bench", "all", "--spheres", "500", "--steps", "3", "--threads", "1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json rows = Json::parse(outcome.out);
    ASSERT_EQ(rows.size(), 6U);
    for (const std::size_t pass : {3U, 4U, 5U}) EXPECT_GT(rows[pass]["bytes_per_second"].get<double>(), 0.0);
    EXPECT_EQ(rows[3]["name"], "contact_pass");
    EXPECT_EQ(rows[4]["name"], "body_pass");
    EXPECT_EQ(rows[5]["name"], "certificate");
    EXPECT_EQ(rows[0]["name"], "step");
    EXPECT_EQ(rows[1]["name"], "solver");
    EXPECT_EQ(rows[2]["name"], "broadphase");
    for (const char* key : {"n", "seconds", "contact_iterations_per_second", "bytes_per_second",
                            "copy_bytes_per_second", "fraction_of_copy", "residual"})
        EXPECT_TRUE(rows[1].contains(key)) << key;
    EXPECT_EQ(rows[0]["n"], 500);
    EXPECT_EQ(rows[1]["iterations"], 50.0);
}

TEST(Bench, SolvesDumpedProblemsAsTheRunDid) {
    const Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "200", "--dump-problem", "200"}).code, 0);
    const auto outcome = test::scree({"bench", "solver", "--problem", place.folder("out/problem_200.json"), "--steps",
                                      "1", "--iterations", "400", "--threads", "1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json rows = Json::parse(outcome.out), row = rows[0];
    EXPECT_EQ(row["n"], 81);
    // Every solver on the same problem, from zero.
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[1]["name"], "conjugate");
    EXPECT_EQ(rows[2]["name"], "apgd");
    EXPECT_EQ(rows[3]["name"], "projected_jacobi");
    EXPECT_EQ(rows[4]["name"], "gauss_seidel");
    for (const std::size_t solver : {1U, 2U, 4U}) {
        const Json first = rows[solver]["from_zero"][0];
        EXPECT_EQ(first["tolerance"], 1e-2);
        EXPECT_EQ(first["converged"], true);
        EXPECT_LE(first["residual"], 1e-2);
        EXPECT_GT(first["operator_products"], 0);
    }
    // Relative to g h, as the tolerance that the run met within its iterations.
    EXPECT_LT(row["residual"], 1e-2);
}

TEST(Bench, TakesProblemsWithoutContactsAndRefusesImpossibleOnes) {
    const Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "100", "--dump-problem", "1", "--dump-problem", "100"}).code, 0);
    const auto bench = [&](const std::string& name) {
        return test::scree({"bench", "solver", "--problem", place.folder(name), "--steps", "1", "--threads", "1"});
    };
    EXPECT_EQ(bench("out/problem_1.json").code, 0);
    const Json whole = Json::parse(test::content_of(place.folder("out/problem_100.json")));
    const auto refused = [&](const char* key, const Json& value, int code, const std::string& part) {
        Json odd = whole;
        odd[key] = value;
        test::put(place.folder("odd.json"), odd.dump());
        const auto outcome = bench("odd.json");
        EXPECT_EQ(outcome.code, code) << key;
        EXPECT_THAT(outcome.err, HasSubstr(part));
    };
    Json bodies = whole["a"];
    bodies[0] = -1;
    refused("a", bodies, 2, "names the body -1");
    std::reverse(bodies.begin(), bodies.end());
    bodies[bodies.size() - 1] = 0;
    refused("a", bodies, 2, "by body a");
    refused("format", 3, 2, "is not a cone problem");
    refused("bodies", -5, 2, "negative");
    refused("free_velocity", std::vector<double>(whole["free_velocity"].size(), 1e300), 2, "free_velocity[0] = 1e+300");
    const auto with = [&](const char* key, const Json& value) {
        Json values = whole[key];
        values[1] = value;
        return values;
    };
    refused("friction", with("friction", -1.0), 2, "friction[1] = -1 is out of range");
    refused("inverse_mass", with("inverse_mass", -1.0), 2, "inverse_mass[1] = -1 is out of range");
    refused("compliance", with("compliance", -1.0), 2, "compliance[1] = -1 is out of range");
    refused("normal", std::vector<double>(whole["normal"].size(), 0.0), 2, "the normal of contact 0 has the length 0");
    refused("b", whole["a"], 2, "with itself");
    refused("b", with("b", 0.5), 2, "names the body 0.5");
    refused("velocity_scale", -1.0, 2, "velocity_scale");
    refused("bias", with("bias", nullptr), 2, "is not a complete cone problem: type must be number");
}

}  // namespace
}  // namespace scree
