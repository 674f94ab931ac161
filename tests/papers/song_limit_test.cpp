// SPDX-License-Identifier: BSD-3-Clause
// Song, Pang, Kumar, section 5: at a fixed step the compliant solution tends to the rigid one as its compliance goes to
// zero (theorem 6), and exists where the rigid problem at the acceleration level has none (theorem 2).
#include "engine/reference/compliant_stepper.hpp"
#include "engine/reference/lcp_stepper.hpp"
#include "tests/support/mechanisms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace scree::reference {
namespace {

/// A ball thrown onto a rough floor with spin, in the plane: it lands, slides and rolls.
World thrown_ball() {
    World world;
    world.planar = true;
    world.laws[0].friction.sliding = 0.3;
    world.bodies.resize(2);
    world.bodies[0].shape = Sphere{0.5};
    world.bodies[0].inertia.setConstant(0.1);
    world.bodies[0].pose.position.z() = 0.51;
    world.bodies[0].velocity = {2.0, 0.0, -1.0};
    world.bodies[0].angular_velocity = {0.0, -3.0, 0.0};
    world.bodies[1].shape = HalfSpace{};
    world.bodies[1].fixed = true;
    return world;
}

State run(const System& system, State state, Stepper& stepper, int steps, double h) {
    for (int k = 0; k < steps; ++k) stepper.step(system, state, h);
    return state;
}

TEST(SongLimit, LumpedContactsTendToTheRigidStepInProportionToTheirCompliance) {
    const World world = thrown_ball();
    LcpSettings inelastic;
    inelastic.restitution_threshold = 1e300;  // the landing is a closing gap here too, not an impact law
    LcpStepper rigid(inelastic);
    const State limit = run(world, world.start(), rigid, 400, 1e-3);
    std::array<double, 3> distance{};
    for (std::size_t i = 0; i < 3; ++i) {
        CompliantSettings settings;
        settings.lumped = true;
        settings.lump = {1.0, 1.0, -1.0, -1.0};
        settings.compliance_scale = std::pow(10.0, -9.0 - double(i));
        CompliantStepper stepper(settings);
        const State state = run(world, world.start(), stepper, 400, 1e-3);
        distance[i] = (state.q - limit.q).norm() + (state.v - limit.v).norm();
    }
    // (h K + C)^-1 = eps / (h + 2 sqrt(eps)): a factor of ten per decade once sqrt(eps) is small beside h = 1e-3; from
    // 1e-9 to 1e-10 it is 9.6. Slips that end in another step cost more or less.
    EXPECT_LT(distance[1], distance[0] / 5.0);
    EXPECT_LT(distance[2], distance[1] / 5.0);
    EXPECT_LT(distance[2], 1e-6);
}

TEST(SongLimit, PainlevesRodHasACompliantSolutionWhereNoAccelerationIsPossible) {
    PainleveRod rod;
    rod.law.friction.sliding = 1.6;  // above 1.3752, where a normal force presses the sliding end further down
    const State start = rod.touching(1.0, -1.0, 0.0);
    CompliantSettings settings;
    settings.lumped = true;
    settings.lump = {1.0, 1.0, -1.0, -1.0};
    LcpStepper rigid;
    State limit = start;
    const StepOutcome impulse = rigid.step(rod, limit, 1e-3);
    double last = 1e300;
    for (const double epsilon : {1e-9, 1e-10, 1e-11}) {
        settings.compliance_scale = epsilon;
        CompliantStepper stepper(settings);
        State state = start;
        const StepOutcome outcome = stepper.step(rod, state, 1e-3);
        EXPECT_TRUE(outcome.converged);
        const double distance = (state.v - limit.v).norm();
        EXPECT_NEAR(outcome.contacts.at(0).normal_impulse, impulse.contacts.at(0).normal_impulse, distance);
        EXPECT_LT(distance, last / 5.0);
        last = distance;
    }
    EXPECT_LT(last, 1e-5);  // the mobility eps / h = 1e-8 of a contact of effective mass h / J = 1
}

}  // namespace
}  // namespace scree::reference
