// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes on the parts of boundaries: against the reference's half-space, the rules for spheres, and sampled
// surfaces.
#include "kernels/collide/shapes/wall_contacts.hpp"

#include "engine/reference/collision.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::kernels {
namespace {

using reference::Pose;
using reference::testing::ShapePairs;

WallContacts contacts_of(const geometry::ConvexShapes& list, const PlacedShape& a, const BoundaryPart& part,
                         double reach) {
    WallContacts found;
    Vector3d axis{0, 0, 0};
    find_wall_contacts(list.view(), a, part, reach, axis, found);
    return found;
}

TEST(PlaneContacts, AreThoseOfTheReference) {
    ShapePairs random(1, false);
    for (std::size_t kind = 0; kind < 6; ++kind)
        for (int k = 0; k < 2000; ++k) {
            const reference::Shape shape = random.shape(kind);
            if (const auto* p = std::get_if<reference::Polytope>(&shape);
                p != nullptr && *std::min_element(p->offsets.begin(), p->offsets.end()) < 0.01)
                continue;
            geometry::ConvexShapes list;
            const Pose pose{random.uniform(0.0, 1.2) * random.direction(), random.orientation()};
            const PlacedShape placed = test::placed(list, test::add(list, shape), pose);
            const reference::Shape solid = reference::HalfSpace{};
            const auto expected = reference::near_points(shape, pose, solid, Pose{}, 0.05, false);
            const WallContacts found = contacts_of(list, placed, BoundaryPart{}, 0.05);
            ASSERT_EQ(found.count, std::min(int(expected.size()), Manifold::capacity));
            if (found.count == 0) continue;
            double least = 1e300;
            for (const auto& p : expected) least = std::min(least, p.gap);
            // One product of a point and the normal on both sides: rounding.
            EXPECT_NEAR(found.point[0].gap, least, 1e-13);
            for (int c = 0; c < found.count; ++c) {
                const Vector3d middle = found.point[c].point;
                EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), [&](const auto& p) {
                    return (0.5 * (p.on_a + p.on_b) - test::eigen_of(middle)).norm() < 1e-12;
                }));
            }
        }
}

TEST(PlaneContacts, KeepTheDeepestAndTheFarthestApartOfManyCorners) {
    geometry::ConvexShapes list;
    std::vector<model::Vec3> corners;
    for (int k = 0; k < 80; ++k) {
        const double angle = 2.0 * std::numbers::pi * (k % 40) / 40.0;
        corners.push_back({std::cos(angle), std::sin(angle), k < 40 ? -0.5 : 0.5});
    }
    const std::int32_t prism = list.add_polyhedron(corners);
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(1e-3, Eigen::Vector3d::UnitY()));
    const WallContacts found =
        contacts_of(list, test::placed(list, prism, {Eigen::Vector3d(0, 0, 0.5), turn}), BoundaryPart{}, 0.1);
    ASSERT_EQ(found.count, Manifold::capacity);
    EXPECT_NEAR(found.point[0].gap, 0.5 - 0.5 * std::cos(1e-3) - std::sin(1e-3), 1e-12);
    double x[2] = {1e300, -1e300}, y[2] = {1e300, -1e300};
    for (int k = 0; k < found.count; ++k) {
        x[0] = std::min(x[0], found.point[k].point.x);
        x[1] = std::max(x[1], found.point[k].point.x);
        y[0] = std::min(y[0], found.point[k].point.y);
        y[1] = std::max(y[1], found.point[k].point.y);
    }
    EXPECT_GT(x[1] - x[0], 1.9);
    EXPECT_GT(y[1] - y[0], 1.9);
}

/// Spheres and small boxes with a rounding that makes them all but spheres obey the rule of spheres.
TEST(WallContacts, OfASphereAreThoseOfTheRuleForSpheres) {
    ShapePairs random(2, false);
    geometry::ConvexShapes list;
    const std::int32_t sphere = list.add_sphere(0.3);
    for (const PartKind kind : {PartKind::plane, PartKind::rectangle, PartKind::box, PartKind::meridian})
        for (int k = 0; k < 10'000; ++k) {
            BoundaryPart part;
            part.kind = kind;
            const Eigen::Matrix3d axes = random.orientation().toRotationMatrix();
            part.e1 = test::vector_of(axes.col(0));
            part.e2 = test::vector_of(axes.col(1));
            part.e3 = test::vector_of(axes.col(2));
            part.a = random.uniform(0.3, 1.0);
            part.b = kind == PartKind::meridian ? -0.5 : random.uniform(0.3, 1.0);
            part.c = random.uniform(0.3, 1.0);
            part.d = 0.5;
            part.side = k % 2 == 0 ? 1.0 : -1.0;
            const Vector3d at = random.uniform(0.0, 1.6) * test::vector_of(random.direction());
            const Pose pose{test::eigen_of(at), random.orientation()};
            const NearestPoint expected = nearest_on_part(part, at, 0.3);
            const WallContacts found = contacts_of(list, test::placed(list, sphere, pose), part, 0.1);
            // Behind rims the rule for spheres still pushes; the open rim of a hollow is not for shapes.
            if (kind == PartKind::meridian) {
                const double z = dot(at, part.e3), rho = norm(at - z * part.e3);
                const double dr = part.c - part.a, along = (rho - part.a) * dr + (z - part.b);
                if (along < 0.0 || along > dr * dr + 1.0 || rho < 0.01) continue;
                if (expected.found && expected.distance < -0.15) continue;  // nearer to come out at a rim
            }
            if (kind == PartKind::rectangle && expected.found) {
                if (dot(at, part.e3) < -0.3) continue;
                if (expected.distance < 0.0) continue;  // a centre behind the wall: out by the rim where that is nearer
            }
            if (!expected.found || expected.distance - 0.3 > 0.1) {
                EXPECT_EQ(found.count, 0) << int(kind) << ' ' << k;
                continue;
            }
            ASSERT_EQ(found.count, 1) << int(kind) << ' ' << k;
            EXPECT_NEAR(found.point[0].gap, expected.distance - 0.3, 1e-10) << int(kind) << ' ' << k;
            if (std::abs(expected.distance) > 1e-3) {
                EXPECT_GT(dot(found.normal[0], expected.normal), 1.0 - 1e-9) << int(kind) << ' ' << k;
            }
        }
}

TEST(RectangleContacts, PushToTheFrontHoweverDeep) {
    geometry::ConvexShapes list;
    const std::int32_t box = list.add_box({0.5, 0.5, 0.5});
    BoundaryPart wall;
    wall.kind = PartKind::rectangle;
    wall.a = wall.b = 5.0;
    for (const double height : {0.505, 0.499, 0.1, -0.1, -0.499}) {
        const WallContacts found = contacts_of(
            list, test::placed(list, box, {Eigen::Vector3d(0.3, 0.2, height), Eigen::Quaterniond::Identity()}), wall,
            0.01);
        ASSERT_EQ(found.count, 4);
        EXPECT_NEAR(found.point[0].gap, height - 0.5, 1e-12);
        EXPECT_NEAR(found.normal[0].z, -1.0, 1e-12);
    }
    EXPECT_EQ(
        contacts_of(list, test::placed(list, box, {Eigen::Vector3d(0.3, 0.2, -0.501), Eigen::Quaterniond::Identity()}),
                    wall, 0.01)
            .count,
        0);
}

TEST(RectangleContacts, PushSidewaysAtTheRim) {
    geometry::ConvexShapes list;
    const std::int32_t box = list.add_box({0.5, 0.5, 0.5});
    BoundaryPart wall;
    wall.kind = PartKind::rectangle;
    wall.a = wall.b = 1.0;
    const WallContacts found = contacts_of(
        list, test::placed(list, box, {Eigen::Vector3d(1.499, 0.0, 0.1), Eigen::Quaterniond::Identity()}), wall, 0.01);
    ASSERT_EQ(found.count, 2);
    EXPECT_NEAR(found.normal[0].x, -1.0, 1e-12);
    EXPECT_NEAR(found.point[0].gap, -0.001, 1e-12);
}

/// The lowest of many points of the surface, which lies above the true lowest by the square of their distance only.
double lowest_of_surface(const geometry::ConvexShapes& list, const PlacedShape& placed, const BoundaryPart& part) {
    double least = 1e300;
    ShapePairs random(3, false);
    const double radius = placed.bounding_radius();
    for (int k = 0; k < 4000; ++k) {
        const Vector3d p = support(list.view(), placed, test::vector_of(random.direction()));
        const NearestPoint nearest = nearest_on_meridian(part, p, radius);
        if (nearest.found) least = std::min(least, nearest.distance);
    }
    return least;
}

TEST(HollowContacts, HaveTheLowestPointOfTheSurface) {
    ShapePairs random(4, false);
    BoundaryPart drum;
    drum.kind = PartKind::meridian;
    drum.a = 1.5;
    drum.b = -5.0;
    drum.d = 5.0;
    for (const double lower : {1.5, 2.5}) {
        drum.c = lower;
        for (std::size_t kind = 0; kind < 6; ++kind)
            for (int k = 0; k < 30; ++k) {
                const reference::Shape shape = random.shape(kind);
                if (const auto* p = std::get_if<reference::Polytope>(&shape);
                    p != nullptr && *std::min_element(p->offsets.begin(), p->offsets.end()) < 0.01)
                    continue;
                geometry::ConvexShapes list;
                const Pose pose{random.uniform(0.0, 1.0) * random.direction(), random.orientation()};
                const PlacedShape placed = test::placed(list, test::add(list, shape), pose);
                const WallContacts found = contacts_of(list, placed, drum, 1.0);
                const double sampled = lowest_of_surface(list, placed, drum);
                if (sampled > 0.9) continue;
                ASSERT_GE(found.count, 1);
                // Samples lie above the lowest point; of 4000 directions one comes within 0.1 of any.
                EXPECT_LE(found.point[0].gap, sampled + 1e-9) << kind;
                EXPECT_GE(found.point[0].gap, sampled - 0.02) << kind;
                // A point moved on to the wall along its normal is on it.
                for (int c = 0; c < found.count; ++c) {
                    const Vector3d on_wall = found.point[c].point + 0.5 * found.point[c].gap * found.normal[c];
                    EXPECT_NEAR(nearest_on_meridian(drum, on_wall, 1.0).distance, 0.0, 1e-9);
                }
            }
    }
}

TEST(HollowContacts, OfABoxInADrumAreTwoEdges) {
    geometry::ConvexShapes list;
    const std::int32_t box = list.add_box({0.5, 0.5, 0.5}), cylinder = list.add_cylinder(0.5, 0.5);
    BoundaryPart drum;
    drum.kind = PartKind::meridian;
    drum.a = drum.c = 2.0;
    drum.b = -5.0;
    drum.d = 5.0;
    const double touch = std::sqrt(4.0 - 0.25) - 0.5;
    const WallContacts corners = contacts_of(
        list, test::placed(list, box, {Eigen::Vector3d(touch, 0, 0), Eigen::Quaterniond::Identity()}), drum, 0.01);
    ASSERT_EQ(corners.count, 4);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(corners.point[k].gap, 0.0, 1e-12);
    const WallContacts line = contacts_of(
        list, test::placed(list, cylinder, {Eigen::Vector3d(1.499, 0, 0), Eigen::Quaterniond::Identity()}), drum, 0.01);
    ASSERT_EQ(line.count, 2);
    EXPECT_NEAR(line.point[0].gap, 0.001, 1e-12);
}

TEST(PipeContacts, FromOutsideAreThoseOfItsSideAndItsRims) {
    geometry::ConvexShapes list;
    const std::int32_t box = list.add_box({0.5, 0.5, 0.5}), ball = list.add_sphere(0.3);
    BoundaryPart pipe;
    pipe.kind = PartKind::meridian;
    pipe.a = pipe.c = 1.0;
    pipe.b = -2.0;
    pipe.d = 2.0;
    pipe.side = -1.0;
    const auto at = [&](std::int32_t shape, double x, double z) {
        return contacts_of(list, test::placed(list, shape, {Eigen::Vector3d(x, 0, z), Eigen::Quaterniond::Identity()}),
                           pipe, 0.01);
    };
    const WallContacts side = at(box, 1.499, 0.0);
    ASSERT_EQ(side.count, 2);
    EXPECT_NEAR(side.point[0].gap, -0.001, 1e-12);
    EXPECT_NEAR(side.normal[0].x, -1.0, 1e-12);
    EXPECT_GE(at(box, 0.8, 2.499).count, 2);   // on the upper rim
    EXPECT_EQ(at(ball, 0.0, 2.299).count, 0);  // over the opening
    EXPECT_GE(at(ball, 1.0, 2.299).count, 1);  // on the rim
}

}  // namespace
}  // namespace scree::kernels
