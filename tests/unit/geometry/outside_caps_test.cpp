// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/outside_caps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi;
/// What the header promises.
constexpr double promised = 1e-12;

TEST(OutsideCaps, IsTheWholeSphereWithoutAny) {
    for (const std::vector<Cap>& caps : {std::vector<Cap>{}, {{{0, 0, 1}, 1.0}}, {{{0.6, 0, 0.8}, 2.0}}}) {
        const SphericalMoments m = moments_outside_caps(caps);
        EXPECT_NEAR(m.area, 4.0 * pi, promised);
        EXPECT_NEAR(m.first[0], 0.0, promised);
        EXPECT_NEAR(m.second[1][1], 4.0 * pi / 3.0, promised);
        EXPECT_NEAR(m.third[0][0][2], 0.0, promised);
    }
}

TEST(OutsideCaps, IsNothingWhereTheyCoverAll) {
    EXPECT_EQ(moments_outside_caps(std::vector<Cap>{{{0.6, 0, 0.8}, -1.0}}).area, 0.0);
    EXPECT_NEAR(moments_outside_caps(std::vector<Cap>{{{0.6, 0, 0.8}, -0.1}, {{-0.6, 0, -0.8}, -0.1}}).area, 0.0,
                promised);
}

TEST(OutsideCaps, OfOneHasTheMomentsOfTheRest) {
    // n . u < h: int 1, u, u^2, u^3 times 2 pi du from -1 to h.
    for (const double h : {-0.9, 0.0, 0.3, 0.999999})
        for (const Vec3 u : {Vec3{0, 0, 1}, {1, 0, 0}, {0.48, -0.6, 0.64}}) {
            const SphericalMoments m = moments_outside_caps(std::vector<Cap>{{u, h}});
            EXPECT_NEAR(m.area, 2.0 * pi * (h + 1.0), promised);
            const double a[3] = {u.x, u.y, u.z};
            double first = 0.0, second = 0.0, third = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                first += a[k] * m.first[k];
                for (std::size_t l = 0; l < 3; ++l) {
                    second += a[k] * a[l] * m.second[k][l];
                    for (std::size_t n = 0; n < 3; ++n) third += a[k] * a[l] * a[n] * m.third[k][l][n];
                }
            }
            EXPECT_NEAR(first, pi * (h * h - 1.0), promised);
            EXPECT_NEAR(second, 2.0 * pi / 3.0 * (h * h * h + 1.0), promised);
            EXPECT_NEAR(third, pi / 2.0 * (h * h * h * h - 1.0), promised);
        }
}

TEST(OutsideCaps, OfThreeHalvesIsAnOctant) {
    const SphericalMoments m =
        moments_outside_caps(std::vector<Cap>{{{-1, 0, 0}, 0.0}, {{0, -1, 0}, 0.0}, {{0, 0, -1}, 0.0}});
    EXPECT_NEAR(m.area, pi / 2.0, promised);
    EXPECT_NEAR(m.first[0], pi / 4.0, promised);
    EXPECT_NEAR(m.second[0][1], 1.0 / 3.0, promised);
    EXPECT_NEAR(m.third[0][1][2], 1.0 / 8.0, promised);
    EXPECT_NEAR(m.third[2][2][2], pi / 8.0, promised);
}

TEST(OutsideCaps, CountsACapInAnotherOnce) {
    const std::vector<Cap> caps{{{0, 0.6, 0.8}, 0.5}, {{0, 0.6, 0.8}, 0.5}, {{0.1, std::sqrt(0.35), 0.8}, 0.9}};
    EXPECT_NEAR(moments_outside_caps(caps).area, 3.0 * pi, promised);
}

}  // namespace
}  // namespace scree::geometry
