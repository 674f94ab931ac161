// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/compare.hpp"

#include "tests/unit/measure/bodies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::measure {
namespace {

using testing::ElementsAre;

model::Snapshot row(int n) {
    model::Snapshot s;
    for (int i = 0; i < n; ++i) test::add_body(s, {1.0 * i, 0, 0}, 0.5);
    return s;
}

TEST(CompareSnapshots, FindsEqualOnesEqual) {
    const auto result = compare_snapshots(row(5), row(5), {});
    EXPECT_TRUE(result.equal());
    EXPECT_EQ(result.common, 5U);
    EXPECT_FALSE(result.first);
    EXPECT_EQ(result.displacement.max, 0.0);
    EXPECT_TRUE(compare_snapshots({}, {}, {}).equal());
}

TEST(CompareSnapshots, NamesTheFirstBodyAndFieldThatDiffer) {
    auto b = row(5);
    b.velocity[2] = {0, 3, 4};
    b.position[3].z = 1e-3;
    b.angular_velocity[1].x = 1e-20;
    const auto exact = compare_snapshots(row(5), b, {});
    EXPECT_EQ(exact.differing, 3U);
    EXPECT_EQ(exact.first->id, 2U);
    EXPECT_EQ(exact.first->field, Field::angular_velocity);
    const auto rough = compare_snapshots(row(5), b, {.absolute = 1e-2, .relative = 0.0});
    ASSERT_TRUE(rough.first);
    EXPECT_EQ(rough.differing, 1U);
    EXPECT_EQ(rough.first->id, 3U);
    EXPECT_STREQ(name_of(rough.first->field), "velocity");
    EXPECT_THAT(rough.first->b, ElementsAre(0, 3, 4, 0));
    EXPECT_EQ(rough.first->distance, 5.0);
    EXPECT_EQ(rough.largest[0]->id, 4U);
    EXPECT_DOUBLE_EQ(rough.largest[0]->distance, 1e-3);
}

TEST(CompareSnapshots, AllowsARelativeDifference) {
    auto b = row(3);
    b.position[2].x *= 1.0 + 1e-6;
    EXPECT_TRUE(compare_snapshots(row(3), b, {.absolute = 0.0, .relative = 2e-6}).equal());
    EXPECT_FALSE(compare_snapshots(row(3), b, {.absolute = 0.0, .relative = 5e-7}).equal());
}

TEST(CompareSnapshots, TakesBothSignsOfAQuaternionForOneOrientation) {
    auto a = row(1), b = row(1);
    a.orientation[0] = {0.5, 0.5, 0.5, 0.5};
    b.orientation[0] = {-0.5, -0.5, -0.5, -0.5};
    EXPECT_TRUE(compare_snapshots(a, b, {}).equal());
    b.orientation[0].x = -0.4;
    const auto result = compare_snapshots(a, b, {});
    EXPECT_EQ(result.first->field, Field::orientation);
    EXPECT_NEAR(result.first->distance, 0.1, 1e-15);
}

TEST(CompareSnapshots, ListsMissingBodies) {
    auto a = row(5), b = row(5);
    a.id = {1, 2, 4, 5, 9};
    b.id = {2, 3, 4, 8, 9};
    const auto result = compare_snapshots(a, b, {.absolute = 10.0, .relative = 0.0});
    EXPECT_THAT(result.only_a, ElementsAre(1, 5));
    EXPECT_THAT(result.only_b, ElementsAre(3, 8));
    EXPECT_EQ(result.common, 3U);
    EXPECT_EQ(result.differing, 0U);
    EXPECT_FALSE(result.equal());
}

TEST(CompareSnapshots, NeverTakesNotANumberForEqual) {
    auto a = row(3), b = row(3);
    b.velocity[1].x = std::nan("");
    const auto result = compare_snapshots(a, b, {.absolute = std::numeric_limits<double>::max(), .relative = 1.0});
    EXPECT_EQ(result.differing, 1U);
    EXPECT_TRUE(std::isnan(result.largest[2]->distance));
    a.velocity[1].x = b.velocity[1].x = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(compare_snapshots(a, b, {}).equal());
}

TEST(CompareSnapshots, GivesStatisticsOfTheDisplacement) {
    auto b = row(101);
    for (int i = 0; i <= 100; ++i) b.position[static_cast<std::size_t>(i)].y = 0.01 * i;  // Diameter 1.
    const auto d = compare_snapshots(row(101), b, {}).displacement;
    EXPECT_NEAR(d.mean, 0.5, 1e-12);
    EXPECT_NEAR(d.deviation, 0.01 * std::sqrt((101.0 * 101.0 - 1.0) / 12.0), 1e-12);
    EXPECT_NEAR(d.p50, 0.5, 1e-12);
    EXPECT_NEAR(d.p99, 0.99, 1e-12);
    EXPECT_NEAR(d.max, 1.0, 1e-12);
}

}  // namespace
}  // namespace scree::measure
