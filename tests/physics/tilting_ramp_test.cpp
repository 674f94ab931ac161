// SPDX-License-Identifier: BSD-3-Clause
// A block on a ramp that is turned slowly, a moving plane or mesh, slips at the angle of friction (validation B3).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

constexpr double rate = 0.01;  // [rad/s]: centrifugal and Coriolis forces are below 1e-5 of the weight
const Vec3 half{0.05, 0.04, 0.02};

/// Angle of the ramp [rad] at which the block has got 1e-4 m/s along it: g rate t^2 / 2 after it slipped, 0.03 degrees.
double slips_at(double h, double friction, bool mesh) {
    const double start = std::atan(friction) - 0.02;
    SceneMaker scene(h);
    scene.exact(1e-7).law({.friction = friction});
    const model::Quat turn = model::from_axis_angle({0, 1, 0}, start);
    model::Motion motion;
    motion.kind = model::Motion::Kind::rotation;
    motion.axis = {0, 1, 0};
    motion.angular_speed = rate;
    if (mesh) {
        model::MeshShape ramp;
        for (const Vec3 corner : {Vec3{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}})
            ramp.vertices.push_back(rotate(turn, corner));
        ramp.triangles = {{0, 1, 2}, {0, 2, 3}};
        scene.boundary(ramp, {motion});
    } else {
        scene.boundary(model::PlaneShape{{}, rotate(turn, {0, 0, 1})}, {motion});
    }
    scene.solid(model::SolidBox{half}, {.position = rotate(turn, {0, 0, half.z}), .orientation = turn});
    Experiment run(scene);
    while (run.time() < 0.04 / rate) {
        run.step();
        const double angle = start + rate * run.time();
        const BodyNow b = run.body(0);
        const Vec3 down{std::cos(angle), 0, -std::sin(angle)};
        // Against the ramp, which turns about the origin.
        const double along = dot(b.velocity - cross(Vec3{0, rate, 0}, b.position), down);
        if (run.time() > 0.1 && along > 1e-4) return angle;
    }
    return std::numbers::pi;
}

class TiltingRamp : public testing::TestWithParam<std::tuple<double, double, bool>> {};
INSTANTIATE_TEST_SUITE_P(B3, TiltingRamp,
                         testing::Combine(testing::Values(2e-3, 1e-3), testing::Values(0.2, 0.5, 0.9),
                                          testing::Bool()));

TEST_P(TiltingRamp, LetsABlockGoAtTheAngleOfFriction) {
    const auto& [h, friction, mesh] = GetParam();
    const double expected = std::atan(friction);
    const double degree = std::numbers::pi / 180.0;
    const double angle = slips_at(h, friction, mesh);
    EXPECT_NEAR(angle, expected, 0.1 * degree);
}

}  // namespace
}  // namespace scree::test
