// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of round solids against sums over thin slices of their insides.
#include "engine/geometry/solid_moments.hpp"
#include "engine/geometry/solid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace scree::geometry {
namespace {

using model::Vec3;

/// The same facts from an inside test, on a grid of n^3 points.
SolidMoments by_sampling(const std::function<bool(Vec3)>& inside, Vec3 lower, Vec3 upper, int n) {
    const Vec3 size = upper - lower;
    double count = 0.0;
    Vec3 second{};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const Vec3 p{lower.x + size.x * (i + 0.5) / n, lower.y + size.y * (j + 0.5) / n,
                             lower.z + size.z * (k + 0.5) / n};
                if (!inside(p)) continue;
                count += 1.0;
                second = second + Vec3{p.x * p.x, p.y * p.y, p.z * p.z};
            }
    SolidMoments m;
    m.volume = count * size.x * size.y * size.z / (double(n) * n * n);
    m.inertia = (1.0 / count) * Vec3{second.y + second.z, second.z + second.x, second.x + second.y};
    return m;
}

void expect_close(const SolidMoments& closed, const SolidMoments& sampled) {
    // A grid of 160 cells across misses surfaces by half a cell at random.
    EXPECT_NEAR(closed.volume, sampled.volume, 2e-3 * sampled.volume);
    EXPECT_NEAR(closed.inertia.x, sampled.inertia.x, 4e-3 * sampled.inertia.x);
    EXPECT_NEAR(closed.inertia.y, sampled.inertia.y, 4e-3 * sampled.inertia.y);
    EXPECT_NEAR(closed.inertia.z, sampled.inertia.z, 4e-3 * sampled.inertia.z);
}

double clamp(double x, double limit) { return std::clamp(x, -limit, limit); }

TEST(SolidMoments, OfARoundedBoxAreThoseOfItsInside) {
    const model::SolidBox box{{0.5, 0.4, 0.3}, 0.2};
    const auto inside = [](Vec3 p) {
        const Vec3 core{clamp(p.x, 0.3), clamp(p.y, 0.2), clamp(p.z, 0.1)};
        return model::norm(p - core) <= 0.2;
    };
    expect_close(moments_of(box), by_sampling(inside, {-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}, 160));
    EXPECT_NEAR(moments_of(box).radius, std::hypot(0.3, 0.2, 0.1) + 0.2, 1e-15);
}

TEST(SolidMoments, OfARoundedCylinderAreThoseOfItsInside) {
    const model::SolidCylinder cylinder{0.5, 0.3, 0.15};
    const auto inside = [](Vec3 p) {
        const double rho = std::hypot(p.x, p.y);
        return std::hypot(rho - std::min(rho, 0.35), p.z - clamp(p.z, 0.15)) <= 0.15;
    };
    expect_close(moments_of(cylinder), by_sampling(inside, {-0.5, -0.5, -0.3}, {0.5, 0.5, 0.3}, 160));
}

TEST(SolidMoments, OfACapsuleAndAConeAreThoseOfTheirInsides) {
    const model::SolidCapsule capsule{0.3, 0.5};
    const auto in_capsule = [](Vec3 p) { return std::hypot(p.x, p.y, p.z - clamp(p.z, 0.5)) <= 0.3; };
    expect_close(moments_of(capsule), by_sampling(in_capsule, {-0.3, -0.3, -0.8}, {0.3, 0.3, 0.8}, 160));
    const model::SolidCone cone{0.4, 0.8};
    const auto in_cone = [](Vec3 p) { return p.z >= -0.2 && std::hypot(p.x, p.y) <= 0.4 * (0.6 - p.z) / 0.8; };
    expect_close(moments_of(cone), by_sampling(in_cone, {-0.4, -0.4, -0.2}, {0.4, 0.4, 0.6}, 160));
}

TEST(SolidMoments, WithoutRoundingAreThoseOfTheSharpSolid) {
    const SolidMoments box = moments_of(model::SolidBox{{0.5, 0.4, 0.3}, 0.0});
    EXPECT_NEAR(box.volume, 8 * 0.5 * 0.4 * 0.3, 1e-15);
    EXPECT_NEAR(box.inertia.x, (0.16 + 0.09) / 3.0, 1e-15);
    const SolidMoments cylinder = moments_of(model::SolidCylinder{0.5, 0.3, 0.0});
    EXPECT_NEAR(cylinder.volume, std::numbers::pi * 0.25 * 0.6, 1e-15);
    EXPECT_NEAR(cylinder.inertia.z, 0.125, 1e-15);
    EXPECT_NEAR(cylinder.inertia.x, 0.0625 + 0.03, 1e-15);
    // A ball, as the limit of both.
    const double r = 0.3, near = 1e-9;
    for (const SolidMoments& ball :
         {moments_of(model::SolidBox{{r, r, r}, r - near}), moments_of(model::SolidCylinder{r, r, r - near}),
          moments_of(model::SolidCapsule{r, near})}) {
        EXPECT_NEAR(ball.volume, 4.0 / 3.0 * std::numbers::pi * r * r * r, 1e-7);
        EXPECT_NEAR(ball.inertia.x, 0.4 * r * r, 1e-8);
        EXPECT_NEAR(ball.inertia.z, 0.4 * r * r, 1e-8);
    }
}

TEST(SourceSolids, KeepMassGivenAndTakeInertiaWithIt) {
    model::BodySource source;
    source.shape = model::SolidCapsule{0.3, 0.5};
    const SolidFacts by_density = solid_facts(source, 1000.0, false);
    EXPECT_NEAR(by_density.mass, 1000.0 * moments_of(model::SolidCapsule{0.3, 0.5}).volume, 1e-9);
    source.mass = 2.0;
    const SolidFacts given = solid_facts(source, 1000.0, false);
    EXPECT_EQ(given.mass, 2.0);
    EXPECT_NEAR(given.inertia.x / by_density.inertia.x, 2.0 / by_density.mass, 1e-15);
    EXPECT_NEAR(given.radius, 0.8, 1e-15);
}

}  // namespace
}  // namespace scree::geometry
