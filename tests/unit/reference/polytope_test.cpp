// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/polytope.hpp"

#include "engine/model/error.hpp"
#include "tests/support/shape_pairs.hpp"

#include <gtest/gtest.h>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

/// Euler's formula, planes that hold all vertices, loops on their planes and counter-clockwise.
void expect_sound(const Polytope& p) {
    std::size_t corners = 0;
    for (std::size_t f = 0; f < p.faces.size(); ++f) {
        const auto& loop = p.faces[f];
        corners += loop.size();
        for (const Vector3d& v : p.vertices) EXPECT_LE(p.normals[f].dot(v), p.offsets[f] + 1e-9);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const Vector3d &u = p.vertices[loop[k]], &v = p.vertices[loop[(k + 1) % loop.size()]],
                           &w = p.vertices[loop[(k + 2) % loop.size()]];
            EXPECT_NEAR(p.normals[f].dot(u), p.offsets[f], 1e-9);
            EXPECT_GT((v - u).cross(w - v).dot(p.normals[f]), 0.0);
        }
    }
    EXPECT_EQ(corners % 2, 0u);
    EXPECT_EQ(p.vertices.size() + p.faces.size(), corners / 2 + 2);
}

std::vector<Vector3d> grid(int n) {
    std::vector<Vector3d> points;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            for (int k = 0; k <= n; ++k) points.emplace_back(i, j, k);
    return points;
}

TEST(Polytope, ACubeHasSixFacesHoweverManyPointsLieOnThem) {
    for (const int n : {1, 2, 5}) {
        auto points = grid(n);
        points.insert(points.end(), points.begin(), points.end());  // each twice
        const Polytope cube = make_polytope(points);
        EXPECT_EQ(cube.vertices.size(), 8u);
        EXPECT_EQ(cube.faces.size(), 6u);
        expect_sound(cube);
    }
}

TEST(Polytope, PrismsHaveManySidedFaces) {
    std::vector<Vector3d> points;
    for (int k = 0; k < 50; ++k)
        for (const double z : {-1.0, 1.0})
            points.emplace_back(std::cos(k * 0.12566370614359174), std::sin(k * 0.12566370614359174), z);
    const Polytope prism = make_polytope(points);
    EXPECT_EQ(prism.vertices.size(), 100u);
    EXPECT_EQ(prism.faces.size(), 52u);
    expect_sound(prism);
}

TEST(Polytope, RandomHullsAreSound) {
    testing::ShapePairs random(1, false);
    for (const std::size_t n : {4u, 5u, 10u, 50u, 502u}) {
        const Polytope p = random.polytope(n);
        EXPECT_EQ(p.vertices.size(), n);
        EXPECT_EQ(p.faces.size(), 2 * n - 4);
        expect_sound(p);
    }
}

TEST(Polytope, PolygonsAreCounterClockwiseWithOutwardNormals) {
    const Polytope p = regular_polygon(7, 2.0);
    ASSERT_EQ(p.vertices.size(), 7u);
    EXPECT_NEAR((p.vertices[0] - Vector3d(2, 0, 0)).norm(), 0.0, 1e-15);
    for (std::size_t k = 0; k < 7; ++k) {
        EXPECT_NEAR(p.offsets[k], 2.0 * std::cos(std::numbers::pi / 7), 1e-14);
        EXPECT_NEAR(p.normals[k].dot(p.vertices[p.faces[k][1]]), p.offsets[k], 1e-14);
    }
    EXPECT_EQ(rod(1.0, 0.01).vertices.size(), 4u);
    // Points inside and on edges are left out.
    const std::vector<Vector3d> points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 2}, {1, 0, 1}, {0, 0, 2}};
    EXPECT_EQ(make_polygon(points).vertices.size(), 4u);
}

TEST(Polytope, DegeneratePointsAreOneClearError) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    using Points = std::vector<Vector3d>;
    EXPECT_THROW((void)make_polytope(Points{}), model::Error);
    EXPECT_THROW((void)make_polytope(Points(10, Vector3d(1, 2, 3))), model::Error);
    EXPECT_THROW((void)make_polytope(Points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), model::Error);
    EXPECT_THROW((void)make_polytope(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}}), model::Error);
    EXPECT_THROW((void)make_polytope(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, nan}}), model::Error);
    EXPECT_THROW((void)make_polygon(Points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), model::Error);
    EXPECT_THROW((void)make_polygon(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}), model::Error);
    EXPECT_THROW((void)regular_polygon(2, 1.0), model::Error);
    EXPECT_THROW((void)regular_polygon(5, -1.0), model::Error);
    EXPECT_THROW((void)rod(1.0, 0.0), model::Error);
}

}  // namespace
}  // namespace scree::reference
