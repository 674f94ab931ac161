// SPDX-License-Identifier: BSD-3-Clause
// Bodies that are no spheres, in the production step: validation A6, A7, A11, A14, B2, B3, and the limits in which they
// are spheres.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace scree::test {
namespace {

using model::Quat;
using model::SolidBox;
using model::SolidCylinder;
using model::SolidEllipsoid;
using model::SolidPolytope;
using model::SolidSphere;
using model::SolidSuperquadric;

constexpr double edge = 0.1;
const SolidBox cube{{edge / 2, edge / 2, edge / 2}};

Vec3 on_incline(double angle, double along, double height) {
    return {along * std::cos(angle) + height * std::sin(angle), 0.0,
            -along * std::sin(angle) + height * std::cos(angle)};
}
Quat turned_by(double angle) { return {std::cos(angle / 2), 0.0, std::sin(angle / 2), 0.0}; }

class SolidsOnIncline : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(A6, SolidsOnIncline, testing::Values(2e-3, 1e-3));

struct Slide {
    double way, speed;
};
/// A cube for one second on a slope.
Slide slide(double h, double angle, double friction) {
    SceneMaker scene(h);
    scene.exact(1e-8).law({.friction = friction});
    scene.plane({}, {std::sin(angle), 0, std::cos(angle)});
    const std::size_t body =
        scene.solid(cube, {.position = on_incline(angle, 0.0, edge / 2), .orientation = turned_by(angle)});
    Experiment run(scene);
    const Vec3 down{std::cos(angle), 0, -std::sin(angle)};
    run.until(0.5);
    const double before = dot(run.body(body).position, down);
    run.until(1.0);
    return {dot(run.body(body).position, down) - before, dot(run.body(body).velocity, down)};
}

// Logs that lie along each other touch in lines. Once they touched in the one point at which their sides cross, which
// jumped along them, sank in and were thrown out.
TEST(SolidsAtRest, LogsLieOnLogs) {
    const double radius = 0.05;
    const Quat lying = model::from_axis_angle({1, 0, 0}, 0.5 * std::numbers::pi);
    for (const bool capsules : {false, true})
        for (const double turn : {0.0, 1e-4}) {
            SceneMaker scene(1e-3);
            scene.solver(1e-2, 500).law({.friction = 0.6});
            scene.plane();
            const auto log = [&](double x, double z, double yaw) {
                const model::Solid shape = capsules ? model::Solid(model::SolidCapsule{radius, 0.3})
                                                    : model::Solid(model::SolidCylinder{radius, 0.3});
                scene.solid(shape, {.position = {x, 0, z},
                                    .orientation = model::from_axis_angle({0, 0, 1}, yaw) * lying,
                                    .mass = 1.0});
            };
            log(0.0, radius, 0.0);
            log(2.0 * radius, radius, -turn);
            log(radius, radius * (1.0 + std::sqrt(3.0)), turn);
            Experiment run(scene);
            double overlap = 0.0;
            run.until(1.0, [&] { overlap = std::max(overlap, run.report().overlap_relative); });
            EXPECT_NEAR(run.now().position[2].z, radius * (1.0 + std::sqrt(3.0)), 1e-3 * radius) << capsules << turn;
            EXPECT_LT(overlap, 1e-3) << capsules << turn;
            for (const Vec3 velocity : run.now().velocity) EXPECT_LT(norm(velocity), 1e-4) << capsules << turn;
        }
}

TEST_P(SolidsOnIncline, HoldsACubeBelowTheAngleOfFriction) {
    const double angle = std::atan(0.5) - 0.02;
    const Slide slid = slide(GetParam(), angle, 0.5);
    EXPECT_LT(std::abs(slid.way), 0.5 * 1e-6 * edge);  // 1e-6 edges per second
    EXPECT_LT(std::abs(slid.speed), 1e-6 * edge);
}

TEST_P(SolidsOnIncline, LetsACubeSlideWithTheAccelerationOfTheClosedForm) {
    const double angle = std::atan(0.5) + 0.1;
    const double expected = gravity * (std::sin(angle) - 0.5 * std::cos(angle));
    EXPECT_NEAR(slide(GetParam(), angle, 0.5).speed, expected, 5e-3 * expected);
}

class SolidStack : public testing::TestWithParam<std::tuple<int, double>> {};
// Mass ratio: of each box to the one below it.
INSTANTIATE_TEST_SUITE_P(B2, SolidStack,
                         testing::Values(std::tuple{1, 1.0}, std::tuple{2, 1.0}, std::tuple{5, 1.0},
                                         std::tuple{10, 1.0}));

TEST_P(SolidStack, OfBoxesStands) {
    const auto [count, ratio] = GetParam();
    SceneMaker scene(2e-3);
    scene.exact(1e-6).law({.friction = 0.5});
    scene.plane();
    for (int k = 0; k < count; ++k) scene.solid(cube, {.position = {0, 0, edge * (k + 0.5)}});
    Experiment run(scene);
    run.until(1.0);
    const model::Snapshot& now = run.now();
    double weight = 0.0;
    for (int k = count - 1; k >= 0; --k) {
        const Vec3 x = now.position[std::size_t(k)];
        EXPECT_LT(std::hypot(x.x, x.y), 1e-4 * edge) << k;
        EXPECT_LT(norm(now.velocity[std::size_t(k)]), 1e-4) << k;
        weight += gravity;
        double force = 0.0;
        for (const model::ContactRecord& contact : now.contacts) {
            const bool below = contact.boundary >= 0 ? k == 0 : contact.id_a + contact.id_b == std::uint64_t(2 * k + 1);
            if (below) force += std::abs(contact.force.z);
        }
        EXPECT_NEAR(force, weight, 1e-3 * weight) << k;
    }
    EXPECT_NEAR(now.position[0].z, edge / 2, 1e-4 * edge * count);
}

TEST(Solids, SlideAndStopWhereFrictionSaysWithoutFloating) {  // A7
    for (const double h : {1e-3, 5e-4}) {
        SceneMaker scene(h);
        scene.exact(1e-7).law({.friction = 0.5});
        scene.plane();
        const std::size_t body =
            scene.solid(SolidBox{{0.1, 0.1, 0.02}}, {.position = {0, 0, 0.02}, .velocity = {5, 0, 0}});
        Experiment run(scene);
        double highest = 0.0;
        run.until(1.2, [&] { highest = std::max(highest, run.body(body).position.z - 0.02); });
        EXPECT_NEAR(run.body(body).position.x, 25.0 / (2.0 * 0.5 * gravity), 0.0255);
        EXPECT_LT(highest, 1e-5);
        EXPECT_LT(norm(run.body(body).velocity), 1e-6);
    }
}

TEST(Solids, KeepMomentumAndEnergyWhereNothingActs) {  // A11
    SceneMaker scene(2e-3);
    scene.exact().acceleration({0, 0, 0});
    const std::size_t body = scene.solid(SolidBox{{0.3, 0.2, 0.1}}, {.angular_velocity = {0.01, 6.0, 0.02}});
    Experiment run(scene);
    run.step();
    const double energy = run.report().kinetic_rotation;
    double work = 0.0;
    run.until(50.0, [&] { work += run.report().other_work; });
    EXPECT_NEAR(run.report().kinetic_rotation, energy, 1e-4 * energy);
    EXPECT_NEAR(run.report().kinetic_rotation - energy, work, 1e-9 * energy);
    EXPECT_EQ(norm(run.body(body).position), 0.0);
}

/// Energy [J] of all bodies, heights from z = 0.
double energy_of(const model::Snapshot& s) {
    double sum = 0.0;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (!std::isfinite(s.mass[i])) continue;
        sum += kinetic_energy_of(s, i) + s.mass[i] * gravity * s.position[i].z;
    }
    return sum;
}

class DroppedSolids : public testing::TestWithParam<std::tuple<int, double>> {};
INSTANTIATE_TEST_SUITE_P(Solids, DroppedSolids,
                         testing::Combine(testing::Range(0, 6), testing::Values(4e-3, 2e-3, 1e-3)));

const model::Solid solids[] = {cube,
                               SolidEllipsoid{{0.06, 0.04, 0.03}},
                               SolidCylinder{0.04, 0.05},
                               SolidSuperquadric{{0.05, 0.04, 0.03}, 0.4, 0.7},
                               SolidPolytope{{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}},
                               SolidSphere{0.05}};

TEST_P(DroppedSolids, NeverGainEnergyAndComeToRest) {
    const auto [which, h] = GetParam();
    SceneMaker scene(h);
    scene.exact(1e-6).law({.friction = 0.4});
    scene.plane();
    scene.solid(solids[which], {.position = {0, 0, 0.2},
                                .orientation = unit({0.8, 0.3, -0.2, 0.4}),
                                .velocity = {0.3, 0, 0},
                                .angular_velocity = {1, -2, 0.5}});
    Experiment run(scene);
    run.step();
    double most = energy_of(run.now());
    const double start = most;
    run.until(3.0, [&] {
        const double energy = energy_of(run.now());
        // Half-implicit Euler makes m g^2 h^2 / 2 a step in free flight, and takes it back at the impact.
        EXPECT_LT(energy, most + 0.5 * gravity * gravity * h * h + 1e-12) << run.time();
        most = std::max(energy, std::min(most, energy + 1.0));
        EXPECT_LT(energy, start + gravity * h * std::sqrt(2.0 * gravity * 0.2));
    });
    EXPECT_LT(run.report().overlap_relative, 0.01);
}

TEST(Solids, LandingOnACornerDoNotReboundAboveTheirDropHeight) {  // A14
    for (const double h : {1e-3, 5e-4}) {
        SceneMaker scene(h);
        scene.exact(1e-8).law({.friction = 0.3, .restitution = 1.0});
        scene.plane();
        scene.solid(SolidBox{{0.05, 0.05, 0.05}}, {.position = {0, 0, 0.05}, .fixed = true});
        const Quat on_corner = unit({0.88, 0.32, -0.28, 0.0});
        const std::size_t body = scene.solid(cube, {.position = {0.01, 0, 0.5}, .orientation = on_corner});
        Experiment run(scene);
        double highest = 0.0;
        bool fell = false;
        run.until(1.0, [&] {
            const BodyNow b = run.body(body);
            fell = fell || b.velocity.z < -1.0;
            if (fell && b.velocity.z > 0.0) highest = std::max(highest, b.position.z);
        });
        EXPECT_LT(highest, 0.5);
    }
}

/// A ball as a sphere, as an ellipsoid and as a superquadric, thrown along a plane beside the plain sphere.
TEST(Solids, ThatAreSpheresMoveAsSpheresDo) {
    const auto thrown = [](const auto& add) {
        SceneMaker scene(1e-3);
        // Given, because the automatic stiffness follows the radii of the spheres around bodies.
        scene.exact(1e-12).law({.friction = 0.3, .restitution = 0.5, .stiffness = 1e6});
        scene.plane();
        const std::size_t body = add(scene);
        Experiment run(scene);
        run.until(0.6);
        return run.body(body);
    };
    const Vec3 place{0, 0, 0.08}, speed{0.7, 0, 0}, spin{0, 3, 1};
    const BodyNow sphere = thrown([&](SceneMaker& scene) {
        return scene.sphere({.position = place, .radius = 0.05, .velocity = speed, .angular_velocity = spin});
    });
    for (const model::Solid& solid : {model::Solid{SolidSphere{0.05}}, model::Solid{SolidEllipsoid{{0.05, 0.05, 0.05}}},
                                      model::Solid{SolidSuperquadric{{0.05, 0.05, 0.05}, 1.0, 1.0}}}) {
        const BodyNow other = thrown([&](SceneMaker& scene) {
            return scene.solid(solid, {.position = place, .velocity = speed, .angular_velocity = spin});
        });
        // The nearest points of superquadrics are found to 1e-8 of the size (tests of the narrow phase): so are arms,
        // and the directions of impulses that act for some hundred steps.
        const double found = std::holds_alternative<SolidSuperquadric>(solid) ? 1e-7 : 1e-8;
        EXPECT_LT(norm(other.position - sphere.position), found) << solid.index();
        EXPECT_LT(norm(other.velocity - sphere.velocity), 10.0 * found) << solid.index();
        EXPECT_LT(norm(other.angular_velocity - sphere.angular_velocity), 100.0 * found) << solid.index();
    }
}

TEST(Solids, ObeyConstantForcesAndTorques) {
    SceneMaker scene(1e-3);
    scene.exact().acceleration({0, 0, 0});
    const std::size_t body = scene.solid(SolidBox{{0.3, 0.2, 0.1}}, {.mass = 2.0});
    auto& source = std::get<model::BodySource>(scene.edit().sources[body].what);
    source.force = {3.0, 0.0, -1.0};
    source.torque = {0.0, 0.0, 0.5};  // a principal axis
    Experiment run(scene);
    double work = 0.0;
    run.until(1.0, [&] { work += run.report().other_work; });
    const BodyNow b = run.body(body);
    EXPECT_NEAR(b.velocity.x, 1.5, 1e-12);
    EXPECT_NEAR(b.velocity.z, -0.5, 1e-12);
    const double inertia = 2.0 / 3.0 * (0.09 + 0.04);
    EXPECT_NEAR(b.angular_velocity.z, 0.5 / inertia, 1e-9);
    EXPECT_NEAR(b.position.x, 0.5 * 1.5, 1e-3);  // first order in h
    const double energy = 0.5 * 2.0 * (2.25 + 0.25) + 0.5 * inertia * std::pow(0.5 / inertia, 2);
    EXPECT_NEAR(work, energy, 1e-9 * energy);
}

/// Rolling without slip: a = g sin / (1 + I / m r^2).
TEST(Solids, RollDownAnInclineAsTheirInertiaSays) {
    const double angle = 0.2;
    const auto acceleration = [&](const model::Solid& solid, double radius, double h) {
        SceneMaker scene(h);
        scene.exact(1e-8).law({.friction = 0.6});
        scene.plane({}, {std::sin(angle), 0, std::cos(angle)});
        // The axis of the round ones across the slope.
        const Quat across{std::sqrt(0.5), std::sqrt(0.5), 0, 0};
        const std::size_t body =
            scene.solid(solid, {.position = on_incline(angle, 0.0, radius), .orientation = turned_by(angle) * across});
        Experiment run(scene);
        run.until(0.5);
        const double early = norm(run.body(body).velocity);
        run.until(1.0);
        return (norm(run.body(body).velocity) - early) / 0.5;
    };
    for (const double h : {2e-3, 1e-3}) {
        const double down = gravity * std::sin(angle);
        EXPECT_NEAR(acceleration(SolidCylinder{0.1, 0.2}, 0.1, h), down / 1.5, 5e-3 * down) << h;
        EXPECT_NEAR(acceleration(SolidEllipsoid{{0.1, 0.1, 0.1}}, 0.1, h), down / 1.4, 5e-3 * down) << h;
        const model::SolidCapsule capsule{0.1, 0.2};
        const double tube = 0.4, ball = 4.0 / 3.0 * 0.1;  // volumes over pi r^2
        const double share = (0.5 * tube + 0.4 * ball) / (tube + ball);
        EXPECT_NEAR(acceleration(capsule, 0.1, h), down / (1.0 + share), 5e-3 * down) << h;
    }
}

/// The halves of a box, side by side.
model::SolidCompound halves(Vec3 half) {
    const SolidBox part{{half.x / 2, half.y, half.z}};
    return {{{part, {-half.x / 2, 0, 0}, {}}, {part, {half.x / 2, 0, 0}, {}}}};
}

TEST(Compounds, OfTwoHalvesMoveAsTheWhole) {
    const Vec3 half{0.06, 0.04, 0.03};
    const auto dropped = [&](const model::Solid& solid) {
        SceneMaker scene(1e-3);
        scene.exact(1e-9).law({.friction = 0.4, .stiffness = 1e6});
        scene.plane();
        const std::size_t body = scene.solid(solid, {.position = {0, 0, 0.15},
                                                     .orientation = unit({0.9, 0.1, 0.3, -0.2}),
                                                     .velocity = {0.3, 0, 0},
                                                     .angular_velocity = {1, 2, 0}});
        Experiment run(scene);
        run.until(2.0);
        return run.body(body);
    };
    const BodyNow whole = dropped(SolidBox{half}), compound = dropped(halves(half));
    EXPECT_NEAR(compound.mass, whole.mass, 1e-12);
    // The points of the inner faces share the load, and the fall is the same until the first impact only.
    EXPECT_NEAR(compound.position.z, whole.position.z, 1e-4);
    EXPECT_LT(norm(compound.velocity), 1e-5);
    EXPECT_LT(norm(compound.angular_velocity), 1e-4);
}

TEST(Compounds, HoldOnWhereTheyAreConcave) {
    SceneMaker scene(1e-3);
    scene.exact(1e-7).law({.friction = 0.5});
    // A hook: a bar along x with a stem at its end, hung over a fixed rail.
    const model::SolidCompound hook{{{SolidBox{{0.10, 0.02, 0.01}}, {0.0, 0, 0.0}, {}},
                                     {SolidBox{{0.01, 0.02, 0.05}}, {0.09, 0, -0.06}, {}},
                                     {SolidBox{{0.01, 0.02, 0.05}}, {-0.09, 0, -0.06}, {}}}};
    scene.solid(SolidBox{{0.02, 0.3, 0.02}}, {.position = {0, 0, -0.05}, .fixed = true});
    const std::size_t body = scene.solid(hook, {.position = {0, 0, 0.02}});
    Experiment run(scene);
    run.until(2.0);
    // Its bar rests on the rail: the centre of mass lies below the bar.
    EXPECT_GT(run.body(body).position.z, -0.08);
    EXPECT_LT(norm(run.body(body).velocity), 1e-4);
    EXPECT_LT(run.report().overlap_relative, 1e-3);
}

}  // namespace
}  // namespace scree::test
