// SPDX-License-Identifier: BSD-3-Clause
// Wrong scenes: what the error says, and where.
#include "engine/scene/document.hpp"
#include "tests/unit/scene/sample_scenes.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace scree::scene {
namespace {

using samples::complete;
using samples::error_of;
using samples::minimal;
using samples::replaced;
using testing::HasSubstr;

struct WrongScene {
    std::string from, to;  ///< Replaced in `complete`.
    std::string place;     ///< Text at whose first occurrence (after the replacement) the error stands.
    std::string message;   ///< Part of the message.
    std::string hint;      ///< Part of the hint.
    friend void PrintTo(const WrongScene& wrong, std::ostream* out) { *out << wrong.to; }
};

class SceneErrors : public testing::TestWithParam<WrongScene> {};

TEST_P(SceneErrors, NamePlaceObjectValueAndHint) {
    const auto& wrong = GetParam();
    const std::string text = replaced(complete, wrong.from, wrong.to);
    const auto at = text.find(wrong.place);
    ASSERT_NE(at, std::string::npos);
    const auto line =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')) + 1;
    const auto column = at - (text.rfind('\n', at) + 1) + 1;

    const auto error = error_of(text);

    EXPECT_EQ(error.file(), "scene.yaml");
    EXPECT_THAT(error.message(), HasSubstr(wrong.message));
    EXPECT_THAT(error.hint(), HasSubstr(wrong.hint));
    EXPECT_EQ(error.line(), line) << error.what();
    EXPECT_EQ(error.column(), column) << error.what();
}

INSTANTIATE_TEST_SUITE_P(
    SceneErrors, SceneErrors,
    testing::Values(
        // Keys
        WrongScene{"tolerance:", "tolerence:", "tolerence:", "solver: unknown key 'tolerence'",
                   "did you mean 'tolerance'"},
        WrongScene{"outlets:", "outlet:", "outlet:", "the scene: unknown key 'outlet'", "did you mean 'outlets'"},
        WrongScene{"radius_start", "radius_strat", "radius_strat",
                   "boundary 'funnel': cone: unknown key 'radius_strat'", "did you mean 'radius_start'"},
        WrongScene{"precision: double", "backend: double", "backend: double", "duplicate key 'backend'",
                   "first given on line 9"},
        WrongScene{"position: [0, 0, 0.06], ", "", "{name: ball",
                   "body source 'ball': sphere lacks the required key 'position'", "Centre"},
        WrongScene{"name: exit, ", "", "{plane: {point: [0, 0, -2]", "outlets[0] lacks the required key 'name'", ""},
        WrongScene{"axis: [0, 1, 0], point", "rotor: [0, 1, 0], point", "rotor",
                   "boundary 'drum': motion.rotation: unknown key 'rotor'", "known keys: axis, point"},
        WrongScene{"plane: {point: [0, 0, -1], normal: [0, 0, 2]}", "motion: []", "{name: floor",
                   "boundary 'floor' lacks its shape", "plane, box, cylinder, cone, mesh"},
        WrongScene{"plane: {point: [0, 0, -1], normal: [0, 0, 2]}",
                   "plane: {point: [0, 0, -1], normal: [0, 0, 2]}, motion: {belt: {velocity: [1, 0, 0.1]}}", "{belt",
                   "holds a belt whose velocity points out of the surface", "flat mesh"},
        WrongScene{"count: 1e3, ", "count: 1e3, fraction: 0.1, ", "{box: {lower: [0, 0, 0], upper: [1, 1, 1]}, count",
                   "gives its amount more than once: count, fraction", "one of them"},
        WrongScene{"name: anchor, velocity", "name: anchor, sphare", "sphare", "unknown key 'sphare'",
                   "did you mean 'sphere'"},
        WrongScene{"time: {step: ", "time: {dt: ", "dt", "time: unknown key 'dt'", "did you mean 'step'? known keys"},
        WrongScene{"kind: energy", "kind: energy, colour: red", "colour", "unknown key 'colour'", "known keys: name"},
        WrongScene{"feedback: rigid, impact: newton", "feedback: rigid, impact: spring_damper", "rigid, impact",
                   "contact.feedback = rigid: there is no spring for impact: spring_damper", "feedback: compliant"},
        WrongScene{"feedback: rigid, impact: newton", "impact: spring_damper", "2 ms, recovery",
                   "contact.damping_time is given: with impact: spring_damper it follows from the pairs' restitution",
                   "leave it auto"},
        WrongScene{"impact: newton", "impact: poisson", "{between: [glass, steel]",
                   "tangential_restitution has no meaning by Poisson's law", "impact: newton"},
        WrongScene{"impact: newton", "impact: bounce", "bounce", "contact.impact", "newton, poisson, spring_damper"},
        // Types
        WrongScene{"warm_start: false", "warm_start: no", "no, fallback",
                   "solver.warm_start = 'no' must be true or false", ""},
        WrongScene{"time: {step: 0.5 ms, end: 2 min}", "time: 5", "5\nstop", "time must be a map with keys, not '5'",
                   "step, end"},
        WrongScene{"gravity: [0.1, 0, -1 g]", "gravity: -9.81", "-9.81", "gravity must be a list of 3, not '-9.81'",
                   ""},
        WrongScene{"gravity: [0.1, 0, -1 g]", "gravity: [0, 0]", "[0, 0]",
                   "gravity must be a list of 3, not a list of 2", ""},
        WrongScene{"max_iterations: 50", "max_iterations: 5.5", "5.5",
                   "solver.max_iterations = '5.5' is not a whole number", ""},
        WrongScene{"max_iterations: 50", "max_iterations: -5", "-5,",
                   "solver.max_iterations = '-5' is out of range (allowed: in [1, 1e9])", ""},
        WrongScene{"threads: 2", "threads: [2]", "[2]", "threads must be a whole number, not a list of 1", ""},
        WrongScene{"kind: hcp", "kind: bcc", "bcc", "lattice.kind = 'bcc' is unknown", "known values: sc, fcc, hcp"},
        WrongScene{"threads: 2", "threads:", "threads:", "threads has no value", "remove the key"},
        WrongScene{"columns: [x, y, z]", "columns: [x, y, q]", "q]", "file.columns[2] = 'q' is unknown", ""},
        WrongScene{"open: [+z, -x]", "open: [top]", "top]", "boundary 'bin': box.open[0] = 'top' is unknown", "+z"},
        // Values and units
        WrongScene{"radius: 0.3, side", "radius: 5 kg, side", "5 kg",
                   "boundary 'drum': cylinder.radius = '5 kg' has the unit 'kg', a unit of mass where length is wanted "
                   "(allowed: > 0 m)",
                   "units: m, mm"},
        WrongScene{"radius: 0.3, side", "radius: -1 cm, side", "-1 cm",
                   "boundary 'drum': cylinder.radius = '-1 cm' is out of range (allowed: > 0 m)", ""},
        WrongScene{"tolerance: 1e-3", "tolerance: 1e300", "1e300",
                   "solver.tolerance = '1e300' is out of range (allowed: in (0, 1000])", ""},
        WrongScene{"restitution: 0.4", "restitution: 1.5", "1.5",
                   "pair 'glass-steel': restitution = '1.5' is out of range (allowed: in [0, 1])", ""},
        WrongScene{"density: 7200", "density: .nan", ".nan", "material 'steel': density = '.nan' is not a number", ""},
        WrongScene{"density: 7200", "density: .inf", ".inf", "density = '.inf' is infinite (allowed: > 0 kg/m^3)", ""},
        WrongScene{"density: 7200", "density: 1e999", "1e999", "density = '1e999' does not fit", ""},
        WrongScene{"density: 7200", "density: 1,5", "5}\n  \"odd", "material 'steel': unknown key '5'",
                   "decimal point"},
        WrongScene{"stiffness: 1e7", "stiffness: 0", "0, damping",
                   "contact.stiffness = '0' is out of range (allowed: > 0 N/m or auto)", ""},
        WrongScene{"normal: [0, 0, 2]", "normal: [0, 0, 0]", "[0, 0, 0]}}\n  - {name: bin",
                   "boundary 'floor': plane.normal must not be the zero vector", ""},
        WrongScene{"fraction: 0.3", "fraction: 90 %", "90 %",
                   "random.fraction = '90 %' is out of range (allowed: in (0, 0.6])", ""},
        // Several keys together
        WrongScene{"end: 2 min", "end: 0.1 ms", "{step: 0.5 ms",
                   "time: the step (0.0005 s) must be less than the end (0.0001 s)", ""},
        WrongScene{"start: 1, stop: 2", "start: 2, stop: 2", "{axis: [0, 1, 0]",
                   "boundary 'drum': motion.rotation: 'stop' (2 s) must be later than 'start' (2 s)", ""},
        WrongScene{"rest_time: 50 ms, ", "", "2 mm/s", "stop.rest_speed is given without 'rest_time'",
                   "rest_time: 50 ms"},
        WrongScene{"x: [0, 1]", "x: [1, 1]", "[1, 1],", "periodic.x = [1, 1] must be [lower, upper]", ""},
        WrongScene{"lower: [-1, -1, -1], upper", "center: [-1, -1, -1], upper", "{center: [-1",
                   "boundary 'bin': box needs either 'center' and 'half_extents' or", ""},
        WrongScene{"container: false", "container: false, open: [+x]", "{center: [5",
                   "boundary 'block': box: a solid box has no open faces", ""},
        WrongScene{"columns: [x, y, z], radius: 1 mm", "columns: [x, y, z]", "[x, y, z]",
                   "file.columns has no radius and no diameter", "radius"},
        WrongScene{"[2 mm, 40 %]", "[0.5 mm, 40 %]", "[0.5 mm",
                   "random.sizes.sieve[1] = [0.5 mm, 40 %] must have a larger opening", ""},
        WrongScene{"[3 mm, 1]", "[3 mm, 0.9]", "[[1 mm, 0]", "random.sizes.sieve must end with a mass fraction of 1",
                   ""},
        WrongScene{"triangles: [[0, 1, 2]]", "triangles: [[0, 1, 3]]", "[0, 1, 3]",
                   "boundary 'shaker': mesh.triangles[0] names the vertex 3 of 3", ""},
        WrongScene{"name: anchor, velocity", "name: anchor, fixed", "fixed: [1 mm/s", "unknown key 'fixed'", ""},
        // References
        WrongScene{"material: steel, name: anchor", "material: stel, name: anchor", "stel,",
                   "body source 'anchor': material = 'stel' is no material of the scene",
                   "did you mean 'steel'? known materials: glass, steel"},
        WrongScene{"between: [steel, steel]", "between: [steel, wood]", "wood", "between[1] = 'wood' is no material",
                   "known materials"},
        WrongScene{"  - {between: [glass, glass], friction: 0.4}\n", "", "- {between: [glass, steel]",
                   "pairs lacks the pair [glass, glass] (body source 'large' and bodies[4] can meet)",
                   "add {between: [glass, glass]"},
        WrongScene{"between: [steel, steel]", "between: [steel, glass]", "{between: [steel, glass]",
                   "pair 'steel-glass': this pair is listed twice", ""},
        WrongScene{"name: block", "name: bin", "{name: bin, material: steel, box: {center",
                   "boundary 'bin': the name is taken by an earlier boundary", ""},
        WrongScene{"target: drum", "target: dram", "dram",
                   "probe 'load': target = 'dram' is the name of no boundary, sphere or body", "did you mean 'drum'"},
        WrongScene{"target: ball", "target: large", "large}\n  - {name: load",
                   "probe 'depth': target = 'large' is a source of many bodies: no sphere", "ball"},
        WrongScene{"kind: flow, target: exit", "kind: flow", "{name: rate",
                   "probe 'rate' lacks the required key 'target'", "outlet"},
        WrongScene{"kind: energy", "material: glass, kind: energy", "glass, kind: energy",
                   "probe 'work': material has no meaning for this kind of probe", "count"},
        WrongScene{"kind: packing, box: {lower: [0, 0, 0], upper: [1, 1, 1]}", "kind: packing", "{name: solid",
                   "needs a finite box", ""},
        WrongScene{"kind: stress, box: {lower: [0, 0, 0], upper: [1, 1, 1]}", "kind: stress", "{name: squeeze",
                   "probe 'squeeze': a probe of kind 'stress' needs a finite box", ""},
        WrongScene{"name: map, kind: field", "name: a/b, kind: field", "a/b", "name = 'a/b' cannot be part of a file",
                   "letters, digits"},
        WrongScene{"kind: stress, box: {lower: [0, 0, 0], upper: [1, 1, 1]}",
                   "kind: stress, box: {lower: [0, 0, 0], upper: [1.5, 1, 1]}", "{lower: [0, 0, 0], upper: [1.5",
                   "probe 'squeeze': box reaches beyond the periodic faces along x (0 and 1 m)", "end it there"},
        WrongScene{"kind: stress, box: {lower: [0, 0, 0], upper: [1, 1, 1]}",
                   "kind: stress, box: {lower: [0, 0, 0], upper: [1e-200, 1e-200, 1]}", "{name: squeeze",
                   "the volume of the box is beyond the range", ""},
        WrongScene{"cells: [4, 1, 20]", "cells: [4, 0, 20]", "0, 20]", "cells[1] = '0' is out of range", ""},
        WrongScene{"cells: [4, 1, 20]", "cells: [4, 1, 2.5]", "2.5]", "cells[2] = '2.5' is not a whole number", ""},
        WrongScene{"cells: [4, 1, 20]", "cells: [1000, 1000, 20]", "[1000", "are more than 1e6 cells", ""},
        WrongScene{"kind: energy", "kind: energy, cells: [7, 1, 1]", "[7, 1, 1]", "cells has no meaning", "field"},
        WrongScene{"[1 s, 0, 0, -5 mm]", "[0 s, 0, 0, -5 mm]", "0 s, 0",
                   "motion[0].path.rows[1][0] = 0 s: times increase", ""},
        WrongScene{"[1 s, 0, 0, -5 mm]", "[1 s, 0, 0]", "[1 s", "motion[0].path.rows[1] must", ""},
        WrongScene{"rows: [[0.5, 0], [1, 30 deg]]", "rows: [[1, 30 deg]]", "[[1, 30 deg]]",
                   "motion[1].turning.rows has fewer than two rows", ""},
        WrongScene{"force: 5 N, ", "", "{axis: [0, 0, -2]", "motion[2].servo", "force"},
        WrongScene{"force: 5 N", "force: -5 N", "-5 N", "motion[2].servo.force = '-5 N' is out of range", ""},
        WrongScene{"[1, 0.03 N]", "[1, 0 N]", "[[0, 0], [1, 0 N]]", "motion[3].servo.rows holds no force above 0", ""},
        WrongScene{"speed: 2 cm/s", "speed: 0", "0, stop", "motion[2].servo.speed = '0' is out of range", ""},
        WrongScene{"takes: inside", "takes: nothing", "nothing", "takes = 'nothing'", "inside"},
        WrongScene{"kind: mixing, target: large, ", "kind: mixing, ", "{name: blend",
                   "probe 'blend' lacks 'material' or 'target'", "the material or the source"},
        WrongScene{"kind: mixing, target: large, ", "kind: mixing, target: large, material: glass, ", "{name: blend",
                   "probe 'blend': has both 'material' and 'target'", ""},
        WrongScene{", cells: [3, 2, 1]", "", "{name: blend", "probe 'blend' lacks the required key 'cells'", "NX"},
        WrongScene{"cells: [3, 2, 1]", "cells: [1, 1, 1]", "{name: blend", "probe 'blend' has one cell", "NX"},
        WrongScene{"kind: mixing, target: large, ", "kind: mixing, target: larg, ", "larg, box",
                   "target = 'larg' is the name of no body source", "large"},
        WrongScene{"kind: force, target: drum", "kind: force, target: ball, average: true", "true}\n  - {name: rate",
                   "probe 'load': average = true needs a boundary as the target", ""},
        WrongScene{"surface: plane", "surface: sphere", "sphere, box", "surface = 'sphere'", "cone"}));

TEST(SceneErrorsOfText, EmptyFiles) {
    for (const auto* text : {"", "\n\n", "# only a comment\n", "---\n", "~", "null"})
        EXPECT_THAT(error_of(text).message(), HasSubstr("empty")) << text;
}

TEST(SceneErrorsOfText, ARootThatIsNoMap) {
    for (const auto* text : {"hello", "[1, 2]", "- a\n- b\n", "5 mm"})
        EXPECT_THAT(error_of(text).message(), HasSubstr("a scene is a map")) << text;
}

TEST(SceneErrorsOfText, MissingSections) {
    EXPECT_THAT(error_of("name: x\n").message(), HasSubstr("the scene lacks the required key 'materials'"));
    EXPECT_THAT(error_of("materials: []\n").message(), HasSubstr("materials must be a map from names"));
    EXPECT_THAT(error_of("materials:\n").message(), HasSubstr("materials must be a map from names"));
}

TEST(SceneErrorsOfText, TextThatIsNotUtf8) {
    const auto error = error_of("name: x\ncomment: \xFF\xFE\n");
    EXPECT_THAT(error.message(), HasSubstr("not UTF-8 (byte 0xFF)"));
    EXPECT_EQ(error.line(), 2U);
    EXPECT_EQ(error.column(), 10U);
    for (const auto* text : {"a: \xC0\x80", "a: \xED\xA0\x80", "a: \xF5\x80\x80\x80", "a: \xE2\x82",
                             "\xFF\xFE"
                             "a"})
        EXPECT_THAT(error_of(text).message(), HasSubstr("not UTF-8")) << text;
}

TEST(SceneErrorsOfText, ControlCharacters) {
    EXPECT_THAT(error_of(std::string("a: \0b", 5)).message(), HasSubstr("control character 0x00"));
    EXPECT_THAT(error_of("a: \x04").message(), HasSubstr("control character 0x04"));
    // An escape in quotes is text to YAML, but no name.
    EXPECT_THAT(error_of(replaced(minimal, "name: ball", "name: \"a\\nb\"")).message(),
                HasSubstr("holds a control character"));
}

TEST(SceneErrorsOfText, BrokenYamlHasAPlace) {
    const auto error = error_of("name: x\ntime: {step: 1 ms\nmaterials: [\n");
    EXPECT_THAT(error.message(), HasSubstr("not valid YAML"));
    EXPECT_GT(error.line(), 1U);
    EXPECT_THAT(error_of("a: b: c\n").message(), HasSubstr("not valid YAML"));
    EXPECT_THAT(error_of("a: \"open\n").message(), HasSubstr("not valid YAML"));
    EXPECT_THAT(error_of("\tname: x\n").message(),
                testing::AnyOf(HasSubstr("not valid YAML"), HasSubstr("unknown key")));
}

TEST(SceneErrorsOfText, ConstructsThatScenesDoNotUse) {
    EXPECT_THAT(error_of(minimal + "---\nname: second\n").message(), HasSubstr("second YAML document"));
    EXPECT_THAT(error_of("name: !!binary aGk=\n").message(), HasSubstr("tag"));
    EXPECT_THAT(error_of("? [a, b]\n: c\n").message(), HasSubstr("where a key is wanted"));
    EXPECT_THAT(error_of("~: c\n").message(), HasSubstr("a key is empty"));
    EXPECT_THAT(error_of("<<: {name: x}\n").message(), HasSubstr("unknown key '<<'"));
    EXPECT_THAT(error_of("name: *nowhere\n").message(), HasSubstr("not valid YAML"));
    EXPECT_THAT(error_of("name: &a [*a]\n").message(), HasSubstr("part of"));
}

TEST(SceneErrorsOfText, BombsOfAliasesStop) {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string name = "a" + std::to_string(i), last = "*a" + std::to_string(i - 1);
        text += name + ": &" + name + " [";
        for (int k = 0; k < 10; ++k) text += (k > 0 ? ", " : "") + last;
        text += "]\n";
    }
    EXPECT_THAT(error_of(text).message(), HasSubstr("aliases expand to more than 100000 values"));
}

TEST(SceneErrorsOfText, DeepNestingStops) {
    EXPECT_THAT(error_of("a: " + std::string(1000, '[') + std::string(1000, ']')).message(),
                HasSubstr("nested more than 32 deep"));
    EXPECT_NO_FATAL_FAILURE((void)error_of("a: " + std::string(100'000, '[')));
    std::string maps = "a: ";
    for (int i = 0; i < 1000; ++i) maps += "{a: ";
    EXPECT_THAT(error_of(maps).message(), HasSubstr("nested more than 32 deep"));
    EXPECT_THAT(error_of(std::string(100'000, '-') + " a").message(), HasSubstr("a scene is a map"));
    std::string dashes;
    for (int i = 0; i < 1000; ++i) dashes += "- ";
    EXPECT_THAT(error_of(dashes + "a").message(), HasSubstr("nested more than 32 deep"));
}

TEST(SceneErrorsOfText, TooManyValuesStop) {
    DocumentLimits limits;
    limits.nodes = 1000;
    std::string text = "[";
    for (int i = 0; i < 2000; ++i) text += "1, ";
    EXPECT_THROW((void)parse_document(text + "1]", "x", limits), model::Error);
    limits.bytes = 100;
    EXPECT_THROW((void)parse_document(text + "1]", "x", limits), model::Error);
}

TEST(SceneErrorsOfText, ManyObjectsDoNotHang) {
    std::string text = "materials: {a: {}, b: {}}\npairs: [{between: [a, a]}, {between: [a, b]}]\nbodies:\n";
    for (int i = 0; i < 10'000; ++i)
        text += "- {sphere: {name: s" + std::to_string(i) + ", position: [0, 0, 1], radius: 0.1}, material: a}\n";
    text += "boundaries: [{name: floor, material: b, plane: {}}]\nprobes:\n";
    for (int i = 0; i < 100; ++i)
        text += "- {name: p" + std::to_string(i) + ", kind: body, target: s" + std::to_string(i) + "}\n";
    EXPECT_EQ(samples::parse(text).sources.size(), 10'000U);
    std::string materials = "materials: {";
    for (int i = 0; i < 1000; ++i) materials += "m" + std::to_string(i) + ": {}, ";
    EXPECT_THAT(error_of(materials + "}").message(), HasSubstr("materials has 1000 entries (allowed: at most 256)"));
}

TEST(SceneErrorsOfText, LongValuesAreCutInMessages) {
    const auto error = error_of(replaced(minimal, "1 cm", std::string(100'000, 'x')));
    EXPECT_LT(std::string(error.what()).size(), 600U);
}

}  // namespace
}  // namespace scree::scene
