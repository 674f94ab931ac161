// SPDX-License-Identifier: BSD-3-Clause
// No contact of a shape with a mesh is deeper than the shape lies in it, and none is missing: on rough ground by brute
// force over all triangles, at open rims and sharp edges by hand.
#include "kernels/collide/shapes/mesh_contacts.hpp"

#include "tests/support/mesh_data.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::kernels {
namespace {

using reference::Pose;
using reference::testing::ShapePairs;
using test::Triangle;

struct Shapes {
    geometry::ConvexShapes list;
    std::int32_t box = list.add_box({0.05, 0.05, 0.05}), plate = list.add_box({0.06, 0.05, 0.01});
    std::vector<model::Vec3> corners{{0.06, 0, -0.02}, {-0.03, 0.05, -0.02}, {-0.03, -0.05, -0.02}, {0, 0, 0.06}};
    std::int32_t tetrahedron = list.add_polyhedron(corners);
    std::int32_t cylinder = list.add_cylinder(0.05, 0.04), cone = list.add_cone(0.05, 0.08);
    std::int32_t capsule = list.add_capsule(0.02, 0.04), ellipsoid = list.add_ellipsoid({0.05, 0.04, 0.03});
    std::int32_t superquadric = list.add_superquadric({0.05, 0.04, 0.03}, 0.6, 1.2), sphere = list.add_sphere(0.04);
    std::vector<std::int32_t> all{box, plate, tetrahedron, cylinder, cone, capsule, ellipsoid, superquadric, sphere};
};
const Shapes& shapes() {
    static const Shapes made;
    return made;
}
const ShapeView& shape_view() {
    static const ShapeView view = shapes().list.view();
    return view;
}

WallContacts on_mesh(const PlacedShape& placed, const MeshData& mesh, double reach) {
    WallContacts found;
    find_mesh_contacts(shapes().list.view(), placed, test::view_of(mesh), reach, found);
    return found;
}

/// A height field of cells of `cell` with heights up to `bump`, about the origin.
std::vector<Triangle> rough_ground(ShapePairs& random, int cells, double cell, double bump) {
    std::vector<Vector3d> v;
    for (int j = 0; j <= cells; ++j)
        for (int i = 0; i <= cells; ++i)
            v.push_back({(i - 0.5 * cells) * cell, (j - 0.5 * cells) * cell, random.uniform(0.0, bump)});
    std::vector<Triangle> t;
    for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i) {
            const auto at = [&](int x, int y) { return v[std::size_t((j + y) * (cells + 1) + i + x)]; };
            t.push_back({at(0, 0), at(1, 0), at(1, 1)});
            t.push_back({at(0, 1), at(0, 0), at(1, 1)});  // the winding does not matter
        }
    return t;
}

/// Does the shape overlap any of the triangles?
bool overlaps(const PlacedShape& placed, const std::vector<Triangle>& mesh) {
    return std::any_of(mesh.begin(), mesh.end(), [&](const Triangle& t) {
        TrianglePlate plate(TriangleCorners(t[0], t[1], t[2]), placed.position);
        const DifferenceBody pair(shape_view(), placed, plate.plate());
        if (norm(nearest_on_triangle(placed.position, t[0], t[1], t[2]) - placed.position) > placed.bounding_radius())
            return false;
        return best_direction(pair, {0, 0, 0}, placed.rounding()).separation < placed.rounding();
    });
}

/// Lowers or lifts the shape until it just touches the ground from above.
void bring_down(PlacedShape& placed, const std::vector<Triangle>& mesh) {
    double low = 0.0, high = 0.3;
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (low + high);
        placed.position.z = middle;
        (overlaps(placed, mesh) ? low : high) = middle;
    }
    placed.position.z = high;
}

TEST(MeshDepth, OnRoughGroundIsNoMoreThanTheShapeWasLoweredAndFreesIt) {
    ShapePairs random(21, false);
    for (int k = 0; k < 270; ++k) {
        const double cell = std::exp(random.uniform(std::log(0.02), std::log(0.2)));
        const std::vector<Triangle> ground =
            rough_ground(random, int(0.4 / cell) + 2, cell, random.uniform(0.005, 0.05));
        const MeshData mesh = test::mesh_of(ground);
        const std::int32_t which = shapes().all[std::size_t(k) % shapes().all.size()];
        const Pose pose{Eigen::Vector3d(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.3),
                        random.orientation()};
        PlacedShape placed = test::placed(shapes().list, which, pose);
        bring_down(placed, ground);
        ASSERT_EQ(on_mesh(placed, mesh, -1e-6).count, 0) << k;
        const double lowered = 1e-4;
        placed.position.z -= lowered;
        const WallContacts found = on_mesh(placed, mesh, 0.0);
        ASSERT_GE(found.count, 1) << k;
        for (int c = 0; c < found.count; ++c) {
            EXPECT_LT(found.normal[c].z, 0.0) << k;
            EXPECT_GE(found.point[c].gap, -1.1 * lowered) << k;
        }
        // Out by the deepest contact, again and again: what is left to do gets small, and the way is not long.
        const Vector3d from = placed.position;
        double left = lowered;
        for (int round = 0; round < 200 && left > 1e-7; ++round) {
            const WallContacts now = on_mesh(placed, mesh, 0.0);
            int deepest = -1;
            left = 0.0;
            for (int c = 0; c < now.count; ++c)
                if (-now.point[c].gap > left) {
                    left = -now.point[c].gap;
                    deepest = c;
                }
            if (deepest >= 0) placed.position = placed.position + now.point[deepest].gap * now.normal[deepest];
        }
        EXPECT_LE(left, 1e-7) << k;
        EXPECT_LE(norm(placed.position - from), 3.0 * lowered) << k;
        placed.position.z += 2e-6;
        EXPECT_FALSE(overlaps(placed, ground)) << k;
    }
}

MeshData table() {  // the cube -1 < x < 0, |y| < 1, -1 < z < 0
    const auto at = [](int k) { return Vector3d{(k & 1) - 1.0, (k & 2) - 1.0, (k & 4) / 4 - 1.0}; };
    const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    std::vector<Triangle> t;
    for (const auto& f : faces) t.push_back({at(f[0]), at(f[1]), at(f[2])});
    return test::mesh_of(t);
}

TEST(MeshDepth, OfABoxAtTheSharpEdgeOfATableIsThatOfTheTop) {
    const MeshData mesh = table();
    // Short of the edge, over it with its centre inside, on it, and beyond it.
    for (const double x : {-0.051, -0.05, -0.03, 0.0, 0.02})
        for (const double tilt : {0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-5, -1e-5, 1e-4, -1e-4}) {
            const double depth = 1e-5, lowest = 0.05 * (std::cos(tilt) + std::abs(std::sin(tilt)));
            Pose pose{Eigen::Vector3d(x, 0.1, lowest - depth),
                      Eigen::Quaterniond(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY()))};
            const WallContacts found = on_mesh(test::placed(shapes().list, shapes().box, pose), mesh, 1e-4);
            ASSERT_GE(found.count, 2) << x << ' ' << tilt;
            for (int k = 0; k < found.count; ++k) {
                EXPECT_LT(found.normal[k].z, -0.999) << x << ' ' << tilt;
                EXPECT_GE(found.point[k].gap, -1.01 * depth) << x << ' ' << tilt;
            }
        }
}

TEST(MeshDepth, AtAnOpenRimHoldsATiltedBoxAtTheRim) {
    std::vector<Triangle> t{{Vector3d{-1, -1, 0}, Vector3d{0, -1, 0}, Vector3d{0, 1, 0}},
                            {Vector3d{-1, -1, 0}, Vector3d{0, 1, 0}, Vector3d{-1, 1, 0}}};
    const MeshData mesh = test::mesh_of(t);
    for (const double x : {-0.045, -0.03, -0.01})
        for (const double tilt : {0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
            // It leans outwards: its lowest corners are beyond the rim.
            const double depth = 1e-5;
            const Eigen::Quaterniond turn(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY()));
            const Eigen::Vector3d on_rim(0.0, 0.013, -depth);  // of its lower face
            Pose pose{on_rim + turn * Eigen::Vector3d(x, 0.0, 0.05), turn};
            const WallContacts found = on_mesh(test::placed(shapes().list, shapes().box, pose), mesh, 1e-4);
            ASSERT_GE(found.count, 2) << x << ' ' << tilt;
            double least = 0.0;
            for (int k = 0; k < found.count; ++k) {
                EXPECT_LT(found.normal[k].z, -0.99) << x << ' ' << tilt;
                least = std::min(least, found.point[k].gap);
            }
            EXPECT_NEAR(least, -depth, 2e-2 * depth) << x << ' ' << tilt;
        }
}

TEST(MeshDepth, OfAFaceOnTheCornersOfRoughGroundHasAllThatBear) {
    // Three peaks of one height, all else lower: a plate lies on them.
    std::vector<Triangle> t;
    for (const Vector3d peak : {Vector3d{-0.03, -0.03, 0}, Vector3d{0.03, -0.03, 0}, Vector3d{0.0, 0.03, 0}}) {
        const auto foot = [&](int k) {
            return peak + Vector3d{0.01 * std::cos(2.1 * k), 0.01 * std::sin(2.1 * k), -0.01};
        };
        for (int k = 0; k < 3; ++k) t.push_back({peak, foot(k), foot(k == 2 ? 0 : k + 1)});
    }
    const MeshData mesh = test::mesh_of(t);
    const Pose pose{Eigen::Vector3d(0.0, 0.0, 0.01 - 1e-5), Eigen::Quaterniond::Identity()};
    const WallContacts found = on_mesh(test::placed(shapes().list, shapes().plate, pose), mesh, 1e-3);
    ASSERT_EQ(found.count, 3);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(found.normal[k].z, -1.0, 1e-9);
        EXPECT_NEAR(found.point[k].gap, -1e-5, 1e-9);
    }
}

}  // namespace
}  // namespace scree::kernels
