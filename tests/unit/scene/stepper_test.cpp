// SPDX-License-Identifier: BSD-3-Clause
// Scenes for the reference steppers: what they may hold, and what is refused where.
#include "engine/scene/stepper_check.hpp"

#include "engine/scene/write.hpp"
#include "tests/unit/scene/sample_scenes.hpp"

#include <gmock/gmock.h>

namespace scree::scene {
namespace {

using namespace model;
using samples::error_of;
using samples::parse;
using samples::replaced;
using ::testing::HasSubstr;

/// Every key that is of the reference steppers alone, away from its default.
const std::string every_key = R"(stepper: lcp
lcp: {directions: 6, impact: poisson, condition: velocity, geometry: contacts_at_end, geometry_iterations: 7, restitution_threshold: 1 mm/s, reach: 2 mm}
ncp: {tolerance: 1e-8, rows: start, rounds: 3, seed: 5}
compliant: {contacts: springs, young: 2 GPa, poisson: 0.1, elements: 4, spacing: 2 mm, normal_stiffness: 5 kN/m, tangent_stiffness: 3 kN/m, damping: 0.5, directions: 10, rule: speed, reach: 1 mm}
materials: {steel: {density: 7800, young: 210 GPa, poisson: 0.29}, floor: {young: .inf}}
pairs:
  - {between: [steel, steel], friction: 0.2, static_friction: 0.3, fall_speed: 1 cm/s, friction_aspect: 0.5, torsion_radius: 2 mm, rolling_resistance: 1 mm, restitution: 0.4}
  - {between: [steel, floor]}
bodies:
  - {material: steel, body: {name: ball, sphere: {radius: 1 cm}, position: [0, 0, 1], velocity: [1, 0, 0], angular_velocity: [0, 2, 0]}}
  - {material: steel, name: brick, velocity: [0, 1, 0], body: {box: {half_extents: [1, 2 cm, 3]}, position: [9, 0, 1], orientation: {axis: [0, 0, 1], angle: 30 deg}, mass: 2 kg, inertia: [1, 2, 2.5]}}
  - {material: steel, body: {ellipsoid: {semi_axes: [1, 2, 3]}, position: [0, 9, 1], force: [0, 1, 0], torque: [0, 0, 2 N m]}}
  - {material: steel, body: {superquadric: {semi_axes: [1, 2, 3], e1: 0.5, e2: 1.5}, position: [0, 0, 9]}}
  - {material: steel, body: {cylinder: {radius: 1, half_length: 2}, position: [0, 0, -9], fixed: true}}
  - {material: steel, body: {polytope: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1 cm]]}, position: [5, 5, 5]}}
boundaries: [{name: floor, material: floor, plane: {}}]
)";

const BodySource& body(const Scene& scene, std::size_t i) { return std::get<BodySource>(scene.sources[i].what); }

TEST(SteppersInScenes, EveryKeyIsRead) {
    const Scene scene = parse(every_key);
    EXPECT_EQ(scene.settings.stepper, Stepper::lcp);
    EXPECT_FALSE(scene.settings.planar);
    EXPECT_EQ(scene.settings.lcp.directions, 6U);
    EXPECT_EQ(scene.settings.lcp.impact, LcpImpact::poisson);
    EXPECT_EQ(scene.settings.lcp.condition, LcpCondition::velocity);
    EXPECT_EQ(scene.settings.lcp.geometry, LcpGeometry::contacts_at_end);
    EXPECT_EQ(scene.settings.lcp.geometry_iterations, 7U);
    EXPECT_EQ(scene.settings.lcp.restitution_threshold, 0.001);
    EXPECT_EQ(scene.settings.lcp.reach, 0.002);
    EXPECT_EQ(scene.settings.ncp.tolerance, 1e-8);
    EXPECT_EQ(scene.settings.ncp.rows, NcpRows::start);
    EXPECT_EQ(scene.settings.ncp.rounds, 3U);
    EXPECT_EQ(scene.settings.ncp.seed, 5U);
    EXPECT_EQ(scene.settings.compliant.contacts, CompliantContacts::springs);
    EXPECT_EQ(scene.settings.compliant.young, 2e9);
    EXPECT_EQ(scene.settings.compliant.elements, 4U);
    EXPECT_EQ(scene.settings.compliant.rule, CompliantRule::speed);
    EXPECT_EQ(scene.materials[0].young, 210e9);
    EXPECT_TRUE(std::isinf(scene.materials[1].young));
    EXPECT_EQ(scene.pairs[0].static_friction, 0.3);
    EXPECT_EQ(scene.pairs[0].fall_speed, 0.01);
    EXPECT_EQ(scene.pairs[0].friction_aspect, 0.5);
    EXPECT_EQ(scene.pairs[0].torsion_radius, 0.002);
    EXPECT_EQ(scene.pairs[1].static_friction, -1.0);
    EXPECT_EQ(scene.sources[0].name, "ball");
    EXPECT_EQ(scene.sources[0].velocity, (Vec3{1, 0, 0}));
    EXPECT_EQ(std::get<SolidSphere>(body(scene, 0).shape).radius, 0.01);
    EXPECT_EQ(std::get<SolidBox>(body(scene, 1).shape).half_extents, (Vec3{1, 0.02, 3}));
    EXPECT_EQ(body(scene, 1).mass, 2.0);
    EXPECT_EQ(body(scene, 1).inertia, (Vec3{1, 2, 2.5}));
    EXPECT_EQ(body(scene, 2).torque, (Vec3{0, 0, 2}));
    EXPECT_EQ(std::get<SolidSuperquadric>(body(scene, 3).shape).e2, 1.5);
    EXPECT_TRUE(body(scene, 4).fixed);
    EXPECT_EQ(std::get<SolidPolytope>(body(scene, 5).shape).vertices[3], (Vec3{0, 0, 0.01}));
}

TEST(SteppersInScenes, EveryKeyComesBack) {
    const std::string text = to_yaml(parse(every_key));
    SCOPED_TRACE(text);
    EXPECT_EQ(to_yaml(parse(text)), text);
    for (const char* part :
         {"condition: velocity", "rows: start", "contacts: springs", "young: 2.1e11", "static_friction: 0.3",
          "fall_speed: 0.01", "friction_aspect: 0.5", "torsion_radius: 0.002", "e1: 0.5", "force: [0, 1, 0]",
          "inertia: [1, 2, 2.5]", "half_length: 2", "[0, 0, 0.01]"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST(SteppersInScenes, NoStepperIgnoresALaw) {
    struct Case {
        const char *stepper, *key, *hint;
    };
    for (const Case& c :
         {Case{"ccp", "static_friction: 0.9", "lcp"}, Case{"ccp", "friction_aspect: 0.5", "lcp, ncp, compliant"},
          Case{"ccp", "torsion_radius: 1 mm", "lcp, ncp"}, Case{"lcp", "cohesion: 1 N", "ccp"},
          Case{"lcp", "spinning_resistance: 1 mm", "ccp"}, Case{"ncp", "tangential_restitution: 0.1", "ccp, lcp"},
          Case{"midpoint", "friction: 0.1", "ccp, lcp, ncp"}, Case{"ncp", "restitution: 0.5", "ccp, lcp"},
          Case{"ncp", "rolling_resistance: 1 mm", "ccp, lcp"}, Case{"compliant", "restitution: 0.5", "ccp, lcp"},
          Case{"compliant", "stiffness: 1e5", "ccp"}}) {
        const std::string scene =
            samples::minimal + "pairs: [{between: [glass, glass], " + c.key + "}]\nstepper: " + c.stepper + "\n";
        const Error error = error_of(scene);
        const std::string key = std::string(c.key).substr(0, std::string(c.key).find(':'));
        EXPECT_THAT(error.message(), HasSubstr(key + " is not a law of the stepper " + c.stepper));
        EXPECT_THAT(error.hint(), HasSubstr(c.hint));
        EXPECT_EQ(error.line(), 3U) << c.key;
    }
}

TEST(SteppersInScenes, ReferenceStepsRefuseShapesOfTheProductionStep) {
    const std::string scene =
        "stepper: lcp\nmaterials: {m: {}}\nbodies: [{material: m, body: {capsule: {radius: 1, half_length: 2}, "
        "position: [0, 0, 0]}}]\n";
    EXPECT_THAT(error_of(scene).message(), HasSubstr("has no such shape"));
    EXPECT_THAT(error_of(scene).hint(), HasSubstr("stepper: ccp"));
    const std::string copies =
        "stepper: ncp\nmaterials: {m: {}}\npairs: [{between: [m, m]}]\nbodies:\n  - {material: m, shape: {box: "
        "{half_extents: [1, 1, 1]}}, "
        "lattice: {lower: [0, 0, 0], upper: [9, 9, 9], radius: 2}}\n";
    EXPECT_THAT(error_of(copies).message(), HasSubstr("single bodies"));
}

TEST(SteppersInScenes, ShapesAreForSourcesOfManyBodies) {
    const std::string sphere =
        "materials: {m: {}}\nbodies: [{material: m, shape: {box: {half_extents: [1, 1, 1]}}, sphere: {radius: 1, "
        "position: [0, 0, 0]}}]\n";
    EXPECT_THAT(error_of(sphere).message(), HasSubstr("is for sources of many bodies"));
    const std::string turned =
        "materials: {m: {}}\nbodies: [{material: m, orientations: random, lattice: {lower: [0, 0, 0], upper: [9, 9, "
        "9], radius: 2}}]\n";
    EXPECT_THAT(error_of(turned).message(), HasSubstr("needs a 'shape'"));
}

TEST(SteppersInScenes, RoundingLeavesSomethingOfTheShape) {
    const std::string scene =
        "materials: {m: {}}\nbodies: [{material: m, body: {box: {half_extents: [1, 2, 3], rounding: 1}, position: [0, "
        "0, 0]}}]\n";
    EXPECT_THAT(error_of(scene).message(), HasSubstr("leaves nothing of the shape"));
}

TEST(SteppersInScenes, TheProductionStepRefusesPlanes) {
    EXPECT_THAT(error_of(samples::minimal + "planar: true\n").message(), HasSubstr("planar = true"));
}

TEST(SteppersInScenes, TheImplicitStepRefusesSuperquadricsWithoutCurvature) {
    const auto scene = [](const std::string& exponents, const std::string& stepper) {
        return "stepper: " + stepper + "\nmaterials: {m: {density: 1000}}\nbodies:\n  - material: m\n    body:\n" +
               "      superquadric: {semi_axes: [1, 2, 3], " + exponents + "}\n      position: [0, 0, 9]\n";
    };
    for (const char* exponents : {"e1: 2, e2: 1", "e1: 1, e2: 1.9", "e1: 0.01, e2: 1"}) {
        const Error error = error_of(scene(exponents, "ncp"));
        EXPECT_THAT(error.message(), HasSubstr("out of the range of the stepper ncp (allowed: 0.05 to 1.5)"));
        EXPECT_EQ(error.line(), 6U) << exponents;
        EXPECT_NO_THROW(parse(scene(exponents, "lcp"))) << exponents;
    }
    EXPECT_NO_THROW(parse(scene("e1: 0.05, e2: 1.5", "ncp")));
}

TEST(SteppersInScenes, ReferenceSteppersNameWhatTheyLack) {
    const std::string scene = samples::minimal + "stepper: lcp\n";
    const auto refused = [&](const std::string& more) { return std::string(error_of(scene + more).what()); };
    EXPECT_THAT(refused("outlets: [{name: o, plane: {point: [0, 0, 0]}}]\n"),
                HasSubstr("outlets: the stepper lcp has no outlets"));
    EXPECT_THAT(refused("periodic: {x: [0, 1]}\n"), HasSubstr("periodic: the stepper lcp has no periodic faces"));
    EXPECT_THAT(refused("backend: cuda\n"), HasSubstr("backend: the stepper lcp runs on the CPU"));
    const std::string pair = "pairs: [{between: [glass, glass]}]\n";
    EXPECT_THAT(
        refused(pair + "boundaries: [{name: c, material: glass, cylinder: {start: [0, 0, 0], length: 1, radius: "
                       "1}}]\n"),
        HasSubstr("boundary 'c': the stepper lcp has planes and boxes only"));
    EXPECT_THAT(refused(pair + "boundaries: [{name: gate, material: glass, plane: {}, remove_at: 1}]\n"),
                HasSubstr("remove_at: the stepper lcp removes no boundary"));
    EXPECT_THAT(
        refused(pair +
                "boundaries: [{name: lid, material: glass, plane: {}, motion: {servo: {force: 1, speed: 1}}}]\n"),
        HasSubstr("motion: the stepper lcp has no walls that move by a force"));
}

TEST(SteppersInScenes, PlanarScenesStayInTheirPlane) {
    const std::string head = "stepper: lcp\nplanar: true\nmaterials: {m: {}}\n";
    const auto refused = [&](const std::string& more) { return std::string(error_of(head + more).what()); };
    EXPECT_THAT(refused("bodies: [{material: m, sphere: {position: [0, 1, 0], radius: 1}}]\n"),
                HasSubstr("outside the plane y = 0"));
    EXPECT_THAT(refused("bodies: [{material: m, sphere: {position: [0, 0, 0], radius: 1, velocity: [0, 1, 0]}}]\n"),
                HasSubstr("moves out of the plane"));
    EXPECT_THAT(
        refused("bodies: [{material: m, body: {sphere: {radius: 1}, position: [0, 0, 0], orientation: {axis: [1, "
                "0, 0], angle: 1}}}]\n"),
        HasSubstr("turned out of the plane"));
    EXPECT_THAT(refused("gravity: [0, 1, 0]\n"), HasSubstr("gravity has a part along y"));
    EXPECT_THAT(refused("boundaries: [{name: b, material: m, plane: {normal: [0, 1, 1]}}]\n"),
                HasSubstr("its normal leaves the plane"));
}

TEST(SteppersInScenes, BadValuesAreNamed) {
    const auto refused = [&](const std::string& from, const std::string& to) {
        return std::string(error_of(replaced(every_key, from, to)).what());
    };
    EXPECT_THAT(refused("directions: 6", "directions: 7"), HasSubstr("lcp.directions = 7 is odd"));
    EXPECT_THAT(refused("static_friction: 0.3", "static_friction: 0.1"), HasSubstr("is less than friction"));
    EXPECT_THAT(refused("static_friction: 0.3, ", ""), HasSubstr("fall_speed says how friction falls"));
    EXPECT_THAT(refused("inertia: [1, 2, 2.5]", "inertia: [1, 2, 4]"), HasSubstr("at most the sum of the other two"));
    EXPECT_THAT(refused("e1: 0.5", "e1: 2.5"), HasSubstr("e1"));
    EXPECT_THAT(refused("mass: 2 kg", "mass: -2 kg"), HasSubstr("mass"));
    EXPECT_THAT(refused("sphere: {radius: 1 cm}, ", ""), HasSubstr("shape"));
    EXPECT_THAT(refused("fixed: true", "fixed: true, force: [1, 0, 0]"), HasSubstr("takes no force"));
    EXPECT_THAT(refused("stepper: lcp", "stepper: lpc"), HasSubstr("lcp"));
}

TEST(SteppersInScenes, SettingsOfTheProductionStepAreListedAsUnused) {
    const std::string scene = samples::minimal + "solver: {tolerance: 1e-5}\ncontact: {stiffness: 1e4}\n";
    const auto keys = [](const std::string& text) {
        std::vector<std::string> list;
        for (const UnusedKey& unused : unused_keys(parse(text))) list.push_back(unused.key + " " + unused.why);
        return list;
    };
    EXPECT_THAT(keys(scene), ::testing::IsEmpty());
    const std::string of_ccp = " is of stepper: ccp, and the scene has stepper: ncp";
    EXPECT_THAT(keys(scene + "stepper: ncp\n"),
                ::testing::ElementsAre("solver.tolerance" + of_ccp, "contact.stiffness" + of_ccp));
}

TEST(SteppersInScenes, SettingsThatTheProductionStepDoesNotReadAreListedAsUnused) {
    const auto keys = [](const std::string& text, const std::vector<std::string>& set) {
        std::vector<std::string> list;
        for (const UnusedKey& unused : unused_keys(parse(text, set))) list.push_back(unused.key);
        return list;
    };
    EXPECT_THAT(keys(samples::minimal, {}), ::testing::IsEmpty());
    EXPECT_THAT(keys(samples::minimal, {"lcp.directions=16", "ncp.tolerance=1e-8", "compliant.young=1e6",
                                        "contact.recovery_speed=0.2", "materials.glass.young=1e7"}),
                ::testing::ElementsAre("lcp.directions", "ncp.tolerance", "compliant.young", "materials.glass.young",
                                       "contact.recovery_speed"));
    EXPECT_THAT(keys(samples::minimal, {"contact.recovery_speed=0.2", "contact.feedback=rigid"}), ::testing::IsEmpty());
}

}  // namespace
}  // namespace scree::scene
