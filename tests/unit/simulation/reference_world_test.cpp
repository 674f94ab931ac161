// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/reference_world.hpp"

#include "engine/model/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

namespace scree::simulation {
namespace {

using ::testing::HasSubstr;

struct Example {
    model::Scene scene;
    std::vector<model::Sphere> bodies;
};

/// A ball of radius 0.5 at (0, 0, 0.5), and one boundary.
Example with(model::Boundary boundary) {
    Example e;
    e.scene.materials = {{"steel", 8000.0}};
    e.scene.pairs.resize(1);
    e.scene.pairs[0].friction = 0.3;
    e.scene.pairs[0].restitution = 0.25;
    e.scene.sources.resize(1);
    e.scene.sources[0].name = "ball";
    boundary.name = "wall";
    e.scene.boundaries = {std::move(boundary)};
    e.bodies.resize(1);
    e.bodies[0].position = {0, 0, 0.5};
    e.bodies[0].radius = 0.5;
    return e;
}

std::string refusal(const Example& e) {
    try {
        static_cast<void>(reference_world(e.scene, e.bodies));
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        return error.what();
    }
    return "";
}

TEST(ReferenceWorldOfAScene, PlaneIsAHalfSpaceThatCarriesTheBody) {
    model::Boundary floor;
    floor.shape = model::PlaneShape{{7, 3, 0}, {0, 0, 1}};
    const Example e = with(floor);
    const reference::World world = reference_world(e.scene, e.bodies);
    ASSERT_EQ(world.bodies.size(), 2u);
    EXPECT_EQ(world.bodies[0].name, "ball");
    EXPECT_NEAR(world.bodies[0].mass, 8000.0 * std::numbers::pi / 6.0, 1e-9);
    const auto contacts = world.contacts(0.0, world.start().q, 1e-3);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, 0.0, 1e-15);
    EXPECT_EQ(contacts[0].law.friction.sliding, 0.3);
    EXPECT_EQ(contacts[0].law.restitution, 0.25);
}

TEST(ReferenceWorldOfAScene, ContainerIsOneHalfSpacePerClosedFace) {
    model::Boundary box;
    box.shape = model::BoxShape{{0, 0, 1}, {0.5, 2, 1}, {}, true, {false, false, false, false, false, true}};
    const Example e = with(box);
    const reference::World world = reference_world(e.scene, e.bodies);
    ASSERT_EQ(world.bodies.size(), 6u);
    EXPECT_EQ(world.bodies[5].name, "wall -z");
    // The ball touches both x faces and the floor.
    EXPECT_EQ(world.contacts(0.0, world.start().q, 1e-3).size(), 3u);
}

TEST(ReferenceWorldOfAScene, TurningPlaneDragsWithItsOwnVelocity) {
    model::Boundary table;
    table.shape = model::PlaneShape{{-4, 0, 0}, {0, 0, 1}};
    model::Motion turn;
    turn.kind = model::Motion::Kind::rotation;
    turn.axis = {0, 0, 2};
    turn.point = {0, -3, 5};
    turn.angular_speed = 2.0;
    table.motions = {turn};
    const Example e = with(table);
    const reference::World world = reference_world(e.scene, e.bodies);
    const auto contact = world.contacts(0.0, world.start().q, 1e-3).at(0);
    // The table moves at 2 x 3 m/s under the ball, which is 3 m from the axis.
    EXPECT_NEAR(contact.drift_tangent.norm(), 6.0, 1e-12);
}

TEST(ReferenceWorldOfAScene, RefusesWhatItCannotHoldByName) {
    model::Boundary drum;
    drum.shape = model::RevolutionShape{};
    EXPECT_THAT(refusal(with(drum)), HasSubstr("boundary 'wall'"));

    model::Boundary shaker;
    shaker.shape = model::PlaneShape{};
    shaker.motions.resize(1);
    shaker.motions[0].kind = model::Motion::Kind::oscillation;
    EXPECT_THAT(refusal(with(shaker)), HasSubstr("not steady"));

    model::Boundary flap;  // turns about an axis beside it
    flap.shape = model::PlaneShape{{0, 0, 0}, {0, 0, 1}};
    flap.motions.resize(1);
    flap.motions[0].kind = model::Motion::Kind::rotation;
    flap.motions[0].axis = {1, 0, 0};
    flap.motions[0].point = {0, 0, 1};
    flap.motions[0].angular_speed = 1.0;
    EXPECT_THAT(refusal(with(flap)), HasSubstr("misses the part 'wall'"));

    model::Boundary floor;
    floor.shape = model::PlaneShape{};
    Example sticky = with(floor);
    sticky.scene.pairs[0].cohesion = 1.0;
    EXPECT_THAT(refusal(sticky), HasSubstr("pair 'steel', 'steel'"));
    Example wrapped = with(floor);
    wrapped.scene.periodic[1] = {true, 0.0, 1.0};
    EXPECT_THAT(refusal(wrapped), HasSubstr("periodic.y"));
}

}  // namespace
}  // namespace scree::simulation
