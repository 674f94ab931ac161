// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/farthest_point.hpp"
#include "engine/geometry/compound.hpp"
#include "engine/geometry/solid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace scree::geometry {
namespace {

using model::ConvexSolid;
using model::SolidBox;
using model::SolidCapsule;
using model::SolidCone;
using model::SolidCylinder;
using model::SolidEllipsoid;
using model::SolidPolytope;
using model::SolidSphere;
using model::SolidSuperquadric;
using model::Vec3;

double power(double x, double e) { return std::copysign(std::pow(std::abs(x), e), x); }

/// Points on the surface of a superquadric, ellipsoids included, by its angles.
template <class Each>
void for_points_of(Vec3 axes, double e1, double e2, const Each& each) {
    constexpr int n = 400;
    constexpr double pi = std::numbers::pi;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k < n; ++k) {
            const double up = -0.5 * pi + pi * i / n, around = 2.0 * pi * k / n;
            const double wide = power(std::cos(up), e1);
            each(Vec3{axes.x * wide * power(std::cos(around), e2), axes.y * wide * power(std::sin(around), e2),
                      axes.z * power(std::sin(up), e1)});
        }
}

TEST(FarthestDistance, OfSuperquadricsIsThatOfTheirFarthestPoint) {
    std::mt19937_64 engine(1);
    const auto between = [&](double low, double high) { return low + (high - low) * double(engine() >> 11) * 0x1p-53; };
    for (int k = 0; k < 40; ++k) {
        const Vec3 axes{between(0.2, 1), between(0.2, 1), between(0.2, 1)};
        const double e1 = k % 4 == 0 ? 1.0 : between(0.2, 2), e2 = k % 4 == 0 ? 1.0 : between(0.2, 2);
        const Vec3 from = k % 5 == 0 ? Vec3{} : Vec3{between(-2, 2), between(-2, 2), between(-2, 2)};
        const ConvexSolid solid =
            k % 8 == 0 ? ConvexSolid(SolidEllipsoid{axes}) : ConvexSolid(SolidSuperquadric{axes, e1, e2});
        const double found = farthest_distance(solid, from);
        double sampled = 0.0;
        for_points_of(axes, e1, e2, [&](Vec3 p) { sampled = std::max(sampled, norm(p - from)); });
        EXPECT_GE(found, sampled * (1.0 - 1e-12)) << k;
        EXPECT_LT(found, sampled * (1.0 + 2e-3)) << k;  // of points a hundredth apart
    }
}

TEST(FarthestDistance, OfOthersIsExact) {
    EXPECT_NEAR(farthest_distance(SolidSphere{2}, {3, 0, 4}), 7.0, 1e-15);
    EXPECT_NEAR(farthest_distance(SolidBox{{1, 2, 3}}, {-1, 1, 0}), std::hypot(2, 3, 3), 1e-15);
    EXPECT_NEAR(farthest_distance(SolidBox{{1, 2, 3}, 0.5}, {}), std::hypot(0.5, 1.5, 2.5) + 0.5, 1e-15);
    EXPECT_NEAR(farthest_distance(SolidCylinder{1, 2}, {3, 4, -2}), std::hypot(6, 4), 1e-15);
    EXPECT_NEAR(farthest_distance(SolidCylinder{1, 2, 0.25}, {3, 4, -2}), std::hypot(5.75, 3.75) + 0.25, 1e-15);
    EXPECT_NEAR(farthest_distance(SolidCapsule{1, 2}, {3, 4, 10}), 14.0, 1e-15);  // hypot(5, 12) + 1
    EXPECT_NEAR(farthest_distance(SolidCone{1, 4}, {}), 3.0, 1e-15);              // the apex
    EXPECT_NEAR(farthest_distance(SolidCone{1, 4}, {0, 2, 3}), std::hypot(3, 4), 1e-15);
    // A pyramid's centre of mass is a quarter above its base, wherever its axes are.
    const SolidPolytope pyramid{{{1, 1, 7}, {-1, 1, 7}, {1, -1, 7}, {-1, -1, 7}, {0, 0, 11}}};
    EXPECT_NEAR(farthest_distance(pyramid, {}), 3.0, 1e-12);
    EXPECT_NEAR(farthest_distance(pyramid, {1, 0, 0}), std::sqrt(10.0), 1e-12);
}

TEST(SolidFacts, HaveTheRadiusOfTheSmallestSphere) {
    const auto radius = [](model::Solid solid) {
        model::BodySource source;
        source.shape = std::move(solid);
        return solid_facts(source, 1.0, false).radius;
    };
    EXPECT_NEAR(radius(SolidSuperquadric{{1, 1, 1}, 1, 1}), 1.0, 1e-15);
    EXPECT_NEAR(radius(SolidSuperquadric{{1, 2, 3}, 1.5, 1}), 3.0, 1e-15);
    EXPECT_NEAR(radius(SolidSuperquadric{{1, 1, 1}, 0.5, 0.5}), std::pow(3.0, 0.25), 1e-15);  // x^4 + y^4 + z^4 = 1
    EXPECT_NEAR(radius(SolidSuperquadric{{1, 2, 3}, 0.01, 0.01}), std::sqrt(14.0), 0.05);
    const auto pair = [&](const ConvexSolid& part, Vec3 at) {
        return radius(model::SolidCompound{{{part, at, {}}, {part, -at, {}}}});
    };
    // (1 + x)^2 + z^2 on x^2 + z^2 / 6.25 = 1 is largest at x = 1 / 5.25.
    EXPECT_NEAR(pair(SolidEllipsoid{{1, 1, 2.5}}, {1, 0, 0}), std::sqrt(7.25 + 1.0 / 5.25), 1e-12);
    EXPECT_NEAR(pair(SolidBox{{1, 1, 1}}, {1, 0, 0}), std::sqrt(6.0), 1e-15);
    EXPECT_NEAR(pair(SolidCylinder{1, 1}, {1, 0, 0}), std::sqrt(5.0), 1e-15);
    EXPECT_NEAR(pair(SolidSphere{1}, {1, 0, 0}), 2.0, 1e-15);
    // Turned parts, and a compound that is not about the origin of its axes.
    const model::Quat quarter = model::from_axis_angle({0, 1, 0}, std::numbers::pi / 2);
    const model::SolidCompound cross{{{SolidCylinder{1, 3}, {5, 5, 5}, {}}, {SolidCylinder{1, 3}, {5, 5, 5}, quarter}}};
    EXPECT_NEAR(radius(cross), std::sqrt(10.0), 1e-12);
}

}  // namespace
}  // namespace scree::geometry
