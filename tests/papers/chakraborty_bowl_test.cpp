// SPDX-License-Identifier: BSD-3-Clause
// A ball that rolls in a circular bowl (the concave counterpart of papers/002's disc on a plane). Rolling without slip
// it is a pendulum of length R_e = 7/5 (R - r): period 4 sqrt(R_e / g) K(sin(theta_0 / 2)).
//
// What the energy does, per period of n steps from theta_0 = 60 degrees:
//   gap at the end, impulses along the normal at the start   no loss: 1e-4, 2e-5, 2e-6 for n = 100, 200, 400
//   gap at the end, impulses along the normal there (eq. 10)  first order: .44, .26, .14. Each chord v h turns by its
//                                                             angle a, of which eq. 10 keeps cos(3a/2) / cos(a/2) of v
//   gap linearised, only openings counted                     first order: .25, .14, .073, and sinks .09 to .24 m deep
//   gap linearised, overlaps pushed apart                     no loss, but an overlap of second order
#include "engine/reference/ncp_stepper.hpp"
#include "tests/support/floor_world.hpp"
#include "tests/support/linearised_stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

constexpr double bowl_radius = 1.0, ball_radius = 0.2, start_angle = std::numbers::pi / 3, gravity = 9.81;

double exact_period() {
    const double length = 1.4 * (bowl_radius - ball_radius);
    return 4.0 * std::sqrt(length / gravity) * std::comp_ellint_1(std::sin(0.5 * start_angle));
}

World ball_in_bowl() {
    World world = test::one_on_fixed(Sphere{ball_radius}, Vector3d::Constant(0.4 * ball_radius * ball_radius),
                                     Hollow{bowl_radius}, 1.0, true);
    const double reach = bowl_radius - ball_radius;
    world.bodies[0].pose.position = {reach * std::sin(start_angle), 0, -reach * std::cos(start_angle)};
    return world;
}

struct Swing {
    double lost = 0.0;     ///< Of the energy above the bottom, per period, relative.
    double overlap = 0.0;  ///< Largest [m]
    double period = 0.0;   ///< [s], from the times the ball passes the bottom
};

Swing swing(Stepper& stepper, int steps, int periods = 2) {
    const World world = ball_in_bowl();
    State state = world.start();
    const double h = exact_period() / steps, first = test::total_energy(world, state),
                 scale = gravity * (bowl_radius - ball_radius) * (1.0 - std::cos(start_angle));
    Swing result;
    int passes = 0;
    for (int k = 0; k < periods * steps; ++k) {
        const double before = state.q[0];
        stepper.step(world, state, h);
        result.overlap = std::max(result.overlap, -world.contacts(state.time, state.q, 1.0).at(0).gap);
        if (before < 0.0 && state.q[0] >= 0.0) {
            ++passes;
            result.period = (state.time - h * state.q[0] / (state.q[0] - before)) / (passes - 0.25);
        }
    }
    result.lost = (first - test::total_energy(world, state)) / scale / periods;
    return result;
}

NcpStepper implicit(ImpulseRows rows) {
    NcpSettings settings;
    settings.rows = rows;
    return NcpStepper(settings);
}

TEST(ChakrabortyBowl, ImplicitGeometryKeepsTheEnergyAndThePeriod) {
    double last = 0.0;
    for (const int steps : {100, 200, 400}) {
        NcpStepper stepper = implicit(ImpulseRows::start);
        const Swing s = swing(stepper, steps, 5);
        EXPECT_LT(std::abs(s.lost), 1.5e-4 * std::pow(100.0 / steps, 3.0)) << steps;  // third order in h
        EXPECT_LT(s.overlap, 1e-12);
        // The passage is late by a fraction of a step in each case: first order.
        EXPECT_NEAR(s.period / exact_period(), 1.0, 0.2 / steps) << steps;
        if (last > 0.0) {
            EXPECT_LT(std::abs(s.lost), 0.2 * last);
        }
        last = std::abs(s.lost);
    }
}

TEST(ChakrabortyBowl, ImpulsesAlongTheLastNormalLoseEnergyInFirstOrder) {
    double last = 0.0;
    for (const int steps : {200, 400, 800}) {
        NcpStepper stepper = implicit(ImpulseRows::end);
        const Swing s = swing(stepper, steps, 1);
        EXPECT_LT(s.overlap, 1e-12);
        EXPECT_GT(s.lost, 10.0 / steps);
        if (last > 0.0) {  // first order, with a second-order part
            EXPECT_NEAR(s.lost / last, 0.5, 0.07) << steps;
        }
        last = s.lost;
    }
}

TEST(ChakrabortyBowl, ALinearisedGapLosesEnergyInFirstOrderAndSinks) {
    double last = 0.0;
    for (const int steps : {200, 400, 800}) {
        test::LinearisedStepper stepper(0.1, test::GapTerm::opened);
        const Swing s = swing(stepper, steps, 1);
        EXPECT_GT(s.lost, 10.0 / steps);
        EXPECT_GT(s.overlap, 5.0 / steps);
        if (last > 0.0) {
            EXPECT_NEAR(s.lost / last, 0.5, 0.07) << steps;
        }
        last = s.lost;
    }
}

TEST(ChakrabortyBowl, ALinearisedGapThatPushesApartOverlapsInSecondOrder) {
    double last = 0.0;
    for (const int steps : {100, 200}) {
        test::LinearisedStepper stepper(0.1, test::GapTerm::linearised);
        const Swing s = swing(stepper, steps);
        if (last > 0.0) {
            EXPECT_NEAR(s.overlap / last, 0.25, 0.03);
        }
        last = s.overlap;
        EXPECT_GT(s.overlap, 1e-4);
    }
}

}  // namespace
}  // namespace scree::reference
