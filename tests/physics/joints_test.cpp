// SPDX-License-Identifier: BSD-3-Clause
// Joints against closed forms: B11 of the validation and more. Drift of the constraints stays at rounding.
#include "tests/support/joints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::test {
namespace {

using model::JointAxis;
using model::SolidBox;
using model::SolidCylinder;

constexpr double pi = std::numbers::pi;
constexpr std::size_t ground = SceneMaker::ground;

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double elliptic_k(double k) {
    double a = 1.0, b = std::sqrt(1.0 - k * k);
    for (int i = 0; i < 20; ++i) {
        const double next = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = next;
    }
    return pi / (2.0 * a);
}

class PendulumPeriod : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(B11, PendulumPeriod, testing::Values(0.1, 1.0, 2.5));

double period_error(double h, double amplitude) {
    Pendulum p(h, amplitude);
    Experiment run(p.scene);
    // The spin changes its sign at the turning points: half a period.
    double before = 0.0, first = 0.0, last = 0.0;
    for (int turns = 0; turns < 5;) {
        run.step();
        const double spin = run.body(p.ball).angular_velocity.y;
        if (before * spin < 0.0) {
            last = run.time() - h * spin / (spin - before);
            if (++turns == 1) first = last;
        }
        before = spin;
    }
    const double expected =
        4.0 * std::sqrt(Pendulum::inertia / (gravity * Pendulum::length)) * elliptic_k(std::sin(0.5 * amplitude));
    return std::abs((last - first) / 2.0 - expected) / expected;
}

TEST_P(PendulumPeriod, IsThatOfTheClosedFormToSecondOrder) {
    const double coarse = period_error(4e-3, GetParam()), fine = period_error(2e-3, GetParam());
    EXPECT_LT(fine, 2e-5);
    EXPECT_LT(fine, 0.35 * coarse + 1e-9);  // order two: a quarter
}

TEST(Pendulum, KeepsItsEnergyAndItsLengthOverTenThousandSteps) {
    Pendulum p(5e-3, 2.0);
    Experiment run(p.scene);
    double lowest = 1e300, highest = -1e300, drift = 0.0;
    double first_half = 0.0, second_half = 0.0;
    for (int k = 0; k < 10000; ++k) {
        run.step();
        const double e = p.energy(run);
        lowest = std::min(lowest, e);
        highest = std::max(highest, e);
        (k < 5000 ? first_half : second_half) += e / 5000.0;
        drift = std::max(drift, std::abs(norm(run.body(p.ball).position) - Pendulum::length));
    }
    EXPECT_LT(drift, 1e-12);
    // Energies of a leapfrog oscillate by h times the power; their means stay.
    EXPECT_LT(highest - lowest, 0.2);
    EXPECT_NEAR(first_half, second_half, 2e-4);
}

TEST(Door, TurnsUnderATorqueAsTheClosedFormSays) {
    SceneMaker scene(1e-3);
    scene.exact();
    // 1 m wide, hinged at its edge.
    const std::size_t door = scene.solid(SolidBox{{0.5, 0.025, 1.0}}, {.position = {0.5, 0, 0}, .mass = 20.0});
    std::get<model::BodySource>(scene.edit().sources[door].what).torque = {0, 0, 3.0};
    scene.joint(model::RevoluteJoint{{}, {0, 0, 1}}, ground, door);
    Experiment run(scene);
    const double inertia = 20.0 * (1.0 + 0.05 * 0.05) / 12.0 + 20.0 * 0.25;
    run.until(2.0);
    // n steps from rest, each after its torque has acted: h^2 n (n + 1) / 2.
    const double expected = 3.0 / inertia * 0.5 * 2.0 * (2.0 + 1e-3);
    EXPECT_NEAR(joint_now(run, 0).turn, expected, 1e-6 * expected);
    EXPECT_NEAR(joint_now(run, 0).force.z, 20.0 * gravity, 1e-9 * 20.0 * gravity);
    // Towards the hinge, m r w^2, and along the motion, m r alpha less what the torque does alone.
    const double w = 3.0 / inertia * 2.0, angle = joint_now(run, 0).turn;
    const Vec3 out{std::cos(angle), std::sin(angle), 0};
    EXPECT_NEAR(dot(joint_now(run, 0).force, out), -20.0 * 0.5 * w * w, 2e-3 * 20.0 * 0.5 * w * w);
    EXPECT_LT(std::abs(run.body(door).position.z), 1e-12);
}

TEST(Prismatic, SlidesDownASlopeWithoutTurning) {
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t block = scene.solid(SolidBox{{0.2, 0.1, 0.05}}, {.position = {0.3, 0.1, 0.2}, .mass = 2.0});
    const double slope = 0.4;
    scene.joint(model::PrismaticJoint{{0, 0, 0}, {std::cos(slope), 0, -std::sin(slope)}}, ground, block);
    Experiment run(scene);
    run.until(1.0);
    const double way = 0.5 * gravity * std::sin(slope) * (1.0 + 1e-3);
    EXPECT_NEAR(joint_now(run, 0).slide, way, 1e-9);
    EXPECT_NEAR(run.body(block).position.x, 0.3 + way * std::cos(slope), 1e-9);
    EXPECT_LT(norm(run.body(block).angular_velocity), 1e-11);
    EXPECT_NEAR(norm(joint_now(run, 0).force), 2.0 * gravity * std::cos(slope), 1e-6);
}

TEST(Screw, LetsANutFallAsItsInertiaAllows) {
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t nut = scene.solid(SolidCylinder{0.1, 0.05}, {.mass = 3.0});
    const double pitch = 0.02;
    scene.joint(model::ScrewJoint{{}, {0, 0, 1}, pitch}, ground, nut);
    Experiment run(scene);
    run.until(1.0);
    const double lead = pitch / (2.0 * pi), inertia = 0.5 * 3.0 * 0.01;
    const double a = gravity / (1.0 + inertia / (3.0 * lead * lead));
    EXPECT_NEAR(joint_now(run, 0).slide, -0.5 * a * (1.0 + 1e-3), 1e-9);
    EXPECT_NEAR(joint_now(run, 0).turn, joint_now(run, 0).slide / lead, 1e-9);
}

TEST(Gear, CouplesInertiasByTheSquareOfItsRatio) {
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t small = scene.solid(SolidCylinder{0.1, 0.05}, {.mass = 1.0});
    const std::size_t large = scene.solid(SolidCylinder{0.3, 0.05}, {.position = {0.4, 0, 0}, .mass = 9.0});
    scene.joint(model::RevoluteJoint{{}, {0, 0, 1}}, ground, small).name = "pinion";
    auto& wheel = scene.joint(model::RevoluteJoint{{0.4, 0, 0}, {0, 0, 1}}, ground, large);
    wheel.name = "wheel";
    scene.edit().joints[0].turn.motor = JointAxis::Motor::force;
    scene.edit().joints[0].turn.target.constant = 0.2;
    model::Joint gear;
    gear.name = "gear";
    gear.kind = model::GearJoint{"pinion", "wheel", -1.0 / 3.0};
    scene.edit().joints.push_back(gear);
    Experiment run(scene);
    run.until(5.0);
    const double alpha = 0.2 / (0.5 * 0.01 + 0.5 * 9.0 * 0.09 / 9.0);
    const double turn = 0.5 * alpha * 5.0 * (5.0 + 1e-3);
    EXPECT_GT(turn, 2.0 * pi * 5.0);  // counted over whole turns
    EXPECT_NEAR(joint_now(run, 0).turn, turn, 1e-8 * turn);
    EXPECT_NEAR(joint_now(run, 1).turn, -turn / 3.0, 1e-8 * turn);
}

TEST(Rack, TurnsIntoASlide) {
    SceneMaker scene(1e-3);
    scene.exact();
    const std::size_t pinion = scene.solid(SolidCylinder{0.1, 0.05}, {.mass = 1.0});
    const std::size_t rack = scene.solid(SolidBox{{1, 0.05, 0.05}}, {.position = {0, 0.2, 0}, .mass = 2.0});
    scene.joint(model::RevoluteJoint{{}, {0, 0, 1}}, ground, pinion).name = "pinion";
    scene.joint(model::PrismaticJoint{{0, 0.2, 0}, {1, 0, 0}}, ground, rack).name = "rack";
    scene.edit().joints[0].turn.motor = JointAxis::Motor::force;
    scene.edit().joints[0].turn.target.constant = 0.1;
    model::Joint coupling;
    coupling.kind = model::RackJoint{"pinion", "rack", 0.1};
    scene.edit().joints.push_back(coupling);
    Experiment run(scene);
    run.until(1.0);
    const double alpha = 0.1 / (0.5 * 0.01 + 2.0 * 0.01);
    EXPECT_NEAR(run.body(rack).position.x, 0.1 * 0.5 * alpha * (1.0 + 1e-3), 1e-9);
}

TEST(Universal, TransmitsTurnsAsACardanJointDoes) {
    SceneMaker scene(1e-3);
    scene.exact().acceleration({});
    const double bend = 0.6;
    const Vec3 shaft{std::sin(bend), 0, std::cos(bend)};
    const std::size_t a = scene.solid(SolidCylinder{0.05, 0.2}, {.position = {0, 0, -0.3}});
    const std::size_t b =
        scene.solid(SolidCylinder{0.05, 0.2},
                    {.position = 0.3 * shaft, .orientation = {std::cos(bend / 2), 0, std::sin(bend / 2), 0}});
    scene.joint(model::RevoluteJoint{{0, 0, -0.3}, {0, 0, 1}}, ground, a);
    scene.joint(model::RevoluteJoint{0.3 * shaft, shaft}, ground, b);
    scene.joint(model::UniversalJoint{{}, {0, 1, 0}, {std::cos(bend), 0, -std::sin(bend)}}, a, b);
    scene.edit().joints[0].turn.motor = JointAxis::Motor::speed;
    scene.edit().joints[0].turn.target.constant = 7.0;
    Experiment run(scene);
    double worst = 0.0;
    run.until(2.0, [&] {
        const double turn = joint_now(run, 0).turn;
        // tan b = tan a cos(bend)
        const double other = joint_now(run, 1).turn;
        worst = std::max(
            worst, std::abs(std::sin(other) * std::cos(turn) - std::cos(bend) * std::sin(turn) * std::cos(other)));
    });
    EXPECT_NEAR(joint_now(run, 0).turn, 14.0, 1e-9);
    EXPECT_LT(worst, 1e-9);
}

TEST(Planar, LeavesTwoSlidesAndATurn) {
    SceneMaker scene(1e-3);
    scene.exact();
    const double slope = 0.3;
    const std::size_t puck =
        scene.solid(SolidBox{{0.2, 0.1, 0.05}}, {.orientation = {std::cos(slope / 2), 0, std::sin(slope / 2), 0},
                                                 .velocity = {0, 0.5, 0},
                                                 .angular_velocity = {3 * std::sin(slope), 0, 3 * std::cos(slope)}});
    scene.joint(model::PlanarJoint{{}, {std::sin(slope), 0, std::cos(slope)}}, ground, puck);
    Experiment run(scene);
    run.until(1.0);
    const Vec3 down{std::cos(slope), 0, -std::sin(slope)}, normal{std::sin(slope), 0, std::cos(slope)};
    const BodyNow now = run.body(puck);
    EXPECT_NEAR(dot(now.position, down), 0.5 * gravity * std::sin(slope) * (1.0 + 1e-3), 1e-9);
    EXPECT_NEAR(now.position.y, 0.5, 1e-9);
    EXPECT_NEAR(dot(now.position, normal), 0.0, 1e-12);
    EXPECT_NEAR(dot(now.angular_velocity, normal), 3.0, 1e-9);
}

TEST(Rod, BetweenTwoBallsCarriesTheirCentripetalForce) {
    SceneMaker scene(1e-3);
    scene.exact().acceleration({});
    const double w = 5.0;
    const std::size_t a = scene.sphere({.position = {1, 0, 0}, .radius = 0.1, .velocity = {0, w, 0}, .mass = 1.0});
    const std::size_t b =
        scene.sphere({.position = {-0.5, 0, 0}, .radius = 0.1, .velocity = {0, -0.5 * w, 0}, .mass = 2.0});
    scene.joint(model::DistanceJoint{{1, 0, 0}, {-0.5, 0, 0}}, a, b);
    Experiment run(scene);
    run.until(3.0);
    EXPECT_NEAR(norm(run.body(a).position - run.body(b).position), 1.5, 1e-12);
    EXPECT_NEAR(norm(joint_now(run, 0).force), w * w, 1e-4 * w * w);
    EXPECT_LT(norm(run.momentum()), 1e-12);
}

class SliderCrank : public testing::Test {
protected:
    static constexpr double crank = 0.1, rod = 0.3;
    SliderCrank() : scene(1e-3) {
        scene.exact();
        // In the x-z plane, the crank along x. Hinges in space: three rows are redundant.
        const std::size_t a = scene.solid(SolidBox{{crank / 2, 0.01, 0.01}}, {.position = {crank / 2, 0, 0}});
        const std::size_t b = scene.solid(SolidBox{{rod / 2, 0.01, 0.01}}, {.position = {crank + rod / 2, 0, 0}});
        slider = scene.solid(SolidBox{{0.02, 0.02, 0.02}}, {.position = {crank + rod, 0, 0}});
        scene.joint(model::RevoluteJoint{{}, {0, 1, 0}}, ground, a);
        scene.joint(model::RevoluteJoint{{crank, 0, 0}, {0, 1, 0}}, a, b);
        scene.joint(model::RevoluteJoint{{crank + rod, 0, 0}, {0, 1, 0}}, b, slider);
        scene.joint(model::PrismaticJoint{{}, {1, 0, 0}}, ground, slider);
    }
    SceneMaker scene;
    std::size_t slider = 0;
};

TEST_F(SliderCrank, MovesAsItsGeometrySays) {
    scene.edit().joints[0].turn.motor = JointAxis::Motor::speed;
    scene.edit().joints[0].turn.target.constant = 10.0;
    Experiment run(scene);
    double worst = 0.0, drift = 0.0;
    run.until(2.0, [&] {
        const double angle = 10.0 * run.time();
        const double x = crank * std::cos(angle) + std::sqrt(rod * rod - std::pow(crank * std::sin(angle), 2));
        worst = std::max(worst, std::abs(run.body(slider).position.x - x));
        drift = std::max(drift, std::abs(run.body(slider).position.z));
    });
    EXPECT_LT(worst, 1e-9);
    EXPECT_LT(drift, 1e-12);
}

TEST_F(SliderCrank, KeepsItsEnergyWhenNothingDrivesIt) {
    scene.edit().sources[0].angular_velocity = {0, 20, 0};
    scene.edit().sources[0].velocity = {0, 0, -20 * crank / 2};
    scene.edit().sources[1].velocity = {0, 0, -20 * crank / 2};
    scene.edit().sources[1].angular_velocity = {0, -20 * crank / rod, 0};
    scene.acceleration({});
    Experiment run(scene);
    const auto energy = [&] {
        double sum = 0.0;
        const auto& s = run.now();
        for (std::size_t i = 0; i < s.id.size(); ++i) sum += kinetic_energy_of(s, i);
        return sum;
    };
    run.step();
    const double start = energy();
    double least = start, most = start;
    run.until(10.0, [&] {
        least = std::min(least, energy());
        most = std::max(most, energy());
    });
    EXPECT_GT(least, 0.98 * start);
    EXPECT_LT(most, 1.02 * start);
}

TEST(FourBar, MovesAsItsGeometrySays) {
    // Ground 0.3, crank 0.1, coupler 0.28, rocker 0.25, in the x-z plane.
    const double d = 0.3, a = 0.1, b = 0.28, c = 0.25;
    const auto tip = [&](double angle) {
        const Vec3 p{a * std::cos(angle), 0, -a * std::sin(angle)};  // turns about y
        const Vec3 way = Vec3{d, 0, 0} - p;
        const double length = norm(way), along = (length * length + b * b - c * c) / (2.0 * length);
        const double up = std::sqrt(b * b - along * along);
        const Vec3 u = (1.0 / length) * way;
        return p + along * u + up * Vec3{-u.z, 0, u.x};
    };
    SceneMaker scene(1e-3);
    scene.exact();
    const Vec3 p{a, 0, 0}, q = tip(0.0), o{d, 0, 0};
    const auto bar = [&](Vec3 from, Vec3 to) {
        const Vec3 way = to - from;
        const double angle = std::atan2(-way.z, way.x);
        return scene.solid(
            SolidBox{{norm(way) / 2, 0.01, 0.01}},
            {.position = 0.5 * (from + to), .orientation = {std::cos(angle / 2), 0, std::sin(angle / 2), 0}});
    };
    const std::size_t crank = bar({}, p), coupler = bar(p, q), rocker = bar(q, o);
    const Vec3 y{0, 1, 0};
    scene.joint(model::RevoluteJoint{{}, y}, ground, crank);
    scene.joint(model::RevoluteJoint{p, y}, crank, coupler);
    scene.joint(model::RevoluteJoint{q, y}, coupler, rocker);
    scene.joint(model::RevoluteJoint{o, y}, ground, rocker);
    scene.edit().joints[0].turn.motor = JointAxis::Motor::speed;
    scene.edit().joints[0].turn.target.constant = 6.0;
    Experiment run(scene);
    double worst = 0.0;
    run.until(3.0, [&] {
        const Vec3 middle = 0.5 * (tip(6.0 * run.time()) + o);
        worst = std::max(worst, norm(run.body(rocker).position - middle));
    });
    EXPECT_LT(worst, 1e-9);
}

}  // namespace
}  // namespace scree::test
