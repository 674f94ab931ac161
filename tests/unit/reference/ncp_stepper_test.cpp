// SPDX-License-Identifier: BSD-3-Clause
// The geometrically implicit stepper: its derivatives, bodies at rest, sliding and falling, and what it refuses.
#include "engine/reference/ncp_stepper.hpp"

#include "engine/model/error.hpp"
#include "tests/support/jacobian_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;

Body floor_body() {
    Body body;
    body.name = "floor";
    body.shape = HalfSpace{};
    body.fixed = true;
    return body;
}

World on_floor(const Shape& shape, double height, double mu, bool planar = false) {
    World world;
    world.planar = planar;
    world.laws[0].friction.sliding = mu;
    world.bodies.resize(2);
    world.bodies[0].name = "body";
    world.bodies[0].shape = shape;
    world.bodies[0].inertia = {0.2, 0.3, 0.4};
    world.bodies[0].pose.position = {0.1, 0.0, height};
    world.bodies[1] = floor_body();
    return world;
}

double jacobian_error_of(const World& world, bool frozen) {
    const State state = world.start();
    const double h = 0.05;
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    std::vector<NcpContact> contacts;
    std::vector<VectorXd> impulses;
    for (std::size_t b = 1; b < world.bodies.size(); ++b) {
        NcpContact c;
        c.body_a = 0;
        c.body_b = b;
        const Pose a = world.pose(0, 0, state.q), other = world.pose(b, 0, state.q);
        c.start = *nearest_pair(world.bodies[0].shape, a, world.bodies[b].shape, other, world.planar);
        c.mu = 0.3;
        c.extents = world.planar ? VectorXd(VectorXd::Ones(1)) : VectorXd(Vector3d(1.0, 0.7, 0.2));
        c.start.normal.cwiseAbs().minCoeff(&c.axis);
        if (frozen)
            c.frozen = {contact_frame(c.start, a.position, other.position, c.axis, world.planar),
                        Eigen::MatrixXd::Identity(3, world.planar ? 1 : 2), b == 1 ? 1.0 : 0.5};
        contacts.push_back(c);
        impulses.push_back(Eigen::Vector4d(1.1, 0.2, -0.1, 0.15));
    }
    const NcpProblem problem(world, state, h, contacts, {0.8, 1.3, 1.1, 0.4});
    VectorXd v = state.v;
    for (double& x : v) x += normal(random);
    VectorXd z = problem.start_from(v, impulses);
    for (double& x : z) x += 0.02 * normal(random);  // away from every solution and symmetry
    return test::jacobian_error(problem, z);
}

TEST(NcpProblem, DerivativesAreThoseOfTheEquations) {
    for (const bool frozen : {false, true}) {
        for (const Shape& shape : std::vector<Shape>{Sphere{0.5}, Ellipsoid{{0.5, 0.4, 0.3}}, Box{{0.5, 0.4, 0.3}},
                                                     Superquadric{{0.5, 0.4, 0.3}, 0.8, 1.2}, Cylinder{0.4, 0.5}}) {
            World world = on_floor(shape, 1.0, 0.3);
            world.bodies[0].pose.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3) / 3.7417));
            world.bodies[0].angular_velocity = {1, -2, 3};
            Body other;
            other.shape = Ellipsoid{{0.6, 0.3, 0.4}};
            other.pose.position = {0.9, 0.8, 1.4};
            world.bodies.push_back(other);
            // Central differences at 1e-5 of functions whose third derivatives are of order 100.
            EXPECT_LT(jacobian_error_of(world, frozen), 1e-7) << shape.index() << " " << frozen;
        }
        World planar = on_floor(Ellipsoid{{0.5, 0.4, 0.3}}, 1.0, 0.3, true);
        EXPECT_LT(jacobian_error_of(planar, frozen), 1e-7) << frozen;
    }
}

TEST(NcpStepper, FallsFreelyWhereNothingIsNear) {
    const World world = on_floor(Sphere{0.5}, 10.0, 0.3);
    NcpStepper stepper;
    State state = world.start();
    const StepOutcome outcome = stepper.step(world, state, 0.1);
    EXPECT_TRUE(outcome.converged);
    EXPECT_NEAR(state.v[2], -0.981, 1e-15);
    EXPECT_NEAR(state.q[2], 10.0 - 0.0981, 1e-14);
}

TEST(NcpStepper, LandsWithoutOverlapInTheStepOfTheImpact) {
    for (const double mu : {0.0, 0.4}) {
        World world = on_floor(Ellipsoid{{0.5, 0.4, 0.3}}, 0.32, mu);
        world.bodies[0].velocity = {0.5, 0.2, -3.0};
        NcpStepper stepper;
        State state = world.start();
        for (int k = 0; k < 20; ++k) {
            const StepOutcome outcome = stepper.step(world, state, 0.01);
            ASSERT_TRUE(outcome.converged);
            EXPECT_LE(outcome.residual, 1e-10);
            EXPECT_GT(world.contacts(state.time, state.q, 1.0).at(0).gap, -1e-10);
        }
    }
}

TEST(NcpStepper, FlatFacesRestWithTheirWeightAtTheCentreOfPressure) {
    Polytope prism;  // a square, as polygon and as box
    for (int k = 0; k < 4; ++k) {
        const double x = k == 0 || k == 3 ? 0.5 : -0.5, z = k < 2 ? 0.4 : -0.4;
        prism.vertices.emplace_back(x, 0.0, z);
    }
    prism.normals = {Vector3d::UnitX(), -Vector3d::UnitX(), Vector3d::UnitZ(), -Vector3d::UnitZ()};
    prism.offsets = {0.5, 0.5, 0.4, 0.4};
    struct Case {
        Shape shape;
        bool planar;
    };
    for (const Case& c : {Case{Box{{0.5, 0.5, 0.4}}, false}, Case{Box{{0.5, 0.5, 0.4}}, true}, Case{prism, true},
                          Case{Cylinder{0.5, 0.4}, false}}) {
        World world = on_floor(c.shape, 0.4, 0.5, c.planar);
        // A push at half height over the floor, small enough to stick: the pressure moves against it.
        const double push = 2.0;
        world.wrench = [=](double, std::size_t, const Pose&, const Vector3d&, const Vector3d&) {
            return Wrench{{push, 0, 0}, Vector3d::Zero()};
        };
        NcpStepper stepper;
        State state = world.start();
        const VectorXd q = state.q;
        StepOutcome outcome;
        for (int k = 0; k < 5; ++k) outcome = stepper.step(world, state, 0.01);
        EXPECT_LT((state.q - q).norm(), 1e-9) << c.shape.index();
        ASSERT_EQ(outcome.contacts.size(), 1U);
        EXPECT_NEAR(outcome.contacts[0].normal_impulse, 0.0981, 1e-9);
        EXPECT_NEAR(outcome.contacts[0].tangent_impulse.norm(), 0.02, 1e-9);
        EXPECT_NEAR(outcome.contacts[0].contact.point.x(), 0.1 + push * 0.4 / 9.81, 1e-7) << c.shape.index();
    }
}

TEST(NcpStepper, ABoxSlidesAtTheRateOfCoulombsLaw) {
    World world = on_floor(Box{{0.5, 0.5, 0.4}}, 0.4, 0.3);
    world.bodies[0].velocity = {1.2, -1.6, 0};
    NcpStepper stepper;
    State state = world.start();
    for (int k = 0; k < 20; ++k) stepper.step(world, state, 0.01);
    const double speed = 2.0 - 0.3 * 9.81 * 0.2;
    EXPECT_NEAR(state.v[0], 0.6 * speed, 1e-8);
    EXPECT_NEAR(state.v[1], -0.8 * speed, 1e-8);
    EXPECT_LT(state.v.tail(3).norm(), 1e-8);
}

TEST(NcpStepper, FrictionIsLargerAlongTheLongAxisOfItsEllipse) {
    // The slip from rest under a push along (1, 1): p_j = -mu p_n e_j^2 u_j / |e u|.
    World world = on_floor(Box{{0.5, 0.5, 0.4}}, 0.4, 0.1);
    world.laws[0].friction.aspect = 0.5;
    world.bodies[0].velocity = {1.0, 1.0, 0};
    NcpStepper stepper;
    State state = world.start();
    const StepOutcome outcome = stepper.step(world, state, 0.001);
    const ContactOutcome& c = outcome.contacts.at(0);
    const VectorXd slip = c.contact.tangent * state.v;
    const Eigen::Vector2d e2(1.0, 0.25);
    const double size = std::hypot(slip[0], 0.5 * slip[1]);
    for (Index k = 0; k < 2; ++k)
        EXPECT_NEAR(c.tangent_impulse[k], -0.1 * c.normal_impulse * e2[k] * slip[k] / size, 1e-10);
}

TEST(NcpStepper, ThreeStackedBoxesBearTheirWeights) {
    World world = on_floor(Box{{0.5, 0.5, 0.5}}, 0.5, 0.5);
    for (int k = 1; k < 3; ++k) {
        Body box = world.bodies[0];
        box.name = "box" + std::to_string(k);
        box.pose.position = {0.1 + 0.05 * k, 0.02 * k, 0.5 + k};
        world.bodies.push_back(box);
    }
    NcpStepper stepper;
    State state = world.start();
    const VectorXd q = state.q;
    StepOutcome outcome;
    for (int k = 0; k < 10; ++k) outcome = stepper.step(world, state, 0.01);
    EXPECT_LT((state.q - q).norm(), 1e-8);
    double total = 0.0;
    for (const ContactOutcome& c : outcome.contacts) total += c.normal_impulse;
    EXPECT_NEAR(total, (3 + 2 + 1) * 0.0981, 1e-8);
}

TEST(NcpStepper, AHeapOfUnlikeBodiesNeverOverlaps) {
    World world = on_floor(Box{{0.5, 0.4, 0.3}}, 0.8, 0.4);
    const std::vector<Shape> shapes{Sphere{0.4}, Cylinder{0.3, 0.4}, Superquadric{{0.4, 0.3, 0.3}, 0.6, 0.8}};
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        Body body = world.bodies[0];
        body.name = "body" + std::to_string(k);
        body.shape = shapes[k];
        body.pose.position = {0.1 * double(k), 0.15 * double(k), 1.8 + double(k)};
        body.pose.orientation = Eigen::AngleAxisd(0.5 + double(k), Vector3d(1, 2, -1).normalized());
        world.bodies.push_back(body);
    }
    NcpStepper stepper;
    State state = world.start();
    for (int step = 0; step < 80; ++step) {
        const StepOutcome outcome = stepper.step(world, state, 0.01);
        ASSERT_LE(outcome.residual, 1e-10);
        // Nearest points are judged by other means (separation.hpp), exact to 1e-11 of the sizes at least for the gap.
        for (const Contact& c : world.contacts(state.time, state.q, 0.0)) ASSERT_GT(c.gap, -1e-9) << state.time;
    }
}

TEST(NcpStepper, RefusesWhatItDoesNotStep) {
    struct Other final : System {
        [[nodiscard]] Index coordinates() const override { return 1; }
        [[nodiscard]] Eigen::MatrixXd mass(const VectorXd&) const override { return Eigen::MatrixXd::Identity(1, 1); }
        [[nodiscard]] VectorXd force(double, const VectorXd&, const VectorXd&) const override {
            return VectorXd::Zero(1);
        }
        [[nodiscard]] std::vector<Contact> contacts(double, const VectorXd&, double) const override { return {}; }
    };
    NcpStepper stepper;
    State state{0.0, VectorXd::Zero(1), VectorXd::Zero(1)};
    EXPECT_THROW((void)stepper.step(Other{}, state, 0.01), model::Error);
    World world = on_floor(Sphere{0.5}, 0.5, 0.3);
    state = world.start();
    EXPECT_THROW((void)stepper.step(world, state, 0.0), model::Error);
    EXPECT_THROW((void)stepper.step(world, state, std::nan("")), model::Error);
    State wrong = state;
    wrong.v[0] = std::nan("");
    EXPECT_THROW((void)stepper.step(world, wrong, 0.01), model::Error);
    world.laws[0].restitution = 0.5;
    EXPECT_THROW((void)stepper.step(world, state, 0.01), model::Error);
    world.laws[0].restitution = 0.0;
    world.laws[0].friction.sliding = -0.1;
    EXPECT_THROW((void)stepper.step(world, state, 0.01), model::Error);
}

TEST(NcpStepper, NamesTimeAndBodiesWhereThereIsNoSolution) {
    // A ball between two plates that close: no place for it.
    World world;
    world.bodies.resize(3);
    world.bodies[0].name = "ball";
    world.bodies[1] = floor_body();
    world.bodies[2] = floor_body();
    world.bodies[2].name = "lid";
    world.bodies[2].pose = {Vector3d(0, 0, 1.0), Eigen::Quaterniond(0, 1, 0, 0)};
    world.bodies[2].velocity = {0, 0, -1};
    world.bodies[0].pose.position = {0, 0, 0.5};
    NcpStepper stepper;
    State state = world.start();
    try {
        (void)stepper.step(world, state, 0.01);
        FAIL() << "a step was made";
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::numerics);
        EXPECT_NE(std::string(error.what()).find("at time 0 s"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("'ball' and '"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace scree::reference
