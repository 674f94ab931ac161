// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/boundary_speed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace scree::simulation {
namespace {

using model::Motion;
using model::Vec3;

geometry::Extent bodies() {
    geometry::Extent extent;
    extent.add({0, 0, 0}, 1.0);
    return extent;
}

model::Boundary box(std::vector<Motion> motions) {
    model::Boundary boundary;
    boundary.shape = model::BoxShape{{0, 0, 0}, {3, 4, 1}, {}, false, {}};
    boundary.motions = std::move(motions);
    return boundary;
}

Motion turning(double speed, Vec3 axis = {0, 0, 1}) {
    Motion motion;
    motion.kind = Motion::Kind::rotation;
    motion.axis = axis;
    motion.angular_speed = speed;
    return motion;
}

Motion shaking(Vec3 amplitude, double frequency) {
    Motion motion;
    motion.kind = Motion::Kind::oscillation;
    motion.amplitude = amplitude;
    motion.frequency = frequency;
    return motion;
}

TEST(BoundarySpeed, IsThatOfTheFastestCorner) {
    // Corners of the box are 5 m from the axis.
    EXPECT_NEAR(boundary_speed(box({turning(2.0)}), 1.0, bodies()).largest, 10.0, 1e-6);
    EXPECT_NEAR(boundary_speed(box({turning(2.0)}), 1.0, bodies()).sweep, 10.0, 1e-6);
    EXPECT_EQ(boundary_speed(box({}), 1.0, bodies()).largest, 0.0);
}

TEST(BoundarySpeed, FindsThePeakOfOscillationsHoweverFast) {
    for (const double frequency : {0.3, 50.0, 1e4}) {
        const double peak = 0.01 * 2.0 * std::numbers::pi * frequency;
        EXPECT_NEAR(boundary_speed(box({shaking({0.01, 0, 0}, frequency)}), 1.0, bodies()).largest, peak, 2e-3 * peak);
    }
}

TEST(BoundarySpeed, KnowsStartsStopsAndRemoval) {
    Motion late = turning(2.0);
    late.start = 0.999;
    EXPECT_NEAR(boundary_speed(box({late}), 1.0, bodies()).largest, 10.0, 1e-6);
    late.start = 2.0;
    EXPECT_EQ(boundary_speed(box({late}), 1.0, bodies()).largest, 0.0);
    late.start = 0.5;
    model::Boundary gate = box({late});
    gate.remove_at = 0.4;
    EXPECT_EQ(boundary_speed(gate, 1.0, bodies()).largest, 0.0);
}

TEST(BoundarySpeed, SweepsNothingWhereAShapeMovesAlongItself) {
    model::Boundary drum;
    drum.shape = model::RevolutionShape{{0, 0, -1}, {0, 0, 1}, 2.0, 0.5, 0.5};
    drum.motions = {turning(3.0)};
    BoundarySpeed speed = boundary_speed(drum, 1.0, bodies());
    EXPECT_NEAR(speed.largest, 1.5, 1e-6);
    EXPECT_NEAR(speed.sweep, 0.0, 1e-6);
    drum.motions = {turning(3.0, {1, 0, 0})};
    speed = boundary_speed(drum, 1.0, bodies());
    EXPECT_NEAR(speed.sweep, 3.0 * std::hypot(1.0, 0.5), 1e-3);  // 64 points a rim
    model::Boundary belt;
    belt.shape = model::PlaneShape{};
    belt.motions = {shaking({1, 0, 0}, 1.0)};
    speed = boundary_speed(belt, 1.0, bodies());
    EXPECT_NEAR(speed.largest, 2.0 * std::numbers::pi, 1e-2);
    EXPECT_NEAR(speed.sweep, 0.0, 1e-6);
}

TEST(BoundarySpeed, SweepsNothingWhereABeltRuns) {
    Motion belt;
    belt.kind = Motion::Kind::belt;
    belt.velocity = {2, 0, 0};
    model::Boundary conveyor;
    conveyor.shape = model::MeshShape{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, 0};
    conveyor.motions = {belt};
    const BoundarySpeed speed = boundary_speed(conveyor, 1.0, bodies());
    EXPECT_NEAR(speed.largest, 2.0, 1e-12);
    EXPECT_NEAR(speed.sweep, 0.0, 1e-12);
}

TEST(BoundarySpeed, OfLargeMeshesIsThatOfTheHull) {
    model::MeshShape cloud;
    for (std::uint32_t k = 0; k < 3000; ++k) {
        const double a = 0.1 * k;
        cloud.vertices.push_back({std::cos(a) * (k % 10) / 9.0, std::sin(a) * (k % 10) / 9.0, 0.0});
        cloud.triangles.push_back({k, (k + 1) % 3000, (k + 2) % 3000});
    }
    model::Boundary mesh;
    mesh.shape = cloud;
    mesh.motions = {turning(1.0)};
    EXPECT_NEAR(boundary_speed(mesh, 1.0, bodies()).largest, 1.0, 1e-3);
}

TEST(ShortestOscillation, IsThatOfTheHighestFrequency) {
    EXPECT_EQ(shortest_oscillation({}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(shortest_oscillation({turning(100.0)}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(shortest_oscillation({shaking({1, 0, 0}, 4.0), shaking({1, 0, 0}, 8.0)}), 0.125);
}

}  // namespace
}  // namespace scree::simulation
