// SPDX-License-Identifier: BSD-3-Clause
// What becomes of links, joints and their frames.
#include "engine/geometry/bodies.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"
#include "tests/unit/urdf/robot_text.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

using model::Vec3;

constexpr double pi = std::numbers::pi;
const std::string limit = "<limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"3\"/>";

/// The inertia of a body of the scene where it stands, in world axes.
Eigen::Matrix3d inertia_of(const model::Scene& scene, const std::string& name) {
    const geometry::SolidFacts facts = geometry::solid_facts(body_named(scene, name), 1000.0, false);
    const model::Quat q = facts.orientation;
    const Eigen::Matrix3d turn = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    return turn * Eigen::Vector3d(facts.inertia.x, facts.inertia.y, facts.inertia.z).asDiagonal() * turn.transpose();
}

void expect_near(Vec3 found, Vec3 expected, double tolerance = 1e-12) {
    EXPECT_NEAR(found.x, expected.x, tolerance);
    EXPECT_NEAR(found.y, expected.y, tolerance);
    EXPECT_NEAR(found.z, expected.z, tolerance);
}

/// The scene as a run would read it.
model::Scene read_back(const model::Scene& scene) { return scene::parse_scene(scene::to_yaml(scene), "scene.yaml"); }

TEST(Urdf, KeepsTheWholeInertiaTensorAndTheCentreOfMass) {
    urdf::ImportOptions options;
    options.floating = true;
    const urdf::Import import = import_text(
        "<link name=\"a\"><inertial><origin xyz=\"0.1 -0.2 0.3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"3\"/>"
        "<inertia ixx=\"0.5\" iyy=\"0.6\" izz=\"0.7\" ixy=\"0.05\" ixz=\"-0.03\" iyz=\"0.02\"/></inertial>"
        "<collision><origin xyz=\"1 0 0\"/><geometry><box size=\"1 2 3\"/></geometry></collision></link>",
        options);
    const model::Scene scene = read_back(import.scene);
    EXPECT_EQ(body_named(scene, "a").mass, 3.0);
    expect_near(body_named(scene, "a").position, {0.1, -0.2, 0.3});
    Eigen::Matrix3d given, turn;
    given << 0.5, 0.05, -0.03, 0.05, 0.6, 0.02, -0.03, 0.02, 0.7;
    turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    EXPECT_LT((inertia_of(scene, "a") - turn * given * turn.transpose()).cwiseAbs().maxCoeff(), 1e-14);
    // The box stands at x = 1, whatever its mass does.
    const geometry::SolidFacts facts = geometry::solid_facts(body_named(scene, "a"), 1000.0, false);
    expect_near(model::rotate(facts.orientation, facts.shift), Vec3{1, 0, 0} - Vec3{0.1, -0.2, 0.3});
}

TEST(Urdf, PlacesLinksByTheFramesOfTheirJoints) {
    const urdf::Import import =
        import_text(link_text("a") + link_text("b") + link_text("c") +
                    joint_text("j", "continuous", "a", "b",
                               "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/>"
                               "<axis xyz=\"0 2 0\"/>") +
                    joint_text("k", "prismatic", "b", "c", "<origin xyz=\"1 0 0\"/><axis xyz=\"1 0 0\"/>" + limit));
    const model::Scene scene = read_back(import.scene);
    EXPECT_TRUE(body_named(scene, "a").fixed);
    expect_near(body_named(scene, "b").position, {1, 0, 0});
    expect_near(body_named(scene, "c").position, {1, 1, 0});
    const auto& hinge = std::get<model::RevoluteJoint>(joint_named(scene, "j").kind);
    expect_near(hinge.point, {1, 0, 0});
    expect_near(hinge.axis, {-1, 0, 0});
    expect_near(std::get<model::PrismaticJoint>(joint_named(scene, "k").kind).axis, {0, 1, 0});
    EXPECT_EQ(joint_named(scene, "k").slide.lower, -1.0);
    EXPECT_EQ(joint_named(scene, "k").slide.upper, 2.0);
    EXPECT_TRUE(has_note(import, "velocity of <limit> is not used", 6));
    EXPECT_TRUE(has_note(import, "effort of <limit> is not used", 6));
}

TEST(Urdf, StartsInThePoseAndCountsLimitsFromThere) {
    urdf::ImportOptions options;
    options.pose = {{"j", 0.5}};
    const model::Scene scene =
        import_text(
            link_text("a") + link_text("b") +
                joint_text(
                    "j", "revolute", "a", "b",
                    "<origin xyz=\"0 0 1\"/><axis xyz=\"0 0 1\"/><dynamics damping=\"3\" friction=\"4\"/>" + limit),
            options)
            .scene;
    const model::Quat q = body_named(scene, "b").orientation;
    EXPECT_NEAR(q.z, std::sin(0.25), 1e-15);
    const model::JointAxis& turn = joint_named(scene, "j").turn;
    EXPECT_DOUBLE_EQ(turn.lower, -1.5);
    EXPECT_DOUBLE_EQ(turn.upper, 1.5);
    EXPECT_EQ(turn.damping, 3.0);
    EXPECT_EQ(turn.friction, 4.0);
}

TEST(Urdf, StartsAtTheNearestLimitWhereZeroIsNone) {
    const urdf::Import import = import_text(
        link_text("a") + link_text("b") + joint_text("j", "revolute", "a", "b", "<limit lower=\"0.5\" upper=\"1\"/>"));
    EXPECT_EQ(joint_named(import.scene, "j").turn.lower, 0.0);
    EXPECT_DOUBLE_EQ(joint_named(import.scene, "j").turn.upper, 0.5);
    EXPECT_TRUE(has_note(import, "starts at 0.5", 4));
}

TEST(Urdf, MergesLinksOfFixedJoints) {
    // Two balls of 2 kg, 1 m apart, the second one turned: one body.
    urdf::ImportOptions options;
    options.floating = true;
    const urdf::Import import =
        import_text(link_text("a") + link_text("b") +
                        joint_text("j", "fixed", "a", "b", "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/>"),
                    options);
    ASSERT_EQ(import.scene.sources.size(), 1U);
    EXPECT_TRUE(import.scene.joints.empty());
    EXPECT_EQ(body_named(import.scene, "a").mass, 4.0);
    expect_near(body_named(import.scene, "a").position, {0.5, 0, 0});
    const Eigen::Matrix3d inertia = inertia_of(import.scene, "a");
    EXPECT_NEAR(inertia(0, 0), 0.1 + 0.2, 1e-14);
    EXPECT_NEAR(inertia(1, 1), 0.2 + 0.1 + 2 * 2 * 0.25, 1e-14);
    EXPECT_NEAR(inertia(2, 2), 0.25 + 0.25 + 2 * 2 * 0.25, 1e-14);
    EXPECT_EQ(std::get<model::SolidCompound>(body_named(import.scene, "a").shape).parts.size(), 2U);
    EXPECT_TRUE(has_note(import, "link 'b' is a part of the body 'a'", 4));
}

TEST(Urdf, FixesJointsWhoseLimitsLeaveOneValue) {
    const urdf::Import import =
        import_text(link_text("a") + link_text("b") +
                    joint_text("j", "prismatic", "a", "b", "<axis xyz=\"0 0 1\"/><limit lower=\"2\" upper=\"2\"/>"));
    ASSERT_EQ(import.scene.sources.size(), 1U);
    expect_near(std::get<model::SolidCompound>(body_named(import.scene, "a").shape).parts[1].position, {0, 0, 2});
}

TEST(Urdf, LinksWithoutCollisionGeometryTouchNothing) {
    const urdf::Import import = import_text(
        "<link name=\"world\"/>\n<link name=\"b\"><inertial><mass value=\"2\"/><inertia ixx=\"0.1\" iyy=\"0.2\" "
        "izz=\"0.25\"/></inertial></link>\n" +
        joint_text("j", "continuous", "world", "b"));
    const model::Scene scene = read_back(import.scene);
    ASSERT_EQ(scene.sources.size(), 1U);
    EXPECT_FALSE(body_named(scene, "b").collide);
    EXPECT_EQ(scene.joints[0].bodies[0], "ground");
    EXPECT_TRUE(has_note(import, "has no collision geometry", 3));
}

TEST(Urdf, MimicsBecomeGearsAndRacks) {
    const std::string a = link_text("a") + link_text("b") + link_text("c");
    const auto scene_of = [&](const char* leader, const char* follower) {
        return import_text(
            a + joint_text("j", leader, "a", "b", limit) +
            joint_text("k", follower, "a", "c", limit + "<mimic joint=\"j\" multiplier=\"-0.5\" offset=\"0.25\"/>"));
    };
    const urdf::Import gear = scene_of("revolute", "revolute");
    const auto& geared = std::get<model::GearJoint>(joint_named(gear.scene, "k_mimic").kind);
    EXPECT_EQ(geared.first, "j");
    EXPECT_EQ(geared.second, "k");
    EXPECT_EQ(geared.ratio, -0.5);
    // The follower starts at its offset, and its limits act on the leader: -0.5 q + 0.25 within [-1, 2].
    EXPECT_NEAR(body_named(gear.scene, "c").orientation.x, std::sin(0.125), 1e-15);
    EXPECT_EQ(joint_named(gear.scene, "j").turn.upper, 2.0);
    EXPECT_EQ(joint_named(gear.scene, "j").turn.lower, -1.0);
    EXPECT_EQ(joint_named(gear.scene, "k").turn, model::JointAxis{});

    const urdf::Import rack = scene_of("revolute", "prismatic");
    EXPECT_EQ(std::get<model::RackJoint>(joint_named(rack.scene, "k_mimic").kind).second, "k");
    const urdf::Import pinion = scene_of("prismatic", "revolute");
    EXPECT_EQ(std::get<model::RackJoint>(joint_named(pinion.scene, "k_mimic").kind).second, "j");
    EXPECT_EQ(std::get<model::RackJoint>(joint_named(pinion.scene, "k_mimic").kind).ratio, -2.0);
    const urdf::Import slides = scene_of("prismatic", "prismatic");
    EXPECT_EQ(std::get<model::GearJoint>(joint_named(slides.scene, "k_mimic").kind).ratio, -0.5);
    for (const urdf::Import* import : {&gear, &rack, &pinion, &slides})
        EXPECT_EQ(read_back(import->scene).joints.size(), 3U);
}

TEST(Urdf, CouplingsHaveNamesThatNoJointHas) {
    const std::string mimic = "<mimic joint=\"j\"/>";
    const urdf::Import import = import_text(
        link_text("a") + link_text("b") + link_text("c") + link_text("d") + joint_text("j", "continuous", "a", "b") +
        joint_text("k", "continuous", "a", "c", mimic) + joint_text("k_mimic", "continuous", "a", "d", mimic));
    const model::Scene scene = read_back(import.scene);
    EXPECT_EQ(std::get<model::GearJoint>(joint_named(scene, "k_mimic_").kind).second, "k");
    EXPECT_EQ(std::get<model::GearJoint>(joint_named(scene, "k_mimic_mimic").kind).second, "k_mimic");
}

TEST(Urdf, PlanarAndFloatingJoints) {
    const urdf::Import import = import_text(link_text("a") + link_text("b") + link_text("c") +
                                            joint_text("j", "planar", "a", "b", "<axis xyz=\"0 0 1\"/>") +
                                            joint_text("k", "floating", "a", "c", "<origin xyz=\"0 0 3\"/>"));
    ASSERT_EQ(import.scene.joints.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<model::PlanarJoint>(import.scene.joints[0].kind));
    expect_near(body_named(import.scene, "c").position, {0, 0, 3});
}

TEST(Urdf, NamesWhatItDoesNotUse) {
    const urdf::Import import = import_text("<gazebo/>\n" + link_text("a", "<visual/>") +
                                            "<transmission name=\"t\"/>\n<material name=\"red\"/>\n<link_group/>");
    EXPECT_TRUE(has_note(import, "<gazebo> of <robot> is ignored", 2));
    EXPECT_TRUE(has_note(import, "<visual> of <link> is ignored", 3));
    EXPECT_TRUE(has_note(import, "<transmission> of <robot> is ignored", 4));
    EXPECT_TRUE(has_note(import, "<link_group> of <robot> is ignored", 6));
    EXPECT_EQ(import.notes.size(), 4U);
}

TEST(Urdf, RenamesLinksThatJointsCannotName) {
    const model::Scene scene =
        import_text(link_text("ground") + link_text("a[0]") + joint_text("j", "continuous", "ground", "a[0]")).scene;
    EXPECT_EQ(read_back(scene).joints[0].bodies[0], "ground_link");
    EXPECT_EQ(scene.joints[0].bodies[1], "a_0_");
}

TEST(Urdf, ReadsAnArmWithToolAndGripper) {
    const urdf::Import import = urdf::read_urdf(robot_file("arm.urdf"));
    const model::Scene scene = read_back(import.scene);
    EXPECT_EQ(scene.sources.size(), 9U);  // base, six, two fingers; the tool is a part of the flange
    EXPECT_EQ(scene.joints.size(), 9U);   // six, two slides, their coupling
    EXPECT_TRUE(has_note(import, "starts at 0.2"));
    // Neighbours overlap at joints and do not touch; nothing else overlaps.
    for (const geometry::SourceReport& report : geometry::make_bodies(scene).reports)
        EXPECT_EQ(report.overlaps, 0U) << report.name;
}

}  // namespace
}  // namespace scree::test
