// SPDX-License-Identifier: BSD-3-Clause
// Solids that meet within a step, off centre, with friction: what one gains of momentum and of angular momentum about a
// point at rest, the other loses.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace scree::test {
namespace {

constexpr double half = 0.05;  ///< Edge of cubes, radius of the others [m].

/// A solid whose inertia is the same about all axes, and that inertia over its mass [m^2].
struct RoundInertia {
    model::Solid solid;
    double per_mass;
};
RoundInertia cube() { return {model::SolidBox{{half, half, half}}, (2.0 * half) * (2.0 * half) / 6.0}; }
RoundInertia cylinder() { return {model::SolidCylinder{half, 0.5 * std::sqrt(3.0) * half}, 0.5 * half * half}; }

/// Twenty pairs, each in a place of its own: a solid and a sphere that come at each other at `speed`. The largest error
/// of a pair's angular momentum over that of its impulse at an arm of `half`.
double largest_error(const RoundInertia& kind, double speed, double step, int& met) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    std::normal_distribution<double> normal;
    const auto any = [&](double size) { return size * Vec3{both(random), both(random), both(random)}; };
    constexpr int pairs = 20;
    SceneMaker maker(step);
    maker.exact().acceleration({}).law({.friction = 0.4, .restitution = 0.5});
    const auto place = [](int k) {
        const int row = k / 5;
        return Vec3{double(k % 5), double(row), 0.0};
    };
    for (int k = 0; k < pairs; ++k) {
        const model::Quat turn = unit({normal(random), normal(random), normal(random), normal(random)});
        maker.solid(kind.solid, {.position = place(k) + Vec3{-0.1, 0, 0} + any(0.02),
                                 .orientation = turn,
                                 .velocity = (0.5 * speed) * Vec3{1, 0, 0} + any(0.3 * speed),
                                 .angular_velocity = any(5.0)});
        maker.sphere({.position = place(k) + Vec3{0.1, 0, 0} + any(0.02),
                      .radius = half,
                      .velocity = (-0.5 * speed) * Vec3{1, 0, 0},
                      .angular_velocity = any(5.0)});
    }
    Experiment run(maker);
    const auto about_place = [&](int k) {
        Vec3 sum;
        for (const std::size_t body : {2 * std::size_t(k), 2 * std::size_t(k) + 1}) {
            const BodyNow b = run.body(body);
            const double inertia = b.mass * (body % 2 == 0 ? kind.per_mass : 0.4 * half * half);
            sum = sum + b.mass * cross(b.position - place(k), b.velocity) + inertia * b.angular_velocity;
        }
        return sum;
    };
    std::vector<Vec3> before, velocity;
    for (int k = 0; k < pairs; ++k) {
        before.push_back(about_place(k));
        velocity.push_back(run.body(2 * std::size_t(k)).velocity);
    }
    run.until(0.2 / speed);
    double worst = 0.0;
    met = 0;
    for (int k = 0; k < pairs; ++k) {
        const double impulse = norm(run.body(2 * std::size_t(k)).velocity - velocity[std::size_t(k)]);  // of 1 kg
        if (impulse < 0.01 * speed) continue;
        ++met;
        worst = std::max(worst, norm(about_place(k) - before[std::size_t(k)]) / (impulse * half));
    }
    return worst;
}

// At 1 m/s and 5 ms they come nearer by a tenth of their size in a step. Before the points met: up to 9 %.
void expect_kept_by(const RoundInertia& kind) {
    int met = 0;
    EXPECT_LT(largest_error(kind, 1.0, 5e-3, met), 0.01);
    EXPECT_GT(met, 15);
    EXPECT_LT(largest_error(kind, 1.0, 1e-3, met), 0.002);
    EXPECT_GT(met, 15);
}
TEST(SolidsMomentum, IsKeptByCubesAndSpheres) { expect_kept_by(cube()); }
TEST(SolidsMomentum, IsKeptByCylindersAndSpheres) { expect_kept_by(cylinder()); }

}  // namespace
}  // namespace scree::test
