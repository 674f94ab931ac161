// SPDX-License-Identifier: BSD-3-Clause
// Poisson's law of impacts (kernels/step/poisson_impacts.hpp) in cases with closed forms, beside Newton's.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::test {
namespace {

using model::ImpactLaw;
using model::Precision;

SceneMaker scene_of(ImpactLaw impact, Precision precision = Precision::double_) {
    SceneMaker scene(1e-3);
    scene.exact(1e-11).precision(precision).acceleration({});
    if (precision == Precision::mixed) scene.solver(1e-5, 5000);
    scene.edit().settings.contact.impact = impact;
    scene.edit().settings.contact.restitution_threshold = 1e-6;
    return scene;
}

TEST(PoissonImpact, OfBallsWithoutFrictionIsNewtons) {
    for (const double e : {0.0, 0.4, 1.0}) {
        std::vector<Vec3> newton, poisson;
        for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::poisson}) {
            SceneMaker scene = scene_of(impact);
            scene.law({.restitution = e}).plane();
            scene.sphere({.position = {0, 0, 0.5005}, .velocity = {0.2, 0, -2}, .mass = 3.0});
            scene.sphere({.position = {4.3, 0, 2.0}, .velocity = {-2, 0.1, 0}});
            scene.sphere({.position = {3.2985, 0.2, 2.0}, .velocity = {0, 0.3, 0.4}, .mass = 0.2});
            Experiment run(scene);
            run.steps(2);
            for (std::size_t b = 0; b < 3; ++b)
                (impact == ImpactLaw::newton ? newton : poisson).push_back(run.body(b).velocity);
        }
        EXPECT_NEAR(newton[0].z, 2.0 * e, 1e-9);
        for (std::size_t b = 0; b < 3; ++b)
            EXPECT_LT(norm(newton[b] - poisson[b]), 1e-9) << "body " << b << ", e " << e;
    }
}

// A ball runs into one that touches a wall. All stop while they are compressed, with impulses m v; the wall, whose pair
// alone is elastic, gives back e m v, and the two balls take it together.
TEST(PoissonImpact, ReturnsShocksWithoutAnApproach) {
    for (const Precision precision : {Precision::double_, Precision::mixed})
        for (const double e : {0.3, 0.8}) {
            SceneMaker scene = scene_of(ImpactLaw::poisson, precision);
            scene.law({.restitution = 0.0}).wall_law({.restitution = e}).plane();
            scene.sphere({.position = {0, 0, 0.5}});
            scene.sphere({.position = {0, 0, 1.501}, .velocity = {0, 0, -2}});
            Experiment run(scene);
            run.step();
            const double back = 0.5 * e * 2.0, close = 2e-3 * back;  // speeds are sought to 1e-3
            EXPECT_NEAR(run.body(0).velocity.z, back, close) << "e " << e;
            EXPECT_NEAR(run.body(1).velocity.z, back, close) << "e " << e;
        }
}

// The same with a row of balls between: the wall's impulse, e m v, is shared by all.
TEST(PoissonImpact, ReturnsShocksThroughRows) {
    for (const std::size_t row : {2U, 4U, 9U}) {
        const double e = 0.6, v = 2.0;
        SceneMaker scene = scene_of(ImpactLaw::poisson);
        scene.law({.restitution = 0.0}).wall_law({.restitution = e}).plane();
        for (std::size_t k = 0; k < row; ++k) scene.sphere({.position = {0, 0, 0.5 + double(k)}});
        scene.sphere({.position = {0, 0, 0.501 + double(row)}, .velocity = {0, 0, -v}});
        Experiment run(scene);
        run.step();
        const double back = e * v / double(row + 1);
        for (std::size_t k = 0; k <= row; ++k)
            EXPECT_NEAR(run.body(k).velocity.z, back, 3e-3 * back) << k << " of " << row;
    }
}

/// Normal and tangential impulse [N s] of a capsule that lands on its lower end, and its velocity after.
struct Landing {
    double normal, tangential;
    Vec3 velocity;
};
Landing land(ImpactLaw impact, double e, double friction, double degrees, double sideways) {
    SceneMaker scene = scene_of(impact);
    scene.law({.friction = friction, .restitution = e}).plane();
    const double angle = degrees * M_PI / 180.0, radius = 0.01, half = 0.5;
    const double height = half * std::cos(angle) + radius;
    scene.solid(model::SolidCapsule{radius, half}, {.position = {0, 0, height + 1e-9},
                                                    .orientation = model::from_axis_angle({0, 1, 0}, angle),
                                                    .velocity = {sideways, 0, -1}});
    Experiment run(scene);
    run.step();
    const Vec3 force = run.body(0).force;
    return {force.z * run.h(), force.x * run.h(), run.body(0).velocity};
}

TEST(PoissonImpact, WithFrictionReturnsTheImpulseOfCompression) {
    for (const double degrees : {10.0, 30.0, 50.0})
        for (const double friction : {0.0, 0.2, 0.6})
            for (const double sideways : {0.0, 0.7, -0.7})
                for (const double e : {0.4, 0.9}) {
                    const Landing compression = land(ImpactLaw::poisson, 0.0, friction, degrees, sideways);
                    const Landing whole = land(ImpactLaw::poisson, e, friction, degrees, sideways);
                    ASSERT_GT(compression.normal, 0.05);
                    // Sought to 1e-3 of the speed of parting; impulse and speed go together by factors near one.
                    EXPECT_NEAR(whole.normal / compression.normal, 1.0 + e, 5e-3)
                        << degrees << " deg, mu " << friction << ", " << sideways << " m/s, e " << e;
                    EXPECT_LE(std::abs(whole.tangential), friction * whole.normal + 1e-9);
                }
    // The two laws differ where friction turns: Newton's asks for a speed of the end.
    const Landing newton = land(ImpactLaw::newton, 0.9, 0.6, 30.0, 0.7);
    const Landing poisson = land(ImpactLaw::poisson, 0.9, 0.6, 30.0, 0.7);
    EXPECT_GT(std::abs(newton.normal - poisson.normal), 0.02 * poisson.normal);
}

TEST(PoissonImpact, LetsHeapsComeToRest) {
    SceneMaker scene(1e-3);
    // Balls that nothing keeps from rolling and spinning may do so for ever, by either law.
    scene.law({.friction = 0.4, .restitution = 0.5, .rolling = 5e-4, .spinning = 5e-4}).plane();
    scene.edit().settings.contact.impact = ImpactLaw::poisson;
    for (const double side : {-1.0, 1.0}) {
        scene.plane({side * 0.16, 0, 0}, {-side, 0, 0});
        scene.plane({0, side * 0.16, 0}, {0, -side, 0});
    }
    for (int k = 0; k < 60; ++k)
        scene.sphere({.position = {0.1 * (k % 3 - 1) + 1e-3 * (k % 7), 0.1 * (k / 3 % 3 - 1) + 1e-3 * (k % 5),
                                   0.06 + 0.1 * (k / 9)},
                      .radius = 0.045,
                      .mass = 0.5});
    Experiment run(scene);
    const double start = 60 * 0.5 * gravity * 0.4;  // the scale of the heap's energy [J]
    run.until(2.0);
    EXPECT_LT(run.kinetic_energy(), 1e-6 * start);
    EXPECT_LT(run.report().overlap_relative, 0.01);
}

}  // namespace
}  // namespace scree::test
