// SPDX-License-Identifier: BSD-3-Clause
// Bodies as inequalities and their nearest points, beside closed forms, differences and sampled surfaces.
#include "engine/reference/nearest_pair.hpp"

#include "engine/reference/collision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Polytope octahedron(double size) {
    Polytope p;
    for (Index k = 0; k < 3; ++k) {
        p.vertices.push_back(size * Vector3d::Unit(k));
        p.vertices.push_back(-size * Vector3d::Unit(k));
    }
    for (int k = 0; k < 8; ++k) {
        const Vector3d n((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
        p.normals.push_back(n.normalized());
        p.offsets.push_back(size / std::sqrt(3.0));
    }
    return p;
}

std::vector<Shape> bounded_shapes() {
    return {Sphere{0.7},
            Box{{0.5, 0.3, 0.8}},
            Ellipsoid{{0.9, 0.5, 0.3}},
            Superquadric{{0.8, 0.6, 0.5}, 0.5, 0.7},
            Superquadric{{0.8, 0.6, 0.5}, 1.4, 1.3},
            Cylinder{0.4, 0.6},
            octahedron(0.8)};
}

Pose posed(const Vector3d& at, double angle, const Vector3d& axis) {
    return {at, Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()))};
}

TEST(ImplicitSurface, GradientsAndSecondDerivativesAreThoseOfTheValue) {
    std::vector<Shape> shapes = bounded_shapes();
    shapes.emplace_back(HalfSpace{});
    shapes.emplace_back(Hollow{2.0});
    const double step = 1e-5;
    for (std::size_t s = 0; s < shapes.size(); ++s)
        for (Index k = 0; k < inequality_count(shapes[s], false); ++k) {
            const Vector3d y(0.31, -0.42, 0.27);
            const Inequality f = inequality(shapes[s], k, y);
            for (Index i = 0; i < 3; ++i) {
                const Vector3d e = step * Vector3d::Unit(i);
                const Inequality ahead = inequality(shapes[s], k, y + e), behind = inequality(shapes[s], k, y - e);
                // Central differences: step^2 times third derivatives of order 10 1/m^2.
                EXPECT_NEAR((ahead.value - behind.value) / (2 * step), f.gradient[i], 1e-8) << s << " " << k;
                EXPECT_LT(((ahead.gradient - behind.gradient) / (2 * step) - f.hessian.col(i)).norm(), 1e-7)
                    << s << " " << k;
            }
        }
}

TEST(ImplicitSurface, VanishesAtTheFarthestPointsWithTheGradientAlongTheDirection) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (const Shape& shape : bounded_shapes())
        for (int trial = 0; trial < 20; ++trial) {
            const Vector3d n = Vector3d(normal(random), normal(random), normal(random)).normalized();
            const Vector3d point = support(shape, n);
            EXPECT_NEAR(outside(shape, point, false), 0.0, 1e-7) << shape.index();
            if (inequality_count(shape, false) > 1) continue;
            EXPECT_LT((inequality(shape, 0, point).gradient.normalized() - n).norm(), 1e-5) << shape.index();
        }
}

TEST(ImplicitSurface, HasNoInfiniteDerivativesOnTheAxesOfSuperquadrics) {
    for (const double e : {0.2, 0.5, 1.0, 1.5, 2.0})
        for (const Vector3d& y : {Vector3d(0.5, 0, 0), Vector3d(0, 0, 0.5), Vector3d(0, 0.3, 0.3)}) {
            const Inequality f = inequality(Superquadric{{0.5, 0.5, 0.5}, e, e}, 0, y);
            EXPECT_TRUE(f.gradient.allFinite() && f.hessian.allFinite()) << e;
            EXPECT_GT(f.gradient.norm(), 0.5) << e;
        }
}

TEST(NearestPair, SpheresHaveTheClosedForm) {
    for (const double distance : {3.0, 1.2, 1.0}) {  // apart, touching to rounding, overlapping
        const Vector3d axis = Vector3d(1, 2, -2) / 3.0;
        const auto pair = nearest_pair(Sphere{0.5}, {Vector3d(1, 1, 1), Quaterniond::Identity()}, Sphere{0.7},
                                       {Vector3d(1, 1, 1) + distance * axis, Quaterniond::Identity()}, false);
        ASSERT_TRUE(pair);
        EXPECT_NEAR(pair->gap, distance - 1.2, 1e-10);
        EXPECT_LT((pair->normal - axis).norm(), 1e-9);
        EXPECT_LT((pair->on_a - Vector3d(1, 1, 1) - 0.5 * axis).norm(), 1e-9);
    }
}

TEST(NearestPair, AHalfSpaceAndABowlHaveTheirClosedForms) {
    const auto plane =
        nearest_pair(Ellipsoid{{2, 1, 0.5}}, posed({0, 0, 3}, 0.5, Vector3d::UnitY()), HalfSpace{}, {}, false);
    ASSERT_TRUE(plane);
    const double c = std::cos(0.5), s = std::sin(0.5);
    EXPECT_NEAR(plane->gap, 3.0 - std::sqrt(4 * s * s + 0.25 * c * c), 1e-10);
    EXPECT_LT((plane->normal + Vector3d::UnitZ()).norm(), 1e-10);
    const Vector3d at(0.3, 0, -0.4);
    const auto bowl = nearest_pair(Sphere{0.2}, {at, Quaterniond::Identity()}, Hollow{1.0}, {}, false);
    ASSERT_TRUE(bowl);
    EXPECT_NEAR(bowl->gap, 1.0 - 0.5 - 0.2, 1e-10);
    EXPECT_LT((bowl->normal - at / 0.5).norm(), 1e-9);
}

TEST(NearestPair, NoSampledPointsOfSeparateBodiesAreNearer) {
    // Convex bodies: the gap is the largest width of an empty slab, so that each direction bounds it from below, and
    // each pair of points from above.
    const std::vector<Shape> shapes = bounded_shapes();
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    std::vector<Vector3d> directions;
    for (int k = 0; k < 400; ++k)
        directions.push_back(Vector3d(normal(random), normal(random), normal(random)).normalized());
    for (std::size_t a = 0; a < shapes.size(); ++a)
        for (std::size_t b = a; b < shapes.size(); ++b) {
            const Pose pose_a = posed({0, 0, 0}, 0.4 + double(a), {1, 2, 3}),
                       pose_b = posed({1.6, 1.1, -0.9}, 1.0 + double(b), {2, -1, 1});
            const auto pair = nearest_pair(shapes[a], pose_a, shapes[b], pose_b, false);
            ASSERT_TRUE(pair) << a << " " << b;
            EXPECT_GT(pair->gap, 0.1);
            EXPECT_NEAR(outside(shapes[a], pose_a.to_body(pair->on_a), false), 0.0, 1e-8) << a << " " << b;
            EXPECT_NEAR(outside(shapes[b], pose_b.to_body(pair->on_b), false), 0.0, 1e-8) << a << " " << b;
            EXPECT_NEAR((pair->on_b - pair->on_a).norm(), pair->gap, 1e-9);
            const auto seen = [&](const Vector3d& n) {
                return n.dot(pose_b.to_world(support(shapes[b], pose_b.orientation.conjugate() * -n)) -
                             pose_a.to_world(support(shapes[a], pose_a.orientation.conjugate() * n)));
            };
            EXPECT_NEAR(seen(pair->normal), pair->gap, 1e-7) << a << " " << b;
            for (const Vector3d& n : directions) EXPECT_LE(seen(n), pair->gap + 1e-9) << a << " " << b;
        }
}

TEST(NearestPair, PolygonsOfManyEdgesKeepToTheFacesThatMatter) {
    Polytope gon;
    const int edges = 1000;
    for (int k = 0; k < edges; ++k) {
        const double at = 2 * std::numbers::pi * k / edges, mid = at + std::numbers::pi / edges;
        gon.vertices.emplace_back(std::cos(at), 0.0, std::sin(at));
        gon.normals.emplace_back(std::cos(mid), 0.0, std::sin(mid));
        gon.offsets.push_back(std::cos(std::numbers::pi / edges));
    }
    const auto pair = nearest_pair(gon, posed({0, 0, 1.5}, 0.7, Vector3d::UnitY()), HalfSpace{}, {}, true);
    ASSERT_TRUE(pair);
    EXPECT_LE(pair->faces.a.size(), 8U);
    EXPECT_NEAR(pair->gap, 0.5, 1.0 - std::cos(std::numbers::pi / edges) + 1e-9);
}

}  // namespace
}  // namespace scree::reference
