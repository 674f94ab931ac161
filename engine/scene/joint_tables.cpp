// SPDX-License-Identifier: BSD-3-Clause
// Section joints.
#include "engine/model/error.hpp"
#include "engine/scene/course.hpp"
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

namespace {

using Motor = JointAxis::Motor;

/// What differs between turns and slides.
struct AxisWords {
    const char* noun;
    const char* what;  ///< "angle", "way"
    const char* force;
    Dimension coordinate, rate, push, stiffness, damping;
};
constexpr AxisWords turn_words{"turn",
                               "angle",
                               "torque",
                               Dimension::angle,
                               Dimension::angular_speed,
                               Dimension::torque,
                               Dimension::torsional_stiffness,
                               Dimension::torsional_damping};
constexpr AxisWords slide_words{
    "slide",           "way", "force", Dimension::length, Dimension::speed, Dimension::force, Dimension::stiffness,
    Dimension::damping};

/// One of the constants by which a motor may be given: `kind` and its value together.
void add_constant(Table<JointAxis>& t, Motor kind, std::string name, std::string meaning, Dimension dimension) {
    t.add(
        {.name = std::move(name),
         .meaning = std::move(meaning),
         .dimension = dimension,
         .group = "target",
         .type = ValueType::quantity},
        [kind, dimension](const Reader& in, JointAxis& axis) {
            axis.motor = kind;
            axis.target.constant = in.quantity(dimension, any_value);
        },
        [kind](const JointAxis& axis, Names) -> std::optional<Node> {
            const Course& c = axis.target;
            if (axis.motor != kind || !c.table.empty() || !c.expression.empty()) return std::nullopt;
            return number_node(c.constant);
        });
}

void read_course_table(const Reader& in, JointAxis& axis) {
    for (const auto& row : in.items()) {
        const auto parts = row.items(2);
        const double time = parts[0].quantity(Dimension::time, any_value);
        if (!axis.target.table.empty() && time <= axis.target.table.back().first)
            parts[0].fail("= " + number_text(time) + " s: times increase from row to row");
        axis.target.table.emplace_back(time, parts[1].quantity(Dimension::none, any_value));
    }
    if (axis.target.table.empty()) in.fail("has no rows", "[[time, value], ...]");
}

Table<JointAxis> motor_table(const AxisWords& words) {
    Table<JointAxis> t("motor", std::string("Drives the ") + words.noun + " by a constant, a table or an expression.");
    const std::string unlimited = ", as far as `limit` allows.";
    add_constant(t, Motor::speed, "speed", "Keeps this speed" + unlimited, words.rate);
    add_constant(t, Motor::position, "position", std::string("Holds this ") + words.what + unlimited, words.coordinate);
    add_constant(t, Motor::force, words.force, std::string("Applies this ") + words.force + ".", words.push);
    t.add(
        {.name = "table",
         .meaning = "Rows [time, value], times increasing: linear between them, constant before and behind. Values in "
                    "SI units.",
         .group = "target",
         .type = ValueType::rows,
         .length = 2},
        read_course_table, [](const JointAxis& axis, Names) -> std::optional<Node> {
            if (axis.target.table.empty()) return std::nullopt;
            Node out = sequence_node();
            for (const auto& [time, value] : axis.target.table)
                out.items.push_back(sequence_node({number_node(time), number_node(value)}));
            return out;
        });
    t.add(
        {.name = "expression",
         .meaning = "A formula in the time t [s] with + - * / ^ ( ), comparisons with ? :, sin, cos, exp, sqrt, abs, "
                    "min, max and _pi; SI units.",
         .group = "target",
         .type = ValueType::text},
        [](const Reader& in, JointAxis& axis) {
            axis.target.expression = in.text();
            try {
                (void)CourseFunction(axis.target);
            } catch (const Error& error) {
                in.fail(error.message(), error.hint());
            }
        },
        [](const JointAxis& axis, Names) -> std::optional<Node> {
            return axis.target.expression.empty() ? std::nullopt : std::optional(text_node(axis.target.expression));
        });
    t.add(
        {.name = "by",
         .meaning = std::string("What a table or an expression gives: the speed, the position (") + words.what +
                    ") or the " + words.force + ".",
         .fallback = "needed by table, expression",
         .type = ValueType::choice,
         .words = {"speed", "position", words.force}},
        [force = std::string(words.force)](const Reader& in, JointAxis& axis) {
            const std::vector<std::string> known{"speed", "position", force};
            constexpr Motor kinds[] = {Motor::speed, Motor::position, Motor::force};
            axis.motor = kinds[in.choice(known)];
        },
        [force = std::string(words.force)](const JointAxis& axis, Names) -> std::optional<Node> {
            if (axis.target.table.empty() && axis.target.expression.empty()) return std::nullopt;
            return scalar_node(axis.motor == Motor::speed      ? "speed"
                               : axis.motor == Motor::position ? "position"
                                                               : force);
        });
    t.quantity(&JointAxis::motor_limit, {.name = "limit",
                                         .meaning = std::string("The largest ") + words.force +
                                                    " of a motor by speed or position. Too low: it falls behind.",
                                         .dimension = words.push,
                                         .range = {.low = 0.0, .low_open = true, .infinite = true},
                                         .fallback = ".inf (none)",
                                         .omit_default = true});
    t.check = [](const Reader& in, JointAxis& axis) {
        const bool course = in.find("table").has_value() || in.find("expression").has_value();
        if (course && !in.find("by"))
            in.fail("lacks the key 'by'", "say what the table or expression gives: by: speed");
        if (!course && in.find("by")) in.find("by")->fail("is for a table or an expression", "leave it out");
        if (axis.motor == Motor::force && in.find("limit"))
            in.find("limit")->fail("has no meaning for a motor that applies a given force or torque");
    };
    return t;
}

Table<JointAxis> axis_table(const AxisWords& words, const Table<JointAxis>& motor) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const bool turns = words.coordinate == Dimension::angle;
    Table<JointAxis> t(words.noun, std::string("What acts along the joint's ") + words.noun +
                                       ": limits, a spring and damper, dry friction, a motor.");
    t.interval(&JointAxis::lower, &JointAxis::upper,
               {.name = "limits",
                .meaning = std::string("[lower, upper] ") + words.what + "; entries may be -.inf or .inf.",
                .dimension = words.coordinate,
                .range = {.low = -infinite, .high = infinite, .infinite = true},
                .fallback = "none",
                .omit_default = true},
               false,
               std::string("a joint that leaves no ") + words.noun + " is of another kind: " +
                   (turns ? "'fixed', or 'prismatic' where it slides" : "'fixed', or 'revolute' where it turns"));
    t.quantity(&JointAxis::stiffness, {.name = "stiffness",
                                       .meaning = "Of a spring. Stable at any value; springs that the step does not "
                                                  "resolve lose their energy.",
                                       .dimension = words.stiffness,
                                       .range = not_negative,
                                       .omit_default = true});
    t.quantity(&JointAxis::rest,
               {.name = "rest",
                .meaning = std::string("The ") + words.what + " at which the spring is without force.",
                .dimension = words.coordinate,
                .omit_default = true});
    t.quantity(&JointAxis::damping, {.name = "damping",
                                     .meaning = "Of a damper: force over speed. Stable at any value.",
                                     .dimension = words.damping,
                                     .range = not_negative,
                                     .omit_default = true});
    t.quantity(&JointAxis::friction,
               {.name = "friction",
                .meaning = std::string("Dry friction: a ") + words.force + " of at most this size against the motion.",
                .dimension = words.push,
                .range = not_negative,
                .omit_default = true});
    t.add(
        {.name = "motor",
         .meaning = motor.about.meaning,
         .fallback = "none",
         .type = ValueType::object,
         .object = &motor.about},
        [&motor](const Reader& in, JointAxis& axis) { read_object(in, motor, axis); },
        [&motor](const JointAxis& axis, Names names) -> std::optional<Node> {
            return axis.motor == Motor::none ? std::nullopt : std::optional(write_object(motor, axis, names));
        });
    t.check = [](const Reader& in, JointAxis& axis) {
        if (in.find("rest") && axis.stiffness == 0.0)
            in.find("rest")->fail("is given without a spring", "add 'stiffness'");
    };
    return t;
}

const Table<JointAxis>& turn_table() {
    static const auto motor = motor_table(turn_words);
    static const auto table = axis_table(turn_words, motor);
    return table;
}
const Table<JointAxis>& slide_table() {
    static const auto motor = motor_table(slide_words);
    static const auto table = axis_table(slide_words, motor);
    return table;
}

template <class Kind, class Member>
void add_point(Table<Kind>& t, Member member, const std::string& name, const std::string& meaning) {
    t.vector(member, {.name = name, .meaning = meaning, .dimension = Dimension::length, .required = true});
}
template <class Kind, class Member>
void add_direction(Table<Kind>& t, Member member, const std::string& name, const std::string& meaning) {
    t.direction(member, {.name = name, .meaning = meaning, .required = true});
}

/// Joints with a point and an axis, and what else `more` adds.
template <class Kind, class More>
Table<Kind> axial(const std::string& noun, const std::string& meaning, const More& more) {
    Table<Kind> t(noun, meaning);
    add_point(t, &Kind::point, "point", "A point of the axis.");
    add_direction(t, &Kind::axis, "axis", "Direction of the axis; any length but zero.");
    more(t);
    return t;
}
template <class Kind>
Table<Kind> axial(const std::string& noun, const std::string& meaning) {
    return axial<Kind>(noun, meaning, [](Table<Kind>&) {});
}

template <class Kind>
Table<Kind> two_points(const std::string& noun, const std::string& meaning) {
    Table<Kind> t(noun, meaning);
    add_point(t, &Kind::point_a, "point_a", "Of the first body.");
    add_point(t, &Kind::point_b, "point_b", "Of the second body.");
    return t;
}

template <class Kind>
Table<Kind> coupling(const std::string& noun, const std::string& meaning, const std::string& of_ratio, bool length) {
    Table<Kind> t(noun, meaning);
    t.text(&Kind::first,
           {.name = "first",
            .meaning = length ? "Name of a joint that turns." : "Name of a joint that turns, or slides only.",
            .required = true});
    t.text(&Kind::second, {.name = "second",
                           .meaning = length ? "Name of a joint that slides." : "Name of another joint that does so.",
                           .required = true});
    t.quantity(&Kind::ratio, {.name = "ratio",
                              .meaning = of_ratio,
                              .dimension = length ? Dimension::length : Dimension::none,
                              .required = true});
    t.check = [](const Reader& in, Kind& kind) {
        if (kind.ratio == 0.0) in.find("ratio")->fail("= 0 couples nothing");
        if (kind.first == kind.second) in.find("second")->fail("is the first joint again");
    };
    return t;
}

/// The alternatives of JointKind.
void add_kinds(Table<Joint>& t) {
    const auto add = [&]<class Kind>(const Table<Kind>& table) {
        t.alternative<Kind>(&Joint::kind, table,
                            {.name = table.about.noun, .meaning = table.about.meaning, .group = "kind of joint"});
    };
    static const Table<FixedJoint> fixed("fixed", "No relative motion; write fixed: {}.");
    static const auto spherical = [] {
        Table<SphericalJoint> s("spherical", "A ball joint: a common point.");
        add_point(s, &SphericalJoint::point, "point", "The common point.");
        return s;
    }();
    static const auto revolute = axial<RevoluteJoint>("revolute", "A hinge: turns about an axis.");
    static const auto prismatic = axial<PrismaticJoint>("prismatic", "A slider: slides along an axis without turning.");
    static const auto cylindrical =
        axial<CylindricalJoint>("cylindrical", "Turns about and slides along an axis, independently.");
    static const auto screw =
        axial<ScrewJoint>("screw", "Turns about and slides along an axis, one for the other.", [](auto& s) {
            s.quantity(&ScrewJoint::pitch, {.name = "pitch",
                                            .meaning = "Way per turn, right-handed when positive.",
                                            .dimension = Dimension::length,
                                            .required = true});
        });
    static const auto universal = [] {
        Table<UniversalJoint> u("universal",
                                "A Cardan joint: a common point, and an axis of each body at a fixed angle.");
        add_point(u, &UniversalJoint::point, "point", "The common point.");
        add_direction(u, &UniversalJoint::axis_a, "axis_a", "Of the first body.");
        add_direction(u, &UniversalJoint::axis_b, "axis_b", "Of the second body; most often at a right angle to it.");
        u.check = [](const Reader& in, UniversalJoint& joint) {
            if (norm(cross(joint.axis_a, joint.axis_b)) < 1e-3)
                in.find("axis_b")->fail("is parallel to axis_a", "the axes of a Cardan joint cross");
        };
        return u;
    }();
    static const auto planar = [] {
        Table<PlanarJoint> p("planar", "Slides in a plane and turns about its normal.");
        add_point(p, &PlanarJoint::point, "point", "A point of the plane.");
        add_direction(p, &PlanarJoint::normal, "normal", "Normal of the plane.");
        return p;
    }();
    static const auto distance =
        two_points<DistanceJoint>("distance", "A rod without mass: keeps the distance of two points.");
    static const auto spring = two_points<SpringJoint>(
        "spring",
        "Two points whose distance is the joint's slide: a spring or damper (slide: {stiffness, damping, "
        "rest}), a rope (slide: {limits: [-.inf, length]}), an actuator (slide: {motor}).");
    static const auto gear =
        coupling<GearJoint>("gear", "Couples the turns of two joints, or the slides of two that only slide.",
                            "Turn (slide) of the second over that of the first; negative for outer gears.", false);
    static const auto rack = coupling<RackJoint>("rack", "Rack and pinion: couples a turn to a slide.",
                                                 "Slide of the second joint per radian of the first.", true);
    add(fixed);
    add(spherical);
    add(revolute);
    add(prismatic);
    add(cylindrical);
    add(screw);
    add(universal);
    add(planar);
    add(distance);
    add(spring);
    add(gear);
    add(rack);
}

void add_axis(Table<Joint>& t, JointAxis Joint::*member, const Table<JointAxis>& table) {
    t.add(
        {.name = table.about.noun,
         .meaning = table.about.meaning,
         .fallback = "free",
         .type = ValueType::object,
         .object = &table.about},
        [member, &table](const Reader& in, Joint& joint) { read_object(in, table, joint.*member); },
        [member, &table](const Joint& joint, Names names) -> std::optional<Node> {
            if (joint.*member == JointAxis{}) return std::nullopt;
            return write_object(table, joint.*member, names);
        });
}

void check_joint(const Reader& in, Joint& joint) {
    joint.line = in.node().at.line;
    const auto bodies = in.find("bodies");
    if (joint.couples() && bodies) bodies->fail("has no meaning for a coupling", "its joints have the bodies");
    if (!joint.couples() && !bodies) in.fail("lacks the required key 'bodies'", "bodies: [ground, NAME]");
    if (bodies && joint.bodies[0] == joint.bodies[1])
        bodies->fail("= " + print_inline(bodies->node()) + " is one body with itself");
    if (const auto turn = in.find("turn"); turn && !joint.has_turn())
        turn->fail("is given for a joint that has none", "revolute, cylindrical and screw joints turn");
    if (const auto slide = in.find("slide"); slide && !joint.has_slide())
        slide->fail("is given for a joint that has none", "prismatic, cylindrical, screw and spring joints slide");
}

}  // namespace

const Table<Joint>& joint_table() {
    static const auto table = [] {
        Table<Joint> t("joint",
                       "Joints between bodies, or between a body and the ground. Points and axes are those at t = 0. "
                       "Stepper ccp only.");
        t.text(&Joint::name, {.name = "name", .meaning = "Name, for couplings, output and messages."});
        t.add(
            {.name = "bodies",
             .meaning = "The two bodies: `ground`, the name of a body, or NAME[k] for body k (from 0) of a source of "
                        "many. Turn and slide are those of the second against the first.",
             .fallback = "needed by all but gear, rack",
             .type = ValueType::texts,
             .length = 2},
            [](const Reader& in, Joint& joint) {
                const auto items = in.items(2);
                for (std::size_t k = 0; k < 2; ++k) joint.bodies[k] = items[k].text();
            },
            [](const Joint& joint, Names) -> std::optional<Node> {
                if (joint.couples()) return std::nullopt;
                return sequence_node({text_node(joint.bodies[0]), text_node(joint.bodies[1])});
            });
        add_kinds(t);
        add_axis(t, &Joint::turn, turn_table());
        add_axis(t, &Joint::slide, slide_table());
        t.flag(&Joint::collide,
               {.name = "collide",
                .meaning = "Whether the two bodies can touch. They often overlap at a joint: then false.",
                .omit_default = true});
        t.check = check_joint;
        return t;
    }();
    return table;
}

}  // namespace scree::scene
