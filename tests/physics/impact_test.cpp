// SPDX-License-Identifier: BSD-3-Clause
// Oblique impacts without gravity: sphere on plane (validation A8), sphere on sphere (A9).
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

struct PlaneImpact {
    double degrees;     ///< From the normal.
    double tangential;  ///< e_t: tangential velocity after over before.
    double spin;        ///< [rad/s] after.
};

class ObliqueOnPlane : public testing::TestWithParam<std::tuple<double, model::Precision, PlaneImpact>> {};
INSTANTIATE_TEST_SUITE_P(A8, ObliqueOnPlane,
                         testing::Combine(testing::Values(1e-5, 5e-6),
                                          testing::Values(model::Precision::double_, model::Precision::mixed),
                                          testing::Values(PlaneImpact{10, .7143, 193.5}, PlaneImpact{20, .7143, 381.1},
                                                          PlaneImpact{30, .7143, 557.1}, PlaneImpact{35, .7372, 587.8},
                                                          PlaneImpact{40, .7807, 549.7}, PlaneImpact{50, .8456, 461.3},
                                                          PlaneImpact{60, .8938, 358.8})));

TEST_P(ObliqueOnPlane, LeavesWithTheRigidVelocities) {
    const auto [h, precision, impact] = GetParam();
    const double radius = 2.5e-3, speed = 3.9, angle = impact.degrees * std::numbers::pi / 180.0;
    const Vec3 before{speed * std::sin(angle), 0, -speed * std::cos(angle)};
    SceneMaker scene(h);
    scene.acceleration({}).law({.friction = 0.092, .restitution = 1.0}).precision(precision).solver(1e-6, 5000);
    scene.plane();
    const std::size_t ball = scene.sphere(
        {.position = {0, 0, radius + 1e-7}, .radius = radius, .velocity = before, .mass = mass_of(4000.0, radius)});
    Experiment run(scene);

    run.until(1e-3);

    const BodyNow b = run.body(ball);
    EXPECT_NEAR(b.velocity.z, -before.z, 2e-3 * speed);
    EXPECT_NEAR(b.velocity.x / before.x, impact.tangential, 2e-3 * impact.tangential);
    EXPECT_NEAR(b.angular_velocity.y, impact.spin, 2e-3 * impact.spin);
    EXPECT_NEAR(b.velocity.y, 0.0, 1e-6 * speed);
}

struct Pair {
    const char* name;
    double radius_1, radius_2, mass_1, mass_2, friction, restitution;
    Vec3 velocity_1, velocity_2, spin_1, spin_2;
};

class ObliquePair : public testing::TestWithParam<std::tuple<double, Pair>> {
protected:
    /// The centres lie along (1, 2, 2) / 3, so that no axis is special.
    static constexpr Vec3 normal{1.0 / 3, 2.0 / 3, 2.0 / 3};
    static SceneMaker scene(double h, const Pair& p) {
        SceneMaker scene(h);
        scene.acceleration({}).exact(1e-12).law({.friction = p.friction, .restitution = p.restitution});
        const double gap = 1e-7;
        scene.sphere({.position = {0.1, 0.2, 0.3},
                      .radius = p.radius_1,
                      .velocity = p.velocity_1,
                      .angular_velocity = p.spin_1,
                      .mass = p.mass_1});
        scene.sphere({.position = Vec3{0.1, 0.2, 0.3} + (p.radius_1 + p.radius_2 + gap) * normal,
                      .radius = p.radius_2,
                      .velocity = p.velocity_2,
                      .angular_velocity = p.spin_2,
                      .mass = p.mass_2});
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(
    A9, ObliquePair,
    testing::Combine(
        testing::Values(1e-5, 5e-6),
        testing::Values(
            Pair{"equal, slips", .01, .01, 1, 1, .1, .8, {1, 0, 0}, {0, 0, -1}, {}, {}},
            Pair{"equal, sticks", .01, .01, 1, 1, 2., .8, {1, 0, 0}, {0, 0, -1}, {}, {}},
            Pair{"unequal, slips", .01, .03, 1, 27, .3, .5, {1, 1, 0}, {0, 0, -1}, {20, -10, 300}, {5, 50, 9}},
            Pair{"unequal, sticks", .01, .03, 1, 27, 5., .5, {1, 1, 0}, {0, 0, -1}, {20, -10, 30}, {5, 50, 9}},
            Pair{"plastic, light on heavy", .01, .01, 1, 1000, .4, 0., {2, 1, 1}, {0, 0, 0}, {0, 400, 0}, {}})));

TEST_P(ObliquePair, TransfersTheRigidImpulseAndKeepsTheMomenta) {
    const auto& [h, p] = GetParam();
    Experiment run(scene(h, p));
    const Vec3 momentum = run.momentum(), angular = run.angular_momentum();
    const Vec3 u =
        p.velocity_2 - p.velocity_1 + (-p.radius_2) * cross(p.spin_2, normal) - p.radius_1 * cross(p.spin_1, normal);
    const double v_n = -dot(u, normal);
    const Vec3 u_t = u - dot(u, normal) * normal;
    const double m_n = 1.0 / (1.0 / p.mass_1 + 1.0 / p.mass_2);
    // 1/m + r^2/I = 3.5/m for solid spheres.
    const double m_t = 1.0 / (3.5 / p.mass_1 + 3.5 / p.mass_2);
    const double expected = std::min(p.friction * (1.0 + p.restitution) * m_n * v_n, m_t * norm(u_t));

    run.until(1e-3);

    const Vec3 impulse = p.mass_2 * (run.body(1).velocity - p.velocity_2);
    const double j_n = dot(impulse, normal);
    const Vec3 j_t = impulse - j_n * normal;
    EXPECT_NEAR(j_n, (1.0 + p.restitution) * m_n * v_n, 2e-3 * j_n) << p.name;
    EXPECT_NEAR(norm(j_t), expected, 2e-3 * expected) << p.name;
    EXPECT_NEAR(dot(j_t, u_t) / norm(u_t), -expected, 2e-3 * expected) << p.name;
    EXPECT_LT(norm(run.momentum() - momentum), 1e-10 * norm(momentum)) << p.name;
    EXPECT_LT(norm(run.angular_momentum() - angular), 1e-10 * norm(angular)) << p.name;
}

// Bodies that fly side by side far in a step are neighbours of hundreds by their extents; only touching pairs count.
// The lever of an impact is that of the moment at which the surfaces meet, however far they are at the step's start.
TEST(Impact, DoesNotDependOnTheGapAtTheStart) {
    const double radius = 0.05, angle = 20.0 / 180.0 * std::numbers::pi, speed = 3.9;
    const model::MeshShape mesh{"", {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}}, 0};
    for (const double gap : {0.0, 1e-3, 3.5e-3})
        for (const bool solid : {false, true})
            for (const model::BoundaryShape& wall :
                 {model::BoundaryShape(model::PlaneShape{}), model::BoundaryShape(mesh)}) {
                SceneMaker maker(1e-3);
                maker.exact(1e-9).acceleration({}).law({.friction = 0.9, .restitution = 1.0});
                maker.boundary(wall);
                const Vec3 place{0.3, 0.2, radius + gap};
                const Vec3 velocity{speed * std::sin(angle), 0, -speed * std::cos(angle)};
                std::size_t ball = 0;
                if (solid)
                    ball = maker.solid(model::SolidEllipsoid{{radius, radius, radius}},
                                       {.position = place, .velocity = velocity, .mass = 1.0});
                else
                    ball = maker.sphere({.position = place, .radius = radius, .velocity = velocity});
                Experiment run(maker);
                run.until(5e-3);
                EXPECT_NEAR(run.body(ball).velocity.x, 5.0 / 7.0 * velocity.x, 1e-5 * speed) << gap << solid;
                EXPECT_NEAR(run.body(ball).angular_velocity.y * radius, 5.0 / 7.0 * velocity.x, 1e-5 * speed);
                EXPECT_NEAR(run.body(ball).velocity.z, -velocity.z, 1e-5 * speed);
            }
}

TEST(Impact, OfAFastBlockFindsTheContactsOfASlowOne) {
    std::int64_t contacts[2] = {};
    for (const double speed : {0.0, 100.0}) {
        SceneMaker scene(1e-3);
        scene.acceleration({0, 0, 0}).law({.friction = 0.5});
        constexpr int side = 12;
        for (int i = 0; i < side * side * side; ++i)
            scene.sphere({.position = {0.002 * (i % side), 0.002 * (i / side % side), 0.002 * (i / side / side)},
                          .radius = 0.001,
                          .velocity = {0, 0, speed}});
        Experiment run(scene);
        contacts[speed > 0.0 ? 1 : 0] = run.step().contacts;
    }
    EXPECT_EQ(contacts[0], 3 * 12 * 12 * 11);
    EXPECT_EQ(contacts[1], contacts[0]);
}

// A large body drives a small one into another: the third is seen in the step in which the second is hit.
TEST(Impact, IsSeenByTheSmallBodyBehindTheOneThatIsHit) {
    SceneMaker scene(1e-3);
    scene.acceleration({0, 0, 0}).law({.restitution = 1.0});
    scene.sphere({.position = {0, 0, 0}, .radius = 0.01, .velocity = {10.024, 0, 0}, .mass = 1e-2});
    scene.sphere({.position = {0.010101, 0, 0}, .radius = 1e-4, .velocity = {10, 0, 0}, .mass = 1e-8});
    scene.sphere({.position = {0.010306, 0, 0}, .radius = 1e-4, .velocity = {10, 0, 0}, .mass = 1e-8});
    Experiment run(scene);
    EXPECT_EQ(run.step().contacts, 2);
}

}  // namespace
}  // namespace scree::test
