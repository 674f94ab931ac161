// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes on triangle meshes: a plane of triangles is a plane, edges push where they stick out.
#include "kernels/collide/shapes/mesh_contacts.hpp"

#include "tests/support/mesh_data.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::kernels {
namespace {

using reference::Pose;
using reference::testing::ShapePairs;
using test::Triangle;

struct Shapes {
    geometry::ConvexShapes list;
    std::int32_t box = list.add_box({0.5, 0.4, 0.3}), cylinder = list.add_cylinder(0.4, 0.3);
    std::int32_t capsule = list.add_capsule(0.2, 0.4), ellipsoid = list.add_ellipsoid({0.5, 0.4, 0.3});
    std::int32_t sphere = list.add_sphere(0.3), cone = list.add_cone(0.4, 0.8);
    std::int32_t superquadric = list.add_superquadric({0.5, 0.4, 0.3}, 0.6, 1.2);
};
const Shapes& shapes() {
    static const Shapes made;
    return made;
}

WallContacts on_mesh(std::int32_t shape, const Pose& pose, const MeshData& mesh, double reach) {
    WallContacts found;
    find_mesh_contacts(shapes().list.view(), test::placed(shapes().list, shape, pose), test::view_of(mesh), reach,
                       found);
    return found;
}

/// 100 triangles in the plane z = 0.
MeshData floor_mesh() {
    std::vector<Triangle> t = test::tessellated({-1.5, -2.0, 0.0}, {3.0, 0.0, 0.0}, {0.0, 4.0, 0.0}, 7, 5);
    return test::mesh_of(t);
}

TEST(ShapeOnMesh, SlidesOverTrianglesOfAPlaneWithThePlanesNormalAndGaps) {
    const MeshData mesh = floor_mesh();
    const Shapes& s = shapes();
    const double height[] = {0.299, 0.299, 0.199, 0.299, 0.299, 0.199, 0.299};
    const std::int32_t all[] = {s.box, s.cylinder, s.capsule, s.ellipsoid, s.sphere, s.cone, s.superquadric};
    for (int which = 0; which < 7; ++which)
        for (int step = 0; step < 100; ++step) {
            const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.02 * step, Eigen::Vector3d::UnitZ()));
            const Eigen::Quaterniond lie =
                all[which] == s.capsule
                    ? Eigen::Quaterniond(Eigen::AngleAxisd(1.57079632679489661923, Eigen::Vector3d::UnitY()))
                    : Eigen::Quaterniond::Identity();
            const Pose pose{Eigen::Vector3d(-0.6 + 0.011 * step, -0.7 + 0.013 * step, height[which]),
                            (turn * lie).normalized()};
            const WallContacts found = on_mesh(all[which], pose, mesh, 0.01);
            WallContacts plane;
            Vector3d axis{0, 0, 0};
            find_wall_contacts(s.list.view(), test::placed(s.list, all[which], pose), BoundaryPart{}, 0.01, axis,
                               plane);
            ASSERT_GE(found.count, 1);
            EXPECT_EQ(found.count, plane.count) << which << ' ' << step;
            for (int k = 0; k < found.count; ++k) {
                EXPECT_NEAR(found.normal[k].z, -1.0, 1e-12);
                bool same = false;
                for (int p = 0; p < plane.count; ++p)
                    same = same || (norm(plane.point[p].point - found.point[k].point) < 1e-9 &&
                                    plane.point[p].feature == found.point[k].feature);
                EXPECT_TRUE(same) << which << ' ' << step;
            }
        }
}

TEST(ShapeOnMesh, HasThePlanesGapInAnyPose) {
    const MeshData mesh = floor_mesh();
    const Shapes& s = shapes();
    ShapePairs random(6, false);
    for (int k = 0; k < 2000; ++k) {
        const std::int32_t all[] = {s.box, s.cylinder, s.capsule, s.ellipsoid, s.sphere, s.cone, s.superquadric};
        const std::int32_t which = all[k % 7];
        Pose pose{Eigen::Vector3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.0), random.orientation()};
        // Overlapping by 0.005: less than the triangles' size.
        const PlacedShape placed = test::placed(s.list, which, pose);
        pose.position.z() = -support(s.list.view(), placed, {0, 0, -1}).z - 0.005;
        const WallContacts found = on_mesh(which, pose, mesh, 0.002);
        ASSERT_GE(found.count, 1) << k;
        EXPECT_NEAR(found.point[0].gap, -0.005, 1e-9) << k;
        for (int c = 0; c < found.count; ++c) EXPECT_NEAR(found.normal[c].z, -1.0, 1e-9) << k;
    }
}

MeshData step_mesh() {  // solid x > 0, z < 0, open elsewhere
    const Vector3d a{0, -3, 0}, b{3, -3, 0}, c{3, 3, 0}, d{0, 3, 0}, e{0, -3, -3}, f{0, 3, -3};
    std::vector<Triangle> t{{a, b, c}, {a, c, d}, {a, d, f}, {a, f, e}};
    return test::mesh_of(t);
}

TEST(ShapeOnMesh, IsPushedOutTheShortestWayAtAConvexEdge) {
    const MeshData mesh = step_mesh();
    const WallContacts side =
        on_mesh(shapes().box, {Eigen::Vector3d(-0.499, 0, -0.1), Eigen::Quaterniond::Identity()}, mesh, 0.01);
    ASSERT_GE(side.count, 2);
    for (int k = 0; k < side.count; ++k) {
        EXPECT_NEAR(side.normal[k].x, 1.0, 1e-9);
        EXPECT_NEAR(side.point[k].gap, -0.001, 1e-9);
    }
    const WallContacts top =
        on_mesh(shapes().box, {Eigen::Vector3d(-0.2, 0, 0.299), Eigen::Quaterniond::Identity()}, mesh, 0.01);
    ASSERT_GE(top.count, 4);
    for (int k = 0; k < top.count; ++k) EXPECT_NEAR(top.normal[k].z, -1.0, 1e-9);
}

TEST(ShapeOnMesh, RestsWithItsFaceOnAConvexEdge) {
    const MeshData mesh = step_mesh();
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(-0.78539816339744830962, Eigen::Vector3d::UnitY()));
    const Eigen::Vector3d up(-std::sqrt(0.5), 0.0, std::sqrt(0.5));
    const Eigen::Vector3d middle(0.0, 0.0, 0.0);
    const WallContacts found = on_mesh(shapes().box, {middle + 0.299 * up, turn}, mesh, 0.01);
    ASSERT_EQ(found.count, 2);
    for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(dot(found.normal[k], test::vector_of(up)), -1.0, 1e-9);
        EXPECT_NEAR(found.point[k].gap, -0.001, 1e-9);
    }
}

TEST(ShapeOnMesh, TouchesBothWallsOfAConcaveEdge) {
    const Vector3d a{0, -3, 0}, b{3, -3, 0}, c{3, 3, 0}, d{0, 3, 0}, e{0, -3, 3}, f{0, 3, 3};
    std::vector<Triangle> t{{a, b, c}, {a, c, d}, {a, d, f}, {a, f, e}};
    const MeshData mesh = test::mesh_of(t);
    const WallContacts found =
        on_mesh(shapes().box, {Eigen::Vector3d(0.499, 0.1, 0.298), Eigen::Quaterniond::Identity()}, mesh, 0.01);
    int floor = 0, wall = 0;
    for (int k = 0; k < found.count; ++k) {
        if (found.normal[k].z < -0.999) {
            ++floor;
            EXPECT_NEAR(found.point[k].gap, -0.002, 1e-9);
        } else {
            ++wall;
            EXPECT_NEAR(found.normal[k].x, -1.0, 1e-9);
            EXPECT_NEAR(found.point[k].gap, -0.001, 1e-9);
        }
    }
    EXPECT_EQ(floor, 4);
    EXPECT_GE(wall, 4);
}

TEST(ShapeOnMesh, OfASphereHasTheNearestPointOfTheRuleForSpheres) {
    ShapePairs random(7, false);
    for (int k = 0; k < 500; ++k) {
        std::vector<Triangle> t;
        const Vector3d centre{0, 0, 0};
        for (int i = 0; i < 6; ++i) {
            Triangle triangle;
            for (Vector3d& v : triangle) v = random.uniform(0.5, 2.0) * test::vector_of(random.direction());
            t.push_back(triangle);
        }
        const MeshData mesh = test::mesh_of(t);
        MeshContacts expected;
        find_mesh_contacts(test::view_of(mesh), centre, 0.3, 0.4, expected);
        const WallContacts found = on_mesh(shapes().sphere, Pose{}, mesh, 0.1);
        if (expected.count == 0) {
            EXPECT_EQ(found.count, 0);
            continue;
        }
        ASSERT_GE(found.count, 1);
        double least = 1e300;
        for (int c = 0; c < found.count; ++c) least = std::min(least, found.point[c].gap);
        EXPECT_NEAR(least, expected.distance[0] - 0.3, 1e-9) << k;
    }
}

TEST(ShapeOnMesh, OfAnEmptyMeshOrOneOfSliversHasNoContactThatIsNotFinite) {
    EXPECT_EQ(on_mesh(shapes().box, Pose{}, MeshData{}, 0.1).count, 0);
    std::vector<Triangle> t{{Vector3d{0, 0, 0}, Vector3d{1, 0, 0}, Vector3d{2, 0, 0}},
                            {Vector3d{0, 0, -0.3}, Vector3d{1, 0, -0.3}, Vector3d{0, 1e-9, -0.3}},
                            {Vector3d{0, 0, 0}, Vector3d{0, 0, 0}, Vector3d{0, 0, 0}}};
    const WallContacts found = on_mesh(shapes().box, Pose{}, test::mesh_of(t), 0.1);
    for (int k = 0; k < found.count; ++k)
        EXPECT_TRUE(std::isfinite(found.point[k].gap) && finite(found.point[k].point) && finite(found.normal[k]));
}

}  // namespace
}  // namespace scree::kernels
