// SPDX-License-Identifier: BSD-3-Clause
// The growth of a shape to a triangle, against the gauge of the shape over a fine grid of the triangle.
#include "kernels/collide/shapes/growth.hpp"

#include "kernels/collide/shapes/mesh_triangles.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::kernels {
namespace {

using reference::Pose;
using reference::testing::ShapePairs;

struct Shapes {
    geometry::ConvexShapes list;
    std::int32_t sphere = list.add_sphere(0.3), box = list.add_box({0.5, 0.4, 0.3});
    std::int32_t ellipsoid = list.add_ellipsoid({0.5, 0.4, 0.3});
    std::int32_t same_ellipsoid = list.add_superquadric({0.5, 0.4, 0.3}, 1.0, 1.0);
    std::int32_t cylinder = list.add_cylinder(0.4, 0.3), capsule = list.add_capsule(0.2, 0.4);
};
const Shapes& shapes() {
    static const Shapes made;
    return made;
}
const ShapeView& shape_view() {
    static const ShapeView view = shapes().list.view();
    return view;
}

Growth growth_of(std::int32_t shape, const Pose& pose, const TriangleCorners& triangle, double most = 1e300) {
    const PlacedShape placed = test::placed(shapes().list, shape, pose);
    TrianglePlate plate(triangle, placed.position);
    const DifferenceBody pair(shape_view(), placed, plate.plate());
    const Vector3d off = nearest_on_triangle(placed.position, triangle.a, triangle.b, triangle.c) - placed.position;
    return growth_to(pair, placed.rounding(), placed.to_body(unit(off)), most);
}

/// How much a shape must grow to reach a point of its own frame.
double gauge(std::int32_t shape, Vector3d x) {
    const Shapes& s = shapes();
    if (shape == s.sphere) return norm(x) / 0.3;
    if (shape == s.box) return std::max({std::abs(x.x) / 0.5, std::abs(x.y) / 0.4, std::abs(x.z) / 0.3});
    if (shape == s.cylinder) return std::max(std::hypot(x.x, x.y) / 0.4, std::abs(x.z) / 0.3);
    return norm(Vector3d{x.x / 0.5, x.y / 0.4, x.z / 0.3});
}

/// A triangle at about `distance` from the origin.
TriangleCorners random_triangle(ShapePairs& random, double distance) {
    const Vector3d centre = distance * test::vector_of(random.direction());
    const auto corner = [&] { return centre + random.uniform(0.1, 1.0) * test::vector_of(random.direction()); };
    const Vector3d a = corner(), b = corner(), c = corner();
    return {a, b, c};
}

TEST(Growth, IsTheLeastGaugeOfTheTrianglesPoints) {
    const Shapes& s = shapes();
    ShapePairs random(11, false);
    const std::int32_t all[] = {s.sphere, s.box, s.ellipsoid, s.same_ellipsoid, s.cylinder};
    for (int k = 0; k < 400; ++k) {
        const std::int32_t shape = all[k % 5];
        const Pose pose{Eigen::Vector3d(0.3, -0.2, 0.1), random.orientation()};
        const PlacedShape placed = test::placed(s.list, shape, pose);
        const TriangleCorners t = random_triangle(random, random.uniform(0.2, 1.5));
        double least = 1e300;
        constexpr int cells = 100;
        for (int i = 0; i <= cells; ++i)
            for (int j = 0; i + j <= cells; ++j) {
                const Vector3d p = t.a + (double(i) / cells) * (t.b - t.a) + (double(j) / cells) * (t.c - t.a);
                least = std::min(least, gauge(shape, placed.to_body(p - placed.position)));
            }
        const Growth found = growth_of(shape, pose, t);
        EXPECT_LE(found.factor, least + 1e-9) << k;
        // A point of the grid lies within the diameter of half a cell, 0.02 at most, and the gauge rises by 1 in 0.3.
        EXPECT_GE(found.factor, least - 0.02 / 0.3) << k;
    }
}

TEST(Growth, IsReachedAlongItsDirection) {
    const Shapes& s = shapes();
    const ShapeView view = s.list.view();
    ShapePairs random(12, false);
    const std::int32_t all[] = {s.sphere, s.box, s.ellipsoid, s.same_ellipsoid, s.cylinder, s.capsule};
    for (int k = 0; k < 600; ++k) {
        const Pose pose{Eigen::Vector3d(0.3, -0.2, 0.1), random.orientation()};
        const PlacedShape placed = test::placed(s.list, all[k % 6], pose);
        const TriangleCorners t = random_triangle(random, random.uniform(0.2, 1.5));
        const Growth found = growth_of(all[k % 6], pose, t);
        TrianglePlate plate(t, placed.position);
        const DifferenceBody pair(view, placed, plate.plate());
        EXPECT_NEAR(norm(found.d), 1.0, 1e-12);
        EXPECT_NEAR(nearest_along(pair, found.d), found.factor * reach_along(pair, found.d, placed.rounding()), 1e-12);
    }
}

TEST(Growth, OfAnEllipsoidInClosedFormIsThatOfTheSearch) {
    ShapePairs random(13, false);
    for (int k = 0; k < 500; ++k) {
        const Pose pose{Eigen::Vector3d(0.3, -0.2, 0.1), random.orientation()};
        const TriangleCorners t = random_triangle(random, random.uniform(0.2, 1.5));
        const Growth exact = growth_of(shapes().ellipsoid, pose, t);
        const Growth found = growth_of(shapes().same_ellipsoid, pose, t);
        EXPECT_NEAR(found.factor, exact.factor, 1e-8 * (1.0 + exact.factor)) << k;
    }
}

TEST(Growth, EndsWhereItPassesWhatTheCallerCaresFor) {
    const TriangleCorners t({-1, -1, -2}, {1, -1, -2}, {0, 1, -2});
    const Growth found = growth_of(shapes().box, Pose{}, t, 3.0);
    EXPECT_TRUE(found.passed);
    EXPECT_GE(found.factor, 3.0);
    EXPECT_LE(found.factor, 2.0 / 0.3 + 1e-12);
}

TEST(Growth, OfAShapeWhoseOriginIsOnTheTriangleIsNone) {
    const TriangleCorners t({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
    const PlacedShape placed = test::placed(shapes().list, shapes().box, Pose{});
    TrianglePlate plate(t, placed.position);
    const DifferenceBody pair(shape_view(), placed, plate.plate());
    const Growth found = growth_to(pair, 0.0, {0, 0, -1}, 1e300);
    EXPECT_EQ(found.factor, 0.0);
    EXPECT_TRUE(finite(found.d));
}

}  // namespace
}  // namespace scree::kernels
