// SPDX-License-Identifier: BSD-3-Clause
// What check and run say about boundaries, units and bodies that left.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

using test::Json;
using test::Workplace;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

/// One ball of glass, radius 5 mm, 0.0128 N, in a scene with `more` sections; the boundary is line 5.
std::string ball(const std::string& boundary, const std::string& more = "",
                 const std::string& pair = "{between: [glass, glass]}", const std::string& density = "2500") {
    return "time: {step: 1 ms, end: 0.1 s}\n"
           "materials: {glass: {density: " +
           density + "}}\npairs: [" + pair +
           "]\nbodies: [{name: ball, material: glass, sphere: {position: [0, 0, 0.1], radius: 5 mm}}]\n"
           "boundaries: [{name: wall, material: glass, " +
           boundary + "}]\n" + more;
}

Json plan_of(const Workplace& place, const test::Arguments& more = {}) {
    test::Arguments arguments{"check", place.scene(), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto outcome = test::scree(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
}

std::string warnings_of(const std::string& scene) { return plan_of(Workplace(scene))["warnings"].dump(); }

const std::string floor_plane = "plane: {point: [0, 0, 0]}";
/// Two triangles: a square of 10 cm at z = 0.
const std::string square =
    "mesh: {vertices: [[-0.05, -0.05, 0], [0.05, -0.05, 0], [0.05, 0.05, 0], [-0.05, 0.05, 0]], "
    "triangles: [[0, 1, 2], [0, 2, 3]]";

TEST(Check, SaysWhatBoundariesThereAre) {
    const Workplace both(
        ball(square + "}, motion: {rotation: {angular_speed: 2}}}, {name: bin, material: glass, remove_at: 50 ms, "
                      "cylinder: {start: [0, 0, -0.2], length: 0.4, radius: 0.3}"));
    const std::string out = test::scree({"check", both.scene()}).out;
    EXPECT_THAT(out, HasSubstr("boundaries\n  wall         mesh, x -0.05 .. 0.05, y -0.05 .. 0.05, z 0 .. 0 m; "
                               "2 triangles, 4 open edges; rotation, at most 0.141 m/s\n"));
    EXPECT_THAT(out, HasSubstr("  bin          cylinder, x -0.3 .. 0.3, y -0.3 .. 0.3, z -0.2 .. 0.2 m; removed at "
                               "0.05 s\n"));
    const Json plan = plan_of(both), list = plan["boundary_list"];
    EXPECT_EQ(plan["boundaries"], 2);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0]["kind"], "mesh");
    EXPECT_EQ(list[0]["triangles"], 2);
    EXPECT_EQ(list[0]["open_edges"], 4);
    EXPECT_EQ(list[0]["motion"], Json({"rotation"}));
    EXPECT_NEAR(list[0]["largest_speed"].get<double>(), 2.0 * 0.05 * std::sqrt(2.0), 1e-6);
    EXPECT_EQ(list[1]["upper"], Json({0.3, 0.3, 0.2}));
    EXPECT_EQ(list[1]["remove_at"], 0.05);
    EXPECT_EQ(list[1]["largest_speed"], 0.0);
}

TEST(Check, CapsTheListOfBoundaries) {
    std::string many = floor_plane;
    for (int k = 0; k < 24; ++k)
        many += "}, {name: w" + std::to_string(k) + ", material: glass, plane: {point: [0, 0, -1]}";
    const std::string out = test::scree({"check", Workplace(ball(many)).scene()}).out;
    EXPECT_THAT(out, AllOf(HasSubstr("  w18 "), Not(HasSubstr("  w19 ")), HasSubstr("  ... and 5 more\n")));
}

TEST(Check, WarnsOfBoundariesOfAnotherScale) {
    EXPECT_EQ(warnings_of(ball(square + "}")), "[]");
    EXPECT_THAT(warnings_of(ball(square + ", scale: 1000}")),
                HasSubstr("scene.yaml:5) is 100 m large, 1e+04 times as large as all bodies together (0.01 m) [is its "
                          "file in mm? then give mesh.scale: 0.001]"));
    EXPECT_THAT(warnings_of(ball(square + ", scale: 0.0005, translation: [0, 0, 0.2]}")),
                HasSubstr("is 5e-05 m large, 0.005 of the diameter of the smallest body (0.01 m)"));
    EXPECT_THAT(warnings_of(ball("box: {lower: [-2, -2, -1], upper: [2, 2, 0], container: false}")),
                HasSubstr("give units: 5 mm"));
}

TEST(Check, WarnsOfWallsThatMoveMoreThanARadiusInAStep) {
    const auto plane = [](const std::string& velocity) {
        return warnings_of(ball(floor_plane + ", motion: {translation: {velocity: " + velocity + "}}"));
    };
    EXPECT_EQ(plane("[0, 0, 4]"), "[]");
    EXPECT_THAT(plane("[0, 0, 20]"),
                HasSubstr("scene.yaml:5) moves by up to 0.02 m in one step of 0.001 s (20 m/s), 4 times the radius of "
                          "the smallest body (0.005 m): it may pass bodies [use time.step <= 0.00025 s"));
    EXPECT_EQ(plane("[20, 0, 0]"), "[]") << "a belt";
    const auto drum = [](const std::string& motion) {
        return warnings_of(
            ball("cylinder: {start: [0, -0.1, 0.1], axis: [0, 1, 0], length: 0.2, radius: 0.2}, motion: "
                 "{rotation: {axis: [0, 1, 0], angular_speed: 100, point: " +
                 motion + "}}"));
    };
    EXPECT_EQ(drum("[0, 0, 0.1]"), "[]") << "a drum that spins about its own axis";
    EXPECT_THAT(drum("[0.1, 0, 0.1]"), HasSubstr("moves by up to 0.01 m in one step"));
    // Not before it starts, which the run never sees.
    EXPECT_EQ(warnings_of(ball(floor_plane + ", motion: {translation: {velocity: [0, 0, 20], start: 1}}")), "[]");
    EXPECT_THAT(warnings_of(ball(floor_plane + ", motion: {translation: {velocity: [0, 0, 20], start: 99 ms}}")),
                HasSubstr("4 times the radius"));
}

TEST(Check, WarnsOfWallsThatReachPastPeriodicFaces) {
    const auto belt = [](const std::string& motion, const std::string& faces) {
        return warnings_of(ball(square + "}" + motion, "periodic: {x: " + faces + "}\n"));
    };
    const std::string along = ", motion: {translation: {velocity: [1, 0, 0]}}";
    const std::string there_and_back = ", motion: {oscillation: {amplitude: [2 cm, 0, 0], frequency: 20 Hz}}";
    for (const std::string& motion :
         {std::string(), std::string(", motion: {translation: {velocity: [0, 1, 0]}}"), there_and_back})
        EXPECT_EQ(belt(motion, "[-3 cm, 3 cm]"), "[]") << "spans the period at all times";
    EXPECT_EQ(belt(along, "[-0.2, 0.2]"), "[]") << "stays between the faces";
    EXPECT_THAT(belt("", "[0, 0.2]"), HasSubstr("scene.yaml:5) reaches from x = -0.05 to 0.05 m"));
    EXPECT_THAT(belt(along, "[-5 cm, 5 cm]"),
                HasSubstr("reaches from x = -0.05 to 0.15 m in the course of the run, past "
                          "the periodic faces at -0.05 and 0.05 m"));
    EXPECT_THAT(belt(there_and_back, "[-5 cm, 5 cm]"), HasSubstr("reaches from x = -0.07 to 0.07 m"));
    EXPECT_EQ(warnings_of(ball(floor_plane + along, "periodic: {x: [-5 cm, 5 cm]}\n")), "[]") << "no end, no image";
}

TEST(Check, WarnsOfOscillationsThatStepsDoNotSee) {
    const auto plate = [](const std::string& frequency) {
        return warnings_of(
            ball(floor_plane + ", motion: {oscillation: {amplitude: [0, 0, 0.1 mm], frequency: " + frequency + "}}"));
    };
    EXPECT_EQ(plate("50 Hz"), "[]");
    EXPECT_THAT(plate("200 Hz"), HasSubstr("oscillates with a period of 0.005 s, 5 steps: its motion is sampled "
                                           "coarsely [use time.step <= 0.00025 s, 20 steps in a period]"));
}

TEST(Check, WarnsOfLengthsThatWereMeantAsCoefficients) {
    const auto pair = [](const std::string& value) {
        return warnings_of(ball(floor_plane, "", "{between: [glass, glass], " + value + "}"));
    };
    EXPECT_EQ(pair("rolling_resistance: 0.5 mm, spinning_resistance: 5 mm"), "[]");
    EXPECT_THAT(pair("rolling_resistance: 0.1"),
                HasSubstr("scene.yaml:3): rolling_resistance = 0.1 m is a length, 20 times the smallest radius of its "
                          "bodies (0.005 m) [a coefficient mu_r goes in as mu_r times the radius: 0.0005 m for 0.1]"));
    EXPECT_THAT(pair("spinning_resistance: 0.1"), HasSubstr("spinning_resistance = 0.1 m"));
}

TEST(Check, WarnsOfCohesionBeyondTheWeights) {
    const auto pair = [](const std::string& value, const std::string& more = "") {
        return warnings_of(ball(floor_plane, more, "{between: [glass, glass], cohesion: " + value + "}"));
    };
    // The ball weighs 0.01284 N.
    EXPECT_EQ(pair("12"), "[]");
    EXPECT_THAT(pair("13"), HasSubstr("cohesion = 13 N is 1.01e+03 times the weight of its heaviest body (0.0128 N)"));
    EXPECT_EQ(pair("0.12, restitution: 0.5"), "[]");
    EXPECT_THAT(pair("0.13, restitution: 0.5"),
                HasSubstr("with contact.impact: newton impacts rebound by restitution = 0.5 whatever the cohesion"));
    EXPECT_THAT(pair("0.13, restitution: 0.5", "contact: {impact: spring_damper}\n"), Not(HasSubstr("cohesion")));
}

TEST(Check, WarnsOfDensitiesInOtherUnits) {
    const auto density = [](const std::string& value) {
        return warnings_of(ball(floor_plane, "", "{between: [glass, glass]}", value));
    };
    EXPECT_EQ(density("50"), "[]");
    EXPECT_THAT(density("2.5"), HasSubstr("scene.yaml:2): density = 2.5 kg/m^3 is below 50 kg/m^3 [in g/cm^3? write "
                                          "density: 2.5 g/cm^3]"));
    EXPECT_THAT(density("2500 g/cm^3"), HasSubstr("density = 2.5e+06 kg/m^3 is above 30000 kg/m^3"));
    // Mass given: the density does not matter.
    EXPECT_EQ(warnings_of("materials: {glass: {density: 1}}\npairs: [{between: [glass, glass]}]\nbodies: [{material: "
                          "glass, body: {sphere: {radius: 1}, position: [0, 0, 0], mass: 1}}]\n"),
              "[]");
}

TEST(Check, WarnsOfBodiesInSolidCylindersAndCones) {
    const auto rod = [](const std::string& shape) { return warnings_of(ball(shape)); };
    const std::string behind = "1 body has its centre inside the boundary 'wall', whose free side is outside";
    EXPECT_THAT(rod("cylinder: {start: [0, 0, 0], length: 0.3, radius: 0.05, side: outside}"), HasSubstr(behind));
    EXPECT_THAT(rod("cylinder: {start: [0, 0, 0], length: 0.3, radius: 0.05, side: outside, caps: both}"),
                HasSubstr(behind));
    EXPECT_THAT(rod("cone: {start: [0, 0, 0], length: 0.3, radius_start: 0.1, radius_end: 0, side: outside}"),
                HasSubstr(behind));
    EXPECT_THAT(rod("box: {lower: [-1, -1, 0], upper: [1, 1, 1], container: false}"), HasSubstr(behind));
    EXPECT_EQ(rod("cylinder: {start: [0.2, 0, 0], length: 0.3, radius: 0.05, side: outside}"), "[]");
    // What is in a cup is not in its outer skin.
    EXPECT_EQ(rod("cylinder: {start: [0, 0, 0], length: 0.3, radius: 0.05, side: outside}}, {name: cup, material: "
                  "glass, cylinder: {start: [0, 0, 0], length: 0.3, radius: 0.04}"),
              "[]");
}

TEST(Run, WarnsOfBodiesThatLeftEverything) {
    // A bin without a floor: they fall for ever.
    const auto summary = [](const std::string& open, const std::string& more = "") {
        const Workplace place(test::beads());
        EXPECT_EQ(place
                      .run("out", {"--set", "boundaries.box.box.open=[" + open + "]", "--until", "1.5 s", "--set",
                                   "output.interval=1 s" + more})
                      .code,
                  0);
        return place.summary("out");
    };
    EXPECT_EQ(summary("+z")["bodies"]["outside"], 0);
    const Json lost = summary("+z, -z");
    EXPECT_EQ(lost["bodies"]["outside"], 81);
    EXPECT_THAT(
        lost["warnings"].dump(),
        HasSubstr("81 of 81 bodies are outside of all boundaries, farther than 2 times the size of the scene: a "
                  "hole in a mesh, or no floor? [scree check lists the open edges of meshes"));
    // Infinite planes have no outside, and what falls on one is not lost.
    const Workplace planes(
        ball("plane: {point: [0, 0, -9], normal: [0, 0, 1]}}, {name: lid, material: glass, box: "
             "{lower: [-0.01, -0.01, 0.2], upper: [0.01, 0.01, 0.3], container: false}"));
    ASSERT_EQ(planes.run("out", {"--until", "1 s"}).code, 0);
    EXPECT_EQ(planes.summary("out")["bodies"]["outside"], 0);
}

TEST(Run, WarnsOfBoundariesAtItsStartToo) {
    const Workplace place(ball(square + ", scale: 1000}"));
    ASSERT_EQ(place.run("out", {"--steps", "1"}).code, 0);
    EXPECT_THAT(place.summary("out")["warnings"].dump(), HasSubstr("is its file in mm?"));
}

TEST(Check, TellsTheSolidFractionOfTheShapesThemselves) {
    const auto note = [](const std::string& amount) {
        const Workplace place(
            "materials: {m: {density: 2500}}\npairs: [{between: [m, m]}]\n"
            "bodies: [{name: cubes, material: m, shape: {box: {half_extents: [1, 1, 1]}}, random: {" +
            amount + ", box: {lower: [0, 0, 0], upper: [1, 1, 1]}, sizes: {constant: 5 cm}}}]\n");
        return plan_of(place)["sources"][0]["notes"][0].get<std::string>();
    };
    // A cube fills 2 / (sqrt(3) pi) = 0.3676 of the sphere around it; 100 of these, 0.05236 of the region.
    EXPECT_EQ(note("count: 100"), "solid fraction 0.0192 of the region; the spheres around the bodies fill 0.0524");
    EXPECT_THAT(note("fraction: 0.1"), EndsWith("the spheres around the bodies fill 0.1000, wanted 0.1000"));
}

/// A feed over a bin, the source on line 6 and the boundary on line 8.
std::string fed(const std::string& feed, const std::string& bin = "[-5 cm, -5 cm, 0]") {
    return "time: {step: 1 ms, end: 0.2 s}\nmaterials: {glass: {density: 2500}}\n"
           "pairs: [{between: [glass, glass]}]\noutput: {interval: 0}\nbodies:\n"
           "  - {name: spout, material: glass, velocity: [0, 0, -1], feed: {" +
           feed + "}}\nboundaries:\n  - {name: bin, material: glass, box: {lower: " + bin +
           ", upper: [5 cm, 5 cm, 20 cm], open: [+z]}}\n";
}
const std::string region = "box: {lower: [-3 cm, -3 cm, 12 cm], upper: [3 cm, 3 cm, 18 cm]}, ";

TEST(Feed, ThePlanAndTheSummaryTellWhatJoins) {
    const Workplace place(fed(region + "rate: 200, sizes: {constant: 4 mm}"));
    const Json plan = plan_of(place);
    EXPECT_EQ(plan["warnings"], Json::array());
    EXPECT_EQ(plan["bodies"], 0);
    EXPECT_EQ(plan["feeds"][0]["name"], "spout");
    EXPECT_EQ(plan["feeds"][0]["expected"], 39.0);  // those of the step at .19 s
    EXPECT_THAT(test::scree({"check", place.scene()}).out,
                HasSubstr("a feed: about 39 bodies until time.end, 0.02614 kg"));
    ASSERT_EQ(place.run("out").code, 0);
    const Json summary = place.summary("out");
    EXPECT_EQ(summary["feeds"][0]["due"], 39);
    EXPECT_EQ(summary["feeds"][0]["joined"], 39);
    EXPECT_EQ(summary["bodies"]["inserted"], 39);
    EXPECT_EQ(summary["bodies"]["final"], 39);
    EXPECT_EQ(summary["feeds"][0]["radius_mean"], 0.004);
    EXPECT_EQ(summary["warnings"], Json::array());
}

TEST(Feed, WarnsOfPlacesInWallsAndOfBodiesThatWait) {
    EXPECT_THAT(
        warnings_of(fed(region + "rate: 200, sizes: {constant: 4 mm}", "[-1 cm, -5 cm, 0]")),
        AllOf(HasSubstr("of 39 bodies as the feeds will make them: "), HasSubstr("outside the boundary 'bin'")));
    const Workplace place(
        fed("box: {lower: [-1 cm, -1 cm, 12 cm], upper: [1 cm, 1 cm, 14 cm]}, rate: 4000, "
            "sizes: {constant: 4 mm}"));
    ASSERT_EQ(place.run("out").code, 0);
    EXPECT_THAT(
        place.summary("out")["warnings"].dump(),
        AllOf(HasSubstr("of the 761 bodies that feed 'spout' had due found no place"), HasSubstr("a larger region")));
}

TEST(Feed, StopRulesWaitForIt) {
    const std::string scene = fed(region + "rate: 50, count: 5, start: 0.02, sizes: {constant: 4 mm}");
    const Workplace left(scene + "stop: {bodies_left: 10}\n"), never(scene + "stop: {bodies_left: 4}\n");
    ASSERT_EQ(left.run("out").code, 0);
    // The fifth is due at .1 s.
    EXPECT_NEAR(left.summary("out")["time"].get<double>(), 0.101, 1e-9);
    EXPECT_EQ(left.summary("out")["bodies"]["inserted"], 5);
    ASSERT_EQ(never.run("out").code, 0);
    EXPECT_EQ(never.summary("out")["status"], "done");
    EXPECT_THAT(warnings_of(fed(region + "rate: 50, start: 3, sizes: {constant: 4 mm}")),
                HasSubstr("feed 'spout' brings no body before time.end"));
}

TEST(Feed, SaysWhatIsWrong) {
    const auto error_of = [](const std::string& feed) {
        const Workplace place(fed(feed));
        const auto outcome = test::scree({"check", place.scene()});
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_THAT(error_of(region + "sizes: {constant: 4 mm}"), HasSubstr("rate"));
    EXPECT_THAT(error_of(region + "rate: 1, mass_rate: 1, sizes: {constant: 4 mm}"), HasSubstr("mass_rate"));
    EXPECT_THAT(error_of("rate: 1, sizes: {constant: 4 mm}"), HasSubstr("box"));
    EXPECT_THAT(error_of(region + "rate: 1"), HasSubstr("sizes"));
    EXPECT_THAT(error_of(region + "rate: 0, sizes: {constant: 4 mm}"), HasSubstr("rate"));
    EXPECT_THAT(error_of(region + "rate: 1, start: 2, end: 1, sizes: {constant: 4 mm}"),
                HasSubstr("end = 1 s is not after the start, 2 s"));
    EXPECT_THAT(error_of(region + "rate: 1, sizes: {constant: 4 cm}"),
                AllOf(HasSubstr(":6:"), HasSubstr("the region holds 0.03 m")));
    const Workplace held(fed(region + "rate: 1, sizes: {constant: 4 mm}") +
                         "joints: [{name: j, bodies: [ground, spout], fixed: {}}]\n");
    EXPECT_THAT(test::scree({"check", held.scene()}).err,
                HasSubstr("bodies of a feed come later, and no joint holds them"));
    const Workplace periodic(
        fed("box: {lower: [4 cm, 0, 12 cm], upper: [8 cm, 2 cm, 14 cm]}, rate: 1, sizes: {constant: 4 mm}") +
        "periodic: {x: [-2 cm, 2 cm]}\n");
    EXPECT_THAT(
        test::scree({"check", periodic.scene()}).err,
        AllOf(HasSubstr(":6:"), HasSubstr("reaches from 0.04 to 0.08 m along x"), HasSubstr("between the faces")));
    EXPECT_THAT(error_of(region + "mass_rate: 1 kg, sizes: {constant: 4 mm}"), HasSubstr("kg/s"));
}

TEST(Errors, AnUnquotedConditionIsToldToBeQuoted) {
    const auto scene = [](const std::string& motor) {
        return "materials: {m: {density: 2500}}\npairs: [{between: [m, m]}]\n"
               "bodies: [{name: b, material: m, sphere: {position: [0, 0, 0], radius: 1}}]\n"
               "joints:\n  - name: j\n    bodies: [ground, b]\n    prismatic: {point: [0, 0, 0], axis: [0, 0, 1]}\n" +
               motor;
    };
    for (const char* motor : {"    slide: {motor: {by: force, expression: t < 1 ? 2 : 3}}\n",
                              "    slide:\n      motor:\n        by: force\n        expression: t < 1 ? 2 : 3\n"}) {
        const Workplace place(scene(motor));
        const auto outcome = test::scree({"check", place.scene()});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("in quotes")) << motor;
    }
    const Workplace quoted(scene("    slide: {motor: {by: force, expression: \"t < 1 ? 2 : 3\"}}\n"));
    EXPECT_EQ(test::scree({"check", quoted.scene()}).code, 0);
    const std::string key = "joints.j.slide.motor.expression=";
    const auto bare = test::scree({"check", quoted.scene(), "--set", key + "t < 1 ? 2 : 3"});
    EXPECT_EQ(bare.code, 2);
    EXPECT_THAT(bare.err, HasSubstr("must be a text, not a map [YAML takes '? :' and ': ' for a map: write a text that "
                                    "holds them in quotes, \"t < 1 ? 2 : 3\"]"));
    EXPECT_EQ(test::scree({"check", quoted.scene(), "--set", key + "\"t < 1 ? 2 : 3\""}).code, 0);
}

}  // namespace
}  // namespace scree
