// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/mass_properties.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/polytope.hpp"
#include "tests/support/shape_pairs.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

void expect_close(const Vector3d& value, const Vector3d& expected, double relative) {
    EXPECT_LE((value - expected).norm(), relative * expected.norm())
        << value.transpose() << " | " << expected.transpose();
}

TEST(MassProperties, SolidsHaveTheirTextbookMoments) {
    const double density = 3.0;
    const auto sphere = mass_properties(Sphere{2.0}, density, false);
    EXPECT_NEAR(sphere.mass, density * 4.0 / 3.0 * pi * 8.0, 1e-12);
    expect_close(sphere.inertia, Vector3d::Constant(0.4 * sphere.mass * 4.0), 1e-15);
    const auto box = mass_properties(Box{{1, 2, 3}}, density, false);
    EXPECT_NEAR(box.mass, density * 48.0, 1e-12);
    expect_close(box.inertia, box.mass / 12.0 * Vector3d(16 + 36, 4 + 36, 4 + 16), 1e-15);
    const auto ellipsoid = mass_properties(Ellipsoid{{1, 2, 3}}, density, false);
    expect_close(ellipsoid.inertia, ellipsoid.mass / 5.0 * Vector3d(4 + 9, 1 + 9, 1 + 4), 1e-15);
    const auto cylinder = mass_properties(Cylinder{1.0, 2.0}, density, false);
    EXPECT_NEAR(cylinder.mass, density * pi * 4.0, 1e-12);
    expect_close(cylinder.inertia, cylinder.mass * Vector3d(0.25 + 16.0 / 12, 0.25 + 16.0 / 12, 0.5), 1e-15);
}

TEST(MassProperties, SectionsHaveTheirTextbookMoments) {
    const auto disc = mass_properties(Sphere{2.0}, 3.0, true);
    EXPECT_NEAR(disc.mass, 3.0 * pi * 4.0, 1e-12);
    EXPECT_NEAR(disc.inertia.y(), 0.5 * disc.mass * 4.0, 1e-12);
    const auto plate = mass_properties(Box{{1, 7, 3}}, 3.0, true);
    EXPECT_NEAR(plate.inertia.y(), plate.mass / 12.0 * (4 + 36), 1e-12);
    const auto ellipse = mass_properties(Ellipsoid{{1, 7, 3}}, 3.0, true);
    EXPECT_NEAR(ellipse.inertia.y(), ellipse.mass / 4.0 * (1 + 9), 1e-12);
    const auto side_view = mass_properties(Cylinder{1.0, 3.0}, 3.0, true);
    EXPECT_NEAR(side_view.inertia.y(), plate.inertia.y(), 1e-12);
    const auto thin = mass_properties(rod(1.0, 1e-4), 1.0, true);
    EXPECT_NEAR(thin.inertia.y(), thin.mass / 3.0, 1e-8 * thin.mass);  // the square of the half-thickness is 1e-8
    const auto polygon = mass_properties(regular_polygon(1000, 2.0), 3.0, true);
    // A polygon of n edges lacks (2 pi / n)^2 / 6 = 7e-6 of the circle's area, and twice that of its moment.
    EXPECT_NEAR(polygon.inertia.y() / disc.inertia.y(), 1.0, 1.5e-5);
}

TEST(MassProperties, SuperquadricsIncludeEllipsoidsOctahedraAndCylinders) {
    const Vector3d semi(1, 2, 3);
    const auto expect_same = [](const MassProperties& l, const MassProperties& r, double relative) {
        EXPECT_NEAR(l.volume / r.volume, 1.0, relative);
        expect_close(l.inertia, r.inertia, relative);
    };
    for (const bool planar : {false, true})
        expect_same(mass_properties(Superquadric{semi, 1, 1}, 2, planar), mass_properties(Ellipsoid{semi}, 2, planar),
                    1e-14);
    const std::vector<Vector3d> corners{{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 3}, {0, 0, -3}};
    expect_same(mass_properties(Superquadric{semi, 2, 2}, 2, false), mass_properties(make_polytope(corners), 2, false),
                1e-14);
    // With a vanishing e1 a cylinder; the volume lacks a part of order e1.
    expect_same(mass_properties(Superquadric{{1, 1, 3}, 1e-6, 1}, 2, false), mass_properties(Cylinder{1, 3}, 2, false),
                1e-5);
}

/// Midpoint rule over a grid of the bounding box; the error is that of the cells cut by the surface.
TEST(MassProperties, SuperquadricsAgreeWithAGrid) {
    for (const auto& [e1, e2] : {std::pair{0.3, 1.6}, std::pair{1.4, 0.5}}) {
        const Superquadric s{{1, 0.7, 0.5}, e1, e2};
        constexpr int n = 100;
        double volume = 0;
        Vector3d squares = Vector3d::Zero();
        const Vector3d cell = 2.0 / n * s.semi_axes;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k) {
                    const Vector3d p = cell.cwiseProduct(Vector3d(i + 0.5, j + 0.5, k + 0.5)) - s.semi_axes;
                    if (testing::implicit(s, {}, p, false) > 0.0) continue;
                    volume += cell.prod();
                    squares += cell.prod() * p.cwiseAbs2();
                }
        const auto exact = mass_properties(s, 1.0, false);
        // About 6 n^2 cut cells of n^3, each wrong by up to half with random sign: 3 / n^2 = 3e-4; the grid is aligned
        // with the flat parts, so signs are not quite random: 3e-3.
        EXPECT_NEAR(volume / exact.volume, 1.0, 3e-3);
        const Vector3d moments(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
        expect_close(moments, exact.inertia, 6e-3);
    }
}

TEST(MassProperties, APolytopeIsTheSameWhereverItsAxesAre) {
    testing::ShapePairs random(4, false);
    std::vector<Vector3d> box;
    const Eigen::Quaterniond turn = random.orientation();
    const Vector3d shift(3, -2, 1);
    for (int k = 0; k < 8; ++k)
        box.push_back(shift + turn * Vector3d((k & 1) - 0.5, 2 * (k >> 1 & 1) - 1.0, 3 * (k >> 2 & 1) - 1.5));
    const Polytope given = make_polytope(box);
    const auto mass = mass_properties(given, 2.0, false);
    const auto expected = mass_properties(Box{{0.5, 1.0, 1.5}}, 2.0, false);
    EXPECT_NEAR(mass.mass, expected.mass, 1e-12);
    EXPECT_LE((mass.centre - shift).norm(), 1e-13);
    Vector3d sorted = mass.inertia, sorted_expected = expected.inertia;
    std::sort(sorted.begin(), sorted.end());
    std::sort(sorted_expected.begin(), sorted_expected.end());
    expect_close(sorted, sorted_expected, 1e-13);

    const CentredPolytope body = centred(given, false);
    const auto again = mass_properties(body.shape, 2.0, false);
    EXPECT_LE(again.centre.norm(), 1e-13);
    EXPECT_TRUE(again.axes.isApprox(Eigen::Quaterniond::Identity(), 1e-10));
    expect_close(again.inertia, mass.inertia, 1e-12);
    for (std::size_t k = 0; k < given.vertices.size(); ++k)
        EXPECT_LE((body.frame.to_world(body.shape.vertices[k]) - given.vertices[k]).norm(), 1e-13);
    for (std::size_t k = 0; k < body.shape.normals.size(); ++k) {
        EXPECT_GT(body.shape.offsets[k], 0.0);
        EXPECT_NEAR(body.shape.normals[k].dot(body.shape.vertices[body.shape.faces[k][0]]), body.shape.offsets[k],
                    1e-13);
    }
}

TEST(MassProperties, ATetrahedronHasItsClosedForm) {
    // Corner at the origin, edges a, b, c along the axes: second moments a^2 / 10 and products a b / 20 of the mass
    // / 2.
    const double a = 1.0, b = 2.0, c = 3.0;
    const std::vector<Vector3d> corners{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
    const auto mass = mass_properties(make_polytope(corners), 1.0, false);
    EXPECT_NEAR(mass.volume, a * b * c / 6, 1e-15);
    EXPECT_LE((mass.centre - Vector3d(a, b, c) / 4).norm(), 1e-15);
    Matrix3d second;  // about the origin
    second << a * a / 10, a * b / 20, a * c / 20, a * b / 20, b * b / 10, b * c / 20, a * c / 20, b * c / 20,
        c * c / 10;
    second = (second - mass.centre * mass.centre.transpose()) * mass.volume;
    const Matrix3d inertia = second.trace() * Matrix3d::Identity() - second;
    const Matrix3d axes = mass.axes.toRotationMatrix();
    EXPECT_LE((axes * mass.inertia.asDiagonal() * axes.transpose() - inertia).norm(), 1e-14);
}

TEST(MassProperties, APolygonOffCentreIsMovedToItsCentre) {
    const std::vector<Vector3d> triangle{{1, 0, 1}, {4, 0, 1}, {1, 0, 3}};
    const auto mass = mass_properties(make_polygon(triangle), 2.0, true);
    EXPECT_NEAR(mass.mass, 6.0, 1e-14);
    EXPECT_LE((mass.centre - Vector3d(2, 0, 5.0 / 3)).norm(), 1e-14);
    EXPECT_NEAR(mass.inertia.y(), mass.mass / 36 * (9 + 4 + 13), 1e-13);  // sum of squared edges / 36
    const auto body = centred(make_polygon(triangle), true);
    EXPECT_LE(mass_properties(body.shape, 2.0, true).centre.norm(), 1e-15);
}

TEST(MassProperties, BadInputIsOneClearError) {
    EXPECT_THROW((void)mass_properties(HalfSpace{}, 1.0, false), model::Error);
    EXPECT_THROW((void)mass_properties(Sphere{-1.0}, 1.0, false), model::Error);
    EXPECT_THROW((void)mass_properties(Sphere{}, 0.0, false), model::Error);
    EXPECT_THROW((void)mass_properties(Sphere{}, std::numeric_limits<double>::quiet_NaN(), false), model::Error);
    EXPECT_THROW((void)mass_properties(Polytope{}, 1.0, false), model::Error);
}

}  // namespace
}  // namespace scree::reference
