// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/world.hpp"

#include <gtest/gtest.h>

namespace scree::reference {
namespace {

World sphere_over_plane() {
    World world;
    world.bodies.resize(2);
    world.bodies[0].shape = Sphere{0.5};
    world.bodies[0].pose.position = {0.3, -0.2, 0.75};
    world.bodies[0].velocity = {1.0, 2.0, -3.0};
    world.bodies[0].angular_velocity = {0.5, -0.25, 2.0};
    world.bodies[1].shape = HalfSpace{};
    world.bodies[1].fixed = true;
    return world;
}

TEST(ReferenceWorld, ContactRowsGiveTheVelocityOfTheContactPoint) {
    const World world = sphere_over_plane();
    const State state = world.start();
    const auto contacts = world.contacts(0.0, state.q, 1.0);
    ASSERT_EQ(contacts.size(), 1u);
    const Contact& c = contacts[0];
    EXPECT_NEAR(c.gap, 0.25, 1e-15);
    EXPECT_NEAR(c.normal.dot(state.v), -3.0, 1e-15);  // the gap closes at 3 m/s
    // The point midway between the surfaces moves with the sphere: v + w x (0, 0, -.625); slip of b against a.
    const Eigen::Vector3d of_a =
        Eigen::Vector3d(1, 2, -3) + Eigen::Vector3d(.5, -.25, 2).cross(Eigen::Vector3d(0, 0, -.625));
    const Eigen::VectorXd slip = c.tangent * state.v;
    EXPECT_NEAR(slip.norm(), of_a.head<2>().norm(), 1e-14);
    EXPECT_NEAR(c.twist.dot(state.v), 2.0, 1e-15);  // n points down: minus (w . n)
}

TEST(ReferenceWorld, GapRateIsTheDerivativeOfTheGap) {
    const World world = sphere_over_plane();
    const State state = world.start();
    const double h = 1e-6;
    const double before = world.contacts(0.0, world.moved(state.q, state.v, -h), 1.0)[0].gap;
    const double after = world.contacts(0.0, world.moved(state.q, state.v, h), 1.0)[0].gap;
    EXPECT_NEAR((after - before) / (2 * h), world.contacts(0.0, state.q, 1.0)[0].normal.dot(state.v), 1e-8);
}

TEST(ReferenceWorld, PlanarBodiesKeepTheirPlane) {
    World world = sphere_over_plane();
    world.planar = true;
    const State state = world.start();
    ASSERT_EQ(state.v.size(), 3);
    const Eigen::VectorXd q = world.moved(state.q, state.v, 0.1);
    EXPECT_DOUBLE_EQ(q[1], state.q[1]);
    EXPECT_EQ(world.contacts(0.0, q, 1.0)[0].tangent.rows(), 1);
}

}  // namespace
}  // namespace scree::reference
