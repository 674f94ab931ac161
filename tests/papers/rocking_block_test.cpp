// SPDX-License-Identifier: BSD-3-Clause
// Housner's block ("The behavior of inverted pendulum structures during earthquakes", 1963): it rocks about one lower
// corner, lands flat and goes on about the other. Plastic without slip, angular momentum about that corner is kept:
// the spin after over the spin before is 1 - 3/2 sin^2 a with tan a = L / H.
#include "engine/reference/ncp_stepper.hpp"
#include "tests/support/floor_world.hpp"
#include "tests/support/linearised_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace scree::reference {
namespace {

constexpr double width = 1.0, height = 1.5, exact = 1.0 - 1.5 * width * width / (width * width + height * height);

/// Spin after the step in which the block, flat and turning about its left corner at 1 rad/s, lands.
double ratio(Stepper& stepper, double h, double gravity = 9.81) {
    const double inertia = (width * width + height * height) / 12.0;
    World world = test::one_on_fixed(Box{{0.5 * width, 0.5, 0.5 * height}}, Eigen::Vector3d::Constant(inertia),
                                     HalfSpace{}, 10.0, true);
    world.gravity = {0, 0, -gravity};
    Body& block = world.bodies[0];
    block.pose.position = {0, 0, 0.5 * height};
    block.angular_velocity = {0, 1, 0};
    block.velocity = {0.5 * height, 0, -0.5 * width};  // w x (from the left corner to the centre)
    State state = world.start();
    const StepOutcome outcome = stepper.step(world, state, h);
    EXPECT_NEAR(outcome.contacts.empty() ? 0.0 : outcome.contacts[0].contact.gap, 0.0, 1e-10);
    return state.v[2];
}

TEST(RockingBlock, LandsWithHousnersRatio) {
    ASSERT_NEAR(exact, 0.5385, 5e-5);
    for (const ImpulseRows rows : {ImpulseRows::end, ImpulseRows::start}) {
        NcpSettings settings;
        settings.rows = rows;
        const auto at = [&](double h) {
            NcpStepper stepper(settings);
            return ratio(stepper, h);
        };
        // The step adds the turn under gravity: first order in h, and extrapolation takes it away.
        const double coarse = at(0.002), fine = at(0.001);
        EXPECT_NEAR(fine, exact, 5e-3);
        EXPECT_NEAR((fine - exact) / (coarse - exact), 0.5, 0.01);
        EXPECT_NEAR(2.0 * fine - coarse, exact, 5e-5);
    }
}

TEST(RockingBlock, HasTheSameRatioWithALinearisedGap) {
    const auto at = [](double h) {
        test::LinearisedStepper stepper(0.1, test::GapTerm::linearised);
        return ratio(stepper, h);
    };
    EXPECT_NEAR(2.0 * at(0.001) - at(0.002), exact, 5e-5);
}

}  // namespace
}  // namespace scree::reference
