// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/surface_height.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

const Vector3d up = Vector3d::UnitZ();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(SurfaceHeight, OfRoundShapes) {
    EXPECT_NEAR(height_along(Sphere{0.5}, {}, {0.3, 0.0, 0.0}, up), 0.4, 1e-15);
    EXPECT_NEAR(height_along(Ellipsoid{{1.0, 2.0, 3.0}}, {}, {0.6, 0.0, 0.0}, up), 2.4, 1e-15);
    EXPECT_NEAR(height_along(Superquadric{{1.0, 2.0, 3.0}, 1.0, 1.0}, {}, {0.6, 0.0, 0.0}, up), 2.4, 1e-14);
    // |x|^4 + |z|^4 = 1 at x = 1/2
    EXPECT_NEAR(height_along(Superquadric{{1.0, 1.0, 1.0}, 0.5, 0.5}, {}, {0.5, 0.0, 0.0}, up),
                std::pow(1.0 - 0.0625, 0.25), 1e-14);
}

TEST(SurfaceHeight, OfFlatShapes) {
    EXPECT_NEAR(height_along(Box{{1.0, 2.0, 3.0}}, {}, {0.9, -1.9, 0.0}, up), 3.0, 1e-15);
    EXPECT_NEAR(height_along(Cylinder{1.0, 0.25}, {}, {0.9, 0.0, 0.0}, up), 0.25, 1e-15);
    EXPECT_NEAR(height_along(Cylinder{1.0, 0.25}, {}, {0.0, 0.6, 0.0}, Vector3d::UnitX()), 0.8, 1e-15);
    const Polytope wedge{{}, {Vector3d(1, 0, 1).normalized(), -up}, {1.0, 1.0}};
    EXPECT_NEAR(height_along(wedge, {}, {0.2, 0.0, 0.0}, up), std::sqrt(2.0) - 0.2, 1e-15);
    EXPECT_NEAR(height_along(HalfSpace{}, {}, {0.2, 0.0, -0.7}, up), 0.7, 1e-15);
}

TEST(SurfaceHeight, ALineThatMissesHasNone) {
    const Vector3d beside{2.0, 0.0, 0.0};
    EXPECT_EQ(height_along(Sphere{0.5}, {}, beside, up), -infinity);
    EXPECT_EQ(height_along(Box{}, {}, beside, up), -infinity);
    EXPECT_EQ(height_along(Cylinder{}, {}, beside, up), -infinity);
    EXPECT_EQ(height_along(Superquadric{}, {}, beside, up), -infinity);
    EXPECT_EQ(separation_along(Sphere{0.5}, {}, HalfSpace{}, {}, beside, -up), infinity);
}

TEST(SurfaceHeight, SeparationOfASphereGrowsAwayFromItsNearestPoint) {
    Pose above;
    above.position.z() = 0.75;
    for (const double x : {0.0, 1e-6, 0.1, 0.3}) {
        const double wanted = 0.25 + 0.5 - std::sqrt(0.25 - x * x);
        EXPECT_NEAR(separation_along(Sphere{0.5}, above, HalfSpace{}, {}, {x, 0.0, 0.125}, -up), wanted, 1e-15);
    }
}

TEST(SurfaceHeight, SeparationOfABallInABowl) {
    Pose low;
    low.position.z() = -0.4;  // radius 1/2 in a bowl of radius 1: .1 above its lowest point
    EXPECT_NEAR(separation_along(Sphere{0.5}, low, Hollow{1.0}, {}, {0.0, 0.0, -0.95}, -up), 0.1, 1e-15);
    const double x = 0.1, wanted = std::sqrt(1.0 - x * x) - 0.4 - std::sqrt(0.25 - x * x);
    EXPECT_NEAR(separation_along(Sphere{0.5}, low, Hollow{1.0}, {}, {x, 0.0, -0.95}, -up), wanted, 1e-15);
}

TEST(SurfaceHeight, TurnsWithTheBody) {
    Pose turned;
    turned.position = {1.0, 2.0, 3.0};
    turned.orientation = Eigen::AngleAxisd(0.5 * std::acos(-1.0), Vector3d::UnitY());
    EXPECT_NEAR(height_along(Box{{1.0, 2.0, 3.0}}, turned, {1.0, 2.0, 3.0}, up), 1.0, 1e-15);
}

}  // namespace
}  // namespace scree::reference
