// SPDX-License-Identifier: BSD-3-Clause
// Nearest points where the answer is known in closed form, and in degenerate positions.
#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"
#include "engine/reference/polytope.hpp"
#include "tests/support/shape_pairs.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace scree::reference {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double everywhere = 1e9;

double gap_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, bool planar = false) {
    double gap = everywhere;
    for (const NearPoint& p : near_points(a, pose_a, b, pose_b, everywhere, planar)) gap = std::min(gap, p.gap);
    return gap;
}
Pose at(const Vector3d& position) { return {position, Quaterniond::Identity()}; }
Pose turned(const Vector3d& position, double angle, const Vector3d& axis) {
    return {position, Quaterniond(AngleAxisd(angle, axis.normalized()))};
}

TEST(CollisionCases, CoaxialEllipsoidsTouchAtTheirPoles) {
    for (const double height : {0.9, 0.7, 0.5, 0.499, 0.3})
        for (const bool planar : {false, true})
            EXPECT_NEAR(
                gap_of(Ellipsoid{{2, 1.5, 0.2}}, at({0, 0, 0}), Ellipsoid{{1, 3, 0.3}}, at({0, 0, height}), planar),
                height - 0.5, 1e-15);
}

TEST(CollisionCases, SphereAndEllipsoidAreApartByTheLengthOfTheNormal) {
    // The point of the ellipsoid with parameters (u, v), and the centre at distance L along its normal.
    const Vector3d semi(2.0, 1.0, 0.5);
    for (const double u : {0.3, 1.2})
        for (const double v : {0.0, 0.7, 2.5}) {
            const Vector3d m(std::cos(u) * std::cos(v), std::cos(u) * std::sin(v), std::sin(u));
            const Vector3d p = semi.cwiseProduct(m), n = m.cwiseQuotient(semi).normalized();
            for (const double gap : {0.5, 1e-3, 1e-9, 0.0, -1e-9, -0.02}) {
                const auto points = near_points(Ellipsoid{semi}, {}, Sphere{0.3}, at(p + (0.3 + gap) * n), 10, false);
                ASSERT_EQ(points.size(), 1u);
                EXPECT_NEAR(points[0].gap, gap, 1e-14);
                EXPECT_LE((points[0].on_a - p).norm(), 1e-12);
                EXPECT_LE((points[0].normal - n).norm(), 1e-12);
            }
        }
}

TEST(CollisionCases, FlatEllipsoidsOneToAHundredAreExact) {
    const Ellipsoid flat{{1.0, 1.0, 0.01}};
    EXPECT_NEAR(gap_of(flat, at({0, 0, 0}), flat, at({0, 0, 0.019})), -0.001, 1e-15);
    EXPECT_NEAR(gap_of(flat, at({0, 0, 0}), flat, at({2.05, 0, 0})), 0.05, 1e-15);  // rim to rim
    // One on its rim on the other's pole.
    const Pose upright = turned({0, 0, 1.01 - 1e-4}, std::numbers::pi / 2, Vector3d::UnitY());
    for (const bool planar : {false, true})
        EXPECT_NEAR(gap_of(flat, at({0, 0, 0}), flat, upright, planar), -1e-4, 1e-14);
}

TEST(CollisionCases, SuperquadricsWithExponentOneAreEllipsoids) {
    testing::ShapePairs random(3, false);
    for (int k = 0; k < 200; ++k) {
        const Vector3d p = random.sizes(0.2), q = random.sizes(0.2);
        const Pose pose{random.uniform(0.8, 2.0) * random.direction(), random.orientation()};
        // Deep overlaps may have two ways out of equal depth to 1e-7 of the sizes.
        const double gap = gap_of(Ellipsoid{p}, {}, Ellipsoid{q}, pose);
        EXPECT_NEAR(gap_of(Superquadric{p, 1, 1}, {}, Superquadric{q, 1, 1}, pose), gap, gap > -0.1 ? 1e-13 : 4e-7);
    }
}

TEST(CollisionCases, CylindersInAllPositions) {
    const Cylinder c{0.5, 1.0};
    const Pose lying = turned({0, 0, 1.6}, std::numbers::pi / 2, Vector3d::UnitX());
    EXPECT_NEAR(gap_of(c, at({0, 0, 0}), c, at({1.2, 0, 0.1})), 0.2, 1e-14);                   // side to side
    EXPECT_NEAR(gap_of(c, at({0, 0, 0}), c, at({0.3, 0, 2.1})), 0.1, 1e-14);                   // cap on cap
    EXPECT_NEAR(gap_of(c, at({0, 0, 0}), c, lying), 0.1, 1e-14);                               // side on cap
    EXPECT_NEAR(gap_of(c, at({0, 0, 0}), c, at({1.3, 0, 2.4})), std::hypot(0.3, 0.4), 1e-14);  // rim to rim
    const Pose crossed = turned({1.1, 0, 0}, std::numbers::pi / 2, Vector3d::UnitX());
    EXPECT_NEAR(gap_of(c, at({0, 0, 0}), c, crossed), 0.1, 1e-14);  // crossed sides
}

TEST(CollisionCases, NearlyTouchingKeepsItsNormal) {
    for (const double gap : {1e-6, 1e-9, 1e-12, 1e-15, 0.0, -1e-15, -1e-12, -1e-9, -1e-6}) {
        const Shape shapes[] = {Box{{0.5, 0.5, 0.5}}, Cylinder{0.5, 0.5}, Ellipsoid{{0.7, 0.6, 0.5}},
                                Superquadric{{0.5, 0.5, 0.5}, 0.3, 0.4}};
        for (const Shape& a : shapes)
            for (const Shape& b : shapes) {
                const auto points = near_points(a, {}, b, at({0.1, 0.05, 1.0 + gap}), 0.1, false);
                ASSERT_FALSE(points.empty());
                if (a.index() != 1 && a.index() != 4 && b.index() != 1 && b.index() != 4) {
                    continue;  // two round ones touch beside their poles
                }
                for (const NearPoint& p : points) EXPECT_NEAR(p.normal.z(), 1.0, 1e-12) << gap;
                EXPECT_NEAR(points[0].gap, gap, 1e-13);
            }
    }
}

/// Finite and consistent; on the surfaces and opposite each other to 1e-6 of the sizes (1 m), as promised at worst.
void expect_sound(const Shape& a, const Shape& b, const Pose& pose, bool planar) {
    SCOPED_TRACE(std::to_string(a.index()) + " " + std::to_string(b.index()) + (planar ? " planar" : ""));
    for (const NearPoint& near : near_points(a, {}, b, pose, everywhere, planar)) {
        ASSERT_TRUE(near.on_a.allFinite() && near.on_b.allFinite() && std::isfinite(near.gap));
        ASSERT_NEAR(near.normal.norm(), 1.0, 1e-12);
        ASSERT_NEAR(testing::implicit(a, {}, near.on_a, planar), 0.0, 1e-6) << pose.position.transpose();
        ASSERT_NEAR(testing::implicit(b, pose, near.on_b, planar), 0.0, 1e-6) << pose.position.transpose();
        ASSERT_LE((near.on_b - near.on_a - near.gap * near.normal).norm(), 1e-6) << pose.position.transpose();
    }
}

TEST(CollisionCases, DegeneratePositionsGiveSoundPoints) {
    std::vector<Shape> shapes{Sphere{0.5},
                              Box{{0.5, 0.5, 0.5}},
                              Ellipsoid{{1, 1, 0.01}},
                              Ellipsoid{{0.5, 0.5, 0.5}},
                              Superquadric{{0.5, 0.5, 0.5}, 0.1, 0.1},
                              Superquadric{{0.5, 0.4, 0.3}, 2.0, 2.0},
                              Superquadric{{0.5, 0.4, 0.3}, 1.0, 2.0},
                              Superquadric{{0.5, 0.4, 0.3}, 0.1, 2.0},
                              Cylinder{0.5, 0.5},
                              Cylinder{1.0, 0.001}};
    for (const bool planar : {false, true}) {
        const std::vector<Vector3d> tetrahedron{{1, 0, -0.5}, {-0.5, 0.8, -0.5}, {-0.5, -0.8, -0.5}, {0, 0, 1}};
        std::vector<Shape> all = shapes;
        all.emplace_back(planar ? regular_polygon(5, 1.0) : make_polytope(tetrahedron));
        for (const Shape& a : all)
            for (const Shape& b : all)
                for (const Vector3d& p : {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 0, 1),
                                          Vector3d(0, 0, -1), Vector3d(1, 0, 1), Vector3d(0, 0, 1e-13),
                                          Vector3d(1e-300, 0, 0), Vector3d(0.5, planar ? 0 : 1, 1)})
                    for (const double turn : {0.0, 0.25, 0.5})
                        expect_sound(a, b, turned(p, turn * std::numbers::pi, Vector3d::UnitY()), planar);
    }
}

TEST(CollisionCases, PolytopesWithAThousandFacesAreAsExact) {
    testing::ShapePairs random(11, false);
    const Polytope a = random.polytope(502), b = random.polytope(502);
    ASSERT_EQ(a.faces.size(), 1000u);
    for (int k = 0; k < 20; ++k) {
        const Pose pose{random.uniform(0.8, 2.2) * random.direction(), random.orientation()};
        const auto points = near_points(a, {}, b, pose, everywhere, false);
        const double gap = gap_of(a, {}, b, pose);
        EXPECT_NEAR(gap, testing::separating(a, {}, b, pose, points[0].normal, false), 1e-13);
        for (int j = 0; j < 20; ++j) {
            const Vector3d d = points[0].normal + std::pow(10.0, random.uniform(-6, 0)) * random.direction();
            EXPECT_LE(testing::separating(a, {}, b, pose, d, false), gap + 1e-13);
        }
    }
}

TEST(CollisionCases, ReachLeavesOutWhatIsFarther) {
    EXPECT_TRUE(near_points(Sphere{1}, {}, Box{}, at({0, 0, 2}), 0.5, false).empty());
    EXPECT_EQ(near_points(Sphere{1}, {}, Box{}, at({0, 0, 2}), 0.5001, false).size(), 1u);
}

TEST(CollisionCases, BadInputIsOneClearError) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(gap_of(Sphere{nan}, {}, Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(Box{{1, -1, 1}}, {}, Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(Superquadric{{1, 1, 1}, 0.0, 1.0}, {}, Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(Superquadric{{1, 1, 1}, 1.0, 2.5}, {}, Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(Sphere{}, at({nan, 0, 0}), Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(HalfSpace{}, {}, HalfSpace{}, {}), model::Error);
    EXPECT_THROW(gap_of(Polytope{}, {}, Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(Polytope{{{1, 0, 0}}, {}, {}}, {}, Box{}, {}), model::Error);
    EXPECT_THROW(gap_of(Box{}, {{0, 0, 0}, Quaterniond(2, 0, 0, 0)}, Box{}, {}), model::Error);
}

}  // namespace
}  // namespace scree::reference
