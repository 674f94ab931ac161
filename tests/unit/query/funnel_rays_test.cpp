// SPDX-License-Identifier: BSD-3-Clause
// Rays on cones and funnels of all proportions, against their equation.
#include "engine/geometry/random_stream.hpp"
#include "engine/query/boundary_queries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::query {
namespace {

using model::Vec3;

constexpr double infinity = std::numeric_limits<double>::infinity();

kernels::Vector3d of(Vec3 v) { return {v.x, v.y, v.z}; }

/// A funnel anywhere, of sizes over four decades; every other one ends in a point.
struct Funnel {
    model::RevolutionShape shape;
    double size = 0.0;
    Vec3 across;  ///< Unit, square to the axis.

    Funnel(geometry::RandomStream& random, bool pointed) {
        const auto magnitude = [&] { return std::pow(10.0, random.between(-2.0, 2.0)); };
        const auto direction = [&] {
            return normalized(Vec3{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
        };
        shape.start = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        shape.axis = direction();
        shape.length = magnitude();
        shape.radius_start = pointed ? 0.0 : magnitude();
        shape.radius_end = magnitude();
        if (random.unit() < 0.5) std::swap(shape.radius_start, shape.radius_end);
        size = std::max({shape.length, shape.radius_start, shape.radius_end});
        across = normalized(cross(shape.axis, direction()));
    }

    [[nodiscard]] Vec3 point(double share, double angle) const {
        const double radius = shape.radius_start + share * (shape.radius_end - shape.radius_start);
        const Vec3 second = cross(shape.axis, across);
        return shape.start + share * shape.length * shape.axis +
               radius * (std::cos(angle) * across + std::sin(angle) * second);
    }
    /// Distance from the surface's cone, measured along its normal.
    [[nodiscard]] double distance(Vec3 x) const {
        const Vec3 from_start = x - shape.start;
        const double along = dot(from_start, shape.axis), rho = norm(from_start - along * shape.axis);
        const double widening = shape.radius_end - shape.radius_start;
        return (shape.length * (rho - shape.radius_start) - widening * along) / std::hypot(shape.length, widening);
    }
    [[nodiscard]] Vec3 tip() const {
        return shape.radius_start == 0.0 ? shape.start : shape.start + shape.length * shape.axis;
    }
};

Touch cast(const Funnel& funnel, Vec3 from, Vec3 along) {
    return BoundarySurface(funnel.shape).touch({of(from), of(along)}, infinity);
}

TEST(FunnelRays, AlongTheAxisTheyMeetThePoint) {
    geometry::RandomStream random(11);
    for (int k = 0; k < 5000; ++k) {
        const Funnel funnel(random, true);
        const double side = random.unit() < 0.5 ? 1.0 : -1.0, way = 3.0 * funnel.size;
        const Vec3 from = funnel.tip() - way * side * funnel.shape.axis;
        const Touch touch = cast(funnel, from, side * funnel.shape.axis);
        ASSERT_TRUE(touch.found) << "funnel " << k;
        // The ray's own rounding, across, moves the hit along it by more the more pointed the funnel is.
        const double slope = std::abs(funnel.shape.radius_end - funnel.shape.radius_start) / funnel.shape.length;
        EXPECT_NEAR(touch.distance, way, 1e-15 * way * (10.0 + 1.0 / slope)) << "funnel " << k;
        EXPECT_NEAR(std::abs(dot(touch.normal, of(funnel.shape.axis))), 1.0, 1e-12);
    }
}

TEST(FunnelRays, BesideTheAxisTheyMeetTheWallNearThePoint) {
    geometry::RandomStream random(12);
    for (int k = 0; k < 5000; ++k) {
        const Funnel funnel(random, true);
        const double widest = std::max(funnel.shape.radius_start, funnel.shape.radius_end);
        const double beside = widest * std::pow(10.0, random.between(-15.0, -1.0));
        const Vec3 from = funnel.tip() - 3.0 * funnel.size * funnel.shape.axis + beside * funnel.across;
        const Touch touch = cast(funnel, from, funnel.shape.axis);
        ASSERT_TRUE(touch.found) << "funnel " << k << ", " << beside << " m beside the axis";
        EXPECT_NEAR(funnel.distance(from + touch.distance * funnel.shape.axis), 0.0, 1e-12 * funnel.size);
    }
}

TEST(FunnelRays, ThroughThePointTheyMeetItFromAllSides) {
    geometry::RandomStream random(13);
    for (int k = 0; k < 5000; ++k) {
        const Funnel funnel(random, true);
        const Vec3 from =
            funnel.tip() + funnel.size * Vec3{random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)};
        const double way = norm(funnel.tip() - from);
        const Touch touch = cast(funnel, from, normalized(funnel.tip() - from));
        ASSERT_TRUE(touch.found) << "funnel " << k;
        // The wall may come before the point, never behind it.
        EXPECT_LE(touch.distance, way + 1e-11 * funnel.size) << "funnel " << k;
    }
}

TEST(FunnelRays, WhatTheyAimAtIsHitUnlessTheWallComesBefore) {
    geometry::RandomStream random(14);
    for (int k = 0; k < 10000; ++k) {
        const Funnel funnel(random, k % 2 == 0);
        const Vec3 aim = funnel.point(random.unit(), random.between(0.0, 2.0 * std::numbers::pi));
        const Vec3 from = aim + funnel.size * Vec3{random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)};
        const double way = norm(aim - from);
        const Vec3 along = normalized(aim - from);
        const Touch touch = cast(funnel, from, along);
        ASSERT_TRUE(touch.found) << "funnel " << k;
        // Rounding of the aim, across the ray, moves the hit along it by more the flatter the ray meets the wall.
        const double steepness = std::abs(dot(touch.normal, of(along)));
        EXPECT_LE(touch.distance, way + 1e-13 * funnel.size / std::max(steepness, 1e-7)) << "funnel " << k;
        EXPECT_NEAR(funnel.distance(from + touch.distance * along), 0.0, 1e-12 * funnel.size) << "funnel " << k;
    }
}

}  // namespace
}  // namespace scree::query
