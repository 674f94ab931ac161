// SPDX-License-Identifier: BSD-3-Clause
// Where the energy goes: the works of the contact laws against closed forms, and that with gravity they leave nothing
// over. Run as a run does it: RunStatistics sums the reports, positions of the bodies tell the potential energy.
#include "engine/simulation/run_statistics.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree::test {
namespace {

using simulation::RunStatistics;

/// A run whose statistics are kept.
class Accounted {
public:
    explicit Accounted(model::Scene scene) : run_(std::move(scene)), statistics_(run_.simulation().scene()) {
        statistics_.start(run_.simulation().snapshot(false));
    }
    explicit Accounted(const SceneMaker& maker) : Accounted(maker.scene()) {}

    template <class Look>
    void until(double time, const Look& look) {
        run_.until(time, [&] {
            statistics_.add(run_.report(), run_.simulation().free_mass());
            look(run_.report());
        });
    }
    void until(double time) {
        until(time, [](const kernels::StepReport&) {});
    }
    [[nodiscard]] double defect() {
        const auto defect = statistics_.energy().relative_defect(run_.simulation().snapshot(false));
        return defect ? std::abs(*defect) : HUGE_VAL;
    }
    [[nodiscard]] const kernels::ContactWork& work() const { return statistics_.energy().work(); }
    [[nodiscard]] const RunStatistics& statistics() const { return statistics_; }
    [[nodiscard]] Experiment& run() { return run_; }

private:
    Experiment run_;
    RunStatistics statistics_;
};

/// What is asked of the ledger: rounding of 1e-16 or 6e-8 per step and number, over hundreds of steps and contacts.
constexpr double closes_in_double = 1e-6, closes_in_mixed = 1e-3;

class EnergyLedger : public testing::TestWithParam<model::Precision> {
protected:
    static double bound() { return GetParam() == model::Precision::double_ ? closes_in_double : closes_in_mixed; }
    static void expect_closed(Accounted& run) {
        EXPECT_LT(run.defect(), bound());
        // At every step, too, with the ways that the reports tell.
        EXPECT_EQ(run.statistics().histories().energy_defect.steps(), run.statistics().totals().steps);
        EXPECT_LT(run.statistics().histories().energy_defect.worst(), bound());
    }
};
INSTANTIATE_TEST_SUITE_P(Precisions, EnergyLedger, testing::Values(model::Precision::double_, model::Precision::mixed),
                         [](const auto& kinds) {
                             return kinds.param == model::Precision::double_ ? "Double" : "Mixed";
                         });

/// A cloud of spheres over a floor between four walls, with every law at once.
SceneMaker cloud(model::Precision precision, const Law& law, double h = 1e-3) {
    SceneMaker scene(h);
    scene.precision(precision).solver(1e-2, 500).law(law);
    scene.plane({0, 0, 0}, {0, 0, 1});
    scene.plane({-.25, 0, 0}, {1, 0, 0});
    scene.plane({.25, 0, 0}, {-1, 0, 0});
    scene.plane({0, -.25, 0}, {0, 1, 0});
    scene.plane({0, .25, 0}, {0, -1, 0});
    std::mt19937 random(4);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (int k = 0; k < 64; ++k)
        scene.sphere({.position = {-.18 + .12 * (k % 4), -.18 + .12 * (k / 4 % 4), .06 + .12 * double(k / 16)},
                      .radius = .05 + .008 * both(random),
                      .velocity = {both(random), both(random), both(random)},
                      .angular_velocity = {9 * both(random), 9 * both(random), 9 * both(random)},
                      .mass = .1 + .05 * both(random)});
    return scene;
}

constexpr Law everything{.friction = .4, .restitution = .6, .rolling = 1e-3, .spinning = 1e-3, .cohesion = .5};

TEST_P(EnergyLedger, ClosesOverACloudThatSettlesWithEveryLaw) {
    Accounted run(cloud(GetParam(), everything));
    run.until(0.6);
    expect_closed(run);
    const kernels::ContactWork& w = run.work();
    EXPECT_LT(w.impact, 0.0);
    EXPECT_LT(w.friction, 0.0);
    EXPECT_LT(w.rolling, 0.0);
    EXPECT_LT(w.spinning, 0.0);
    EXPECT_NE(w.normal, 0.0);
    EXPECT_NE(w.cohesion, 0.0);
    EXPECT_EQ(w.driven, 0.0);
    EXPECT_EQ(w.other, 0.0);
}

TEST_P(EnergyLedger, ClosesWithSpringsAndDampers) {
    SceneMaker scene = cloud(GetParam(), {.friction = .4, .restitution = .6, .stiffness = 2e4}, 2e-4);
    Accounted run(scene.spring_damper());
    run.until(0.2);
    expect_closed(run);
    EXPECT_LT(run.work().normal, 0.0);
    EXPECT_EQ(run.work().impact, 0.0);
}

TEST_P(EnergyLedger, ClosesWithRigidFeedbackThatPushesOut) {
    SceneMaker scene = cloud(GetParam(), {.friction = .4, .restitution = .3});
    Accounted run(scene.feedback(model::PositionFeedback::rigid));
    run.until(0.4);
    expect_closed(run);
    EXPECT_NE(run.statistics().energy().position_work(), 0.0) << "nothing was pushed out";
}

TEST_P(EnergyLedger, ClosesOverBoxesAndCapsulesThatTumble) {
    SceneMaker scene(1e-3);
    scene.precision(GetParam()).solver(1e-2, 500).law({.friction = .5, .restitution = .4, .rolling = 1e-3});
    scene.plane({0, 0, 0}, {0, 0, 1});
    std::mt19937 random(5);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (int k = 0; k < 16; ++k) {
        const SolidSpec spec{.position = {.25 * (k % 2), .25 * (k / 2 % 2), .2 + .25 * double(k / 4)},
                             .orientation = unit(model::Quat{1, both(random), both(random), both(random)}),
                             .velocity = {both(random), both(random), both(random)},
                             .angular_velocity = {5 * both(random), 5 * both(random), 5 * both(random)},
                             .mass = 1.0};
        if (k % 2 == 0)
            scene.solid(model::SolidBox{{.1, .06, .04}}, spec);
        else
            scene.solid(model::SolidCapsule{.04, .06}, spec);
    }
    Accounted run(scene);
    run.until(0.5);
    expect_closed(run);
    EXPECT_NE(run.statistics().energy().turning_work(), 0.0);
}

// Impacts that would win energy: the works are those of the impulses that were kept, and spins that are scaled down
// after them leave nothing in the work of turning.
TEST_P(EnergyLedger, ClosesWhereEnergyLimitsReboundsOfCubes) {
    for (const auto feedback : {model::PositionFeedback::compliant, model::PositionFeedback::rigid}) {
        SceneMaker scene(1e-3);
        scene.precision(GetParam()).solver(1e-2, 500).law({.friction = .5, .restitution = .9}).feedback(feedback);
        scene.plane({0, 0, 0}, {0, 0, 1});
        std::mt19937 random(6);
        std::uniform_real_distribution<double> both(-1.0, 1.0);
        for (int k = 0; k < 48; ++k) {
            const Vec3 place{.2 * (k % 2), .2 * (k / 2 % 2), .15 + .2 * double(k / 4)};
            // They close in on the middle.
            scene.solid(model::SolidBox{{.05, .05, .05}},
                        {.position = place,
                         .orientation = unit(model::Quat{1, both(random), both(random), both(random)}),
                         .velocity = 3.0 * (Vec3{.1, .1, .1} - place) + Vec3{both(random), both(random), 0},
                         .angular_velocity = {20 * both(random), 20 * both(random), 20 * both(random)},
                         .mass = 1.0});
        }
        Accounted run(scene);
        std::int64_t limited = 0;
        run.until(0.6, [&](const kernels::StepReport& r) {
            limited += r.limited_clusters;
            EXPECT_NEAR(r.contact_work, r.work.sum() + r.turning_work,
                        bound() * (r.kinetic_translation + r.kinetic_rotation));
        });
        EXPECT_GT(limited, 30);
        EXPECT_LT(run.work().impact, 0.0);
        EXPECT_LT(run.work().friction, 0.0);
        expect_closed(run);
    }
}

TEST_P(EnergyLedger, CountsWhatMovingWallsPutIn) {
    // A ball on a belt of speed u that slips, then rolls with it (no torque without slip): v = 2 u / 7, w r = 5 u / 7.
    SceneMaker scene(1e-4);
    scene.precision(GetParam()).solver(1e-6, 2000).law({.friction = .5});
    model::Motion belt;
    belt.velocity = {1, 0, 0};
    scene.boundary(model::PlaneShape{{}, {0, 0, 1}}, {belt});
    scene.sphere({.position = {0, 0, .05}, .radius = .05, .mass = 2.0});
    Accounted run(scene);
    run.until(0.3);
    expect_closed(run);
    const double speed = 2.0 / 7.0, kinetic = 0.5 * 2.0 * (speed * speed + 0.4 * 25.0 / 49.0);
    // The impulse m v acts at the speed of the belt; friction takes the rest. The ball stands 1e-4 of its diameter
    // deep.
    EXPECT_NEAR(run.work().driven, 2.0 * speed * 1.0, 2e-4 * 2.0 * speed);
    // The difference of a work twice its size and one of its size, in float and summed over 3000 steps.
    const double rounding = GetParam() == model::Precision::mixed ? 1e-3 : 2e-4;
    EXPECT_NEAR(run.work().driven + run.work().friction, kinetic, rounding * kinetic);
}

TEST_P(EnergyLedger, ClosesWhereOutletsTakeBodies) {
    SceneMaker scene = cloud(GetParam(), {.friction = .3, .restitution = .3});
    scene.edit().boundaries.resize(1);
    scene.outlet({.3, 0, 0}, {1, 0, 0});
    scene.outlet({-.3, 0, 0}, {-1, 0, 0});
    Accounted run(scene);
    run.until(0.8);
    ASSERT_GT(run.run().simulation().balance().removed, 5U);
    expect_closed(run);
}

TEST_P(EnergyLedger, ClosesWithGravityAlongAPeriodicAxis) {
    SceneMaker scene(1e-3);
    scene.precision(GetParam()).law({.friction = .4, .restitution = .8}).acceleration({3, 0, -9.81});
    scene.periodic(0, -.25, .25);
    scene.plane({0, 0, 0}, {0, 0, 1});
    for (int k = 0; k < 8; ++k)
        scene.sphere({.position = {-.2 + .1 * (k % 4), 0, .06 + .12 * double(k / 4)}, .radius = .045, .mass = .2});
    Accounted run(scene);
    run.until(1.0);
    expect_closed(run);
}

TEST(EnergyLedgerLaws, AnImpactTakesWhatRestitutionDoesNotGiveBack) {
    for (const double e : {0.0, 0.5, 0.9, 1.0}) {
        SceneMaker scene(1e-3);
        scene.exact().acceleration({}).law({.restitution = e});
        scene.plane();
        scene.sphere({.position = {0, 0, 0.6003}, .radius = .5, .velocity = {0, 0, -2}, .mass = 3.0});
        Accounted run(scene);
        run.until(0.1);
        EXPECT_NEAR(run.work().impact, -(1.0 - e * e) * 0.5 * 3.0 * 4.0, 1e-10) << e;
        EXPECT_NEAR(run.work().sum(), run.work().impact, 1e-12) << e;
        EXPECT_LT(run.defect(), 1e-12) << e;
    }
}

TEST(EnergyLedgerLaws, FrictionTakesWhatASlidingBallLosesUntilItRolls) {
    SceneMaker scene(1e-3);
    scene.exact().law({.friction = .2});
    scene.plane();
    scene.sphere({.position = {0, 0, .5}, .radius = .5, .velocity = {1, 0, 0}, .mass = 2.0});
    Accounted run(scene);
    run.until(1.0);
    // It rolls with 5/7 of its speed: 2/7 of its energy are gone. It stands 1e-4 of its diameter deep: so much shorter
    // is its lever.
    EXPECT_NEAR(run.work().friction, -2.0 / 7.0 * 0.5 * 2.0, 2e-4 * 2.0 / 7.0);
    EXPECT_LT(run.defect(), 1e-12);
}

TEST(EnergyLedgerLaws, RollingAndSpinningResistanceTakeAllInTheEnd) {
    SceneMaker scene(1e-3);
    scene.exact().law({.friction = .9, .rolling = 1e-2, .spinning = 1e-2});
    scene.plane();
    scene.sphere(
        {.position = {0, 0, .5}, .radius = .5, .velocity = {.3, 0, 0}, .angular_velocity = {0, .6, 2.0}, .mass = 2.0});
    Accounted run(scene);
    run.until(6.0);
    EXPECT_NEAR(run.work().rolling, -0.7 * 2.0 * .09, 2e-3 * .126);  // 7/10 m v^2 of a ball that rolls
    EXPECT_NEAR(run.work().spinning, -0.2 * 2.0 * .25 * 4.0, 4e-4);  // I w_z^2 / 2
    EXPECT_LT(run.defect(), 1e-11);
}

TEST(EnergyLedgerLaws, ThePullOfCohesionIsPaidBackByWhoTearsItApart) {
    // Two balls that hold with 1 N, torn apart by their own speed: k x = c at the break, so the pull took c^2 / 2k and
    // more.
    SceneMaker scene(1e-4);
    scene.exact().acceleration({}).law({.cohesion = 1.0, .stiffness = 1e3});
    scene.sphere({.position = {-.1, 0, 0}, .radius = .1, .velocity = {-.5, 0, 0}, .mass = .01});
    scene.sphere({.position = {.1, 0, 0}, .radius = .1, .velocity = {.5, 0, 0}, .mass = .01});
    Accounted run(scene);
    run.until(0.02);
    EXPECT_LT(run.work().cohesion, -0.5e-3);
    EXPECT_GT(run.work().cohesion, -1.1e-3);  // c times the way of 1 mm that it holds
    EXPECT_LT(run.defect(), 1e-12);
}

// A fixed body with a velocity or a spin of its own is a wall that moves.
TEST_P(EnergyLedger, ClosesOverABoxOnAFixedBallThatTurnsOrMoves) {
    for (const auto& [velocity, spin] :
         {std::pair{Vec3{}, Vec3{0, 0, 5}}, {Vec3{.2, 0, 0}, Vec3{}}, {Vec3{0, 0, .3}, Vec3{}}}) {
        SceneMaker scene(1e-3);
        scene.precision(GetParam()).law({.friction = .5});
        scene.sphere({.radius = .05, .velocity = velocity, .angular_velocity = spin, .fixed = true});
        scene.solid(model::SolidBox{{.02, .02, .02}}, {.position = {.01, 0, .071}});
        Accounted run(scene);
        run.until(0.2);
        expect_closed(run);
        EXPECT_NE(run.work().driven, 0.0);
    }
}

}  // namespace
}  // namespace scree::test
