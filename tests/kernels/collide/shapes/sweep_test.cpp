// SPDX-License-Identifier: BSD-3-Clause
// Conservative advancement: it stops where shapes touch, by closed forms and by small steps, and passes what passes.
#include "kernels/collide/shapes/sweep.hpp"

#include "kernels/collide/shapes/find_manifold.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree::kernels {
namespace {

/// Two shapes on their way, and a look at them as PairSweep has it.
struct Pair {
    geometry::ConvexShapes list;
    PlacedShape a, b;
    RigidMotion of_a, of_b;

    void place(std::int32_t first, Vector3d at_a, std::int32_t second, Vector3d at_b) {
        a = test::placed(list, first, reference::Pose{Eigen::Vector3d(at_a.x, at_a.y, at_a.z), {1, 0, 0, 0}});
        b = test::placed(list, second, reference::Pose{Eigen::Vector3d(at_b.x, at_b.y, at_b.z), {1, 0, 0, 0}});
        of_a.center = at_a;
        of_b.center = at_b;
    }
    [[nodiscard]] Manifold at(double share) const {
        Manifold found;
        Vector3d direction{0, 0, 0};
        find_manifold(list.view(), of_a.shape_at(a, share), of_b.shape_at(b, share), 1e3, direction, found);
        return found;
    }
    [[nodiscard]] Sweep advance(double goal = 1e-6) const {
        return advance_to_touch(
            [&](double share) {
                const Manifold found = at(share);
                const Vector3d n = found.normal;
                const double approach =
                    std::max(0.0, dot(of_a.way - of_b.way, n)) + of_a.swing(a, n) + of_b.swing(b, n);
                const double gap = found.point[0].gap;
                return SweepLook{gap, approach > 0.0 ? (gap - 0.5 * goal) / approach : 1.0};
            },
            goal, 1000);
    }
};

TEST(Sweep, BallsTouchWhereTheQuadraticEquationSays) {
    Pair pair;
    const std::int32_t ball = pair.list.add_sphere(0.5);
    pair.place(ball, {0, 0, 0}, ball, {10, 0.6, 0});
    pair.of_a.way = {40, 0, 0};
    const Sweep sweep = pair.advance();
    ASSERT_TRUE(sweep.touches);
    EXPECT_NEAR(sweep.share, (10.0 - 0.8) / 40.0, 1e-6);  // |d| = 1 at the way 10 - sqrt(1 - .36)
}

TEST(Sweep, BallsThatPassAreJudgedWhereTheyAreNearest) {
    Pair pair;
    const std::int32_t ball = pair.list.add_sphere(0.5);
    pair.place(ball, {0, 0, 0}, ball, {10, 1.01, 0});
    pair.of_a.way = {40, 0, 0};
    const Sweep sweep = pair.advance();
    EXPECT_FALSE(sweep.touches);
    EXPECT_EQ(sweep.share, 1.0);
    EXPECT_NEAR(sweep.gap, 0.01, 5e-3);
    EXPECT_NEAR(sweep.nearest, 0.25, 5e-3);
}

TEST(Sweep, ThinRodThatTurnsDoesNotPassAThinPlate) {
    Pair pair;
    const std::int32_t rod = pair.list.add_capsule(1e-4, 1.0), plate = pair.list.add_box({5, 5, 5e-5});
    pair.place(rod, {0, 0, 3}, plate, {0, 0, 0});
    pair.of_a.way = {0, 0, -2.5};  // its centre stays above, an end swings through
    pair.of_a.turn = {0, 20, 0};
    const Sweep sweep = pair.advance();
    ASSERT_TRUE(sweep.touches);
    // Not before any point can have come down, and truly the first touch.
    EXPECT_GT(sweep.share, 0.7);
    for (double share = 0.0; share < sweep.share; share += 1e-3) EXPECT_GT(pair.at(share).point[0].gap, 0.0) << share;
    EXPECT_LE(pair.at(sweep.share).point[0].gap, 1e-6);
}

TEST(Sweep, RoundShapesThatTurnAboutTheirAxisAreWhereTheyWere) {
    Pair pair;
    const std::int32_t cylinder = pair.list.add_cylinder(0.5, 1.0), ball = pair.list.add_sphere(0.3);
    pair.place(cylinder, {0, 0, 0}, ball, {0.9, 0, 0});
    pair.of_a.turn = {0, 0, 1000};
    pair.of_b.turn = {300, -100, 50};
    const Sweep sweep = pair.advance();
    EXPECT_FALSE(sweep.touches);
    EXPECT_EQ(sweep.share, 1.0);
}

TEST(Sweep, FirstTouchOfRandomPairsIsThatOfSmallSteps) {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    int touching = 0;
    for (int k = 0; k < 200; ++k) {
        Pair pair;
        const std::int32_t shapes[] = {pair.list.add_box({0.3, 0.2, 0.1}), pair.list.add_ellipsoid({0.4, 0.2, 0.1}),
                                       pair.list.add_cone(0.2, 0.6), pair.list.add_capsule(0.05, 0.4),
                                       pair.list.add_superquadric({0.3, 0.2, 0.2}, 0.6, 1.4)};
        pair.place(shapes[k % 5], {0, 0, 0}, shapes[(k / 5) % 5], {3, 0.3 * normal(random), 0.3 * normal(random)});
        pair.of_a.way = {6, 0, 0};
        pair.of_a.turn = {normal(random), normal(random), normal(random)};
        pair.of_b.turn = {normal(random), normal(random), normal(random)};
        const Sweep sweep = pair.advance();
        double first = 1.0;
        for (int step = 0; step <= 500 && first == 1.0; ++step)
            if (pair.at(step / 500.0).point[0].gap <= 0.0) first = step / 500.0;
        if (sweep.touches) ++touching;
        if (!sweep.touches) {
            EXPECT_EQ(sweep.share, 1.0) << k;
            EXPECT_EQ(first, 1.0) << k;
        } else {
            EXPECT_LE(sweep.share, first + 1e-12) << k;
            EXPECT_LE(pair.at(sweep.share).point[0].gap, 1e-6) << k;
        }
    }
    EXPECT_GT(touching, 40);
}

TEST(Sweep, WhatIsSeenFromAMovingWallIsCarriedBack) {
    RigidMotion wall{{1, 2, 3}, {0.5, -0.1, 0.2}, {0.3, 0.4, -1.0}, 0.0};
    const Vector3d point{4, -1, 2};
    const Vector3d back = wall.carried(wall.seen_from(point, 0.7), 0.7);
    EXPECT_NEAR(norm(back - point), 0.0, 1e-14);
}

}  // namespace
}  // namespace scree::kernels
