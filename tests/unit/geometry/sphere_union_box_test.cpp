// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/random_stream.hpp"
#include "engine/geometry/sphere_union.hpp"
#include "engine/measure/sphere_box_overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;
/// What the header promises of a union's moments, times the six faces that come on top.
constexpr double promised = 1e-11;

Vec3 random_point(RandomStream& random, double low, double high) {
    return {random.between(low, high), random.between(low, high), random.between(low, high)};
}

TEST(SphereUnionInABox, OfOneBallIsTheKnownOverlap) {
    RandomStream random(1);
    for (int k = 0; k < 300; ++k) {
        const Ball ball{random_point(random, -1, 1), random.between(0.1, 0.9)};
        const Vec3 lower = random_point(random, -0.9, -0.1), upper = random_point(random, 0.1, 0.9);
        EXPECT_NEAR(union_volume_in_box(std::vector<Ball>{ball}, lower, upper),
                    measure::sphere_box_overlap(ball.position, ball.radius, lower, upper), promised);
    }
}

TEST(SphereUnionInABox, OfTheEightPartsOfSpaceIsTheWhole) {
    RandomStream random(2);
    constexpr double far = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 40; ++k) {
        std::vector<Ball> balls;
        for (int n = 0; n < 8; ++n) balls.push_back({random_point(random, -1, 1), random.between(0.1, 0.9)});
        const Vec3 at = random_point(random, -1, 1);
        double parts = 0.0;
        for (int part = 0; part < 8; ++part) {
            const bool x = part & 1, y = part & 2, z = part & 4;
            parts += union_volume_in_box(balls, {x ? at.x : -far, y ? at.y : -far, z ? at.z : -far},
                                         {x ? far : at.x, y ? far : at.y, z ? far : at.z});
        }
        const double whole = union_moments(balls).volume;
        EXPECT_NEAR(parts, whole, promised * whole);
    }
}

TEST(SphereUnionInABox, KnowsFacesThroughRimsAndPoles) {
    const std::vector<Ball> two{{{0, 0, -0.5}, 1.0}, {{0, 0, 0.5}, 1.0}};
    const double whole = union_moments(two).volume;
    EXPECT_NEAR(union_volume_in_box(two, {-2, -2, 0}, {2, 2, 2}), whole / 2.0, promised);
    EXPECT_NEAR(union_volume_in_box(two, {-2, -2, -2}, {2, 2, 0}), whole / 2.0, promised);
    EXPECT_NEAR(union_volume_in_box(two, {-1, -1, -1.5}, {1, 1, 1.5}), whole, promised);
    EXPECT_NEAR(union_volume_in_box(two, {-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}), 0.008, promised);
    EXPECT_EQ(union_volume_in_box(two, {1, 1, 0}, {2, 2, 1}), 0.0);
    EXPECT_EQ(union_volume_in_box(two, {1, 1, 1}, {0, 0, 0}), 0.0);
    EXPECT_EQ(union_volume_in_box({}, {0, 0, 0}, {1, 1, 1}), 0.0);
}

}  // namespace
}  // namespace scree::geometry
