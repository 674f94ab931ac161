// SPDX-License-Identifier: BSD-3-Clause
// Whole steps on the CPU: what a run keeps, counts and repeats, whatever the order of bodies and the number of threads.
#include "kernels/parallel/error.hpp"
#include "kernels/step/step_engine.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

namespace scree::kernels {
namespace {

using test::WorldDescription;

class StepPrecision : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Both, StepPrecision, testing::Bool(),
                         [](const auto& precision) { return precision.param ? "Double" : "Mixed"; });

TEST_P(StepPrecision, BalancesTheNumberOfBodies) {
    WorldDescription world = test::collapsing_pile(400, 3);
    OutletPart below, outside;
    below.a[2] = 0.001;
    below.b[2] = -1.0;
    outside.form = 1;
    for (int k = 0; k < 3; ++k) outside.a[k] = -0.01, outside.b[k] = 0.12 + 0.2 * (k == 2);
    world.outlets = {below, outside};
    const auto poses = test::still_poses(world);
    const auto engine = make_cpu_engine(world, GetParam());
    std::set<Index> gone;
    std::int64_t counted = 0;
    for (int step = 0; step < 300; ++step) {
        const StepReport report = engine->step(poses);
        counted += report.removed;
        for (const RemovedBody& body : engine->take_removed()) {
            EXPECT_TRUE(gone.insert(body.id).second) << "taken twice";
            EXPECT_EQ(body.outlet, 1);
        }
        ASSERT_EQ(report.bodies + std::int64_t(gone.size()), 400);
        ASSERT_EQ(engine->body_count(), report.bodies);
    }
    EXPECT_GT(counted, 20);
    EXPECT_EQ(counted, std::int64_t(gone.size()));
    BodyDownload bodies;
    engine->download(bodies);
    for (const Index id : bodies.id) EXPECT_TRUE(gone.insert(id).second) << id << " is here and gone";
    EXPECT_EQ(gone.size(), 400U);
}

TEST(Step, ConservesMomentumWithoutWallsAndGravity) {
    WorldDescription world = test::empty_world({0.4, 0.8, 0.0, 0.0, 0.0, 1e6});
    world.gravity = {0, 0, 0};
    world.tolerance = 1e-3;
    for (double& length : world.periodic.length) length = 0.2;
    std::mt19937 random(4);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (int i = 0; i < 500; ++i)
        test::add_sphere(world, {0.025 * (i % 8), 0.025 * (i / 8 % 8), 0.025 * (i / 64)},
                         0.008 + 0.004 * std::abs(both(random)), {both(random), both(random), both(random)},
                         {10 * both(random), 10 * both(random), 10 * both(random)});
    const auto engine = make_cpu_engine(world, true);
    const auto before = test::momentum(world.velocity, world.inverse_mass);
    std::int64_t contacts = 0;
    double energy = 1e300;
    for (int step = 0; step < 200; ++step) {
        const StepReport report = engine->step({});
        contacts += report.contacts;
        EXPECT_LE(report.kinetic_translation + report.kinetic_rotation, energy * (1.0 + 1e-3));  // solved to 1e-3
        energy = report.kinetic_translation + report.kinetic_rotation;
    }
    ASSERT_GT(contacts, 1000);
    BodyDownload bodies;
    engine->download(bodies);
    const auto after = test::momentum(bodies.velocity, bodies.inverse_mass);
    // Action equals reaction but for rounding: relative to the sum of the sizes of all momenta.
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-10 * before[3]);
}

TEST(Step, DoesNotDependOnTheOrderOfBodies) {
    WorldDescription world = test::random_pile(150, 5, 0.0, {0.4, 0.0, 0.0, 0.0, 0.0, 1e5});
    world.tolerance = 1e-9;
    world.max_iterations = 20000;
    world.contact.threshold = 1e9;  // compliant contacts alone have unique velocities; impacts are rigid
    std::vector<Index> order(150);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(6));
    const auto poses = test::still_poses(world);
    const auto first = make_cpu_engine(world, true), second = make_cpu_engine(test::shuffled(world, order), true);
    for (int step = 0; step < 10; ++step) {
        const StepReport a = first->step(poses), b = second->step(poses);
        EXPECT_EQ(a.contacts, b.contacts);
        EXPECT_TRUE(a.converged);
    }
    // Velocities are unique: what is left is the tolerance, 1e-9 g h = 1e-11 m/s, times the number of steps and the
    // conditioning of a pile, some hundred to a thousand.
    EXPECT_LT(test::largest_velocity_difference(*first, *second), 1e-8);
}

TEST(Step, ReportsTheResidualOfTheProblemItDownloads) {
    for (const bool coulomb : {true, false}) {
        WorldDescription world = test::random_pile(60, 7, 0.1, {0.4, 0.0, 0.0, 0.0, 0.0, 1e5});
        world.coulomb = coulomb;
        const auto poses = test::still_poses(world);
        const auto engine = make_cpu_engine(world, true);
        StepReport report;
        for (int step = 0; step < 3; ++step) report = engine->step(poses);
        ProblemDownload problem;
        BodyDownload bodies;
        engine->download(problem);
        engine->download(bodies);
        const test::ReferenceProblem reference = test::problem_of(problem, coulomb);
        ASSERT_EQ(reference.count(), report.contacts);
        const Eigen::VectorXd gamma = Eigen::Map<const Eigen::VectorXd>(problem.impulse.data(), 3 * reference.count());
        // Velocities of 1 m/s, rounded to 1e-16, in sums of some ten.
        EXPECT_NEAR(reference_residual(reference, gamma).rms, report.residual.rms, 1e-12);
        const Eigen::VectorXd v = velocity_after(reference, gamma);
        for (int i = 0; i < 6 * reference.bodies(); ++i)
            EXPECT_NEAR(bodies.velocity[std::size_t(i)], v[i], 1e-11 * (1.0 + std::abs(v[i])));
    }
}

TEST(Step, CarriesTheWeightOfASphereAtRest) {
    for (const Feedback feedback : {Feedback::compliant, Feedback::rigid}) {
        WorldDescription world = test::empty_world();
        world.contact.feedback = feedback;
        world.tolerance = 1e-6;
        test::add_sphere(world, {0.3, 0.2, 0.01}, 0.01);
        test::add_plane(world, {0, 0, 0}, {0, 0, 1});
        const auto poses = test::still_poses(world);
        const auto engine = make_cpu_engine(world, true);
        for (int step = 0; step < 200; ++step) (void)engine->step(poses);
        const double weight = 9.81 / world.inverse_mass[0];
        const std::vector<BoundaryLoad> loads = engine->boundary_loads(std::array<std::size_t, 1>{0});
        ASSERT_EQ(loads.size(), 1U);
        EXPECT_NEAR(loads[0].force[2], -weight, 1e-5 * weight);  // solved to 1e-6 g h
        EXPECT_NEAR(loads[0].torque[0], -0.2 * weight, 1e-5 * weight);
        EXPECT_NEAR(loads[0].torque[1], 0.3 * weight, 1e-5 * weight);
        EXPECT_LT(engine->unbalanced_force(), 1e-5);
    }
}

TEST(Step, SeesFastBodiesThatMeetAndNotThoseThatFlySideBySide) {
    for (const double other : {10.0, -10.0, 0.0}) {
        WorldDescription world = test::empty_world();
        world.gravity = {0, 0, 0};
        test::add_sphere(world, {0, 0, 0}, 0.01, {10.0, 0, 0});  // 10 mm a step, at a gap of 5 mm
        test::add_sphere(world, {0.025, 0, 0}, 0.01, {other, 0, 0});
        const auto engine = make_cpu_engine(world, true);
        EXPECT_EQ(engine->step({}).contacts, other == 10.0 ? 0 : 1);
        for (int step = 0; step < 5; ++step) (void)engine->step({});
        BodyDownload bodies;
        engine->download(bodies);
        const std::size_t first = bodies.id[0] == 0 ? 0 : 1;
        EXPECT_GT(bodies.position[4 * (1 - first)] - bodies.position[4 * first], 0.0199);  // none passed the other
    }
}

TEST(Step, LeavesFixedBodiesWhereTheyAre) {
    WorldDescription world = test::empty_world();
    test::add_sphere(world, {0, 0, 0}, 0.02, {0, 0, 0}, {0, 0, 0}, true);
    test::add_sphere(world, {0.001, 0, 0.031}, 0.01);
    const auto engine = make_cpu_engine(world, true);
    for (int step = 0; step < 100; ++step) (void)engine->step({});
    BodyDownload bodies;
    engine->download(bodies);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            if (bodies.id[i] == 0)
                EXPECT_EQ(bodies.position[4 * i + k], 0.0);
            else
                EXPECT_TRUE(std::isfinite(bodies.position[4 * i + k]));
}

TEST(Step, OfAnEmptyWorldAndOfOneThatRunsEmpty) {
    const auto empty = make_cpu_engine(test::empty_world(), false);
    EXPECT_EQ(empty->step({}).contacts, 0);
    EXPECT_FALSE(empty->save().position.size() > 0);

    WorldDescription world = test::collapsing_pile(30, 8);
    OutletPart everywhere;
    everywhere.a[2] = 0.0;
    everywhere.b[2] = 1.0;
    world.outlets = {everywhere};
    const auto engine = make_cpu_engine(world, false);
    for (int step = 0; step < 45; ++step) (void)engine->step(test::still_poses(world));
    EXPECT_EQ(engine->body_count(), 0);
    EXPECT_EQ(engine->take_removed().size(), 30U);
}

TEST(Step, StopsAtAStateThatIsNoNumber) {
    for (const bool touching : {false, true}) {
        WorldDescription world = test::empty_world();
        test::add_sphere(world, {0, 0, 0}, 0.01, {std::numeric_limits<double>::quiet_NaN(), 0, 0});
        test::add_sphere(world, {touching ? 0.0199 : 1.0, 0, 0}, 0.01);
        EXPECT_THROW((void)make_cpu_engine(world, false)->step({}), NumericalError);
        EXPECT_THROW((void)make_cpu_engine(world, true)->step({}), NumericalError);
    }
}

TEST(Step, TimingThePassesLeavesTheRunAsItWas) {
    for (const double rolling : {0.0, 1e-4}) {
        const WorldDescription world = test::random_pile(300, 12, 0.1, {0.5, 0.2, rolling, rolling, 0.0, 1e5});
        const auto poses = test::still_poses(world);
        const auto timed = make_cpu_engine(world, false), untimed = make_cpu_engine(world, false);
        EXPECT_TRUE(timed->time_passes(1).empty());  // no step, no problem
        for (int step = 0; step < 5; ++step) {
            (void)timed->step(poses);
            (void)untimed->step(poses);
            const auto passes = timed->time_passes(1);
            ASSERT_EQ(passes.size(), 4u);
            for (const PassTime& pass : passes) {
                EXPECT_GT(pass.seconds, 0.0) << pass.name;
                EXPECT_GT(pass.bytes, 0.0) << pass.name;
            }
        }
        EXPECT_EQ(test::first_difference(timed->save(), untimed->save()), "");
    }
}

}  // namespace
}  // namespace scree::kernels
