// SPDX-License-Identifier: BSD-3-Clause
// Robots that are none: one clear error each, with file and line.
#include "engine/urdf/checked_text.hpp"
#include "tests/unit/urdf/robot_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace scree::test {
namespace {

using model::ErrorKind;
using ::testing::HasSubstr;

struct Fault {
    const char* name;
    std::string content;
    std::size_t line;
    const char* words;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

std::string inertial(const std::string& mass, const std::string& inertia) {
    return "<link name=\"a\">\n<inertial>\n<mass value=\"" + mass + "\"/>\n<inertia " + inertia +
           "/>\n</inertial>\n</link>";
}
std::string shape(const std::string& geometry) {
    return "<link name=\"a\">\n<collision>\n<geometry>" + geometry + "</geometry></collision></link>";
}
const std::string good = "ixx=\"1\" iyy=\"1\" izz=\"1\"";

std::vector<Fault> faults() {
    const std::string a = link_text("a"), b = link_text("b"), c = link_text("c");
    const std::string limit = "<limit lower=\"-1\" upper=\"1\"/>";
    return {
        {"MalformedXml", "<link name=\"a\">\n</lonk>", 3, "no well-formed XML"},
        {"NoLinks", "", 1, "the robot has no links"},
        {"LinkWithoutName", "<link/>", 2, "lacks the attribute 'name'"},
        {"TwoLinksOfOneName", a + a, 3, "'a' is taken"},
        {"MassThatIsNotANumber", inertial("nan", good), 4, "'nan' is not a finite number"},
        {"MassThatIsInfinite", inertial("inf", good), 4, "'inf' is not a finite number"},
        {"MassWithAComma", inertial("1,0", good), 4, "decimal points"},
        {"MassWithAUnit", inertial("1kg", good), 4, "'1kg' is not a finite number"},
        {"MassOfZero", inertial("0", good), 4, "the mass is 0 kg (allowed: > 0)"},
        {"NegativeMass", inertial("-2", good), 4, "the mass is -2 kg"},
        {"MissingMoment", inertial("1", "ixx=\"1\" iyy=\"1\""), 5, "lacks the attribute 'izz'"},
        {"NegativeMoment", inertial("1", "ixx=\"-1\" iyy=\"1\" izz=\"1\""), 5, "principal moments"},
        {"MomentsOfNoBody", inertial("1", "ixx=\"1\" iyy=\"1\" izz=\"3\""), 5, "at most the sum of the other two"},
        {"ProductsOfNoBody", inertial("1", good + " ixy=\"1.5\""), 5, "principal moments"},
        {"NoMoments", inertial("1", "ixx=\"0\" iyy=\"0\" izz=\"0\""), 5, "allowed: > 0"},
        {"UnknownShape", shape("<torus/>"), 4, "<torus> is a shape that is not known"},
        {"NoShape", shape(""), 4, "<geometry> is empty"},
        {"TwoShapes", shape("<sphere radius=\"1\"/><sphere radius=\"1\"/>"), 4, "two shapes"},
        {"FlatBox", shape("<box size=\"1 1 0\"/>"), 4, "size = 1 1 0"},
        {"BoxOfTwoNumbers", shape("<box size=\"1 1\"/>"), 4, "has 2 numbers (needed: 3)"},
        {"NegativeRadius", shape("<sphere radius=\"-1\"/>"), 4, "radius = -1 (allowed: > 0)"},
        {"MissingMesh", shape("<mesh filename=\"nowhere.stl\"/>"), 3, "there is no file"},
        {"MissingPackage", shape("<mesh filename=\"package://no_such_package/a.stl\"/>"), 3,
         "the package 'no_such_package' is in no folder above"},
        {"UnknownParent", a + b + joint_text("j", "fixed", "aa", "b"), 4, "its parent 'aa' is the name of no link"},
        {"UnknownChild", a + b + joint_text("j", "fixed", "a", "bb"), 4, "did you mean"},
        {"TwoRoots", a + b, 3, "two roots, the links 'a' and 'b'"},
        {"TwoParents", a + b + c + joint_text("j", "fixed", "a", "c") + joint_text("k", "fixed", "b", "c"), 6,
         "two parents"},
        {"Loop", a + b + c + joint_text("j", "fixed", "b", "c") + joint_text("k", "fixed", "c", "b"), 3,
         "hangs from a loop"},
        {"LoopWithoutRoot", a + b + joint_text("j", "fixed", "a", "b") + joint_text("k", "fixed", "b", "a"), 2,
         "hangs from a loop"},
        {"UnknownType", a + b + joint_text("j", "ball", "a", "b"), 4, "its type 'ball' is not known"},
        {"AxisOfZero", a + b + joint_text("j", "continuous", "a", "b", "<axis xyz=\"0 0 0\"/>"), 4, "has no direction"},
        {"NoLimits", a + b + joint_text("j", "revolute", "a", "b"), 4, "lacks <limit>"},
        {"LimitsTheWrongWayRound", a + b + joint_text("j", "revolute", "a", "b", "<limit lower=\"1\" upper=\"-1\"/>"),
         4, "lower = 1 is above upper = -1"},
        {"NegativeDamping", a + b + joint_text("j", "continuous", "a", "b", "<dynamics damping=\"-1\"/>"), 4,
         "damping -1"},
        {"MovingLinkWithoutInertial", a + "<link name=\"b\"/>\n" + joint_text("j", "continuous", "a", "b"), 3,
         "link 'b' moves but has no <inertial>"},
        {"MimicOfNoJoint", a + b + joint_text("j", "revolute", "a", "b", limit + "<mimic joint=\"jj\"/>"), 4,
         "'jj', which is the name of no joint"},
        {"MimicOfItself", a + b + joint_text("j", "revolute", "a", "b", limit + "<mimic joint=\"j\"/>"), 4,
         "mimics in a circle"},
        {"Xacro", "<xacro:macro/>", 2, "is a macro of xacro"},
        {"TwinsAmongAttributes", a + b + joint_text("j", "continuous", "a", "b", "<axis xyz=\"0 1 0\" xyz=\"1 0 0\"/>"),
         4, "<axis> has two attributes 'xyz'"},
        {"UnknownEntity", "<!-- &fine; -->\n<link name=\"a&foo;\"/>", 3, "the entity '&foo;' is not known"},
        {"CharacterOfNumberZero", "<link name=\"a&#0;b\"/>", 2, "'&#0;'"},
        {"NameOnTwoLines", "<link name=\"a&#10;b\"/>", 2, "holds a control character"},
        {"NameThatIsNotUtf8", "<link name=\"a\xFF\"/>", 2, "not UTF-8"},
        {"TurnTwice", a + b + joint_text("j", "continuous", "a", "b", "<origin rpy=\"0 0 0\" quat_xyzw=\"0 0 0 1\"/>"),
         4, "both rpy and quat_xyzw"},
        {"TurnOfNoLength", a + b + joint_text("j", "continuous", "a", "b", "<origin quat_xyzw=\"0 0 0 0\"/>"), 4,
         "is no rotation"},
        {"TurnOfThreeNumbers", a + b + joint_text("j", "continuous", "a", "b", "<origin quat_xyzw=\"0 0 1\"/>"), 4,
         "has 3 numbers (needed: 4)"},
    };
}

class UrdfFault : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Urdf, UrdfFault, testing::ValuesIn(faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST_P(UrdfFault, IsAnErrorWithItsLine) {
    const Fault& fault = GetParam();
    const model::Error error = error_of([&] { (void)import_text(fault.content); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.file(), HasSubstr(".urdf"));
    EXPECT_EQ(error.line(), fault.line) << error.what();
    EXPECT_THAT(std::string(error.what()), HasSubstr(fault.words));
}

TEST(UrdfFaults, OfTheFileItself) {
    EXPECT_EQ(error_of([] { (void)urdf::read_urdf("nowhere.urdf"); }).kind(), ErrorKind::environment);
    for (const char* text : {"", "no XML", "<sdf/>", "<robot", "\x01\x02"}) {
        const ScratchFile file(text, ".urdf");
        EXPECT_EQ(error_of([&] { (void)urdf::read_urdf(file.path()); }).kind(), ErrorKind::input) << text;
    }
}

TEST(UrdfFaults, ASecondRobotIsOneTooMany) {
    const std::string robot = robot_text(link_text("a"));
    const ScratchFile file(robot + robot, ".urdf");
    const model::Error error = error_of([&] { (void)urdf::read_urdf(file.path()); });
    EXPECT_EQ(error.line(), 5U) << error.what();
    EXPECT_THAT(error.message(), HasSubstr("a second root element, <robot>"));
}

TEST(UrdfFaults, AnAmpersandAndKnownEntitiesAreText) {
    const urdf::Import import =
        import_text("<gazebo a=\"x & y; &z\"><![CDATA[ &foo; ]]></gazebo>" + link_text("&lt;&#x61;&#98;&amp;foo;&gt;"),
                    {.packages = {}, .pose = {}, .floating = true, .floor = {}});
    EXPECT_EQ(import.scene.sources.at(0).name, "<ab&foo;>");
}

TEST(UrdfFaults, WhatTheSceneCannotHaveIsAFaultOfTheRobotsLine) {
    const std::string root = link_text("a");
    std::string crowd = "<link name=\"b\"><inertial><mass value=\"1\"/><inertia " + good + "/></inertial>";
    for (int k = 0; k < 1001; ++k) crowd += "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    const std::string light = "<link name=\"b\"><inertial><mass value=\"1e-320\"/><inertia " + good + "/></inertial>";
    const std::string joint = joint_text("j", "continuous", "a", "b");
    for (const std::string& text : {root + crowd + "</link>\n" + joint, root + light + "</link>\n" + joint}) {
        const urdf::Import import = import_text(text);
        const model::Error error = error_of([&] { (void)urdf::checked_text(import.scene); });
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_THAT(error.file(), HasSubstr(".urdf"));
        EXPECT_EQ(error.line(), 3U) << error.what();
    }
}

TEST(UrdfFaults, NoDepthOfElementsIsTooMuch) {
    std::string deep;
    for (int k = 0; k < 200000; ++k) deep += "<a>";
    for (int k = 0; k < 200000; ++k) deep += "</a>";
    EXPECT_TRUE(has_note(import_text(link_text("a") + deep), "<a> of <robot> is ignored", 3));
}

TEST(UrdfFaults, NoLengthOfAChainIsTooMuch) {
    std::string text = link_text("l0");
    const int count = 5000;
    for (int k = 1; k < count; ++k)
        text += link_text("l" + std::to_string(k)) +
                joint_text("j" + std::to_string(k), "continuous", "l" + std::to_string(k - 1), "l" + std::to_string(k));
    EXPECT_EQ(import_text(text).scene.joints.size(), std::size_t(count - 1));
}

TEST(UrdfFaults, EveryTruncationIsAnErrorOrARobot) {
    const std::string text = robot_text(link_text("a") + link_text("b") + joint_text("j", "continuous", "a", "b"));
    for (std::size_t length = 0; length < text.size(); ++length) {
        const ScratchFile file(text.substr(0, length), ".urdf");
        try {
            (void)urdf::read_urdf(file.path());
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
        }
    }
}

TEST(UrdfFaults, RandomChangesMakeAnErrorOrARobot) {
    std::string text;
    {
        std::ostringstream content;
        content << std::ifstream(robot_file("rover.urdf")).rdbuf();
        text = content.str();
    }
    std::mt19937 random(1);
    const std::string letters = "<>/\"= .-0123456789eabn\n";
    int robots = 0;
    for (int k = 0; k < 1000; ++k) {
        std::string changed = text;
        for (auto n = random() % 3 + 1; n > 0; --n)
            changed[random() % changed.size()] = letters[random() % letters.size()];
        const ScratchFile file(changed, ".urdf");
        try {
            (void)urdf::read_urdf(file.path());
            ++robots;
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
        }
    }
    EXPECT_GT(robots, 100);
}

TEST(UrdfFaults, OfPosesAreFaultsOfUse) {
    const std::string text =
        link_text("a") + link_text("b") + joint_text("j", "revolute", "a", "b", "<limit lower=\"-1\" upper=\"1\"/>");
    for (const auto& [name, value] : {std::pair<std::string, double>{"jj", 0.0}, {"j", 1.5}}) {
        urdf::ImportOptions options;
        options.pose = {{name, value}};
        EXPECT_EQ(error_of([&] { (void)import_text(text, options); }).kind(), ErrorKind::usage);
    }
}

}  // namespace
}  // namespace scree::test
