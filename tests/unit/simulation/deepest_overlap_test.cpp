// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/deepest_overlap.hpp"

#include <gtest/gtest.h>

namespace scree::simulation {
namespace {

/// Bodies 2, 5 and 9 with radii 1, 2 and 4.
model::Snapshot three() {
    model::Snapshot s;
    s.step = 7;
    s.time = 0.7;
    s.id = {2, 5, 9};
    s.radius = {1.0, 2.0, 4.0};
    return s;
}

model::ContactRecord contact(std::uint64_t a, std::uint64_t b, std::int32_t boundary, double gap) {
    model::ContactRecord c;
    c.id_a = a;
    c.id_b = b;
    c.boundary = boundary;
    c.gap = gap;
    return c;
}

TEST(DeepestOverlap, IsNothingWhereNothingOverlaps) {
    model::Snapshot s = three();
    EXPECT_FALSE(deepest_overlap(s));
    s.contacts = {contact(2, 5, -1, 0.1), contact(9, 0, 3, 0.0)};
    EXPECT_FALSE(deepest_overlap(s));
}

TEST(DeepestOverlap, GoesByTheSmallerDiameter) {
    model::Snapshot s = three();
    s.contacts = {contact(5, 9, -1, -0.3), contact(2, 9, -1, -0.2), contact(9, 0, 3, -0.7)};
    const auto deepest = deepest_overlap(s);
    ASSERT_TRUE(deepest);
    EXPECT_EQ(deepest->id_a, 2u);
    EXPECT_EQ(deepest->id_b, 9u);
    EXPECT_EQ(deepest->boundary, -1);
    EXPECT_DOUBLE_EQ(deepest->relative, 0.1);
    EXPECT_EQ(deepest->step, 7u);
    EXPECT_DOUBLE_EQ(deepest->time, 0.7);
}

TEST(DeepestOverlap, CanBeWithABoundary) {
    model::Snapshot s = three();
    s.contacts = {contact(2, 5, -1, -0.1), contact(9, 0, 3, -0.9)};
    const auto deepest = deepest_overlap(s);
    ASSERT_TRUE(deepest);
    EXPECT_EQ(deepest->id_a, 9u);
    EXPECT_EQ(deepest->boundary, 3);
    EXPECT_DOUBLE_EQ(deepest->relative, 0.9 / 8.0);
}

}  // namespace
}  // namespace scree::simulation
