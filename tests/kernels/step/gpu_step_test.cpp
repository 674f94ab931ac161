// SPDX-License-Identifier: BSD-3-Clause
// Whole steps on a CUDA device against the same steps on the CPU. Skips without a device.
#include "kernels/step/step_engine.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/mesh_data.hpp"
#include "tests/support/require_gpu.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace scree::kernels {
namespace {

using test::WorldDescription;

/// The same number of iterations on both sides, so that only rounding differs.
WorldDescription with_fixed_iterations(WorldDescription world, int iterations) {
    world.tolerance = 0.0;
    world.max_iterations = iterations;
    return world;
}

/// Steps both engines; each step's velocities agree to `tolerance` and both find the same contacts.
void expect_same_steps(const WorldDescription& world, int steps, double tolerance) {
    const auto poses = test::still_poses(world);
    const auto cpu = make_cpu_engine(world, true), gpu = make_cuda_engine(world, true);
    for (int step = 0; step < steps; ++step) {
        const StepReport expected = cpu->step(poses), found = gpu->step(poses);
        ASSERT_EQ(found.bodies, expected.bodies) << "step " << step;
        ASSERT_EQ(found.contacts, expected.contacts) << "step " << step;
        ASSERT_EQ(found.removed, expected.removed) << "step " << step;
        EXPECT_NEAR(found.residual.rms, expected.residual.rms, tolerance) << "step " << step;
        ASSERT_LT(test::largest_velocity_difference(*cpu, *gpu), tolerance) << "step " << step;
    }
}
// Roundings only: two compilations of the CPU form, with and without fused multiply-adds, differ by up to 3e-13 m/s in
// these runs. Something wrong shows at 1e-5.
constexpr double few_steps = 1e-9;

TEST(GpuStep, SmallPileMovesAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    expect_same_steps(with_fixed_iterations(test::random_pile(200, 1, 0.2, {0.5, 0.0, 0.0, 0.0, 0.0, 1e5}), 20), 5,
                      few_steps);
}

TEST(GpuStep, LargePileMovesAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    expect_same_steps(with_fixed_iterations(test::random_pile(8000, 2, 0.1, {0.5, 0.0, 0.0, 0.0, 0.0, 1e5}), 20), 5,
                      few_steps);
}

TEST(GpuStep, SmallPileWithRollingCohesionAndImpactsMovesAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    expect_same_steps(with_fixed_iterations(test::random_pile(200, 3, 0.1, {0.4, 0.5, 1e-4, 1e-4, 0.01, 1e5}), 20), 5,
                      few_steps);
}

TEST(GpuStep, SmallPileWithTheAssociatedLawOrJacobiOrRigidContactsMovesAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    WorldDescription world = with_fixed_iterations(test::random_pile(200, 4, 0.1, {0.4, 0.0, 0.0, 0.0, 0.0, 1e5}), 20);
    world.coulomb = false;
    expect_same_steps(world, 5, few_steps);
    world.coulomb = true;
    world.solver = SolverName::projected_jacobi;
    expect_same_steps(world, 5, few_steps);
    world.solver = SolverName::apgd;
    world.contact.feedback = Feedback::rigid;
    expect_same_steps(world, 5, few_steps);
}

TEST(GpuStep, SmallPileByGaussSeidelMovesAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    for (const double rolling : {0.0, 1e-4}) {
        WorldDescription world =
            with_fixed_iterations(test::random_pile(200, 5, 0.1, {0.4, 0.0, rolling, rolling, 0.0, 1e5}), 20);
        world.solver = SolverName::gauss_seidel;
        expect_same_steps(world, 5, few_steps);
    }
}

TEST(GpuStep, SmallPileOnAMeshWithOutletsAndPeriodicFacesMovesAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    WorldDescription world = with_fixed_iterations(test::random_pile(200, 5, 0.1, {0.4, 0.0, 0.0, 0.0, 0.0, 1e5}), 20);
    world.parts.resize(1);
    world.boundaries = 1;
    world.parts[0].kind = PartKind::mesh;
    world.parts[0].mesh = 0;
    world.meshes = {test::mesh_of(test::tessellated({-0.1, -0.1, 0}, {0.4, 0, 0}, {0, 0.4, 0}, 10, 1))};
    world.periodic.length[1] = 0.12;
    OutletPart outlet;
    outlet.a[0] = 0.0995;
    outlet.b[0] = 1.0;
    world.outlets = {outlet};
    expect_same_steps(world, 5, few_steps);
}

TEST(GpuStep, SmallWorldsWithNothingInThemMoveAsOnTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    WorldDescription world = test::empty_world();
    expect_same_steps(world, 2, few_steps);
    test::add_sphere(world, {0, 0, 1}, 0.01);
    expect_same_steps(world, 2, few_steps);
    test::add_sphere(world, {0, 0, 1}, 0.01);  // coincident
    expect_same_steps(world, 2, few_steps);
}

TEST(GpuStep, SmallPileHasTheStatisticsOfTheCpuRunLater) {
    SCREE_SKIP_WITHOUT_GPU();
    for (const bool double_precision : {false, true}) {
        WorldDescription world = test::random_pile(1000, 6, 0.1, {0.5, 0.2, 0.0, 0.0, 0.0, 1e5});
        const auto poses = test::still_poses(world);
        const auto cpu = make_cpu_engine(world, double_precision), gpu = make_cuda_engine(world, double_precision);
        StepReport expected, found;
        for (int step = 0; step < 200; ++step) {
            expected = cpu->step(poses);
            found = gpu->step(poses);
        }
        const auto mean_height = [](StepEngine& engine) {
            BodyDownload bodies;
            engine.download(bodies);
            double sum = 0.0;
            for (std::size_t i = 0; i < bodies.id.size(); ++i) sum += bodies.position[4 * i + 2];
            return sum / double(bodies.id.size());
        };
        // Single paths part ways within tens of steps; averages over 1000 bodies do not: 1 / sqrt(1000) = 3 % of the
        // spread of a body's own height, a radius, and a few per cent of the contacts.
        EXPECT_NEAR(mean_height(*gpu), mean_height(*cpu), 0.03 * 0.01);
        EXPECT_NEAR(double(found.contacts), double(expected.contacts), 0.05 * double(expected.contacts));
        EXPECT_LE(found.residual.rms, 2.0 * std::max(found.tolerance, expected.residual.rms));
    }
}

TEST(GpuStep, SmallRunRepeatsItselfBitForBit) {
    SCREE_SKIP_WITHOUT_GPU();
    WorldDescription world = test::random_pile(1500, 7, 0.1, {0.5, 0.2, 0.0, 0.0, 0.0, 1e5});
    const auto poses = test::still_poses(world);
    for (const SolverName solver : {SolverName::conjugate, SolverName::gauss_seidel}) {
        world.solver = solver;
        const auto first = make_cuda_engine(world, false), second = make_cuda_engine(world, false);
        for (int step = 0; step < 50; ++step) {
            (void)first->step(poses);
            (void)second->step(poses);
        }
        EXPECT_EQ(test::first_difference(first->save(), second->save()), "");
    }
}

/// The state after `steps` steps with the solver's loop in the given form.
EngineState run_with_loop(const char* form, const WorldDescription& world, int steps) {
    setenv("SCREE_CUDA_LOOP", form, 1);
    const auto engine = make_cuda_engine(world, false);
    unsetenv("SCREE_CUDA_LOOP");
    const auto poses = test::still_poses(world);
    for (int step = 0; step < steps; ++step) (void)engine->step(poses);
    return engine->save();
}

TEST(GpuStep, SmallRunHasTheSameBitsWithEveryFormOfTheSolversLoop) {
    SCREE_SKIP_WITHOUT_GPU();
    for (const double rolling : {0.0, 1e-4}) {
        const WorldDescription world = test::random_pile(1500, 9, 0.1, {0.5, 0.2, rolling, rolling, 0.0, 1e5});
        const EngineState host = run_with_loop("host", world, 20);
        EXPECT_EQ(test::first_difference(run_with_loop("graph", world, 20), host), "");
        EXPECT_EQ(test::first_difference(run_with_loop("persistent", world, 20), host), "");
    }
}

TEST(GpuStep, LargeRunHasTheSameBitsWithTheGraphAsWithTheHostsLoop) {
    SCREE_SKIP_WITHOUT_GPU();
    const WorldDescription world = test::random_pile(60000, 10, 0.1, {0.5, 0.2, 0.0, 0.0, 0.0, 1e5});
    EXPECT_EQ(test::first_difference(run_with_loop("graph", world, 5), run_with_loop("host", world, 5)), "");
}

TEST(GpuStep, SmallRunTimesItsPasses) {
    SCREE_SKIP_WITHOUT_GPU();
    const WorldDescription world = test::random_pile(1500, 11, 0.1);
    const auto poses = test::still_poses(world);
    const auto engine = make_cuda_engine(world, false), untimed = make_cuda_engine(world, false);
    for (int step = 0; step < 3; ++step) {
        (void)engine->step(poses);
        (void)untimed->step(poses);
        EXPECT_EQ(engine->time_passes(2).size(), 4u);
    }
    EXPECT_EQ(test::first_difference(engine->save(), untimed->save()), "");
}

TEST(GpuStep, SmallRestoredRunContinuesBitForBit) {
    SCREE_SKIP_WITHOUT_GPU();
    const WorldDescription world = test::random_pile(300, 8, 0.1, {0.5, 0.2, 1e-4, 1e-4, 0.0, 1e5});
    const auto poses = test::still_poses(world);
    const auto run = make_cuda_engine(world, false), restored = make_cuda_engine(world, false);
    for (int step = 0; step < 30; ++step) (void)run->step(poses);
    restored->restore(run->save());
    for (int step = 0; step < 20; ++step) {
        (void)run->step(poses);
        (void)restored->step(poses);
    }
    EXPECT_EQ(test::first_difference(run->save(), restored->save()), "");
}

}  // namespace
}  // namespace scree::kernels
