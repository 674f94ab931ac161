// SPDX-License-Identifier: BSD-3-Clause
// A semicircular arch of wedge blocks under its own weight stands if, and only if, its thickness is at least 0.1075 of
// its mean radius (Milankovitch 1907; Makris and Alexakis, "The effect of stereotomy on the shape of the thrust-line
// and the minimum thickness of semicircular masonry arches", 2013), where friction keeps the blocks from sliding
// (validation B26).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

constexpr double radius = 1.0, depth = 0.3;

/// The wedge between two angles from the right springing, in world axes.
model::SolidPolytope wedge(double from, double to, double thickness) {
    model::SolidPolytope p;
    for (const double angle : {from, to})
        for (const double r : {radius - thickness / 2, radius + thickness / 2})
            for (const double y : {-depth / 2, depth / 2})
                p.vertices.push_back({r * std::cos(angle), y, r * std::sin(angle)});
    return p;
}
/// Centre of mass of a wedge of an annulus with plane faces: of its section, a symmetric trapezium.
Vec3 centre(double from, double to, double thickness) {
    const double inner = radius - thickness / 2, outer = radius + thickness / 2, half = (to - from) / 2;
    const double at = std::cos(half) * 2.0 / 3.0 * (inner * inner + inner * outer + outer * outer) / (inner + outer);
    const double middle = (from + to) / 2;
    return {at * std::cos(middle), 0, at * std::sin(middle)};
}

/// How far the crown has sunk after `time` [s].
double sunk(int blocks, double ratio, double friction, double h, double time) {
    SceneMaker scene(h);
    scene.exact(1e-5).law({.friction = friction, .stiffness = 1e8});
    const double thickness = ratio * radius, step = std::numbers::pi / blocks;
    for (int k = 0; k < blocks; ++k)
        scene.solid(wedge(k * step, (k + 1) * step, thickness),
                    {.position = centre(k * step, (k + 1) * step, thickness)});
    // The springings.
    for (const double side : {-1.0, 1.0})
        scene.solid(model::SolidBox{{0.5, 0.5, 0.25}}, {.position = {side * radius, 0, -0.25}, .fixed = true});
    Experiment run(scene);
    const double before = run.body(std::size_t(blocks / 2)).position.z;
    run.until(time);
    return before - run.body(std::size_t(blocks / 2)).position.z;
}

class Arch : public testing::TestWithParam<std::tuple<int, double>> {};
INSTANTIATE_TEST_SUITE_P(B26, Arch, testing::Combine(testing::Values(11, 21), testing::Values(4e-3, 2e-3)));

TEST_P(Arch, StandsWhereTheThrustLineFits) {
    const auto& [blocks, h] = GetParam();
    for (const double friction : {0.5, 0.8}) EXPECT_LT(sunk(blocks, 0.11, friction, h, 0.6), 1e-4 * radius) << friction;
}

TEST_P(Arch, FallsWhereItDoesNot) {
    const auto& [blocks, h] = GetParam();
    EXPECT_GT(sunk(blocks, 0.103, 0.6, h, 0.9), 0.3 * radius);
}

}  // namespace
}  // namespace scree::test
