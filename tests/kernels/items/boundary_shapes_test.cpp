// SPDX-License-Identifier: BSD-3-Clause
// Nearest points of analytic boundaries against searches over their surfaces.
#include "kernels/items/boundary_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace scree::kernels {
namespace {

using Surface =
    std::function<Vector3d(double, double)>;  ///< On the unit square; arguments beyond it are clamped or wrap.

/// Least distance from p: 25 x 25 samples, then again around the best of them, 18 times closer each time by a factor
/// of .4. The last spacing is (1/24) (.4)^18 = 3e-9 of the surface.
double searched_distance(const Surface& surface, Vector3d p) {
    double best = 1e300, best_u = 0.5, best_v = 0.5, width = 1.0;
    for (int level = 0; level <= 18; ++level) {
        const double center_u = best_u, center_v = best_v;
        for (int i = 0; i <= 24; ++i)
            for (int j = 0; j <= 24; ++j) {
                const double u = center_u + width * (i / 24.0 - 0.5), v = center_v + width * (j / 24.0 - 0.5);
                const double distance = norm(surface(u, v) - p);
                if (distance < best) best = distance, best_u = u, best_v = v;
            }
        width *= 0.4;
    }
    return best;
}
double searched_distance(const std::vector<Surface>& surfaces, Vector3d p) {
    double best = 1e300;
    for (const Surface& surface : surfaces) best = std::min(best, searched_distance(surface, p));
    return best;
}
constexpr double search_error = 1e-8;  // that spacing on sides of length 2, and some

/// A part in a random frame with sides of the order of 1.
BoundaryPart random_part(PartKind kind, std::mt19937& random) {
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    const auto vector = [&] { return Vector3d{both(random), both(random), both(random)}; };
    BoundaryPart part;
    part.kind = kind;
    part.origin = vector();
    part.e3 = vector();
    part.e3 = (1.0 / norm(part.e3)) * part.e3;
    part.e1 = cross(part.e3, vector());
    part.e1 = (1.0 / norm(part.e1)) * part.e1;
    part.e2 = cross(part.e3, part.e1);
    part.a = 0.7 + 0.5 * both(random);
    part.b = 0.7 + 0.5 * both(random);
    part.c = 0.7 + 0.5 * both(random);
    part.d = 0.7 + 0.5 * both(random);
    part.side = both(random) > 0.0 ? 1.0 : -1.0;
    return part;
}

Surface rectangle(Vector3d center, Vector3d half_u, Vector3d half_v) {
    return [=](double u, double v) {
        return center + (2.0 * clamped(u, 0.0, 1.0) - 1.0) * half_u + (2.0 * clamped(v, 0.0, 1.0) - 1.0) * half_v;
    };
}
std::vector<Surface> surfaces_of(const BoundaryPart& part) {
    const Vector3d a = part.a * part.e1, b = part.b * part.e2, c = part.c * part.e3;
    if (part.kind == PartKind::rectangle) return {rectangle(part.origin, a, b)};
    if (part.kind == PartKind::box)
        return {rectangle(part.origin + a, b, c), rectangle(part.origin - a, b, c), rectangle(part.origin + b, a, c),
                rectangle(part.origin - b, a, c), rectangle(part.origin + c, a, b), rectangle(part.origin - c, a, b)};
    return {[=](double along, double turn) {
        const double t = clamped(along, 0.0, 1.0), phi = 2.0 * std::numbers::pi * turn;
        const double rho = part.a + t * (part.c - part.a);
        return part.origin + (rho * std::cos(phi)) * part.e1 + (rho * std::sin(phi)) * part.e2 +
               (part.b + t * (part.d - part.b)) * part.e3;
    }};
}

class BoundaryPartKinds : public testing::TestWithParam<PartKind> {};

TEST_P(BoundaryPartKinds, GiveTheDistanceAndDirectionOfTheNearestPoint) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (int k = 0; k < 60; ++k) {
        const BoundaryPart part = random_part(GetParam(), random);
        const Vector3d center = part.origin + Vector3d{1.5 * both(random), 1.5 * both(random), 1.5 * both(random)};
        const std::vector<Surface> surfaces = surfaces_of(part);

        const NearestPoint found = nearest_on_part(part, center, 100.0);  // so large that no wall is too far behind

        ASSERT_TRUE(found.found);
        EXPECT_NEAR(std::abs(found.distance), searched_distance(surfaces, center), search_error) << "case " << k;
        EXPECT_NEAR(norm(found.normal), 1.0, 1e-14);
        EXPECT_NEAR(searched_distance(surfaces, center + found.distance * found.normal), 0.0, search_error);
    }
}
INSTANTIATE_TEST_SUITE_P(All, BoundaryPartKinds,
                         testing::Values(PartKind::rectangle, PartKind::box, PartKind::meridian));

TEST(FlatParts, ArePassedOverOnlyWhereTheyAreBeyondReach) {
    std::mt19937 random(12);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (const PartKind kind : {PartKind::plane, PartKind::rectangle, PartKind::box, PartKind::meridian}) {
        int passed_over = 0;
        for (int k = 0; k < 2000; ++k) {
            const BoundaryPart part = random_part(kind, random);
            const Vector3d center = part.origin + Vector3d{2.0 * both(random), 2.0 * both(random), 2.0 * both(random)};
            const double radius = 0.5 + 0.4 * both(random), margin = 0.1 + 0.1 * both(random);
            if (!lies_beyond(part, center, radius + margin)) continue;
            ++passed_over;
            const NearestPoint nearest = nearest_on_part(part, center, radius);
            EXPECT_TRUE(!nearest.found || nearest.distance > radius + margin - 1e-12) << "case " << k;
        }
        EXPECT_EQ(passed_over > 500, kind == PartKind::plane || kind == PartKind::rectangle) << passed_over;
    }
}

TEST(BoundaryPlane, GivesTheSignedHeight) {
    BoundaryPart part;
    part.origin = {0, 0, 1};
    const NearestPoint above = nearest_on_part(part, {5, -3, 3}, 1.0), below = nearest_on_part(part, {5, -3, -9}, 1.0);
    EXPECT_EQ(above.distance, 2.0);
    EXPECT_EQ(above.normal.z, -1.0);
    EXPECT_TRUE(below.found);  // everything behind a plane is solid
    EXPECT_EQ(below.distance, -10.0);
}

TEST(BoundaryBox, PushesACentreInsideOutThroughTheNearestFace) {
    BoundaryPart part;
    part.kind = PartKind::box;
    part.a = part.b = part.c = 1.0;
    const NearestPoint found = nearest_on_part(part, {0.1, -0.8, 0.2}, 0.1);
    EXPECT_NEAR(found.distance, -0.2, 1e-15);
    EXPECT_EQ(found.normal.y, 1.0);  // into the wall: the centre leaves towards -y
    EXPECT_NEAR(nearest_on_part(part, {0, 0, 0}, 0.1).distance, -1.0, 1e-15);
}

TEST(ThinWall, IgnoresASphereThatIsMoreThanItsRadiusBehind) {
    BoundaryPart wall;
    wall.kind = PartKind::rectangle;
    wall.a = wall.b = 1.0;
    EXPECT_TRUE(nearest_on_part(wall, {0, 0, -0.09}, 0.1).found);
    EXPECT_LT(nearest_on_part(wall, {0, 0, -0.09}, 0.1).distance, 0.0);
    EXPECT_FALSE(nearest_on_part(wall, {0, 0, -0.11}, 0.1).found);
}

TEST(ThinWall, PushesRadiallyAtItsRim) {
    BoundaryPart wall;
    wall.kind = PartKind::rectangle;
    wall.a = wall.b = 1.0;
    const NearestPoint found = nearest_on_part(wall, {1.3, 0.2, 0.4}, 1.0);
    EXPECT_NEAR(found.distance, 0.5, 1e-15);
    EXPECT_NEAR(found.normal.x, -0.6, 1e-15);
    EXPECT_NEAR(found.normal.z, -0.8, 1e-15);
}

/// A cylinder of radius 1 and height 2 about z whose free side is inside.
BoundaryPart inner_cylinder() {
    BoundaryPart part;
    part.kind = PartKind::meridian;
    part.a = part.c = 1.0;
    part.b = 0.0;
    part.d = 2.0;
    return part;
}

TEST(Meridian, OfACylinderFacesTheLeftOfItsSegmentWhenSideIsPositive) {
    BoundaryPart part = inner_cylinder();
    const NearestPoint inside = nearest_on_part(part, {0.8, 0, 1}, 0.3);
    EXPECT_NEAR(inside.distance, 0.2, 1e-15);
    EXPECT_NEAR(inside.normal.x, 1.0, 1e-15);
    EXPECT_FALSE(nearest_on_part(part, {1.5, 0, 1}, 0.3).found);
    part.side = -1.0;
    const NearestPoint outside = nearest_on_part(part, {0, 1.2, 1}, 0.3);
    EXPECT_NEAR(outside.distance, 0.2, 1e-15);
    EXPECT_NEAR(outside.normal.y, -1.0, 1e-15);
}

TEST(Meridian, GivesACentreOnTheAxisSomeDirection) {
    const NearestPoint found = nearest_on_part(inner_cylinder(), {0, 0, 1}, 0.3);
    EXPECT_NEAR(found.distance, 1.0, 1e-15);
    EXPECT_NEAR(norm(found.normal), 1.0, 1e-15);
}

TEST(Meridian, OfADiscIsFlatUpToAndOnItsAxis) {
    BoundaryPart disc;
    disc.kind = PartKind::meridian;
    disc.a = 0.0;
    disc.c = 1.0;
    for (const double rho : {0.0, 1e-18, 1e-9, 0.5, 1.0}) {
        const NearestPoint found = nearest_on_part(disc, {0.6 * rho, 0.8 * rho, 0.25}, 0.3);
        EXPECT_NEAR(found.distance, 0.25, 1e-15) << rho;
        EXPECT_NEAR(found.normal.z, -1.0, 1e-15) << rho;
    }
}

TEST(Meridian, OfAConeHasAPointAtItsTip) {
    // A spike upwards from (1, 0) to its tip (0, 1); free outside.
    BoundaryPart spike;
    spike.kind = PartKind::meridian;
    spike.a = 1.0;
    spike.b = 0.0;
    spike.c = 0.0;
    spike.d = 1.0;
    spike.side = -1.0;
    for (const double x : {0.0, 0.01, 0.1}) {
        const Vector3d center{x, 0, 1.4};
        const NearestPoint found = nearest_on_part(spike, center, 0.3);
        ASSERT_TRUE(found.found);
        EXPECT_NEAR(found.distance, std::hypot(x, 0.4), 1e-15);
        EXPECT_NEAR(norm(center + found.distance * found.normal - Vector3d{0, 0, 1}), 0.0, 1e-15);
    }
}

}  // namespace
}  // namespace scree::kernels
