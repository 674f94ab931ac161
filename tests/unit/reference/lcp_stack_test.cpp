// SPDX-License-Identifier: BSD-3-Clause
// Stacks of equal boxes: all their corners bear, most rows follow from the others, and each step is a linear
// complementarity problem whose bases are singular to working precision.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree::reference {
namespace {

constexpr double half = 0.05, mass = 1.0, gravity = 9.81, h = 1e-3;

World stack(std::size_t boxes) {
    World world;
    world.laws = {{.friction = {.sliding = 0.4}}};
    world.bodies.resize(1);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    for (std::size_t k = 0; k < boxes; ++k) {
        Body body;
        body.shape = Box{Eigen::Vector3d::Constant(half)};
        body.mass = mass;
        body.inertia.setConstant(mass * 4.0 * half * half / 6.0);
        body.pose.position = {0.0, 0.0, half * double(2 * k + 1)};
        world.bodies.push_back(body);
    }
    return world;
}

/// Steps and looks at each.
void expect_rest(std::size_t boxes, int steps) {
    SCOPED_TRACE(std::to_string(boxes) + " boxes");
    const World world = stack(boxes);
    const State start = world.start();
    State state = start;
    LcpStepper stepper;
    for (int k = 0; k < steps; ++k) {
        const StepOutcome outcome = stepper.step(world, state, h);
        ASSERT_EQ(outcome.contacts.size(), 4 * boxes);
        ASSERT_LE(outcome.residual, LcpSettings{}.lemke.tolerance);
        double floor = 0.0;
        for (const ContactOutcome& contact : outcome.contacts)
            if (contact.contact.body_a == 0 || contact.contact.body_b == 0) floor += contact.normal_impulse;
        // The certificate is relative to sums of as many terms as the problem has unknowns.
        const double weight = double(boxes) * mass * gravity * h;
        ASSERT_NEAR(floor, weight, 40.0 * double(boxes) * 1e-9 * weight) << "step " << k;
    }
    // What certificates of 1e-9 allow: h times speeds of 1e-9 of g h, unknowns times, each step.
    EXPECT_LT((state.q - start.q).lpNorm<Eigen::Infinity>(), steps * h * 40.0 * double(boxes) * 1e-9 * gravity * h);
}

TEST(LcpStack, OfFourToSixBoxesRests) {
    for (const std::size_t boxes : {4U, 5U, 6U}) expect_rest(boxes, 45);
}

TEST(LcpStack, OfTenBoxesRests) { expect_rest(10, 8); }

TEST(LcpStack, IsSolvedBeforeTheSlowRungs) {
    // At rest from the start plain paths lose their way for eight boxes: the regularised problems are next, then three
    // rungs more and long double, seconds where this takes milliseconds.
    const World world = stack(8);
    const State state = world.start();
    const ContactLcp lcp(world.mass(state.q), world.contacts(0.0, state.q, 1e-3), 8);
    std::vector<ContactTerms> terms(lcp.contacts().size());
    for (std::size_t i = 0; i < terms.size(); ++i) {
        terms[i].sliding = 0.4;
        terms[i].offset = lcp.contacts()[i].gap / h;
    }
    complementarity::LemkeSettings settings = LcpSettings::certain();
    const auto problem = lcp.problem(h * lcp.solve_mass(world.force(0.0, state.q, state.v)), terms);
    const complementarity::LemkeResult result = complementarity::solve_lemke(problem, settings);
    EXPECT_EQ(result.status, complementarity::LinearStatus::solved);
    EXPECT_LE(result.rung, 1U);
    EXPECT_LE(complementarity::certify(problem, result.z).worst(), settings.tolerance);
}

}  // namespace
}  // namespace scree::reference
