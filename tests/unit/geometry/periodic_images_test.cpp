// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/periodic_images.hpp"

#include <gtest/gtest.h>

#include <array>

namespace scree::geometry {
namespace {

using model::Vec3;

const std::array<model::PeriodicFaces, 3> along_x_and_z{{{true, -1.0, 1.0}, {}, {true, 0.0, 4.0}}};

TEST(ShortestWay, CrossesAFaceWhereThatIsNearer) {
    EXPECT_EQ(shortest_way({0.75, 0, 1}, {-0.75, 5, 2}, along_x_and_z), (Vec3{0.5, 5, 1}));
    EXPECT_EQ(shortest_way({0, 0, 0.5}, {0.5, 0, 3.75}, along_x_and_z), (Vec3{0.5, 0, -0.75}));
    EXPECT_EQ(shortest_way({0, 0, 0}, {8.25, 0, 0}, along_x_and_z), (Vec3{0.25, 0, 0})) << "several periods away";
    EXPECT_EQ(shortest_way({1, 2, 3}, {9, 9, 9}, {}), (Vec3{8, 7, 6})) << "no axis is periodic";
}

}  // namespace
}  // namespace scree::geometry
