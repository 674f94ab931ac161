// SPDX-License-Identifier: BSD-3-Clause
// The nearest facet of two cores that overlap against the hull that grows from inside, whatever direction the search
// begins with.
#include "kernels/collide/shapes/shallowest_facet.hpp"

#include "kernels/collide/shapes/separation.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace scree::kernels {
namespace {

using reference::Pose;
using reference::testing::ShapePairs;

/// Random boxes and hulls of `corners` points of a ball.
struct Bodies {
    geometry::ConvexShapes list;

    Bodies(ShapePairs& random, int corners) {
        const auto size = [&] { return random.uniform(0.2, 0.7); };
        for (int k = 0; k < 10; ++k) {
            list.add_box({size(), size(), size()});
            std::vector<model::Vec3> points;
            for (int c = 0; c < corners; ++c) {
                const Eigen::Vector3d p = 0.5 * random.direction();
                points.push_back({p.x(), p.y(), p.z()});
            }
            list.add_polyhedron(points);
        }
    }
};

/// The least translation by the other search. A hull of 64 points ends it early for bodies of many corners, so larger
/// separations than its are right as well; what a direction attains is checked apart.
double by_growing_hull(const DifferenceBody& pair, const Direction& start) {
    return refined_direction(pair, shallowest_direction(pair, start).best).separation;
}

/// Pairs that overlap by up to `deepest`, half of them with parallel axes, each begun from any direction, from the
/// right one and from one near it.
void compare(int corners, int count, double deepest, bool may_give_up) {
    ShapePairs random(unsigned(31 + corners), false);
    const Bodies bodies(random, corners);
    const ShapeView view = bodies.list.view();
    int looked_at = 0, given_up = 0;
    for (int k = 0; k < count; ++k) {
        const auto any = [&] { return std::int32_t(random.uniform(0.0, 19.999)); };
        const Pose at{Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity()};
        const Pose by{random.uniform(0.0, 1.5) * random.direction(),
                      k % 2 == 0 ? at.orientation : random.orientation()};
        const PlacedShape a = test::placed(bodies.list, any(), at);
        PlacedShape b = test::placed(bodies.list, any(), by);
        const double depth = random.uniform(1e-3, 1.0) * deepest;
        Vector3d axis{0, 0, 0};
        for (int round = 0; round < 4; ++round) {  // moved along the way out until the depth is about right
            const Direction way = best_direction(DifferenceBody(view, a, b), axis, 1e9);
            axis = way.d;
            b.position += (-depth - way.separation) * way.d;
        }
        const DifferenceBody pair(view, a, b);
        const double expected = by_growing_hull(pair, pair.along(axis));
        if (expected > -1e-6) continue;
        Vector3d right{0, 0, 1};
        for (int begin = 0; begin < 3; ++begin) {
            const Vector3d other = test::vector_of(random.direction());
            Direction found = pair.along(begin == 0 ? axis : unit(right + (begin == 1 ? 0.0 : 0.05) * other));
            ++looked_at;
            if (!shallowest_facet(pair, found)) {
                ++given_up;
                continue;
            }
            right = found.d;
            // Both end on exact facets: what is left is rounding.
            EXPECT_GE(found.separation, expected - 1e-12 * pair.size) << k << ' ' << begin;
            EXPECT_NEAR(norm(found.d), 1.0, 1e-14);
            EXPECT_EQ(found.separation, pair.along(found.d).separation);
        }
    }
    EXPECT_GT(looked_at, count);
    if (!may_give_up) {
        EXPECT_LE(given_up, looked_at / 1000);
    }
}

TEST(ShallowestFacet, IsThatOfTheGrowingHull) { compare(32, 4000, 0.02, false); }
TEST(ShallowestFacet, IsThatOfTheGrowingHullForBodiesOfFewCorners) { compare(16, 4000, 0.02, false); }
TEST(ShallowestFacet, IsThatOfTheGrowingHullWhereOverlapsAreDeep) { compare(24, 2000, 0.5, true); }
TEST(ShallowestFacet, IsThatOfTheGrowingHullForBodiesOfManyCorners) { compare(300, 300, 0.02, true); }

/// Every corner of one cube on a corner of the other, and one inside the other: all facets come in many, alike.
TEST(ShallowestFacet, IsFoundAmongManyAlike) {
    geometry::ConvexShapes list;
    const std::int32_t cube = list.add_box({0.5, 0.5, 0.5}), small = list.add_box({0.25, 0.25, 0.25});
    const Pose at{Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity()};
    const ShapeView view = list.view();
    const PlacedShape a = test::placed(list, cube, at), same = test::placed(list, cube, at),
                      inside = test::placed(list, small, at);
    for (const auto& [b, depth] : {std::pair{same, 1.0}, std::pair{inside, 0.75}}) {
        const DifferenceBody pair(view, a, b);
        Direction found = pair.along({0.6, 0.0, 0.8});
        EXPECT_TRUE(shallowest_facet(pair, found));
        EXPECT_NEAR(found.separation, -depth, 1e-14);
    }
}

}  // namespace
}  // namespace scree::kernels
