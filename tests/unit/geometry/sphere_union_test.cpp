// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/sphere_union.hpp"

#include "engine/geometry/random_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi;
/// What the header promises, of integrals of the order of one.
constexpr double promised = 1e-12;

double ball_volume(double r) { return 4.0 / 3.0 * pi * r * r * r; }
double lens_volume(double distance, double a, double b) {
    const double d = distance, s = a + b;
    return pi * (s - d) * (s - d) * (d * d + 2.0 * d * s - 3.0 * (a - b) * (a - b)) / (12.0 * d);
}

/// The slice from < z - c < to of a ball with its centre at height c on the z axis: volume, first moment along z,
/// second moments along z and across.
struct Slice {
    double volume, z, zz, xx;
};
Slice slice(double c, double r, double from, double to) {
    const auto antiderivative = [&](double t) {
        const double r2 = r * r, t3 = t * t * t;
        const double m0 = pi * (r2 * t - t3 / 3.0), m1 = pi * (r2 * t * t / 2.0 - t3 * t / 4.0);
        const double m2 = pi * (r2 * t3 / 3.0 - t3 * t * t / 5.0);
        const double across = pi / 4.0 * (r2 * r2 * t - 2.0 * r2 * t3 / 3.0 + t3 * t * t / 5.0);
        return Slice{m0, m1 + c * m0, m2 + 2.0 * c * m1 + c * c * m0, across};
    };
    const Slice a = antiderivative(from), b = antiderivative(to);
    return {b.volume - a.volume, b.z - a.z, b.zz - a.zz, b.xx - a.xx};
}

/// Balls at heights of one axis, sorted, of which only neighbours overlap; the axis is x, y, z or the diagonal.
UnionMoments expect_chain(const std::vector<double>& height, const std::vector<double>& radius) {
    Slice sum{};
    for (std::size_t k = 0; k < height.size(); ++k) {
        const auto cut = [&](std::size_t j) {
            const double d = height[j] - height[k];
            return (d * d + radius[k] * radius[k] - radius[j] * radius[j]) / (2.0 * d);
        };
        const double from = k == 0 ? -radius[k] : std::max(-radius[k], cut(k - 1));
        const double to = k + 1 == height.size() ? radius[k] : std::min(radius[k], cut(k + 1));
        const Slice part = slice(height[k], radius[k], from, to);
        sum = {sum.volume + part.volume, sum.z + part.z, sum.zz + part.zz, sum.xx + part.xx};
    }
    const double mean = sum.z / sum.volume, along = sum.zz - mean * sum.z;
    UnionMoments last;
    const Vec3 place{0.3, -0.2, 5.0};
    for (const Vec3 axis : {Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, (1.0 / std::sqrt(14.0)) * Vec3{1, -2, 3}}) {
        std::vector<Ball> balls;
        for (std::size_t k = 0; k < height.size(); ++k) balls.push_back({place + height[k] * axis, radius[k]});
        last = union_moments(balls);
        EXPECT_NEAR(last.volume, sum.volume, promised * sum.volume);
        EXPECT_LT(norm(last.center - place - mean * axis), promised);
        const double a[3] = {axis.x, axis.y, axis.z};
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t l = 0; l < 3; ++l) {
                const double expected = (k == l ? sum.xx : 0.0) + (along - sum.xx) * a[k] * a[l];
                EXPECT_NEAR(last.second[k][l], expected, promised * (along + sum.xx));
            }
    }
    return last;
}

TEST(SphereUnion, OfOneIsABall) {
    const Ball ball{{1, 2, 3}, 0.7};
    const UnionMoments m = union_moments(std::vector<Ball>{ball});
    EXPECT_NEAR(m.volume, ball_volume(0.7), promised);
    EXPECT_LT(norm(m.center - ball.position), promised);
    EXPECT_NEAR(m.second[1][1], ball_volume(0.7) * 0.49 / 5.0, promised);
    EXPECT_NEAR(m.second[0][2], 0.0, promised);
    EXPECT_EQ(union_moments({}).volume, 0.0);
}

TEST(SphereUnion, OfTwoLacksTheLens) {
    const double volume = expect_chain({0.0, 0.7}, {1.0, 0.8}).volume;
    EXPECT_NEAR(volume, ball_volume(1.0) + ball_volume(0.8) - lens_volume(0.7, 1.0, 0.8), promised * volume);
    expect_chain({0.0, 1e-3}, {1.0, 1.0});
    expect_chain({0.0, 0.95}, {1.0, 0.06});  // a wart
}

TEST(SphereUnion, OfThreeInARowHasTheSlicesOfEach) { expect_chain({-0.9, 0.0, 1.3}, {0.6, 0.8, 0.7}); }

TEST(SphereUnion, OfSpheresThatAreApartOrTouchIsTheSum) {
    expect_chain({0.0, 3.0}, {1.0, 0.5});
    expect_chain({0.0, 2.0, 3.0}, {1.0, 1.0, 0.0625});
    expect_chain({0.0, 1.0}, {0.5, 0.5});
}

TEST(SphereUnion, CountsSpheresInsideAnotherAndEqualOnesOnce) {
    const double whole = ball_volume(1.0);
    for (const Ball other : {Ball{{0, 0, 0}, 1.0}, {{0.1, 0.2, 0.3}, 0.2}, {{0.3, 0.4, 0.0}, 0.5}}) {
        const std::vector<Ball> balls{{{0, 0, 0}, 1.0}, other, other};
        EXPECT_NEAR(union_moments(balls).volume, whole, promised * whole);
        const std::vector<Ball> turned{other, {{0, 0, 0}, 1.0}, other};
        EXPECT_NEAR(union_moments(turned).volume, whole, promised * whole);
    }
}

TEST(SphereUnion, OfSpheresThatNearlyCoincideIsNearlyOne) {
    for (const double shift : {1e-6, 1e-9, 1e-12, 1e-15, 3e-16}) {
        const Vec3 way = (shift / std::sqrt(14.0)) * Vec3{3, 1, 2};
        const std::vector<Ball> balls{{{0.3, 0, 0}, 1.0}, {Vec3{0.3, 0, 0} + way, 1.0}};
        const double expected = ball_volume(1.0) + pi * shift;  // a slab of the cross section
        EXPECT_NEAR(union_moments(balls).volume, expected, promised * expected) << shift;
    }
}

TEST(SphereUnion, KeepsItsDigitsWhereCapsTouchAndRimsCoincide) {
    // Six spheres on the axes; their caps on the middle one open 45 degrees and touch, as the outer spheres do.
    std::vector<Ball> jack{{{0, 0, 0}, 1.0}};
    const double arm = std::sqrt(2.0);
    for (const Vec3 at : {Vec3{arm, 0, 0}, {-arm, 0, 0}, {0, arm, 0}, {0, -arm, 0}, {0, 0, arm}, {0, 0, -arm}})
        jack.push_back({at, 1.0});
    const double volume = 7.0 * ball_volume(1.0) - 6.0 * lens_volume(arm, 1.0, 1.0);
    EXPECT_NEAR(union_moments(jack).volume, volume, promised * volume);
    // Three spheres through one circle: the middle one lies in the union of the others.
    for (const Vec3 axis : {Vec3{0, 0, 0.5}, {0.5, 0, 0}, {0.3, 0, 0.4}}) {
        const double r = std::sqrt(1.25);
        const std::vector<Ball> pencil{{-axis, r}, {{}, 1.0}, {axis, r}};
        const double two = 2.0 * ball_volume(r) - lens_volume(1.0, r, r);
        EXPECT_NEAR(union_moments(pencil).volume, two, promised * two);
    }
}

TEST(SphereUnion, OfFourSpheresThroughOnePointIsThatOfSpheresNearThem) {
    // Growing all radii by the share e grows the volume by at most e r times the spheres' whole surface.
    const auto volume = [](double radius) {
        const double c = 1.0 / std::sqrt(3.0);
        const std::vector<Ball> balls{
            {{c, c, c}, radius}, {{c, -c, -c}, radius}, {{-c, c, -c}, radius}, {{-c, -c, c}, radius}};
        return union_moments(balls).volume;
    };
    const double one = volume(1.0);
    for (const double e : {1e-6, 1e-9, 1e-12}) {
        EXPECT_GT(volume(1.0 + e), one - promised * one);
        EXPECT_LT(volume(1.0 + e), one + e * 16.0 * pi + promised * one);
    }
}

std::vector<Ball> random_clump(RandomStream& random, std::size_t count) {
    std::vector<Ball> balls;
    for (std::size_t k = 0; k < count; ++k)
        balls.push_back(
            {{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, random.between(0.2, 0.9)});
    return balls;
}

TEST(SphereUnion, DoesNotDependOnTheAxes) {
    RandomStream random(5);
    for (int k = 0; k < 20; ++k) {
        std::vector<Ball> balls = random_clump(random, 3 + std::size_t(k));
        const UnionMoments one = union_moments(balls);
        const model::Quat turn = model::from_axis_angle({random.between(-1, 1), random.between(-1, 1), 1}, 2.0);
        for (Ball& ball : balls) ball.position = rotate(turn, ball.position);
        std::reverse(balls.begin(), balls.end());
        const UnionMoments two = union_moments(balls);
        EXPECT_NEAR(two.volume, one.volume, promised * one.volume);
        EXPECT_LT(norm(two.center - rotate(turn, one.center)), promised);
        const auto trace = [](const UnionMoments& m) { return m.second[0][0] + m.second[1][1] + m.second[2][2]; };
        EXPECT_NEAR(trace(two), trace(one), promised * trace(one));
    }
}

TEST(SphereUnion, AgreesWithCountedPoints) {
    RandomStream random(17);
    constexpr std::size_t points = 200'000;
    constexpr double half = 2.0, box = 64.0;
    for (int k = 0; k < 6; ++k) {
        const std::vector<Ball> balls = random_clump(random, 4 + 4 * std::size_t(k));
        const UnionMoments found = union_moments(balls);
        double inside = 0.0, x = 0.0, xx = 0.0, xy = 0.0;
        for (std::size_t p = 0; p < points; ++p) {
            const Vec3 at{random.between(-half, half), random.between(-half, half), random.between(-half, half)};
            if (std::none_of(balls.begin(), balls.end(),
                             [&](const Ball& b) { return norm(at - b.position) < b.radius; }))
                continue;
            const Vec3 arm = at - found.center;
            inside += 1.0;
            x += arm.x;
            xx += arm.x * arm.x;
            xy += arm.x * arm.y;
        }
        // Five standard deviations of a sum of points; |arm| is below the half width of the box.
        const double deviation = 5.0 * box * std::sqrt(inside) / double(points);
        EXPECT_NEAR(box * inside / double(points), found.volume, deviation);
        EXPECT_NEAR(box * x / double(points), 0.0, half * deviation);
        EXPECT_NEAR(box * xx / double(points), found.second[0][0], half * half * deviation);
        EXPECT_NEAR(box * xy / double(points), found.second[0][1], half * half * deviation);
    }
}

}  // namespace
}  // namespace scree::geometry
