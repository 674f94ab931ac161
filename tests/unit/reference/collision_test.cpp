// SPDX-License-Identifier: BSD-3-Clause
// Properties of the nearest points of all pairs of convex shapes, on random pairs that are apart or overlap a little.
#include "engine/reference/collision.hpp"

#include "tests/support/shape_pairs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree::reference {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing::implicit;
using testing::separating;
using testing::ShapePairs;

constexpr double everywhere = 1e9;  // a reach that leaves nothing out

struct Pair {
    Shape a, b;
    Pose pose_a, pose_b;

    [[nodiscard]] std::vector<NearPoint> points(bool planar) const {
        return near_points(a, pose_a, b, pose_b, everywhere, planar);
    }
};

NearPoint nearest_of(const std::vector<NearPoint>& points) {
    return *std::min_element(points.begin(), points.end(),
                             [](const NearPoint& l, const NearPoint& r) { return l.gap < r.gap; });
}

/// Sizes are about 1 m; the gap is drawn from -0.08 to 0.15 m, not within 0.01 m of zero, by moving b along the normal.
Pair random_pair(ShapePairs& random, std::size_t kind_a, std::size_t kind_b, bool planar) {
    Pair pair{random.shape(kind_a), random.shape(kind_b), {}, {}};
    pair.pose_a.orientation = random.orientation();
    pair.pose_b.orientation = random.orientation();
    pair.pose_a.position = random.uniform(0, 2) * random.direction();
    pair.pose_b.position = pair.pose_a.position + 4.0 * random.direction();
    double wanted = random.uniform(-0.08, 0.15);
    wanted += std::copysign(0.01, wanted);
    const NearPoint near = nearest_of(pair.points(planar));
    pair.pose_b.position += (wanted - near.gap) * near.normal;
    return pair;
}

/// One kind against all six, in space and in the plane: 140 random pairs each, 10 080 in all.
class RandomPairs : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
protected:
    static constexpr int per_kind = 140;
    template <class Check>
    void each_pair(Check check) {
        const auto [kind_a, planar] = GetParam();
        ShapePairs random(unsigned(17 + kind_a), planar);
        for (std::size_t kind_b = 0; kind_b < 6; ++kind_b)
            for (int k = 0; k < per_kind; ++k) {
                SCOPED_TRACE("kinds " + std::to_string(kind_a) + " " + std::to_string(kind_b) + " pair " +
                             std::to_string(k));
                check(random_pair(random, kind_a, kind_b, planar), random, planar);
                if (HasFailure()) return;
            }
    }
};

TEST_P(RandomPairs, PointsAreOnTheSurfacesAndAgreeWithGapAndNormal) {
    each_pair([](const Pair& pair, ShapePairs&, bool planar) {
        const auto points = pair.points(planar);
        ASSERT_FALSE(points.empty());
        ASSERT_LE(points.size(), 9u);
        for (const NearPoint& p : points) {
            // Surfaces are met to rounding; 1e-10 for points between two farthest points of all but flat superquadrics.
            EXPECT_NEAR(implicit(pair.a, pair.pose_a, p.on_a, planar), 0.0, 1e-10);
            EXPECT_NEAR(implicit(pair.b, pair.pose_b, p.on_b, planar), 0.0, 1e-10);
            EXPECT_NEAR(p.normal.norm(), 1.0, 1e-14);
            EXPECT_NEAR(p.normal.dot(p.on_b - p.on_a), p.gap, 1e-12);
            // Opposite each other to 1e-7 of the sizes: directions known to 1e-8 times radii of curvature.
            EXPECT_LE((p.on_b - p.on_a - p.gap * p.normal).norm(), 3e-7);
            EXPECT_TRUE(!planar || p.normal.y() == 0.0);
        }
    });
}

TEST_P(RandomPairs, GapIsWhatTheNormalSeparatesAndNoOtherDirectionSeparatesMore) {
    each_pair([](const Pair& pair, ShapePairs& random, bool planar) {
        const NearPoint near = nearest_of(pair.points(planar));
        EXPECT_NEAR(near.gap, separating(pair.a, pair.pose_a, pair.b, pair.pose_b, near.normal, planar), 1e-12);
        for (int k = 0; k < 60; ++k) {
            // Half of the trials near the normal, where the second-best directions are.
            const double turn = k % 2 == 0 ? 2.0 : std::pow(10.0, random.uniform(-8, 0));
            const Vector3d d = near.normal + turn * random.direction();
            EXPECT_LE(separating(pair.a, pair.pose_a, pair.b, pair.pose_b, d, planar), near.gap + 1e-12);
        }
    });
}

TEST_P(RandomPairs, GapStaysWhenShapesAreSwappedOrMovedTogether) {
    each_pair([](const Pair& pair, ShapePairs& random, bool planar) {
        const double gap = nearest_of(pair.points(planar)).gap;
        const auto swapped = near_points(pair.b, pair.pose_b, pair.a, pair.pose_a, everywhere, planar);
        EXPECT_NEAR(nearest_of(swapped).gap, gap, 1e-11);
        const Quaterniond turn = random.orientation();
        const Vector3d shift = 3.0 * random.direction();
        Pair moved = pair;
        for (Pose* pose : {&moved.pose_a, &moved.pose_b}) {
            pose->position = shift + turn * pose->position;
            pose->orientation = (turn * pose->orientation).normalized();
        }
        EXPECT_NEAR(nearest_of(moved.points(planar)).gap, gap, 1e-11);
    });
}

TEST_P(RandomPairs, GapRateIsTheNormalVelocityOfThePoints) {
    each_pair([](const Pair& pair, ShapePairs& random, bool planar) {
        const Vector3d velocity = random.direction();
        const Vector3d spin = planar ? Vector3d(0, random.uniform(-1, 1), 0) : random.direction();
        const double h = 1e-6;
        const auto gap_after = [&](double time) {
            Pair moved = pair;
            moved.pose_b.position += time * velocity;
            moved.pose_b.orientation =
                (Quaterniond(Eigen::AngleAxisd(time * spin.norm(), spin.normalized())) * pair.pose_b.orientation)
                    .normalized();
            return nearest_of(moved.points(planar)).gap;
        };
        const NearPoint near = nearest_of(pair.points(planar));
        const double rate = near.normal.dot(velocity + spin.cross(near.on_b - pair.pose_b.position));
        // The second derivative is at most about speed^2 / gap = 4 / 0.01, so the central difference is off by 1e-6 at
        // a kink of second order (h times a jump of it) and 1e-9 elsewhere, plus rounding 1e-14 / h; points are
        // opposite to 3e-7.
        EXPECT_NEAR((gap_after(h) - gap_after(-h)) / (2 * h), rate, 1e-5);
    });
}

INSTANTIATE_TEST_SUITE_P(All, RandomPairs, ::testing::Combine(::testing::Range<std::size_t>(0, 6), ::testing::Bool()));

// The gap is attained by the normal (above), so it cannot be too large; a scan tells whether it is too small.
TEST(Collision, NoScannedDirectionSeparatesMore) {
    for (const bool planar : {false, true}) {
        ShapePairs random(99, planar);
        for (std::size_t kinds = 0; kinds < 36; ++kinds) {
            const Pair pair = random_pair(random, kinds / 6, kinds % 6, planar);
            const double gap = nearest_of(pair.points(planar)).gap;
            EXPECT_LE(testing::gap_by_scanning(pair.a, pair.pose_a, pair.b, pair.pose_b, planar), gap + 1e-13) << kinds;
        }
    }
}

TEST(Collision, DeepOverlapsAreLeftByTheShortestWay) {
    for (const bool planar : {false, true}) {
        ShapePairs random(5, planar);
        for (std::size_t kinds = 0; kinds < 36; ++kinds) {
            Pair pair{random.shape(kinds / 6), random.shape(kinds % 6), {}, {}};
            pair.pose_b = {random.uniform(0.0, 0.5) * random.direction(), random.orientation()};
            const double gap = nearest_of(pair.points(planar)).gap;
            EXPECT_LT(gap, 0.0);
            // 1e-7 of the sum of bounding radii, below 4 m, is what the search from inside promises.
            EXPECT_LE(testing::gap_by_scanning(pair.a, pair.pose_a, pair.b, pair.pose_b, planar), gap + 4e-7)
                << kinds << (planar ? " planar" : "");
        }
    }
}

}  // namespace
}  // namespace scree::reference
