// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/sphere_box_overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace scree::measure {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Vec3 nowhere{-infinite, -infinite, -infinite}, everywhere{infinite, infinite, infinite};

double cap(double r, double height) { return pi * height * height * (3.0 * r - height) / 3.0; }

TEST(SphereBoxOverlap, IsTheWholeSphereInside) {
    EXPECT_DOUBLE_EQ(sphere_box_overlap({1, 2, 3}, 2.0, nowhere, everywhere), 4.0 / 3.0 * pi * 8.0);
    EXPECT_DOUBLE_EQ(sphere_box_overlap({0, 0, 0}, 1.0, {-1, -1, -1}, {1, 1, 1}), 4.0 / 3.0 * pi);
}

TEST(SphereBoxOverlap, IsNothingOutside) {
    EXPECT_EQ(sphere_box_overlap({0, 0, 0}, 1.0, {1, -9, -9}, {9, 9, 9}), 0.0);
    EXPECT_EQ(sphere_box_overlap({0, 0, 0}, 1.0, {0.8, 0.8, -9}, {9, 9, 9}), 0.0);   // Past the edge.
    EXPECT_EQ(sphere_box_overlap({0, 0, 0}, 1.0, {0.6, 0.6, 0.6}, {9, 9, 9}), 0.0);  // Past the corner.
    EXPECT_EQ(sphere_box_overlap({0, 0, 0}, 1.0, {0.5, -1, -1}, {0.5, 1, 1}), 0.0);  // An empty box.
}

TEST(SphereBoxOverlap, IsACapBehindOneFace) {
    for (const double offset : {-0.999, -0.5, 0.0, 0.3, 0.999}) {
        EXPECT_NEAR(sphere_box_overlap({0, 0, 0}, 1.0, {offset, -9, -9}, everywhere), cap(1.0, 1.0 - offset), 1e-13);
        EXPECT_NEAR(sphere_box_overlap({0, 0, 0}, 1.0, nowhere, {9, offset, 9}), cap(1.0, 1.0 + offset), 1e-13);
    }
}

TEST(SphereBoxOverlap, IsALensSliceBetweenTwoFaces) {
    const double expected = 4.0 / 3.0 * pi - cap(1.0, 0.7) - cap(1.0, 0.2);
    EXPECT_NEAR(sphere_box_overlap({0, 0, 5}, 1.0, {-9, -9, 4.7}, {9, 9, 5.8}), expected, 1e-13);
}

TEST(SphereBoxOverlap, IsAnOctantAtACorner) {
    EXPECT_NEAR(sphere_box_overlap({7, 7, 7}, 3.0, {7, 7, 7}, everywhere), 4.0 / 3.0 * pi * 27.0 / 8.0, 1e-12);
}

TEST(SphereBoxOverlap, IsTheBoxInsideALargeSphere) {
    EXPECT_NEAR(sphere_box_overlap({0, 0, 0}, 10.0, {-1, -2, 3}, {1, 2, 4}), 8.0, 1e-10);
}

TEST(SphereBoxOverlap, AddsUpOverAPartition) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-1.2, 1.2);
    for (int trial = 0; trial < 1000; ++trial) {
        const double x[4] = {-infinite, uniform(random), uniform(random), infinite};
        const Vec3 cut{std::min(x[1], x[2]), uniform(random), uniform(random)};
        double sum = 0.0;
        for (int part = 0; part < 8; ++part) {
            const Vec3 lower{part & 1 ? cut.x : -infinite, part & 2 ? cut.y : -infinite, part & 4 ? cut.z : -infinite};
            const Vec3 upper{part & 1 ? infinite : cut.x, part & 2 ? infinite : cut.y, part & 4 ? infinite : cut.z};
            const double volume = sphere_box_overlap({0, 0, 0}, 1.0, lower, upper);
            EXPECT_GE(volume, 0.0);
            sum += volume;
        }
        EXPECT_NEAR(sum, 4.0 / 3.0 * pi, 1e-12);
    }
}

/// Area of the circle of radius `rho` about the origin in {x < a, y < b}, by summing strips.
double slice_volume(Vec3 lower, Vec3 upper) {
    constexpr int n = 2000;
    double volume = 0.0;
    for (int i = 0; i < n; ++i) {
        const double z = -1.0 + (i + 0.5) * 2.0 / n;
        if (z < lower.z || z > upper.z) continue;
        for (int j = 0; j < n; ++j) {
            const double y = -1.0 + (j + 0.5) * 2.0 / n;
            const double square = 1.0 - z * z - y * y;
            if (square <= 0.0 || y < lower.y || y > upper.y) continue;
            const double x = std::sqrt(square);
            volume += std::max(0.0, std::min(x, upper.x) - std::max(-x, lower.x)) * 4.0 / (double{n} * n);
        }
    }
    return volume;
}

TEST(SphereBoxOverlap, AgreesWithSlicing) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1.1, 1.1);
    for (int trial = 0; trial < 12; ++trial) {
        Vec3 a{uniform(random), uniform(random), uniform(random)}, b{uniform(random), uniform(random), uniform(random)};
        if (a.x > b.x) std::swap(a.x, b.x);
        if (a.y > b.y) std::swap(a.y, b.y);
        if (a.z > b.z) std::swap(a.z, b.z);
        // The sum over 2000 x 2000 strips errs by at most about the strip width times the outline of the slice.
        EXPECT_NEAR(sphere_box_overlap({0, 0, 0}, 1.0, a, b), slice_volume(a, b), 4e-3);
    }
}

}  // namespace
}  // namespace scree::measure
