// SPDX-License-Identifier: BSD-3-Clause
// Bodies for which no gap function is known in closed form (papers/002, section V.C, end): ellipsoids on ellipsoids,
// ellipsoids and superquadrics on a plane, each also at half the step.
//
// Rocking without slip: a body whose centre is c above the contact, with the radius of curvature r_1 there, on a fixed
// one of radius r_2, swings with w^2 = m g (R - c) / (I + m c^2), 1/R = 1/r_1 + 1/r_2, for small angles.
#include "engine/reference/collision.hpp"
#include "engine/reference/ncp_stepper.hpp"
#include "tests/support/floor_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

class ChakrabortyShapes : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(FullAndHalfStep, ChakrabortyShapes, testing::Values(1.0, 0.5));

constexpr double g = 9.81;

Vector3d ellipsoid_inertia(const Vector3d& s) {
    return 0.2 * Vector3d(s.y() * s.y() + s.z() * s.z(), s.x() * s.x() + s.z() * s.z(), s.x() * s.x() + s.y() * s.y());
}

/// Period of small swings about world axis `axis` (0 or 1) after a kick of 0.02 rad/s, over the period expected.
double rocking_period(World world, Eigen::Index axis, double expected, double steps_per_period) {
    const double spin = 0.02, up = world.bodies[0].pose.position.z() - world.bodies[1].pose.position.z() -
                                   (std::holds_alternative<HalfSpace>(world.bodies[1].shape)
                                        ? 0.0
                                        : std::get<Ellipsoid>(world.bodies[1].shape).semi_axes.z());
    world.bodies[0].angular_velocity = spin * Vector3d::Unit(axis);
    world.bodies[0].velocity = world.bodies[0].angular_velocity.cross(Vector3d(0, 0, up));
    NcpSettings settings;
    settings.rows = ImpulseRows::start;
    NcpStepper stepper(settings);
    State state = world.start();
    const double h = expected / steps_per_period;
    double last = 0.0;
    int crossings = 0;
    while (state.time < 3.0 * expected) {
        const double before = state.v[3 + axis];
        stepper.step(world, state, h);
        const double now = state.v[3 + axis];
        if ((before > 0.0) == (now > 0.0)) continue;
        ++crossings;
        // Velocities belong to the middle of their steps.
        last = state.time - 0.5 * h - h * now / (now - before);
    }
    return last / (0.5 * crossings - 0.25) / expected;
}

TEST_P(ChakrabortyShapes, AnEllipsoidRocksOnAPlaneAboutBothAxes) {
    const Vector3d s(0.6, 0.5, 0.3), inertia = ellipsoid_inertia(s);
    World world = test::one_on_fixed(Ellipsoid{s}, inertia, HalfSpace{}, 1.0);
    world.bodies[0].pose.position = {0, 0, s.z()};
    for (const Eigen::Index axis : {0, 1}) {
        const double half = axis == 0 ? s.y() : s.x(), curvature = half * half / s.z();
        const double w = std::sqrt(g * (curvature - s.z()) / (inertia[axis] + s.z() * s.z()));
        // Second order in h (w h)^2 / 24 and the amplitude (about 5e-3 rad).
        EXPECT_NEAR(rocking_period(world, axis, 2.0 * std::numbers::pi / w, 100.0 / GetParam()), 1.0, 1e-3) << axis;
    }
}

TEST_P(ChakrabortyShapes, AnEllipsoidRocksOnAnEllipsoid) {
    const Vector3d s(0.6, 0.5, 0.3), below(2.0, 1.5, 1.0), inertia = ellipsoid_inertia(s);
    World world = test::one_on_fixed(Ellipsoid{s}, inertia, Ellipsoid{below}, 1.0);
    world.bodies[0].pose.position = {0, 0, below.z() + s.z()};
    for (const Eigen::Index axis : {0, 1}) {
        const double half = axis == 0 ? s.y() : s.x(), other = axis == 0 ? below.y() : below.x();
        const double both = 1.0 / (s.z() / (half * half) + below.z() / (other * other));
        ASSERT_GT(both, s.z());
        const double w = std::sqrt(g * (both - s.z()) / (inertia[axis] + s.z() * s.z()));
        EXPECT_NEAR(rocking_period(world, axis, 2.0 * std::numbers::pi / w, 100.0 / GetParam()), 1.0, 1e-3) << axis;
    }
}

TEST_P(ChakrabortyShapes, SuperquadricsTumbleOnAPlaneWithoutOverlapOrGainOfEnergy) {
    // Boxy (flat points, zero curvature) and sharp (edges, unbounded second derivatives).
    for (const double e : {0.4, 1.0, 1.5}) {
        World world = test::one_on_fixed(Superquadric{{0.5, 0.4, 0.3}, e, e}, {0.08, 0.1, 0.12}, HalfSpace{}, 0.4);
        world.bodies[0].pose.position = {0, 0, 0.7};
        world.bodies[0].pose.orientation = Eigen::AngleAxisd(0.6, Vector3d(1, 2, 0.5).normalized());
        world.bodies[0].velocity = {1.0, 0.5, 0.0};
        world.bodies[0].angular_velocity = {2.0, -1.0, 1.0};
        NcpStepper stepper;
        State state = world.start();
        const double h = 0.01 * GetParam(), first = test::total_energy(world, state);
        double highest = 0.0, lowest_gap = 0.0;
        while (state.time < 2.0) {
            const StepOutcome outcome = stepper.step(world, state, h);
            highest = std::max(highest, test::total_energy(world, state) - first);
            for (const NearPoint& near :
                 near_points(world.bodies[0].shape, world.pose(0, 0, state.q), HalfSpace{}, {}, 1.0, false))
                lowest_gap = std::min(lowest_gap, near.gap);
            ASSERT_LE(outcome.residual, 1e-9);
        }
        // The surface is rounded by 1e-9 of its size where it is sharp.
        EXPECT_GT(lowest_gap, -2e-9) << e;
        // Half-implicit Euler falls g h t / 2 too far, so that flights lose energy, and impacts and eq. 10 do too.
        EXPECT_LT(highest, 1e-9) << e;
        EXPECT_LT(test::total_energy(world, state), first - 1.0) << e;
    }
}

TEST_P(ChakrabortyShapes, ASuperquadricOfExponentOneIsAnEllipsoid) {
    const Vector3d s(0.5, 0.4, 0.3);
    const auto end = [&](const Shape& shape) {
        World world = test::one_on_fixed(shape, ellipsoid_inertia(s), HalfSpace{}, 0.3);
        world.bodies[0].pose.position = {0, 0, 0.4};
        world.bodies[0].velocity = {1.0, 0.2, -1.0};
        world.bodies[0].angular_velocity = {1.0, 2.0, 0.5};
        NcpStepper stepper;
        State state = world.start();
        while (state.time < 0.5) stepper.step(world, state, 0.01 * GetParam());
        return state;
    };
    const State a = end(Ellipsoid{s}), b = end(Superquadric{s, 1.0, 1.0});
    EXPECT_LT((a.q - b.q).norm(), 1e-7);  // 50 steps, each to 1e-10
    EXPECT_LT((a.v - b.v).norm(), 1e-6);
}

}  // namespace
}  // namespace scree::reference
