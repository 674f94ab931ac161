// SPDX-License-Identifier: BSD-3-Clause
// What compliant contacts give back to bodies with edges, corners and overlaps: never more than they took.
#include "engine/reference/compliant_stepper.hpp"
#include "engine/reference/mass_properties.hpp"
#include "engine/reference/polytope.hpp"
#include "tests/support/shape_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

struct Named {
    const char* name;
    Shape shape;
};

std::vector<Named> shapes() {
    const Vector3d sizes(0.05, 0.04, 0.03);
    const std::array<Vector3d, 4> corners{Vector3d::Zero(), 0.1 * Vector3d::UnitX(), 0.1 * Vector3d::UnitY(),
                                          0.1 * Vector3d::UnitZ()};
    return {{"tetrahedron", centred(make_polytope(corners), false).shape},
            {"box", Box{sizes}},
            {"superquadric .1", Superquadric{sizes, 0.1, 0.1}},
            {"superquadric 1", Superquadric{sizes, 1.0, 1.0}},
            {"superquadric 2", Superquadric{sizes, 2.0, 2.0}},
            {"ellipsoid", Ellipsoid{sizes}},
            {"cylinder", Cylinder{0.04, 0.03}}};
}

Body solid(const Shape& shape, const Vector3d& position, const Eigen::Quaterniond& orientation) {
    const MassProperties of = mass_properties(shape, 1000.0, false);
    Body body;
    body.shape = shape;
    body.mass = of.mass;
    body.inertia = of.inertia;
    body.pose = {position, orientation};
    return body;
}

Body floor() {
    Body body;
    body.shape = HalfSpace{};
    body.fixed = true;
    return body;
}

World world_of(std::vector<Body> bodies) {
    World world;
    world.laws[0].friction.sliding = 0.4;
    world.bodies = std::move(bodies);
    return world;
}

struct History {
    double given = 0.0;    ///< Most work that contacts had done on the bodies in all at any time [J].
    double fastest = 0.0;  ///< [m/s]
    double deepest = 0.0;  ///< Of the points of contact at the start of a step [m].
    double climbed = 0.0;  ///< Of the first body above its start [m].
    bool touched = false;
    State end;
};

/// The work of contacts is the change of kinetic energy less that of all other forces, exactly: M (v+ - v) = h k + J
/// gives (v+ + v) . M (v+ - v) / 2 = (h k + J) . (v+ + v) / 2.
History history_of(const World& world, double h, double duration, const CompliantSettings& settings = {}) {
    CompliantStepper stepper(settings);
    History result;
    State& state = result.end;
    state = world.start();
    const double start = state.q[2];
    double given = 0.0;
    for (int k = 0; k < int(duration / h); ++k) {
        const State before = state;
        const Eigen::MatrixXd mass = world.mass(state.q);
        const VectorXd force = world.force(state.time, state.q, state.v);
        const StepOutcome outcome = stepper.step(world, state, h);
        given += 0.5 * (state.v + before.v).dot(mass * (state.v - before.v) - h * force);
        result.given = std::max(result.given, given);
        result.fastest = std::max(result.fastest, state.v.cwiseAbs().maxCoeff());
        result.climbed = std::max(result.climbed, state.q[2] - start);
        for (const ContactOutcome& contact : outcome.contacts) {
            result.deepest = std::max(result.deepest, -contact.contact.gap);
            result.touched = result.touched || contact.normal_impulse > 0.0;
        }
    }
    return result;
}

class CompliantEnergy : public ::testing::TestWithParam<double> {};

// Rounding: sums over some thousand steps of parts that are known to 1e-16 of the energy each.
constexpr double rounding = 1e-12;

TEST_P(CompliantEnergy, BodiesThatFallOnAFloorGetNoMoreThanOneOverdraft) {
    const double h = GetParam(), g = 9.81;
    for (const Named& of : shapes())
        for (const unsigned seed : {100U, 102U}) {
            testing::ShapePairs random(seed, false);
            World world = world_of({solid(of.shape, {0.0, 0.0, 0.12}, random.orientation()), floor()});
            world.bodies[0].velocity.x() = 0.3;
            const History done = history_of(world, h, 0.3);
            EXPECT_TRUE(done.touched) << of.name;
            // contact_accounts.hpp: m (g h)^2 / 2.
            const double mass = world.bodies[0].mass, energy = mass * g * 0.12;
            EXPECT_LE(done.given, 0.5 * mass * g * g * h * h + rounding * energy) << of.name << ", seed " << seed;
        }
}

TEST_P(CompliantEnergy, BodiesThatMeetInFreeFlightGetNothing) {
    for (const Named& of : shapes())
        for (const unsigned seed : {100U, 102U}) {
            testing::ShapePairs random(seed, false);
            World world = world_of({solid(of.shape, Vector3d::Zero(), random.orientation()),
                                    solid(of.shape, {0.01, 0.01, 0.14}, random.orientation())});
            world.gravity.setZero();
            world.bodies[0].velocity.z() = 0.5;
            world.bodies[1].angular_velocity = {5.0, 3.0, 0.0};
            const History done = history_of(world, GetParam(), 0.3);
            EXPECT_TRUE(done.touched) << of.name;
            const double energy = kinetic_energy(world, world.start());
            EXPECT_LE(done.given, rounding * energy) << of.name << ", seed " << seed;
        }
}

INSTANTIATE_TEST_SUITE_P(Steps, CompliantEnergy, ::testing::Values(4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4),
                         [](const auto& step) { return "Of" + std::to_string(int(step.param * 1e6)) + "us"; });

TEST(CompliantOverlap, BodiesThatOverlapAtTheStartStayWhereTheyAre) {
    for (const Named& of : shapes()) {
        testing::ShapePairs random(7, false);
        World world = world_of({solid(of.shape, Vector3d::Zero(), random.orientation()),
                                solid(of.shape, {0.01, 0.01, 0.03}, random.orientation())});
        world.gravity.setZero();
        for (const double h : {4e-3, 2.5e-4}) EXPECT_EQ(history_of(world, h, 0.02).fastest, 0.0) << of.name;
    }
}

TEST(CompliantOverlap, ABlockSunkIntoTheFloorIsNeitherThrownNorSinksOn) {
    World world = world_of({solid(Box{{0.05, 0.04, 0.03}}, {0.0, 0.0, 0.01}, Eigen::Quaterniond::Identity()), floor()});
    for (const double h : {4e-3, 1e-3, 2.5e-4})
        for (const bool lumped : {false, true}) {
            CompliantSettings settings;
            settings.lumped = lumped;
            const History done = history_of(world, h, 0.3, settings);
            // One overdraft is half the speed of a step of free fall; the springs give way by less than a tenth of mm.
            EXPECT_LE(done.fastest, 9.81 * h);
            EXPECT_LE(done.climbed, 0.5 * 9.81 * h * 0.3);
            EXPECT_GE(done.end.q[2], 0.01 - 1e-4);
        }
}

TEST(CompliantOverlap, PartsFreely) {
    World world = world_of({solid(Box{{0.05, 0.04, 0.03}}, {0.0, 0.0, 0.01}, Eigen::Quaterniond::Identity()), floor()});
    world.gravity.setZero();
    world.bodies[0].velocity.z() = 0.2;
    EXPECT_NEAR(history_of(world, 1e-3, 0.3).end.q[2], 0.01 + 0.2 * 0.3, 1e-12);
}

TEST(CompliantOverlap, ACornerThatRollsOverTheFloorStaysOnIt) {
    // Centre of the patch: the line through the tip of a corner misses it by rounding.
    testing::ShapePairs random(102, false);
    World world = world_of({solid(shapes()[0].shape, {0.0, 0.0, 0.12}, random.orientation()), floor()});
    world.bodies[0].velocity.x() = 0.3;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
        const History done = history_of(world, h, 0.4);
        // Deflection under a few times the weight of 1.6 N, and the error of a step that turns by w h: r (w h)^2 / 2.
        EXPECT_LT(done.deepest, 1e-4 + 0.5 * 0.09 * std::pow(10.0 * h, 2)) << h;
    }
}

TEST(CompliantOverlap, ACornerBetweenElementsIsHeld) {
    // Two elements a side: none has its middle within a corner of 45 degrees.
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(40.0 / 57.3, Vector3d(1.0, 2.0, 3.0).normalized()));
    World world = world_of({solid(shapes()[0].shape, {0.0, 0.0, 0.12}, turn), floor()});
    world.bodies[0].velocity.x() = 0.3;
    CompliantSettings settings;
    settings.elements = 2;
    for (const double h : {1e-3, 5e-4}) {
        const History done = history_of(world, h, 0.3, settings);
        // As above, and until the middles beside the tip meet the surface: half a diagonal of an element of 1 mm away,
        // under the slope sqrt(2) of the faces of a right-angled corner that stands on its tip.
        EXPECT_LT(done.deepest, 1e-3 + 1e-4 + 0.5 * 0.09 * std::pow(10.0 * h, 2)) << h;
        EXPECT_LE(done.given, 0.5 * world.bodies[0].mass * std::pow(9.81 * h, 2)) << h;
    }
}

TEST(CompliantOverlap, AccountsAreRemembered) {
    testing::ShapePairs random(102, false);
    World world = world_of({solid(Superquadric{{0.05, 0.04, 0.03}, 0.1, 0.1}, {0.0, 0.0, 0.03}, random.orientation()),
                            solid(shapes()[0].shape, {0.01, 0.0, 0.09}, random.orientation()), floor()});
    CompliantStepper whole, first;
    State a = world.start(), b = world.start();
    for (int k = 0; k < 300; ++k) whole.step(world, a, 1e-3);
    for (int k = 0; k < 80; ++k) first.step(world, b, 1e-3);
    CompliantStepper second;
    second.restore(first.memory());
    EXPECT_EQ(second.memory(), first.memory());
    for (int k = 80; k < 300; ++k) second.step(world, b, 1e-3);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.v, b.v);
    EXPECT_THROW(second.restore({1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace scree::reference
