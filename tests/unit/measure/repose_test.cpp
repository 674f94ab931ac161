// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/repose.hpp"

#include "tests/unit/measure/bodies.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::measure {
namespace {

using model::Vec3;

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

std::vector<double> measure(const model::Snapshot& s, model::Probe::Surface surface, Vec3 gravity = {0, 0, -9.81},
                            model::ProbeBox box = {}) {
    model::Probe probe;
    probe.box = box;
    probe.kind = model::Probe::Kind::repose;
    probe.surface = surface;
    model::Scene scene = test::scene_with(probe);
    scene.gravity = gravity;
    Repose repose(scene, probe);
    std::vector<double> values(repose.fields().size());
    repose.evaluate(s, values);
    return values;
}

/// A lattice of spheres of radius 1 whose centres are below `surface`(x, y), turned by `turn` and moved.
template <class Surface>
model::Snapshot lattice_below(const Surface& surface, int half, int layers, model::Quat turn = {}, Vec3 shift = {}) {
    model::Snapshot s;
    for (int z = 0; z < layers; ++z)
        for (int y = -half; y <= half; ++y)
            for (int x = -half; x <= half; ++x) {
                // Rows shifted against each other, so that tops lie at all depths below the surface.
                const Vec3 at{2.0 * x + 0.37 * y, 2.0 * y + 0.61 * z,
                              1.0 + 2.0 * z + 0.2 * std::sin(7.0 * x + 3.0 * y)};
                if (at.z < surface(at.x, at.y)) test::add_body(s, rotate(turn, at) + shift, 1.0);
            }
    return s;
}

TEST(Repose, OfAConeIsItsFlank) {
    for (const double angle : {15.0, 25.0, 35.0}) {
        const double height = 40.0, foot = height / std::tan(radians(angle));
        const auto s = lattice_below([&](double x, double y) { return height * (1.0 - std::hypot(x, y) / foot); },
                                     int(foot / 2.0) + 20, 25, {}, {300, -200, 50});
        const auto v = measure(s, model::Probe::Surface::cone);
        EXPECT_NEAR(v[0], angle, 0.7);
        EXPECT_NEAR(v[1], height, 2.0);
        EXPECT_NEAR(v[2], foot, 0.05 * foot);
        EXPECT_LT(v[3], 1.0);
        EXPECT_GT(v[4], 100.0);
    }
}

TEST(Repose, OfAHeapLeavesOutWhatRolledAway) {
    const double angle = 24.0, height = 12.0, foot = height / std::tan(radians(angle));
    auto s = lattice_below([&](double x, double y) { return height * (1.0 - std::hypot(x, y) / foot); }, 20, 8);
    const auto clean = measure(s, model::Probe::Surface::cone);
    for (int k = 0; k < 400; ++k) {
        const double away = foot + 2.0 + 0.2 * k, turn = 2.4 * k;
        test::add_body(s, {away * std::cos(turn), away * std::sin(turn), 1.0}, 1.0);
    }
    const auto v = measure(s, model::Probe::Surface::cone);
    EXPECT_NEAR(clean[0], angle, 2.0);
    EXPECT_NEAR(v[0], clean[0], 0.5);
    // One layer has no flank.
    const auto layer = measure(lattice_below([](double, double) { return 1.5; }, 20, 1), model::Probe::Surface::cone);
    EXPECT_EQ(layer[0], 0.0);
    EXPECT_EQ(layer[2], 0.0);
    EXPECT_EQ(layer[4], 0.0);
}

/// The lattice inside, where no column lacks its upper spheres.
constexpr double inner = 30.0;
constexpr double infinity = std::numeric_limits<double>::infinity();
const model::ProbeBox middle{{-inner, -inner, -infinity}, {inner, inner, infinity}};

TEST(Repose, OfAPlaneIsItsAngle) {
    const double angle = 28.0, tangent = std::tan(radians(angle));
    const auto slope = [&](double x, double y) { return 25.0 + tangent * (0.6 * x + 0.8 * y); };
    const auto v = measure(lattice_below(slope, 36, 40), model::Probe::Surface::plane, {0, 0, -9.81}, middle);
    EXPECT_NEAR(v[0], angle, 0.7);
    EXPECT_LT(v[1], 1.0);
}

TEST(Repose, OfAPlaneIsMeasuredFromTheHorizontal) {
    // A level bed in the frame of a chute: gravity leans instead. Thin, for columns at its ends stand on its sides.
    const double angle = 28.0;
    const Vec3 gravity{9.81 * std::sin(radians(angle)), 0, -9.81 * std::cos(radians(angle))};
    const auto bed = lattice_below([](double, double) { return 3.5; }, 24, 8);
    EXPECT_NEAR(measure(bed, model::Probe::Surface::plane, gravity, middle)[0], angle, 1.0);
}

TEST(Repose, LooksAtFreeBodiesOfTheBoxAlone) {
    auto s = lattice_below([](double, double) { return 9.5; }, 24, 8);
    test::add_body(s, {0, 0, 40}, 1.0);
    s.mass.back() = std::numeric_limits<double>::infinity();
    test::add_body(s, {inner + 1.0, 0, 40}, 1.0);
    const auto v = measure(s, model::Probe::Surface::plane, {0, 0, -9.81}, middle);
    EXPECT_LT(v[0], 0.5);
    EXPECT_LT(v[1], 0.2);
}

TEST(Repose, OfTooFewBodiesIsNothing) {
    for (const auto surface : {model::Probe::Surface::cone, model::Probe::Surface::plane}) {
        model::Snapshot s;
        for (int k = 0; k < 5; ++k) {
            const auto v = measure(s, surface);
            EXPECT_EQ(v[0], 0.0);  // none, one, then a row and a tower, which have no slope
            for (const double value : v) EXPECT_TRUE(std::isfinite(value));
            test::add_body(s, surface == model::Probe::Surface::cone ? Vec3{0, 0, 2.0 * k} : Vec3{8.0 * k, 0, 0}, 1.0);
        }
    }
}

}  // namespace
}  // namespace scree::measure
