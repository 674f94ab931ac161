// SPDX-License-Identifier: BSD-3-Clause
// The three examples of Chakraborty, Berard, Akella and Trinkle (papers/002, section V) with the geometrically implicit
// stepper, each also at half the step.
#include "engine/reference/ncp_stepper.hpp"
#include "tests/support/floor_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

class Chakraborty : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(FullAndHalfStep, Chakraborty, testing::Values(1.0, 0.5));

TEST_P(Chakraborty, ARollingDiscKeepsItsKineticEnergy) {
    World world = test::one_on_fixed(Ellipsoid{{1.0, 1.0, 1.0}}, Vector3d::Constant(0.5), HalfSpace{}, 0.4, true);
    world.bodies[0].pose.position = {0, 0, 1};
    world.bodies[0].velocity = {-3, 0, 0};
    world.bodies[0].angular_velocity = {0, -3, 0};  // v_x - w_y R = 0: the paper's 3 rad/s
    NcpStepper stepper;
    State state = world.start();
    const double h = 0.01 * GetParam(), first = kinetic_energy(world, state);
    double worst = 0.0;
    while (state.time < 5.0 - 0.5 * h) {
        stepper.step(world, state, h);
        worst = std::max(worst, std::abs(kinetic_energy(world, state) - first));
    }
    EXPECT_DOUBLE_EQ(first, 0.5 * 9 + 0.25 * 9);
    EXPECT_LT(worst, 1e-6);  // the paper's bound; measured 4e-14 J, 2e-13 J at half the step
    EXPECT_NEAR(state.q[0], -15.0, 1e-6);
    EXPECT_NEAR(state.q[2], 1.0, 1e-9);
}

TEST_P(Chakraborty, ASpinningSphereStopsByTorsionalFriction) {
    World world = test::one_on_fixed(Sphere{1.0}, Vector3d::Constant(0.4), HalfSpace{}, 0.2);
    world.laws[0].friction.torsion_radius = 0.4;
    world.bodies[0].pose.position = {0, 0, 1};
    world.bodies[0].angular_velocity = {0, 0, 1.962};
    NcpStepper stepper;
    State state = world.start();
    const double h = 0.07 * GetParam();
    double others = 0.0, stop = -1.0, slope_error = 0.0, tangential = 0.0;
    while (state.time < 1.5) {
        const double before = state.v[5];
        const StepOutcome outcome = stepper.step(world, state, h);
        others = std::max(others, state.v.head(5).cwiseAbs().maxCoeff());
        if (state.time < 1.0) slope_error = std::max(slope_error, std::abs((state.v[5] - before) / h + 1.962));
        if (stop < 0.0 && std::abs(state.v[5]) < 1e-9) stop = state.time;
        tangential = std::max(tangential, outcome.contacts.at(0).tangent_impulse.norm());
    }
    EXPECT_LT(others, 1e-9);  // the certificate's 1e-10 in units of 1.96 m/s
    EXPECT_LT(tangential, 1e-9);
    EXPECT_LT(slope_error, 1e-8);
    EXPECT_NEAR(stop, h * std::ceil(1.0 / h), 1e-9);  // the step that contains t = 1: 1.05 s at h = .07
}

struct TwoContacts {
    std::array<double, 2> slides_from{-1, -1}, loaded_until{0, 0}, first_force{0, 0};
    double sliding_error = 0.0;  ///< Friction off its bound while the contact slides, relative.
};

TwoContacts small_sphere_on_two(double h) {
    World world = test::one_on_fixed(Ellipsoid{{1, 1, 1}}, Vector3d::Constant(0.4), Ellipsoid{{10, 10, 10}}, 0.2);
    world.gravity.setZero();
    world.wrench = [](double, std::size_t, const Pose&, const Vector3d&, const Vector3d&) {
        return Wrench{{1.0, 2.6, -9.81}, Vector3d::Zero()};
    };
    world.laws[0].friction.torsion_radius = 0.3;
    world.bodies[0].pose.position = {0, 6.62105263157895, 8.78417110772903};
    world.bodies.push_back(world.bodies[1]);
    world.bodies[2].shape = Ellipsoid{{9, 9, 9}};
    world.bodies[2].pose.position = {0, 11.4, 0};
    NcpStepper stepper;
    State state = world.start();
    TwoContacts seen;
    while (state.time < 4.0) {
        for (const ContactOutcome& c : stepper.step(world, state, h).contacts) {
            if (!(c.normal_impulse > 1e-9 * h)) continue;  // contacts that open may keep what rounding leaves, 1e-44 N
            const auto k = std::size_t(c.contact.body_b - 1);
            if (seen.first_force[k] == 0.0) seen.first_force[k] = c.normal_impulse / h;
            seen.loaded_until[k] = state.time;
            const double slip = (c.contact.tangent * state.v).norm();
            if (slip < 1e-6) continue;
            if (seen.slides_from[k] < 0.0) seen.slides_from[k] = state.time;
            const double used = std::hypot(c.tangent_impulse.norm(), c.twist_impulse / 0.3);
            seen.sliding_error = std::max(seen.sliding_error, std::abs(used / (0.2 * c.normal_impulse) - 1.0));
        }
    }
    return seen;
}

TEST_P(Chakraborty, ASmallSphereOnTwoFixedOnesRollsSlidesAndSeparates) {
    const double h = 0.01 * GetParam();
    const TwoContacts seen = small_sphere_on_two(h);
    EXPECT_NEAR(seen.slides_from[0], h, 1e-9);     // contact 1 slides from the first step
    EXPECT_NEAR(seen.loaded_until[0], 3.2, 0.02);  // "at approximately 3.2 s"
    EXPECT_NEAR(seen.slides_from[1], 3.0, 0.1);    // "until approximately 3 s"; here 2.94 s
    // "At approximately 3.6 s" in the paper. Here 3.69 s, 3.695 s at half the step and 3.698 s at h = .0025: the
    // paper's plot is not read better than that, or its spin differs (3.6 s comes out at h = .1).
    EXPECT_NEAR(seen.loaded_until[1], 3.6, 0.1);
    EXPECT_LT(seen.sliding_error, 1e-6);
}

TEST(ChakrabortyExample3, EventsConvergeWithTheStep) {
    const TwoContacts coarse = small_sphere_on_two(0.02), fine = small_sphere_on_two(0.01);
    for (const std::size_t k : {0U, 1U}) {
        EXPECT_NEAR(coarse.loaded_until[k], fine.loaded_until[k], 0.03);  // a step and a half
        EXPECT_NEAR(coarse.first_force[k], fine.first_force[k], 1e-3 * fine.first_force[k]);
    }
    EXPECT_NEAR(coarse.slides_from[1], fine.slides_from[1], 0.03);
}

}  // namespace
}  // namespace scree::reference
