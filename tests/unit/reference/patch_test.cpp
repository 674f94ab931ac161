// SPDX-License-Identifier: BSD-3-Clause
// Contact patches of flat shapes: how many points, where, and that they keep their numbers.
#include "engine/reference/collision.hpp"
#include "engine/reference/polytope.hpp"
#include "tests/support/shape_pairs.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

namespace scree::reference {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Pose turned(const Vector3d& position, double angle, const Vector3d& axis) {
    return {position, Quaterniond(AngleAxisd(angle, axis.normalized()))};
}
std::set<unsigned> features(const std::vector<NearPoint>& points) {
    std::set<unsigned> set;
    for (const NearPoint& p : points) set.insert(p.feature);
    return set;
}
bool has_point(const std::vector<NearPoint>& points, double x, double y) {
    return std::any_of(points.begin(), points.end(), [&](const NearPoint& p) {
        return std::abs(p.on_b.x() - x) < 1e-12 && std::abs(p.on_b.y() - y) < 1e-12;
    });
}

TEST(Patch, BoxOnBoxHasItsFourCorners) {
    const auto points =
        near_points(Box{{2, 2, 0.5}}, {}, Box{{0.4, 0.3, 0.2}}, {{0.1, 0.2, 0.7}, {1, 0, 0, 0}}, 0.01, false);
    ASSERT_EQ(points.size(), 4u);
    for (const NearPoint& p : points) {
        EXPECT_NEAR(p.gap, 0.0, 1e-15);
        EXPECT_EQ(p.normal.z(), 1.0);
    }
    EXPECT_TRUE(has_point(points, 0.5, 0.5) && has_point(points, -0.3, 0.5) && has_point(points, 0.5, -0.1) &&
                has_point(points, -0.3, -0.1));
}

TEST(Patch, EqualBoxesStackedHaveFourPointsAndAPlusShapeFourCrossings) {
    EXPECT_EQ(near_points(Box{}, {}, Box{}, {{0, 0, 1.0}, {1, 0, 0, 0}}, 0.01, false).size(), 4u);
    EXPECT_EQ(near_points(Box{}, {}, Box{}, {{1e-13, -1e-13, 1.0}, {1, 0, 0, 0}}, 0.01, false).size(), 4u);
    const auto plus = near_points(Box{{2, 0.2, 0.5}}, {}, Box{{0.2, 2, 0.5}}, {{0, 0, 1.0}, {1, 0, 0, 0}}, 0.01, false);
    ASSERT_EQ(plus.size(), 4u);
    for (const NearPoint& p : plus) EXPECT_EQ(p.feature >> 30, 3u);
    EXPECT_EQ(features(plus).size(), 4u);
    // Eight corners of an octagon when turned by 45 degrees.
    const auto octagon = near_points(Box{}, {}, Box{}, turned({0, 0, 1}, std::numbers::pi / 4, {0, 0, 1}), 0.01, false);
    EXPECT_EQ(octagon.size(), 8u);
    EXPECT_EQ(features(octagon).size(), 8u);
}

TEST(Patch, FeaturesStayUnderSmallMotion) {
    testing::ShapePairs random(2, false);
    const auto still = features(near_points(Box{{2, 2, 0.5}}, {}, Box{}, {{0.1, 0.2, 1.0}, {1, 0, 0, 0}}, 0.01, false));
    for (int k = 0; k < 200; ++k) {
        const Pose pose = turned(Vector3d(0.1, 0.2, 1.0) + 1e-4 * random.direction(), 1e-4, random.direction());
        EXPECT_EQ(features(near_points(Box{{2, 2, 0.5}}, {}, Box{}, pose, 0.01, false)), still);
    }
}

TEST(Patch, ATiltedBoxTellsTheGapOfEachCorner) {
    const double tilt = 0.01;
    const auto points = near_points(Box{{2, 2, 0.5}}, {}, Box{}, turned({0, 0, 1.0}, tilt, {0, 1, 0}), 0.1, false);
    ASSERT_EQ(points.size(), 4u);
    for (const NearPoint& p : points) {
        const double x = p.on_b.x() > 0 ? 0.5 : -0.5;
        EXPECT_NEAR(p.gap, 0.5 - 0.5 * std::cos(tilt) - x * std::sin(tilt), 1e-14);
    }
}

TEST(Patch, CrossedEdgesGiveOnePoint) {
    const double diagonal = std::numbers::sqrt2;
    const Pose lower = turned({0, 0, 0}, std::numbers::pi / 4, {1, 0, 0});
    const Pose upper = turned({0.1, 0.05, 2 * 0.5 * diagonal + 0.001}, std::numbers::pi / 4, {0, 1, 0});
    const auto points = near_points(Box{{2, 0.5, 0.5}}, lower, Box{{0.5, 2, 0.5}}, upper, 0.01, false);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 0.001, 1e-14);
    EXPECT_EQ(points[0].feature >> 30, 3u);
    EXPECT_NEAR(points[0].on_a.x(), 0.1, 1e-12);
    EXPECT_NEAR(points[0].on_a.y(), 0.0, 1e-12);
}

TEST(Patch, AnEdgeOnAFaceGivesItsEnds) {
    const Pose edge_down = turned({0, 0, 0.5 + 0.5 * std::numbers::sqrt2}, std::numbers::pi / 4, {0, 1, 0});
    const auto points = near_points(Box{{2, 2, 0.5}}, {}, Box{}, edge_down, 0.01, false);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_TRUE(has_point(points, 0, 0.5) && has_point(points, 0, -0.5));
}

TEST(Patch, ACylinderStandsOnFourPointsAndLiesOnTwo) {
    const Cylinder c{0.5, 1.0};
    const auto standing = near_points(c, {{0, 0, 1.0}, {1, 0, 0, 0}}, HalfSpace{}, {}, 0.01, false);
    ASSERT_EQ(standing.size(), 4u);
    for (const NearPoint& p : standing) EXPECT_EQ(p.gap, 0.0);
    const auto lying =
        near_points(c, turned({0, 0, 0.5}, std::numbers::pi / 2, {1, 0, 0}), HalfSpace{}, {}, 0.01, false);
    ASSERT_EQ(lying.size(), 2u);
    for (const NearPoint& p : lying) EXPECT_NEAR(p.gap, 0.0, 1e-15);
    // Tilted: the lowest point of the rim is exact at any angle about the axis.
    const double tilt = 0.1;
    const Quaterniond tilted(Quaterniond(AngleAxisd(tilt, Vector3d::UnitY())) *
                             Quaterniond(AngleAxisd(0.3, Vector3d::UnitZ())));
    const auto leaning = near_points(c, {{0, 0, 2}, tilted}, HalfSpace{}, {}, 10, false);
    double lowest = 10;
    for (const NearPoint& p : leaning) lowest = std::min(lowest, p.gap);
    EXPECT_NEAR(lowest, 2 - std::cos(tilt) - 0.5 * std::sin(tilt), 1e-15);
    // On a box as on the ground.
    const auto on_box =
        near_points(c, {{0, 0, 1.0}, {1, 0, 0, 0}}, Box{{2, 2, 0.5}}, {{0, 0, -0.5}, {1, 0, 0, 0}}, 0.01, false);
    EXPECT_EQ(on_box.size(), 8u);
    const auto lying_on_box = near_points(c, turned({0, 0, 0.5}, std::numbers::pi / 2, {1, 0, 0}), Box{{2, 2, 0.5}},
                                          {{0, 0, -0.5}, {1, 0, 0, 0}}, 0.01, false);
    EXPECT_EQ(lying_on_box.size(), 2u);
}

TEST(Patch, PlanarBoxesMeetAtTwoPointsAndTouchingCornersAtOne) {
    const auto flat = near_points(Box{}, {}, Box{}, {{0.3, 0, 1.0}, {1, 0, 0, 0}}, 0.01, true);
    ASSERT_EQ(flat.size(), 2u);
    for (const NearPoint& p : flat) EXPECT_NEAR(p.gap, 0.0, 1e-15);
    EXPECT_NEAR(std::abs(flat[0].on_b.x() - flat[1].on_b.x()), 0.7, 1e-12);
    EXPECT_EQ(features(flat).size(), 2u);
    EXPECT_EQ(near_points(Box{}, {}, Box{},
                          turned({0, 0, 0.5 + 0.5 * std::numbers::sqrt2}, std::numbers::pi / 4, {0, 1, 0}), 0.01, true)
                  .size(),
              1u);
}

TEST(Patch, PolytopeCubesBehaveAsBoxes) {
    std::vector<Vector3d> corners;
    for (int k = 0; k < 8; ++k) corners.emplace_back((k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2 & 1) - 0.5);
    const Polytope cube = make_polytope(corners);
    testing::ShapePairs random(8, false);
    for (int k = 0; k < 200; ++k) {
        const Pose pose{random.uniform(0.7, 1.8) * random.direction(), random.orientation()};
        auto of_box = near_points(Box{}, {}, Box{}, pose, 10, false),
             of_cube = near_points(cube, {}, Box{}, pose, 10, false);
        ASSERT_EQ(of_box.size(), of_cube.size());
        const auto smallest = [](auto& points) {
            return std::min_element(points.begin(), points.end(), [](auto& l, auto& r) { return l.gap < r.gap; })->gap;
        };
        EXPECT_NEAR(smallest(of_box), smallest(of_cube), 1e-12);
    }
}

}  // namespace
}  // namespace scree::reference
