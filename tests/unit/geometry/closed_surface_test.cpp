// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/closed_surface.hpp"

#include "engine/geometry/random_stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;
constexpr double far = std::numeric_limits<double>::infinity();
/// Some ten roundings of the volumes below, which are of the order of one.
constexpr double rounding = 1e-14;

/// The corner of a cube: vertices at the origin and on the axes.
ClosedSurface corner(double size) {
    return {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

double in_box(const ClosedSurface& s, Vec3 lower, Vec3 upper) {
    return volume_in_box(s.points, s.triangles, lower, upper);
}

TEST(ClosedSurface, HoldsItsVolume) {
    EXPECT_NEAR(volume_of(corner(2.0)), 8.0 / 6.0, rounding);
    EXPECT_EQ(volume_of({}), 0.0);
}

TEST(ClosedSurface, IsCutByBoxes) {
    const ClosedSurface s = corner(1.0);
    EXPECT_NEAR(in_box(s, {-far, -far, 0.5}, {far, far, far}), 0.125 / 6.0, rounding);
    EXPECT_NEAR(in_box(s, {0.5, -1, -1}, {2, 2, 2}), 0.125 / 6.0, rounding);
    EXPECT_NEAR(in_box(s, {0, 0, 0}, {0.5, 0.5, 0.5}), 0.125 - 0.125 / 6.0,
                rounding);                                                      // less the corner beyond x + y + z = 1
    EXPECT_NEAR(in_box(s, {0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}), 0.001, rounding);  // a box inside
    EXPECT_EQ(in_box(s, {1, 0, 0}, {2, 1, 1}), 0.0);
    EXPECT_NEAR(in_box(s, {0.4, 0.4, 0.4}, {1, 1, 1}), 0.0, rounding);
    EXPECT_EQ(in_box(s, {0.5, 0.5, 0.5}, {0, 0, 0}), 0.0);
}

TEST(ClosedSurface, OfThePartsOfSpaceIsTheWhole) {
    RandomStream random(8);
    for (int n = 0; n < 100; ++n) {
        ClosedSurface s;
        for (int k = 0; k < 4; ++k)
            s.points.push_back({random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
        s.triangles = corner(1.0).triangles;
        const Vec3 e = s.points[1] - s.points[0], f = s.points[2] - s.points[0], g = s.points[3] - s.points[0];
        double whole = dot(cross(e, f), g) / 6.0;
        if (whole < 0.0) {  // a mirror image
            std::swap(s.points[0], s.points[1]);
            whole = -whole;
        }
        EXPECT_NEAR(volume_of(s), whole, rounding);
        double parts = 0.0;
        const Vec3 at{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        for (int part = 0; part < 8; ++part) {
            const bool x = part & 1, y = part & 2, z = part & 4;
            parts += in_box(s, {x ? at.x : -far, y ? at.y : -far, z ? at.z : -far},
                            {x ? far : at.x, y ? far : at.y, z ? far : at.z});
        }
        EXPECT_NEAR(parts, whole, rounding);
    }
}

}  // namespace
}  // namespace scree::geometry
