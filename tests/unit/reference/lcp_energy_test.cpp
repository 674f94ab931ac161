// SPDX-License-Identifier: BSD-3-Clause
// Without restitution the step takes energy and never gives any, whatever the shape and the step.
//
// With i = M^-1 G^T z and w = h g the scheme v+ = v + w + i, q+ = q + h v+ changes kinetic and potential energy by
//   i . M v+ - |i + w|^2 / 2  (metric of M),
// where friction dissipates, and a normal impulse p has n v+ = -gap / h: it adds at most p min(depth / h, |n w|), for
// the velocity ends no more of an overlap than forces take back in a step. What else may add energy is the motion that
// ends the rest of overlaps (it lifts bodies by no more than the overlap was deep) and the gyroscopic torque, explicit
// in time: h^2 |w x I w|^2 / I of each body.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/mass_properties.hpp"
#include "engine/reference/polytope.hpp"
#include "engine/reference/world.hpp"

#include <Eigen/Cholesky>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree::reference {
namespace {

constexpr double gravity = 9.81, drop = 0.12;

struct Named {
    const char* name;
    Shape shape;
};
void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }

Shape tetrahedron() {
    const std::vector<Eigen::Vector3d> corners{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    return centred(make_polytope(corners), false).shape;
}

Body body_of(const Shape& shape, const Eigen::Vector3d& position, double angle, const Eigen::Vector3d& axis) {
    const MassProperties solid = mass_properties(shape, 1000.0, false);
    Body body;
    body.shape = shape;
    body.mass = solid.mass;
    body.inertia = solid.inertia;
    body.pose = {position, Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()))};
    return body;
}

World floor_with(std::vector<Body> bodies) {
    World world;
    world.laws = {{.friction = {.sliding = 0.4}}};
    world.bodies.resize(1);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    for (Body& body : bodies) world.bodies.push_back(std::move(body));
    return world;
}

double energy(const World& world, const State& state) {
    return kinetic_energy(world, state) + world.potential_energy(state.time, state.q);
}

/// What the explicit gyroscopic torque may add in a step [J].
double gyroscopic(const World& world, const State& state, double h) {
    double sum = 0.0;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const Body& body = world.bodies[i];
        if (body.fixed) continue;
        const Eigen::Quaterniond to_world = world.pose(i, state.time, state.q).orientation;
        const Eigen::Vector3d spin = to_world.conjugate() * Eigen::Vector3d(world.twist(i, state.v).tail<3>());
        const Eigen::Vector3d torque = spin.cross(body.inertia.cwiseProduct(spin));
        sum += h * h * torque.dot(torque.cwiseQuotient(body.inertia));
    }
    return sum;
}

void expect_no_gain(const World& world, double h, double seconds) {
    SCOPED_TRACE("step " + std::to_string(h));
    State state = world.start();
    LcpStepper stepper;
    const double start = energy(world, state);
    double mass = 0.0, last = start;
    for (const Body& body : world.bodies)
        if (!body.fixed) mass += body.mass;
    while (state.time < seconds) {
        const double spin = gyroscopic(world, state, h);
        const Eigen::VectorXd by_forces =
            h * world.mass(state.q).llt().solve(world.force(state.time, state.q, state.v));
        double depth = 0.0, given = 0.0;
        for (const ContactOutcome& found : stepper.step(world, state, h).contacts) {
            const Contact& contact = found.contact;
            depth = std::max(depth, -contact.gap);
            given += found.normal_impulse * std::clamp(-contact.gap / h, 0.0, std::abs(contact.normal.dot(by_forces)));
        }
        const double now = energy(world, state);
        ASSERT_LE(now - last, given + mass * gravity * depth + spin + 1e-12 * mass * gravity * drop) << state.time;
        ASSERT_LE(now, start) << state.time;
        last = now;
    }
    // A body of these shapes that has come down has lost half its height at least.
    EXPECT_LT(last, start - 0.4 * world.bodies[1].mass * gravity * drop);
}

class LcpEnergy : public testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(Shapes, LcpEnergy,
                         testing::Values(Named{"superquadric_with_edges", Superquadric{{0.05, 0.04, 0.03}, 0.1, 0.1}},
                                         Named{"superquadric_octahedron", Superquadric{{0.05, 0.04, 0.03}, 2.0, 2.0}},
                                         Named{"superquadric_mixed", Superquadric{{0.05, 0.04, 0.03}, 1.5, 0.4}},
                                         Named{"ellipsoid", Ellipsoid{{0.05, 0.04, 0.03}}},
                                         Named{"box", Box{{0.05, 0.04, 0.03}}}, Named{"tetrahedron", tetrahedron()},
                                         Named{"cylinder", Cylinder{0.04, 0.03}}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(LcpEnergy, OfADropNeverRises) {
    Body body = body_of(GetParam().shape, {0.0, 0.0, drop}, 0.7, {1.0, 2.0, 3.0});
    body.velocity = {0.3, 0.0, 0.0};
    for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) expect_no_gain(floor_with({body}), h, 1.0);
}

TEST_P(LcpEnergy, OfTwoThatMeetNeverRises) {
    const Body lower = body_of(GetParam().shape, {0.0, 0.0, drop}, 0.7, {1.0, 2.0, 3.0});
    const Body upper = body_of(GetParam().shape, {0.01, 0.01, 0.25}, 1.4, {3.0, 2.0, 1.0});
    for (const double h : {4e-3, 1e-3}) expect_no_gain(floor_with({lower, upper}), h, 0.5);
}

TEST(LcpOverlap, IsEndedWithoutASpeed) {
    // Half of a box below the floor, and two boxes in one another: out within a few steps, then at rest.
    const Body sunk = body_of(Box{{0.05, 0.05, 0.05}}, {0.0, 0.0, 0.01}, 0.0, {0.0, 0.0, 1.0});
    const World one = floor_with({sunk});
    State state = one.start();
    LcpStepper stepper;
    for (int k = 0; k < 5; ++k) {
        stepper.step(one, state, 1e-3);
        // What forces take back in a step.
        EXPECT_LE(state.v.norm(), gravity * 1e-3 * (1.0 + 1e-9));
    }
    EXPECT_NEAR(state.q[2], 0.05, 1e-9);

    const World two = floor_with({body_of(Box{{0.05, 0.05, 0.05}}, {0.0, 0.0, 0.05}, 0.0, {0.0, 0.0, 1.0}),
                                  body_of(Box{{0.05, 0.05, 0.05}}, {0.0, 0.0, 0.13}, 0.0, {0.0, 0.0, 1.0})});
    state = two.start();
    LcpStepper other;
    double fastest = 0.0;
    for (int k = 0; k < 20; ++k) {
        other.step(two, state, 1e-3);
        fastest = std::max(fastest, state.v.norm());
    }
    // Free fall of twenty steps is the most that a speed can be.
    EXPECT_LT(fastest, std::sqrt(2.0) * 20 * gravity * 1e-3);
    EXPECT_NEAR(state.q[9], 0.15, 1e-6);
}

TEST(LcpOverlap, OfAJammedBodyStaysAndNothingMoves) {
    // A ball of radius .05 between walls .08 apart: it cannot get out, and is not thrown.
    World world = floor_with({body_of(Sphere{0.05}, {0.0, 0.0, 0.05}, 0.0, {0.0, 0.0, 1.0})});
    for (const double side : {-1.0, 1.0}) {
        Body wall;
        wall.shape = HalfSpace{};
        wall.fixed = true;
        wall.pose.position = {0.04 * side, 0.0, 0.0};
        wall.pose.orientation =
            Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), Eigen::Vector3d(-side, 0.0, 0.0));
        world.bodies.push_back(wall);
    }
    State state = world.start();
    LcpStepper stepper;
    for (int k = 0; k < 20; ++k) stepper.step(world, state, 1e-3);
    EXPECT_LT(state.v.norm(), 1e-6);
    EXPECT_NEAR(state.q[0], 0.0, 1e-6);
    EXPECT_NEAR(state.q[2], 0.05, 1e-6);
}

}  // namespace
}  // namespace scree::reference
