// SPDX-License-Identifier: BSD-3-Clause
// Negrut, Serban and Tasora (2017), section 3: the artifact of the relaxed law. The modified gap Phi - mu h |u_t| makes
// a sliding body float at mu |u_t| h and throws up one that starts on the ground (validation.md, A7).
#include "engine/reference/world.hpp"
#include "kernels/step/step_engine.hpp"
#include "tests/support/cone_stepper.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace scree::reference {
namespace {

using complementarity::Friction;

constexpr double gravity = 9.81, half = 0.1;

/// A cube of 1 kg and edge 2 `half` on the plane z = 0, with `height` below it, that slides along x.
World sliding_box(double mu, double v, double height) {
    World world;
    world.laws = {{.friction = {.sliding = mu}}};
    world.bodies.resize(2);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    world.bodies[1].shape = Box{{half, half, half}};
    world.bodies[1].inertia.setConstant(2.0 / 3.0 * half * half);
    world.bodies[1].pose.position = {0.0, 0.0, half + height};
    world.bodies[1].velocity = {v, 0.0, 0.0};
    return world;
}

/// mu, v [m/s], h [s]
using Case = std::tuple<double, double, double>;
class LiftOff : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Negrut, LiftOff,
                         testing::Combine(testing::Values(0.2, 0.5, 0.8), testing::Values(1.0, 5.0),
                                          testing::Values(1e-3, 5e-4)));

struct Slide {
    double distance = 0.0, largest_gap = 0.0, from_artifact = 0.0;
};

/// From where it floats, so that it is not thrown up, until it rests.
Slide slide(double mu, double v, double h, Friction friction) {
    const World world = sliding_box(mu, v, friction == Friction::associated ? mu * v * h : 0.0);
    State state = world.start();
    ConeStepper stepper(friction);
    Slide run;
    while (state.time < 1.05 * v / (mu * gravity)) {
        EXPECT_TRUE(stepper.step(world, state, h).converged);
        const double slip = std::abs(state.v[0]);
        for (const Contact& corner : world.contacts(state.time, state.q, half)) {
            run.largest_gap = std::max(run.largest_gap, std::abs(corner.gap));
            run.from_artifact = std::max(run.from_artifact, std::abs(corner.gap - mu * slip * h));
        }
    }
    run.distance = state.q[0];
    return run;
}

TEST_P(LiftOff, BoxFloatsAtFrictionTimesSlipTimesStep) {
    const auto [mu, v, h] = GetParam();
    const Slide run = slide(mu, v, h, Friction::associated);
    RecordProperty("largest_gap_m", std::to_string(run.largest_gap));
    RecordProperty("distance_m", std::to_string(run.distance));
    // Eq. 5d with gamma_n > 0 is Phi + h v_n = mu h v_T: exact, up to the solver's tolerance and the tilt it leaves.
    EXPECT_LT(run.from_artifact, 1e-6 * mu * v * h);
    EXPECT_NEAR(run.distance, v * v / (2.0 * mu * gravity), 0.01 * v * v / (2.0 * mu * gravity));  // A7
}

TEST_P(LiftOff, BoxWithCoulombsLawStaysOnThePlane) {
    const auto [mu, v, h] = GetParam();
    const Slide run = slide(mu, v, h, Friction::coulomb);
    RecordProperty("largest_gap_m", std::to_string(run.largest_gap));
    EXPECT_LT(run.largest_gap, 1e-5);                                                              // A7
    EXPECT_NEAR(run.distance, v * v / (2.0 * mu * gravity), 0.01 * v * v / (2.0 * mu * gravity));  // A7
}

TEST_P(LiftOff, BodyOfTheEngineFloatsAtFrictionTimesSlipTimesStep) {
    const auto [mu, v, h] = GetParam();
    for (const bool coulomb : {false, true}) {
        // A sphere that cannot turn slides like a box.
        kernels::WorldDescription world = test::empty_world({mu, 0.0, 0.0, 0.0, 0.0, 1e6});
        world.contact.step = h;
        world.contact.feedback = kernels::Feedback::rigid;
        world.coulomb = coulomb;
        world.tolerance = 1e-9;
        world.max_iterations = 20000;
        test::add_plane(world, {0, 0, 0}, {0, 0, 1});
        test::add_sphere(world, {0, 0, half + (coulomb ? 0.0 : mu * v * h)}, half, {v, 0, 0});
        world.inverse_mass[1] = 0.0;
        const auto engine = kernels::make_cpu_engine(world, true);
        const auto poses = test::still_poses(world);
        double largest = 0.0, from_artifact = 0.0;
        kernels::BodyDownload body;
        for (double time = 0.0; time < 1.05 * v / (mu * gravity); time += h) {
            engine->step(poses);
            engine->download(body);
            const double gap = body.position[2] - half;
            largest = std::max(largest, std::abs(gap));
            from_artifact = std::max(from_artifact, std::abs(gap - mu * std::abs(body.velocity[0]) * h));
        }
        RecordProperty(coulomb ? "coulomb_largest_gap_m" : "associated_largest_gap_m", std::to_string(largest));
        if (coulomb)
            EXPECT_LT(largest, 1e-5);  // A7
        else
            EXPECT_LT(from_artifact, 0.01 * mu * v * h);  // A7
    }
}

TEST_P(LiftOff, RelaxedBodyThatStartsOnThePlaneIsThrownUp) {
    const auto [mu, v, h] = GetParam();
    // v_n = mu v_T and v_T = v - mu (v_n + g h) per kilogram.
    const double up = mu * (v - mu * gravity * h) / (1.0 + mu * mu);
    World world = sliding_box(mu, v, 0.0);
    world.bodies[1].shape = Sphere{half};
    world.bodies[1].inertia.setConstant(1e9);  // cannot turn
    for (const Friction friction : {Friction::associated, Friction::coulomb}) {
        State state = world.start();
        ASSERT_TRUE(ConeStepper(friction).step(world, state, h).converged);
        EXPECT_NEAR(state.v[2], friction == Friction::associated ? up : 0.0, 1e-9 * v);
        EXPECT_NEAR(state.v[0], friction == Friction::associated ? up / mu : v - mu * gravity * h, 1e-9 * v);
    }
}

TEST(LiftOffLimits, ArtifactVanishesWithoutFrictionAndAtRest) {
    for (const double h : {1e-3, 5e-4}) {
        EXPECT_LT(std::abs(slide(0.5, 0.0, h, Friction::associated).largest_gap), 1e-12);
        const World smooth = sliding_box(0.0, 5.0, 0.0);
        State state = smooth.start();
        ConeStepper stepper(Friction::associated);
        while (state.time < 0.1) stepper.step(smooth, state, h);
        EXPECT_NEAR(state.q[2], half, 1e-12);
        EXPECT_NEAR(state.v[0], 5.0, 1e-12);
    }
}

}  // namespace
}  // namespace scree::reference
