// SPDX-License-Identifier: BSD-3-Clause
// Section joints: what is read, written back, and refused.
#include "engine/scene/course.hpp"
#include "engine/scene/joint_check.hpp"
#include "engine/scene/write.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/unit/scene/sample_scenes.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace scree::scene {
namespace {

using model::JointAxis;
using samples::error_of;
using samples::parse;
using samples::replaced;
using testing::HasSubstr;

const std::string all_joints = R"(materials: {steel: {density: 7800}}
pairs: [{between: [steel, steel]}]
bodies:
  - {name: a, material: steel, body: {box: {half_extents: [0.1, 0.1, 0.1]}, position: [0, 0, 1]}}
  - {name: b, material: steel, body: {box: {half_extents: [0.1, 0.1, 0.1]}, position: [1, 0, 1]}}
  - {name: many, material: steel, lattice: {lower: [0, 0, 3], upper: [1, 1, 4], radius: 0.1}}
joints:
  - {name: weld, bodies: [a, "many[3]"], fixed: {}}
  - {name: ball, bodies: [ground, "many[0]"], spherical: {point: [0, 0, 3]}, collide: true}
  - {name: hinge, bodies: [ground, a], revolute: {point: [0, 0, 1], axis: [0, 2, 0]}, turn: {limits: [-30 deg, .inf], stiffness: 2, rest: 10 deg, damping: 0.1, friction: 0.2 N m, motor: {speed: 60 rpm, limit: 5 N m}}}
  - {name: slider, bodies: [a, b], prismatic: {point: [0, 0, 1], axis: [1, 0, 0]}, slide: {limits: [-1, 1], stiffness: 1 kN/m, motor: {by: force, table: [[0, 1], [1 s, 2]]}}}
  - {name: shaft, bodies: [ground, b], cylindrical: {point: [1, 0, 1], axis: [0, 0, 1]}, turn: {motor: {by: torque, expression: 3 * sin(t)}}, slide: {motor: {position: 0.1}}}
  - {name: nut, bodies: [ground, "many[5]"], screw: {point: [0, 0, 3], axis: [0, 0, 1], pitch: 2 mm}}
  - {name: cardan, bodies: ["many[6]", "many[7]"], universal: {point: [0, 0, 3], axis_a: [1, 0, 0], axis_b: [0, 1, 0]}}
  - {name: puck, bodies: [ground, "many[8]"], planar: {point: [0, 0, 3], normal: [0, 0, 1]}}
  - {name: rod, bodies: ["many[9]", "many[10]"], distance: {point_a: [0, 0, 3], point_b: [1, 0, 3]}}
  - {name: rope, bodies: ["many[11]", "many[12]"], spring: {point_a: [0, 0, 3], point_b: [1, 0, 3]}, slide: {limits: [-.inf, 2]}}
  - {name: gears, gear: {first: hinge, second: shaft, ratio: -2}}
  - {name: pinion, rack: {first: hinge, second: slider, ratio: 5 cm}}
)";

TEST(Joints, OfAllKindsAreReadAndWrittenBackTheSame) {
    const model::Scene scene = parse(all_joints);
    ASSERT_EQ(scene.joints.size(), 12U);
    const JointAxis& turn = scene.joints[2].turn;
    EXPECT_NEAR(turn.lower, -std::numbers::pi / 6.0, 1e-15);
    EXPECT_TRUE(std::isinf(turn.upper));
    EXPECT_EQ(turn.motor, JointAxis::Motor::speed);
    EXPECT_NEAR(turn.target.constant, 2.0 * std::numbers::pi, 1e-15);
    EXPECT_EQ(turn.motor_limit, 5.0);
    EXPECT_EQ(std::get<model::RevoluteJoint>(scene.joints[2].kind).axis, (model::Vec3{0, 1, 0}));
    EXPECT_EQ(scene.joints[3].slide.target.table.size(), 2U);
    EXPECT_EQ(scene.joints[4].turn.motor, JointAxis::Motor::force);
    EXPECT_EQ(scene.joints[4].slide.motor, JointAxis::Motor::position);
    EXPECT_TRUE(scene.joints[1].collide);

    const std::string once = to_yaml(scene);
    const model::Scene again = parse(once);
    EXPECT_EQ(to_yaml(again), once);
    ASSERT_EQ(again.joints.size(), 12U);
    for (std::size_t k = 0; k < 12; ++k) {
        EXPECT_EQ(again.joints[k].kind.index(), scene.joints[k].kind.index());
        EXPECT_EQ(again.joints[k].turn, scene.joints[k].turn);
        EXPECT_EQ(again.joints[k].slide, scene.joints[k].slide);
        EXPECT_EQ(again.joints[k].bodies, scene.joints[k].bodies);
    }
    EXPECT_NO_THROW(simulation::Simulation{scene});
}

struct WrongJoint {
    std::string from, to, message, hint;
};
class JointErrors : public testing::TestWithParam<WrongJoint> {};

TEST_P(JointErrors, NameTheJointAndSayWhatToDo) {
    const auto& wrong = GetParam();
    const model::Error error = error_of(replaced(all_joints, wrong.from, wrong.to));
    EXPECT_THAT(error.message(), HasSubstr(wrong.message));
    EXPECT_THAT(error.hint(), HasSubstr(wrong.hint));
    EXPECT_GT(error.line(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Scene, JointErrors,
    testing::Values(
        WrongJoint{"[ground, a]", "[ground, c]", "'c' is the name of no body", "ground, a, b, many"},
        WrongJoint{"[ground, a]", "[ground, many]", "'many' makes many bodies", "many[0]"},
        WrongJoint{"[ground, a]", "[ground, \"a[1]\"]", "makes one body", "name it"},
        WrongJoint{"[ground, a]", "[a, a]", "one body with itself", ""},
        WrongJoint{"[ground, a], revolute", "[ground], revolute", "list of 2", ""},
        WrongJoint{"first: hinge, second: shaft", "first: weld, second: shaft", "has no turn", "revolute"},
        WrongJoint{"first: hinge, second: slider", "first: hinge, second: hinge", "first joint again", ""},
        WrongJoint{"first: hinge, second: shaft", "first: hing, second: shaft", "name of no joint", "hinge"},
        WrongJoint{"fixed: {}", "fixed: {}, turn: {friction: 1}", "joint that has none", "revolute"},
        WrongJoint{"fixed: {}", "fixed: {}, spherical: {point: [0, 0, 0]}", "more than once", "one of them"},
        WrongJoint{"name: ball", "name: weld", "name is taken", "unique"},
        WrongJoint{"expression: 3 * sin(t)", "expression: 3 * sin(", "cannot be read", "formula"},
        WrongJoint{"expression: 3 * sin(t)", "expression: 3 * x", "cannot be read", "formula"},
        WrongJoint{"expression: 3 * sin(t)", "expression: t = 5", "assigns with", "=="},
        WrongJoint{"by: torque, expression", "expression", "lacks the key 'by'", "by: speed"},
        WrongJoint{"limits: [-1, 1]", "limits: [0, 0]", "slide.limits = [0, 0] must be [lower, upper]",
                   "'revolute' where it"},
        WrongJoint{"limits: [-30 deg, .inf]", "limits: [0, 0]", "turn.limits = [0, 0] must be", "'prismatic' where it"},
        WrongJoint{"table: [[0, 1], [1 s, 2]]", "table: [[1, 1], [1 s, 2]]", "times increase", ""},
        WrongJoint{"motor: {speed: 60 rpm, limit: 5 N m}", "motor: {speed: 60 rpm, position: 1}", "more than once", ""},
        WrongJoint{"axis_b: [0, 1, 0]", "axis_b: [-2, 0, 0]", "parallel", "cross"},
        WrongJoint{"rest: 10 deg, damping", "rest: 10 kg, damping", "has the unit 'kg'", "rad"},
        WrongJoint{"stiffness: 2, rest: 10 deg, ", "rest: 10 deg, ", "without a spring", "stiffness"},
        WrongJoint{"materials:", "stepper: lcp\nmaterials:", "only the stepper ccp knows", "ccp"}));

/// Errors that only making the bodies shows.
std::string build_error(const std::string& text) {
    try {
        simulation::Simulation run(parse(text));
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        EXPECT_GT(error.line(), 0U);
        return error.what();
    }
    return "none";
}

TEST(Joints, AreRefusedWhereTheBodiesDoNotFit) {
    EXPECT_THAT(build_error(replaced(all_joints, "many[12]", "many[900]")),
                HasSubstr("joint 'rope': there is no body"));
    EXPECT_THAT(build_error(replaced(all_joints, "limits: [-30 deg, .inf]", "limits: [10 deg, 20 deg]")),
                HasSubstr("joint 'hinge': its turn starts at 0, outside its limits"));
    EXPECT_THAT(build_error(replaced(all_joints, "limits: [-.inf, 2]", "limits: [-.inf, 0.5]")),
                HasSubstr("joint 'rope': its slide starts at 1, outside"));
    EXPECT_THAT(build_error(replaced(all_joints, "distance: {point_a: [0, 0, 3], point_b: [1, 0, 3]}",
                                     "distance: {point_a: [0, 0, 3], point_b: [0, 0, 3]}")),
                HasSubstr("joint 'rod': its two points are one"));
    EXPECT_THAT(build_error(replaced(all_joints, "speed: 60 rpm", "speed: 1e300")),
                HasSubstr("joint 'hinge': its motor's target 1e+300 rad/s is beyond what the step can compute with "
                          "(allowed: at most 5.7735e+15 rad/s)"));
    EXPECT_THAT(build_error(replaced(all_joints, "position: 0.1", "position: -1e300")),
                HasSubstr("joint 'shaft': its motor's target -1e+300 m is beyond"));
    EXPECT_THAT(build_error(replaced(all_joints, "[1 s, 2]]", "[1 s, 1e308], [2 s, -1e308]]")),
                HasSubstr("joint 'slider': its motor's table at t = 1 s: 1e+308 N is beyond"));
    std::string fixed = replaced(all_joints, "position: [0, 0, 1]}", "position: [0, 0, 1], fixed: true}");
    EXPECT_THAT(build_error(fixed), HasSubstr("neither body can move"));
}

TEST(Course, IsAConstantATableOrAFormula) {
    model::Course course;
    course.constant = 3.0;
    EXPECT_EQ(CourseFunction(course).at(7.0), 3.0);
    course.table = {{0.0, 1.0}, {2.0, 5.0}, {3.0, 0.0}};
    const CourseFunction table(course);
    EXPECT_EQ(table.at(-1.0), 1.0);
    EXPECT_EQ(table.at(0.0), 1.0);
    EXPECT_EQ(table.at(1.0), 3.0);
    EXPECT_EQ(table.at(2.0), 5.0);
    EXPECT_EQ(table.at(9.0), 0.0);
    course.table.clear();
    course.expression = "t < 1 ? 2 * t : sqrt(t)";
    const CourseFunction formula(course);
    EXPECT_EQ(formula.at(0.5), 1.0);
    EXPECT_EQ(formula.at(4.0), 2.0);
    course.expression = "1 / (t - 1)";
    EXPECT_FALSE(std::isfinite(CourseFunction(course).at(1.0)));
}

TEST(Joints, HaveColumnsOfTheirOwn) {
    std::string scene = replaced(all_joints, "name: gears, ", "name: 'joints[11]', ");
    EXPECT_NO_THROW((void)parse(scene));
    EXPECT_THAT(error_of(replaced(scene, "name: pinion, ", "")).message(),
                HasSubstr("the name is that of joint 11, which has none of its own"));
}

TEST(Course, ThatIsNoNumberEndsTheRunNamingTheJoint) {
    model::Scene scene = parse(replaced(all_joints, "expression: 3 * sin(t)", "expression: 1 / (t - 0.0015)"));
    scene.settings.time.step = 1e-3;
    simulation::Simulation run(scene);
    run.step();
    try {
        run.step();
        FAIL();
    } catch (const model::Error& error) {
        EXPECT_THAT(std::string(error.what()),
                    HasSubstr("joint 'shaft': its motor's expression at t = 0.0015 s: inf N m"));
    }
}

TEST(BodyReference, ReadsNamesAndNumbers) {
    EXPECT_EQ(read_body_reference("a[12]").source, "a");
    EXPECT_EQ(read_body_reference("a[12]").index, 12U);
    EXPECT_EQ(read_body_reference("a[b][0]").source, "a[b]");
    for (const char* text : {"a", "a[]", "a[-1]", "a[1", "a[1.5]", "a[99999999999999999999]", "]", ""}) {
        EXPECT_EQ(read_body_reference(text).source, text);
        EXPECT_FALSE(read_body_reference(text).index.has_value());
    }
}

TEST(PrescribedMotions, BelongToSingleBodiesThatNothingElseMoves) {
    const std::string scene = R"(materials: {steel: {density: 7800}}
bodies:
  - {name: a, material: steel, body: {box: {half_extents: [0.1, 0.1, 0.1]}, position: [0, 0, 1]}, motion: {rotation: {axis: [0, 0, 1], angular_speed: 2}}}
)";
    const model::Scene read = parse(scene);
    EXPECT_EQ(read.sources[0].motions.size(), 1U);
    EXPECT_TRUE(std::get<model::BodySource>(read.sources[0].what).fixed);
    EXPECT_EQ(to_yaml(parse(to_yaml(read))), to_yaml(read));
    EXPECT_THAT(error_of(replaced(scene, "motion:", "velocity: [1, 0, 0], motion:")).message(),
                HasSubstr("beside a velocity"));
    EXPECT_THAT(error_of(replaced(scene, "position: [0, 0, 1]", "position: [0, 0, 1], force: [1, 0, 0]")).message(),
                HasSubstr("beside a force"));
    EXPECT_THAT(error_of(replaced(scene, "position: [0, 0, 1]", "position: [0, 0, 1], fixed: false")).message(),
                HasSubstr("source 'a': body.fixed = false beside a motion"));
    EXPECT_NO_THROW((void)parse(replaced(scene, "position: [0, 0, 1]", "position: [0, 0, 1], fixed: true")));
    EXPECT_THAT(error_of("stepper: lcp\n" + scene).message(), HasSubstr("moves no bodies as prescribed"));
}

}  // namespace
}  // namespace scree::scene
