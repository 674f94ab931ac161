// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/start_overlaps.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::simulation {
namespace {

using namespace reference;

TEST(StartOverlaps, HalfThicknessIsThatOfTheThinnestWay) {
    EXPECT_EQ(half_thickness(Box{{3.0, 1.0, 2.0}}), 1.0);
    EXPECT_EQ(half_thickness(Ellipsoid{{3.0, 1.0, 2.0}}), 1.0);
    EXPECT_EQ(half_thickness(Cylinder{2.0, 0.5}), 0.5);
    EXPECT_EQ(half_thickness(Superquadric{{1.0, 1.0, 1.0}, 0.1, 0.1}), 1.0);
    EXPECT_NEAR(half_thickness(Superquadric{{1.0, 1.0, 1.0}, 2.0, 2.0}), 1.0 / std::sqrt(3.0), 1e-15);  // an octahedron
    EXPECT_TRUE(std::isinf(half_thickness(HalfSpace{})));
}

TEST(StartOverlaps, NamesThePairThatOverlapsMostForItsSize) {
    World world;
    world.bodies.resize(4);
    const char* names[] = {"floor", "large", "small", "far"};
    for (std::size_t i = 0; i < 4; ++i) world.bodies[i].name = names[i];
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    world.bodies[1].shape = Sphere{1.0};
    world.bodies[1].pose.position.z() = 0.85;  // 15 %
    world.bodies[2].shape = Sphere{0.1};
    world.bodies[2].pose.position = {1.07, 0.0, 0.85};  // 30 %
    world.bodies[3].shape = Sphere{0.1};
    world.bodies[3].pose.position.z() = 5.0;
    const StartOverlaps found = start_overlaps(world);
    EXPECT_EQ(found.count, 2u);
    EXPECT_EQ(found.first, "large");
    EXPECT_EQ(found.second, "small");
    EXPECT_NEAR(found.depth, 0.03, 1e-12);
    EXPECT_NEAR(found.share, 0.3, 1e-11);
    EXPECT_EQ(start_overlaps(World{}).count, 0u);
}

}  // namespace
}  // namespace scree::simulation
