// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/compliant_stepper.hpp"

#include "engine/model/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

World ball_on_floor(double friction) {
    World world;
    world.laws[0].friction.sliding = friction;
    world.bodies.resize(2);
    world.bodies[0].shape = Sphere{0.1};
    world.bodies[0].inertia.setConstant(0.004);
    world.bodies[0].pose.position.z() = 0.1;
    world.bodies[1].shape = HalfSpace{};
    world.bodies[1].fixed = true;
    return world;
}

CompliantSettings lumped(double stiffness, double damping) {
    CompliantSettings settings;
    settings.lumped = true;
    settings.lump = {stiffness, stiffness, damping, damping};
    return settings;
}

TEST(Viscoelastic, DampingIsTwiceTheRootOfTheStiffness) {
    const MatrixXd xi = influence_matrix({3, 3, 1e-3}, Elastic{1e7, 0.3}, Elastic{1e8, 0.2}, false);
    const Viscoelastic law(xi, 1.0);
    EXPECT_LT((law.stiffness() * xi - MatrixXd::Identity(27, 27)).norm(), 1e-12);
    EXPECT_LT((law.damping() * law.damping() - 4.0 * law.stiffness()).norm(), 1e-12 * law.stiffness().norm());
}

TEST(Viscoelastic, StepSolvesTheLaw) {
    const MatrixXd xi = influence_matrix({3, 1, 1e-3}, Elastic{1e7, 0.3}, Elastic{1e8, 0.2}, true);
    const Viscoelastic law(xi, 1.0);
    const VectorXd before = 1e-4 * VectorXd::LinSpaced(6, -1.0, 2.0), force = VectorXd::LinSpaced(6, 3.0, -1.0);
    const double h = 1e-3;
    const VectorXd after = law.deflected(before, force, h);
    EXPECT_LT((law.stiffness() * after + law.damping() * (after - before) / h - force).norm(), 1e-11 * force.norm());
    EXPECT_LT((law.mobility(h) * (law.stiffness() * before) - law.recovery(before, h)).norm(), 1e-12);
    EXPECT_NEAR(law.energy(before), 0.5 * before.dot(law.stiffness() * before), 1e-12);
    EXPECT_THROW(Viscoelastic(-xi, 1.0), model::Error);
    EXPECT_THROW(Viscoelastic(VectorXd::Constant(2, 0.0), VectorXd::Zero(2)), model::Error);
}

TEST(CompliantStepper, ABallSinksByItsWeightOverTheStiffness) {
    const World world = ball_on_floor(0.5);
    CompliantStepper stepper(lumped(1e4, 50.0));
    State state = world.start();
    for (int k = 0; k < 2000; ++k) stepper.step(world, state, 1e-3);
    EXPECT_NEAR(state.q[2], 0.1 - 9.81 / 1e4, 1e-10);
    EXPECT_NEAR(stepper.elastic_energy(), 0.5 * 9.81 * 9.81 / 1e4, 1e-9);
}

TEST(CompliantStepper, ImpulsesOfAPatchExplainTheMotion) {
    // M (v+ - v) = h k + sum of rows times reported impulses, moments included.
    World world = ball_on_floor(0.3);
    world.bodies[0].velocity = {0.3, -0.2, -0.1};
    world.bodies[0].angular_velocity = {1.0, 2.0, 5.0};
    CompliantSettings settings;
    settings.elastic = {{1e6, 0.3}};
    settings.directions = 8;
    CompliantStepper stepper(settings);
    State state = world.start();
    for (int k = 0; k < 20; ++k) {
        const State before = state;
        const StepOutcome outcome = stepper.step(world, state, 1e-3);
        VectorXd momentum =
            world.mass(before.q) * (state.v - before.v) - 1e-3 * world.force(before.time, before.q, before.v);
        ASSERT_EQ(outcome.contacts.size(), 1u);
        const ContactOutcome& c = outcome.contacts[0];
        momentum -= c.contact.normal.transpose() * c.normal_impulse +
                    c.contact.tangent.transpose() * c.tangent_impulse + c.contact.twist.transpose() * c.twist_impulse +
                    c.contact.rolling.transpose() * c.rolling_impulse;
        EXPECT_LT(momentum.norm(), 1e-12);
        EXPECT_GT(c.normal_impulse, 0.0);
    }
}

TEST(CompliantStepper, FrictionStopsAtItsBoundOrHolds) {
    // Pulled by .9 and 1.1 of the bound along a side of the polygon; the ball is kept from rolling.
    for (const double share : {0.9, 1.1}) {
        World world = ball_on_floor(0.4);
        world.bodies[0].inertia.setConstant(1e9);
        world.wrench = [&](double, std::size_t body, const Pose&, const Eigen::Vector3d&, const Eigen::Vector3d&) {
            Wrench pull;
            if (body == 0) pull.force.x() = share * 0.4 * 9.81;
            return pull;
        };
        CompliantStepper stepper(lumped(1e4, 100.0));
        State state = world.start();
        for (int k = 0; k < 1000; ++k) stepper.step(world, state, 1e-3);
        if (share < 1.0) {
            EXPECT_NEAR(state.v[0], 0.0, 1e-9);
            EXPECT_NEAR(state.q[0], share * 0.4 * 9.81 / 1e4, 1e-6);  // what the spring gives
        } else {
            EXPECT_GT(state.v[0], 0.05);  // .1 mu g for most of a second
        }
    }
}

TEST(CompliantStepper, EnergyIsNeverGained) {
    World world = ball_on_floor(0.3);
    world.bodies[0].pose.position.z() = 0.15;
    world.bodies[0].velocity = {1.0, 0.0, -1.0};
    world.bodies[0].angular_velocity = {0.0, 3.0, -4.0};
    CompliantSettings settings;
    settings.elastic = {{1e6, 0.3}};
    settings.spacing = 4e-3;
    settings.damping = 0.1;
    CompliantStepper stepper(settings);
    State state = world.start();
    const double h = 2e-4;
    double last = kinetic_energy(world, state) + world.potential_energy(0.0, state.q);
    bool touched = false;
    for (int k = 0; k < 1500; ++k) {
        const StepOutcome outcome = stepper.step(world, state, h);
        if (!outcome.contacts.empty() && outcome.contacts[0].normal_impulse > 0.0) touched = true;
        const double energy =
            kinetic_energy(world, state) + world.potential_energy(0.0, state.q) + stepper.elastic_energy();
        EXPECT_LE(energy, last + 1e-9) << state.time;
        last = energy;
    }
    EXPECT_TRUE(touched);
}

TEST(CompliantStepper, AMovingFloorDragsTheBall) {
    World world = ball_on_floor(0.5);
    world.bodies[0].inertia.setConstant(1e9);
    world.bodies[1].velocity = {0.2, 0.1, 0.0};
    CompliantSettings settings;
    settings.elastic = {{1e7, 0.3}};
    CompliantStepper stepper(settings);
    State state = world.start();
    for (int k = 0; k < 1000; ++k) stepper.step(world, state, 1e-3);
    EXPECT_NEAR(state.v[0], 0.2, 1e-6);
    EXPECT_NEAR(state.v[1], 0.1, 1e-6);
}

TEST(CompliantStepper, TwoBallsThatCollideKeepTheirMomentum) {
    World world;
    world.gravity.setZero();
    world.laws[0].friction.sliding = 0.3;
    world.bodies.resize(2);
    for (Body& body : world.bodies) body.shape = Sphere{0.1};
    world.bodies[0].velocity = {1.0, 0.0, 0.0};
    world.bodies[1].pose.position = {0.21, 0.02, 0.01};
    CompliantSettings settings;
    settings.elastic = {{1e6, 0.3}};
    CompliantStepper stepper(settings);
    State state = world.start();
    for (int k = 0; k < 200; ++k) stepper.step(world, state, 1e-3);
    EXPECT_NEAR(state.v[0] + state.v[6], 1.0, 1e-12);
    EXPECT_NEAR(state.v[1] + state.v[7], 0.0, 1e-12);
    EXPECT_GT(state.v[6], 0.4);  // they part or go on together
}

TEST(CompliantStepper, RefusesWhatItDoesNotModel) {
    const auto settings = [](auto change) {
        CompliantSettings s;
        change(s);
        return s;
    };
    EXPECT_THROW(CompliantStepper(settings([](auto& s) { s.directions = 5; })), model::Error);
    EXPECT_THROW(CompliantStepper(settings([](auto& s) { s.compliance_scale = 0.0; })), model::Error);
    EXPECT_THROW(CompliantStepper(settings([](auto& s) { s.elastic.clear(); })), model::Error);
    EXPECT_THROW(CompliantStepper(settings([](auto& s) { s.elements = 0; })), model::Error);

    World world = ball_on_floor(0.5);
    State state = world.start();
    CompliantStepper stepper;
    EXPECT_THROW(stepper.step(world, state, -1.0), model::Error);
    world.laws[0].restitution = 0.5;
    EXPECT_THROW(stepper.step(world, state, 1e-3), model::Error);
    world.laws[0].restitution = 0.0;
    world.laws[0].friction.rolling = 0.1;
    EXPECT_THROW(stepper.step(world, state, 1e-3), model::Error);
    world.laws[0].friction.rolling = 0.0;
    state.v[0] = std::nan("");
    EXPECT_THROW(stepper.step(world, state, 1e-3), model::Error);
    state.v[0] = 0.0;
    CompliantStepper rigid(settings([](auto& s) { s.elastic = {{std::numeric_limits<double>::infinity(), 0.3}}; }));
    EXPECT_THROW(rigid.step(world, state, 1e-3), model::Error);
}

TEST(CompliantStepper, NothingInReachIsFreeFlight) {
    World world = ball_on_floor(0.5);
    world.bodies[0].pose.position.z() = 10.0;
    CompliantStepper stepper;
    State state = world.start();
    const StepOutcome outcome = stepper.step(world, state, 1e-3);
    EXPECT_TRUE(outcome.contacts.empty());
    EXPECT_TRUE(outcome.converged);
    EXPECT_DOUBLE_EQ(state.v[2], -9.81e-3);
}

}  // namespace
}  // namespace scree::reference
