// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/disc_union.hpp"

#include "engine/geometry/random_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::geometry {
namespace {

constexpr double pi = std::numbers::pi;
constexpr Rectangle wide{-10, -10, 10, 10};
/// Some ten roundings of the rectangle's area.
constexpr double rounding = 1e-13 * 400.0;

double area(const std::vector<Disc>& discs, const Rectangle& rectangle) { return disc_union_area(discs, rectangle); }

TEST(DiscUnion, OfOneIsItsAreaOrTheRectangles) {
    EXPECT_NEAR(area({{1, 2, 0.25}}, wide), 0.25 * pi, rounding);
    EXPECT_NEAR(area({{0, 0, 4}}, {-1, -0.5, 1, 0.5}), 2.0, 1e-15);
    EXPECT_EQ(area({{3, 0, 1}}, {-1, -1, 1, 1}), 0.0);
    EXPECT_EQ(area({{0, 0, -1}}, wide), 0.0);
    EXPECT_EQ(area({}, wide), 0.0);
    EXPECT_NEAR(area({{0, 0, 1}}, {0, 0, 5, 5}), pi / 4.0, 1e-14);  // its centre in the corner
}

TEST(DiscUnion, OfTwoLacksTheLens) {
    const double lens = 2.0 * pi / 3.0 - std::sqrt(0.75);  // unit discs a unit apart
    for (const double turn : {0.0, 0.3, 2.0, -1.6})
        EXPECT_NEAR(area({{0, 0, 1}, {std::cos(turn), std::sin(turn), 1}}, wide), 2.0 * pi - lens, rounding);
    EXPECT_NEAR(area({{0, 0, 1}, {0, 0, 1}, {0.5, 0, 0.25}}, wide), pi, rounding);  // equal, and touching from inside
    EXPECT_NEAR(area({{0, 0, 1}, {2, 0, 1}}, wide), 2.0 * pi, rounding);
}

TEST(DiscUnion, OfPartsOfARectangleIsThatOfTheWhole) {
    RandomStream random(3);
    for (int n = 0; n < 50; ++n) {
        std::vector<Disc> discs;
        for (int k = 0; k < 12; ++k)
            discs.push_back({random.between(-1, 1), random.between(-1, 1), random.between(0.0, 0.5)});
        const double x = random.between(-1, 1), y = random.between(-1, 1);
        const double parts = area(discs, {-2, -2, x, y}) + area(discs, {x, -2, 2, y}) + area(discs, {-2, y, x, 2}) +
                             area(discs, {x, y, 2, 2});
        EXPECT_NEAR(parts, area(discs, {-2, -2, 2, 2}), rounding);
    }
}

TEST(DiscUnion, AgreesWithCountedPoints) {
    RandomStream random(4);
    std::vector<Disc> discs;
    for (int k = 0; k < 12; ++k)
        discs.push_back({random.between(-1, 1), random.between(-1, 1), random.between(0.0, 0.3)});
    const Rectangle r{-0.8, -1.0, 1.0, 0.7};
    constexpr std::size_t points = 200'000;
    double inside = 0.0;
    for (std::size_t p = 0; p < points; ++p) {
        const double x = random.between(r.x_low, r.x_high), y = random.between(r.y_low, r.y_high);
        if (std::any_of(discs.begin(), discs.end(), [&](const Disc& d) {
                return (x - d.x) * (x - d.x) + (y - d.y) * (y - d.y) < d.radius_squared;
            }))
            inside += 1.0;
    }
    const double per_point = 1.8 * 1.7 / double(points);
    EXPECT_NEAR(area(discs, r), per_point * inside, 5.0 * per_point * std::sqrt(inside));  // five standard deviations
}

}  // namespace
}  // namespace scree::geometry
