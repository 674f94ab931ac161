// SPDX-License-Identifier: BSD-3-Clause
// The geometrically implicit stepper on long steps: bodies that cross their own size and more in one step neither pass
// through another nor gain energy.
#include "engine/reference/ncp_stepper.hpp"
#include "engine/reference/polytope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

struct Projectile {
    std::string name;
    Shape shape;
};

Shape tetrahedron() {
    const double s = 0.08;
    return make_polytope(std::vector<Vector3d>{
        {-s / 4, -s / 4, -s / 4}, {0.75 * s, -s / 4, -s / 4}, {-s / 4, 0.75 * s, -s / 4}, {-s / 4, -s / 4, 0.75 * s}});
}

const std::vector<Projectile> projectiles{{"sphere", Sphere{0.05}},
                                          {"box", Box{{0.05, 0.04, 0.03}}},
                                          {"tetrahedron", tetrahedron()},
                                          {"ellipsoid", Ellipsoid{{0.05, 0.04, 0.03}}}};

/// A body that falls at `speed` from 30 cm above the floor or a plate 2 cm thick.
World falling(const Shape& shape, double speed, bool plate) {
    World world;
    world.laws[0].friction.sliding = 0.4;
    world.bodies.resize(2);
    Body& body = world.bodies[0];
    body.name = "body";
    body.shape = shape;
    body.mass = 0.5;
    body.inertia = {4e-4, 5e-4, 6e-4};
    body.pose.position = {0, 0, 0.3};
    body.pose.orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
    body.velocity = {0.3, 0, -speed};
    Body& target = world.bodies[1];
    target.name = "target";
    target.fixed = true;
    target.shape = HalfSpace{};
    if (plate) {
        target.shape = Box{{0.5, 0.5, 0.01}};
        target.pose.position = {0, 0, -0.01};
    }
    return world;
}

class LongSteps : public ::testing::TestWithParam<std::tuple<std::size_t, double, bool>> {};

TEST_P(LongSteps, NeitherPassThroughNorGainEnergy) {
    const auto [projectile, speed, plate] = GetParam();
    const World world = falling(projectiles[projectile].shape, speed, plate);
    NcpStepper stepper;
    State state = world.start();
    const auto energy = [&] { return kinetic_energy(world, state) + world.potential_energy(state.time, state.q); };
    const double before = energy();
    const int steps = 40 + int(300.0 / speed);
    for (int k = 0; k < steps; ++k) {
        const StepOutcome outcome = stepper.step(world, state, 0.001);
        ASSERT_LE(outcome.residual, 1e-10);
        // Gravity adds nothing to the sum of energies; a rounding of the sum is allowed for.
        ASSERT_LE(energy(), before * (1.0 + 1e-12)) << k;
        // Judged by other means (separation.hpp), whose gap is exact to 1e-11 of the sizes.
        for (const Contact& c : world.contacts(state.time, state.q, 0.0)) ASSERT_GT(c.gap, -1e-9) << k;
        ASSERT_GT(state.q[2], 0.0) << "it went through, step " << k;
    }
    // A plastic impact leaves what the other directions had, and turns some of the approach into spin and slip: after
    // it there is less than half of the energy.
    EXPECT_LT(energy(), 0.5 * before);
    // Thrown out of its side it would have gone far in half of these steps; it slides and rolls less than the impact's
    // friction can drive it: mu times the approach.
    EXPECT_LT(state.q.head<2>().norm(), (0.3 + 0.8 * speed) * 0.001 * steps);
}

std::string name_of_impact(const ::testing::TestParamInfo<LongSteps::ParamType>& impact) {
    const auto& [projectile, speed, plate] = impact.param;
    return projectiles[projectile].name + "At" + std::to_string(int(speed)) + (plate ? "OnAPlate" : "OnTheFloor");
}

INSTANTIATE_TEST_SUITE_P(NcpStepper, LongSteps,
                         ::testing::Combine(::testing::Range(std::size_t(0), projectiles.size()),
                                            ::testing::Values(10.0, 30.0, 45.0, 100.0, 200.0), ::testing::Bool()),
                         name_of_impact);

TEST(NcpStepper, SplitsAStepThatIsTooLongAndSumsTheImpulsesOfItsParts) {
    // A rod that crosses twice its length in a step and lands on a corner: it would turn far in the rest of the step.
    World world = falling(Box{{0.1, 0.01, 0.01}}, 400.0, true);
    world.bodies[0].pose.position.z() = 0.15;
    NcpStepper stepper;
    State state = world.start();
    bool split = false;
    for (int k = 0; k < 5; ++k) {
        const State before = state;
        const StepOutcome outcome = stepper.step(world, state, 0.001);
        EXPECT_DOUBLE_EQ(state.time, before.time + 0.001);
        if (outcome.substeps == 1) continue;
        split = true;
        // The momentum that the impulses bring, gravity aside: each impulse acts in the rows of its own part, the sum
        // in those of the largest one, which differ by the turn in a step.
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(6);
        for (const ContactOutcome& c : outcome.contacts)
            sum += c.normal_impulse * c.contact.normal.transpose() + c.contact.tangent.transpose() * c.tangent_impulse;
        const Vector3d change = 0.5 * (state.v - before.v).head<3>() - Vector3d(0, 0, -9.81e-3 * 0.5);
        EXPECT_NEAR((sum.head<3>() - change).norm() / change.norm(), 0.0, 0.01);
    }
    EXPECT_TRUE(split);
}

TEST(NcpStepper, AFastSpinGainsNoEnergy) {
    World world = falling(Ellipsoid{{0.05, 0.04, 0.03}}, 0.0, false);
    world.gravity.setZero();
    for (const double spin : {10.0, 100.0, 1000.0, 10000.0}) {
        world.bodies[0].angular_velocity = spin * Vector3d(1, 2, -1).normalized();
        NcpStepper stepper;
        State state = world.start();
        const double before = kinetic_energy(world, state);
        for (int k = 0; k < 50; ++k) stepper.step(world, state, 0.001);
        // What a step may add is 1e-4 of the energy of rotation (free_velocities).
        EXPECT_LE(kinetic_energy(world, state), before * std::pow(1.0 + 1e-4, 50)) << spin;
        EXPECT_GE(kinetic_energy(world, state), before * 0.5) << spin;
    }
}

}  // namespace
}  // namespace scree::reference
