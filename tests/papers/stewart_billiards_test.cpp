// SPDX-License-Identifier: BSD-3-Clause
// Stewart (2000), figure 2.3 (validation.md, B5): a ball thrown at the first of a row of balls on a table, e = .9. The
// paper gives no numbers; what it says of the motion is tested. The balls stand a little apart: of touching ones
// Newton's law would send the whole row off together (see the cradle in stewart_impacts_test.cpp). The spin that
// reverses at each bounce is that of "superballs" and needs tangential restitution, which eq. 2.14 does not have: with
// friction alone a bounce ends rolling at best.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::reference {
namespace {

/// Body 1 is thrown; bodies 2 to `row` + 1 stand in a row from the origin on. All of radius 1/2 and mass 1.
World table(std::size_t row, const ContactLaw& law, double apart) {
    World world;
    world.laws = {law};
    world.bodies.resize(row + 2);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    for (std::size_t i = 1; i < world.bodies.size(); ++i) {
        world.bodies[i].shape = Sphere{0.5};
        world.bodies[i].inertia.setConstant(0.1);
        world.bodies[i].pose.position = {(1.0 + apart) * (double(i) - 2.0), 0.0, 0.5};
    }
    return world;
}

struct Game {
    double largest[5] = {};  ///< Speed of each ball along the row, its maximum.
    double last_sideways = 0.0, highest_second = 0.0;
    std::vector<double> spins, speeds;  ///< Of the thrown ball, across and along its way, after each bounce.
};

Game thrown(double h) {
    World world = table(3, {.friction = {.sliding = 0.5}, .restitution = 0.9, .tangential_restitution = 0.9}, 0.02);
    // A little to the side of the axis, down onto the back of the first ball.
    world.bodies[1].pose.position = {-1.6, 0.05, 0.9};
    world.bodies[1].velocity = {3.0, 0.0, -0.5};
    State state = world.start();
    LcpStepper stepper;
    Game game;
    while (state.time < 1.6) {
        const double falling = state.v[2];
        const StepOutcome outcome = stepper.step(world, state, h);
        game.highest_second = std::max(game.highest_second, state.q[2 * 7 + 2] - 0.5);
        for (Index k = 0; k < 4; ++k) game.largest[k + 1] = std::max(game.largest[k + 1], state.v[6 * k]);
        for (const ContactOutcome& c : outcome.contacts)
            if (c.contact.body_a == 0 && c.contact.body_b == 1 && c.normal_impulse > 0.5 && falling < 0.0) {
                game.spins.push_back(state.v[4]);
                game.speeds.push_back(state.v[0]);
            }
    }
    game.last_sideways = state.v[6 + 1];
    return game;
}

TEST(StewartBilliards, ThrownBallPassesItsMomentumToTheThirdAndReversesItsSpinAtEachBounce) {
    for (const double h : {2e-3, 1e-3}) {
        const Game game = thrown(h);
        EXPECT_GT(game.largest[4], 0.6 * 3.0);          // most of the momentum of the throw
        EXPECT_GT(game.highest_second, 2e-3);           // the second hops
        EXPECT_GT(std::abs(game.last_sideways), 1e-3);  // oblique: the row leaves its line
        ASSERT_GE(game.spins.size(), 4u);
        for (std::size_t k = 1; k < 4; ++k) EXPECT_LT(game.spins[k] * game.spins[k - 1], 0.0) << "bounce " << k;
        // ... and the speed along the way alternates with it.
        for (std::size_t k = 2; k < 4; ++k)
            EXPECT_LT((game.speeds[k] - game.speeds[k - 1]) * (game.speeds[k - 1] - game.speeds[k - 2]), 0.0);
    }
}

TEST(StewartBilliards, RollingBallLiftsTheEvenBallsOfARow) {
    // Section 2.3: of n balls in line struck by a rolling ball the even ones receive an upward frictional impulse.
    for (const double h : {2e-4, 1e-4}) {
        World world = table(4, {.friction = {.sliding = 0.3}, .restitution = 0.9}, 0.002);
        world.bodies[1].velocity = {1.0, 0.0, 0.0};
        world.bodies[1].angular_velocity = {0.0, 2.0, 0.0};
        State state = world.start();
        LcpStepper stepper;
        double lift[6] = {};  // impulse of the neighbour behind, upwards
        while (state.time < 0.02) {
            for (const ContactOutcome& c : stepper.step(world, state, h).contacts) {
                if (c.contact.body_a == 0) continue;
                // The contact's tangents are rows of body velocities: the z part of body b's share.
                const Index b = c.contact.body_b;
                lift[b] += c.contact.tangent.col(6 * (b - 1) + 2).dot(c.tangent_impulse);
            }
        }
        EXPECT_LT(lift[2], -1e-1);
        EXPECT_GT(lift[3], 1e-2);
        EXPECT_LT(lift[4], -1e-2);
        EXPECT_GT(lift[5], 1e-3);
    }
}

}  // namespace
}  // namespace scree::reference
