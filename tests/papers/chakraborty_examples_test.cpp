// SPDX-License-Identifier: BSD-3-Clause
// The three examples of Chakraborty, Berard, Akella and Trinkle (papers/002, section V) with the geometrically implicit
// stepper, each also at half the step.
#include "engine/reference/ncp_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numbers>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

Body floor_body() {
    Body body;
    body.name = "floor";
    body.shape = HalfSpace{};
    body.fixed = true;
    return body;
}

World disc_on_plane() {
    World world;
    world.planar = true;
    world.laws[0].friction.sliding = 0.4;
    world.bodies.resize(2);
    Body& disc = world.bodies[0];
    disc.name = "disc";
    disc.shape = Ellipsoid{{1.0, 1.0, 1.0}};
    disc.inertia = {0.5, 0.5, 0.5};
    disc.pose.position = {0, 0, 1};
    disc.velocity = {-3, 0, 0};
    disc.angular_velocity = {0, -3, 0};  // v_x + (w x (0, 0, -1))_x = v_x - w_y = 0
    world.bodies[1] = floor_body();
    return world;
}

class Halving : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Chakraborty, Halving, testing::Values(1.0, 0.5));

TEST_P(Halving, ARollingDiscKeepsItsKineticEnergy) {
    const World world = disc_on_plane();
    NcpStepper stepper;
    State state = world.start();
    const double h = 0.01 * GetParam(), first = kinetic_energy(world, state);
    EXPECT_DOUBLE_EQ(first, 0.5 * 9 + 0.25 * 9);
    double worst = 0.0;
    std::size_t iterations = 0;
    while (state.time < 5.0 - 0.5 * h) {
        iterations += stepper.step(world, state, h).iterations;
        worst = std::max(worst, std::abs(kinetic_energy(world, state) - first));
    }
    std::cout << "largest change of energy " << worst << " J, " << iterations << " iterations\n";
    EXPECT_LT(worst, 1e-6);
    EXPECT_NEAR(state.q[0], -15.0, 1e-6);
    EXPECT_NEAR(state.q[2], 1.0, 1e-9);
}

TEST_P(Halving, ASpinningSphereStopsByTorsionalFriction) {
    World world;
    world.laws[0].friction.sliding = 0.2;
    world.laws[0].friction.torsion_radius = 0.4;
    world.bodies.resize(2);
    world.bodies[0].name = "sphere";
    world.bodies[0].shape = Sphere{1.0};
    world.bodies[0].inertia = Vector3d::Constant(0.4);
    world.bodies[0].pose.position = {0, 0, 1};
    world.bodies[0].angular_velocity = {0, 0, 1.962};
    world.bodies[1] = floor_body();
    NcpStepper stepper;
    State state = world.start();
    const double h = 0.07 * GetParam();
    double others = 0.0, stop = -1.0, slope_error = 0.0, tangential = 0.0;
    while (state.time < 1.5) {
        const double before = state.v[5];
        const StepOutcome outcome = stepper.step(world, state, h);
        const double spin = state.v[5];
        others = std::max(others, state.v.head(5).cwiseAbs().maxCoeff());
        if (state.time < 1.0) slope_error = std::max(slope_error, std::abs((spin - before) / h + 1.962));
        if (stop < 0.0 && std::abs(spin) < 1e-9) stop = state.time;
        tangential = std::max(tangential, outcome.contacts.at(0).tangent_impulse.norm());
    }
    std::cout << "others " << others << " slope error " << slope_error << " stop " << stop << " p_t " << tangential
              << "\n";
    EXPECT_LT(others, 1e-8);
    EXPECT_LT(tangential, 1e-8);
    EXPECT_LT(slope_error, 1e-7);
    EXPECT_NEAR(stop, h * std::ceil(1.0 / h), 1e-9);  // the end of the step that contains t = 1; 1.05 at h = .07
}

TEST_P(Halving, ASmallSphereOnTwoFixedOnesSlidesRollsAndSeparatesWhenThePaperSays) {
    World world;
    world.gravity.setZero();
    world.wrench = [](double, std::size_t, const Pose&, const Vector3d&, const Vector3d&) {
        return Wrench{{1.0, 2.6, -9.81}, Vector3d::Zero()};
    };
    world.laws[0].friction.sliding = 0.2;
    world.laws[0].friction.torsion_radius = 0.3;
    world.bodies.resize(3);
    world.bodies[0].name = "small";
    world.bodies[0].shape = Ellipsoid{{1, 1, 1}};
    world.bodies[0].inertia = Vector3d::Constant(0.4);
    world.bodies[0].pose.position = {0, 6.62105263157895, 8.78417110772903};
    for (std::size_t k : {1u, 2u}) {
        Body& big = world.bodies[k];
        big.name = k == 1 ? "first" : "second";
        const double radius = k == 1 ? 10.0 : 9.0;
        big.shape = Ellipsoid{{radius, radius, radius}};
        big.fixed = true;
        big.pose.position = {0, k == 1 ? 0.0 : 11.4, 0};
    }
    NcpStepper stepper;
    State state = world.start();
    const double h = 0.01 * GetParam();
    double left[2] = {0, 0}, slides_from[2] = {-1, -1}, worst_cone = 0.0;
    while (state.time < 4.0) {
        const StepOutcome outcome = stepper.step(world, state, h);
        for (const ContactOutcome& c : outcome.contacts) {
            const auto k = std::size_t(c.contact.body_b - 1);
            const double bound = 0.2 * c.normal_impulse,
                         used = std::hypot(c.tangent_impulse.norm(), c.twist_impulse / 0.3);
            if (c.normal_impulse > 1e-9) left[k] = state.time;
            if (c.normal_impulse > 1e-9) worst_cone = std::max(worst_cone, used / bound - 1.0);
            const double slip = (c.contact.tangent * state.v).norm();
            if (c.normal_impulse > 1e-9 && slides_from[k] < 0.0 && slip > 1e-6) slides_from[k] = state.time;
            if (std::getenv("TRACE") && int(std::round(state.time / h)) % 20 == 0)
                std::cout << state.time << " " << k + 1 << " pn " << c.normal_impulse / h << " pt " << used / h
                          << " slip " << slip << " twist " << c.contact.twist * state.v << " it " << outcome.iterations
                          << " v " << state.v.transpose() << "\n";
        }
    }
    std::cout << "slide " << slides_from[0] << " " << slides_from[1] << " leave " << left[0] << " " << left[1]
              << " cone " << worst_cone << "\n";
}

}  // namespace
}  // namespace scree::reference
