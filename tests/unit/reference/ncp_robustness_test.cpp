// SPDX-License-Identifier: BSD-3-Clause
// The geometrically implicit stepper where steps are hard: two bodies in a container, flat contacts in rows of the
// start, overlaps at the start, and what it says where there is no solution.
#include "engine/model/error.hpp"
#include "engine/reference/ncp_step.hpp"
#include "engine/reference/ncp_stepper.hpp"
#include "engine/reference/polytope.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace scree::reference {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// Uniform numbers from the engine's bits: the same with every library.
class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    double operator()(double low, double high) { return low + (high - low) * double(random_()) / 4294967296.0; }
    unsigned below(unsigned count) { return unsigned(random_() % count); }
    Vector3d vector(double size) {
        const double x = (*this)(-size, size), y = (*this)(-size, size);
        return {x, y, (*this)(-size, size)};
    }

private:
    std::mt19937 random_;
};

Vector3d sizes(Draw& draw) {
    const double a = draw(0.02, 0.06), b = draw(0.02, 0.06);
    return {a, b, draw(0.02, 0.06)};
}

Shape any_shape(Draw& draw) {
    switch (draw.below(6)) {
        case 0:
            return Sphere{draw(0.03, 0.06)};
        case 1:
            return Box{sizes(draw)};
        case 2:
            return Ellipsoid{sizes(draw)};
        case 3: {
            const double e1 = draw(0.2, 1.5), e2 = draw(0.2, 1.5);
            return Superquadric{sizes(draw), e1, e2};
        }
        case 4: {
            const double radius = draw(0.02, 0.05);
            return Cylinder{radius, draw(0.02, 0.05)};
        }
        default: {
            const double s = draw(0.05, 0.08);
            return make_polytope(std::vector<Vector3d>{{-s / 4, -s / 4, -s / 4},
                                                       {0.75 * s, -s / 4, -s / 4},
                                                       {-s / 4, 0.75 * s, -s / 4},
                                                       {-s / 4, -s / 4, 0.75 * s}});
        }
    }
}

void add_wall(World& world, const std::string& name, const Vector3d& point, const Vector3d& up) {
    Body wall;
    wall.name = name;
    wall.shape = HalfSpace{};
    wall.fixed = true;
    wall.pose = {point, Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), up)};
    world.bodies.push_back(wall);
}

/// Two bodies thrown into a box 20 cm wide.
World two_in_a_box(unsigned seed) {
    Draw draw(seed);
    World world;
    world.laws[0].friction.sliding = seed % 4 == 0 ? 0.0 : draw(0.1, 0.8);
    for (int k = 0; k < 2; ++k) {
        Body body;
        body.name = k == 0 ? "lower" : "upper";
        body.shape = any_shape(draw);
        body.mass = draw(0.3, 1.5);
        body.inertia = 0.001 * body.mass * Vector3d(1.0, 1.1, 0.9);
        body.pose.position = Vector3d(0, 0, 0.1 + 0.14 * k) + draw.vector(0.01);
        const double angle = draw(0.0, 3.0);
        body.pose.orientation = Eigen::AngleAxisd(angle, draw.vector(1.0).normalized());
        body.velocity = draw.vector(3.0) - Vector3d(0, 0, 3.0);
        body.angular_velocity = draw.vector(10.0);
        world.bodies.push_back(body);
    }
    add_wall(world, "-z", {0, 0, 0}, {0, 0, 1});
    add_wall(world, "-x", {-0.1, 0, 0}, {1, 0, 0});
    add_wall(world, "+x", {0.1, 0, 0}, {-1, 0, 0});
    add_wall(world, "-y", {0, -0.1, 0}, {0, 1, 0});
    add_wall(world, "+y", {0, 0.1, 0}, {0, -1, 0});
    return world;
}

double energy(const World& world, const State& state) {
    return kinetic_energy(world, state) + world.potential_energy(state.time, state.q);
}

class TwoInABox : public ::testing::TestWithParam<unsigned> {};

TEST_P(TwoInABox, ComeToRestWithoutOverlap) {
    for (const ImpulseRows rows : {ImpulseRows::end, ImpulseRows::start}) {
        const World world = two_in_a_box(GetParam());
        // Known fault: the point of a nearly flat face wanders far in a step, and rows of the start have the old one.
        const auto nearly_flat = [](const Body& body) { return std::holds_alternative<Superquadric>(body.shape); };
        if (rows == ImpulseRows::start && std::any_of(world.bodies.begin(), world.bodies.end(), nearly_flat)) continue;
        NcpSettings settings;
        settings.rows = rows;
        NcpStepper stepper(settings);
        State state = world.start();
        const double before = energy(world, state);
        for (int k = 0; k < 150; ++k) {
            ASSERT_NO_THROW(stepper.step(world, state, 0.002)) << k;
            // Impulses may add a hundredth of the kinetic energy (ncp_step.hpp), gravity nothing.
            ASSERT_LE(energy(world, state), 1.01 * before) << k;
            // Judged by other means (separation.hpp), whose gap is exact to 1e-11 of the sizes.
            for (const Contact& c : world.contacts(state.time, state.q, 0.0)) ASSERT_GT(c.gap, -1e-9) << k;
        }
        EXPECT_LT(energy(world, state), 0.5 * before);
    }
}

INSTANTIATE_TEST_SUITE_P(NcpStepper, TwoInABox, ::testing::Range(0U, 12U));

TEST(NcpStepper, FlatBodiesSlideInRowsOfTheStart) {
    struct Case {
        Shape shape;
        double height;
        bool planar;
    };
    for (const Case& c : {Case{Box{{0.04, 0.04, 0.02}}, 0.02, true}, Case{Box{{0.04, 0.04, 0.02}}, 0.02, false},
                          Case{Cylinder{0.04, 0.02}, 0.02, false}}) {
        World world;
        world.planar = c.planar;
        world.laws[0].friction.sliding = 0.3;
        Body body;
        body.shape = c.shape;
        body.mass = 0.5;
        body.inertia = {3e-4, 3e-4, 5e-4};
        body.pose.position.z() = c.height;
        body.velocity.x() = 1.0;
        world.bodies.push_back(body);
        add_wall(world, "floor", {0, 0, 0}, {0, 0, 1});
        NcpSettings settings;
        settings.rows = ImpulseRows::start;
        NcpStepper stepper(settings);
        State state = world.start();
        for (int k = 0; k < 100; ++k) stepper.step(world, state, 0.001);
        // Coulomb's rate to the tolerance of a step, 1e-10 of its units, times 100 steps.
        EXPECT_NEAR(state.v[0], 1.0 - 0.3 * 9.81 * 0.1, 1e-8) << c.shape.index() << c.planar;
        EXPECT_NEAR(state.q[2], c.height, 1e-10);
        EXPECT_LT(state.v.tail(c.planar ? 2 : 5).norm(), 1e-7);
    }
}

TEST(NcpStepper, OverlapsOfTheStartPartSlowly) {
    for (const Shape& shape : std::vector<Shape>{Box{{0.05, 0.05, 0.05}}, Sphere{0.05}}) {
        World world;
        Body body;
        body.shape = shape;
        body.inertia = {2e-3, 2e-3, 2e-3};
        body.pose.position.z() = 0.01;  // four fifths of the half lie in the floor
        world.bodies.push_back(body);
        add_wall(world, "floor", {0, 0, 0}, {0, 0, 1});
        NcpStepper stepper;
        State state = world.start();
        const double speed = recovery_rate * size_of(shape);
        for (int k = 0; k < 200; ++k) {
            stepper.step(world, state, 0.001);
            // The speed that is stated, to the tolerance of a step; never that of depth over h, 40 m/s here.
            ASSERT_LE(state.v.norm(), speed * (1.0 + 1e-6)) << k;
        }
        EXPECT_NEAR(state.q[2], 0.01 + 0.2 * speed, 1e-6);
    }
}

TEST(NcpStepper, ABodyWedgedWithOverlapStaysWhereItIs) {
    World world;
    Body ball;
    ball.name = "ball";
    ball.pose.position.z() = 0.45;  // radius 0.5 between plates 0.9 apart
    world.bodies.push_back(ball);
    add_wall(world, "floor", {0, 0, 0}, {0, 0, 1});
    add_wall(world, "lid", {0, 0, 0.9}, {0, 0, -1});
    NcpStepper stepper;
    State state = world.start();
    for (int k = 0; k < 5; ++k) stepper.step(world, state, 0.01);
    EXPECT_NEAR(state.q[2], 0.45, 1e-8);
    EXPECT_LT(state.v.norm(), 1e-6);
}

TEST(NcpStepper, SaysWhichContactHasNoSolutionAndByHowMuch) {
    World world;
    Body ball;
    ball.name = "ball";
    ball.pose.position.z() = 0.5;
    world.bodies.push_back(ball);
    add_wall(world, "floor", {0, 0, 0}, {0, 0, 1});
    add_wall(world, "lid", {0, 0, 1.0}, {0, 0, -1});
    world.bodies.back().velocity = {0, 0, -1};  // it closes on the ball
    NcpStepper stepper;
    State state = world.start();
    const State before = state;
    try {
        (void)stepper.step(world, state, 0.01);
        FAIL() << "a step was made";
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::numerics);
        EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("residual"), ::testing::HasSubstr("wanted 1e-"),
                                                   ::testing::HasSubstr("contact of 'ball' and '")));
    }
    EXPECT_EQ(state.q, before.q);
}

}  // namespace
}  // namespace scree::reference
