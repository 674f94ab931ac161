// SPDX-License-Identifier: BSD-3-Clause
// Friction so high that true Coulomb impulses are often not found: what comes instead must not harm the bed.
#include "engine/scene/load.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace scree::test {
namespace {

struct Bed {
    double growth = 0.0;   ///< Largest energy over that of the start.
    double overlap = 0.0;  ///< Largest, of the smaller diameter.
    int relaxed = 0, converged = 0, steps = 0;
};

Bed fall(double friction) {
    const std::string text =
        "time: {step: 1 ms, end: 1 s}\nbackend: cpu\nthreads: 1\n"
        "materials: {s: {density: 2500}}\n"
        "pairs:\n  - {between: [s, s], friction: " +
        std::to_string(friction) +
        "}\n"
        "bodies:\n  - {material: s, random: {box: {lower: [-0.1, -0.1, 0], upper: [0.1, 0.1, 0.4]},"
        " count: 150, sizes: {uniform: [10 mm, 14 mm]}, seed: 3}}\n"
        "boundaries:\n  - {name: bin, material: s, box: {container: true, lower: [-0.1, -0.1, 0],"
        " upper: [0.1, 0.1, 1], open: [+z]}}\n";
    simulation::Simulation run(scene::parse_scene(text, "bed.yaml"));
    Bed bed;
    const auto energy = [&] {
        const model::Snapshot s = run.snapshot(false);
        double sum = 0.0;
        for (std::size_t i = 0; i < s.id.size(); ++i)
            sum += kinetic_energy_of(s, i) + gravity * s.mass[i] * s.position[i].z;
        return sum;
    };
    const double start = energy();
    for (; bed.steps < 300; ++bed.steps) {
        const kernels::StepReport r = run.step();
        bed.overlap = std::max(bed.overlap, r.overlap_relative);
        bed.relaxed += r.relaxed ? 1 : 0;
        bed.converged += r.converged ? 1 : 0;
        bed.growth = std::max(bed.growth, energy() / start);
    }
    return bed;
}

TEST(HighFriction, OfTwoIsSolvedAsItIs) {
    const Bed bed = fall(2.0);
    EXPECT_EQ(bed.relaxed, 0);
    EXPECT_GT(bed.converged, bed.steps / 2);
    EXPECT_LT(bed.overlap, 0.02);
    EXPECT_LT(bed.growth, 1.0 + 1e-3);
}

TEST(HighFriction, BeyondWhatIsSolvedDoesNotHarmTheBed) {
    // Impulses that miss the law by more than the velocities of a step left overlaps of a whole diameter and seven
    // times the energy; the relaxation, whose problem is convex, takes their place.
    for (const double friction : {10.0, 1e3}) {
        const Bed bed = fall(friction);
        EXPECT_GT(bed.relaxed, 10) << friction;
        EXPECT_LT(bed.overlap, 0.1) << friction;
        EXPECT_LT(bed.growth, 1.0 + 1e-3) << friction;
    }
}

// A ball that slides onto its floor. A residual of true friction hides an approach mu times as large: with mu = 1e6 the
// free fall of the ball passed for solved.
TEST(HighFriction, OfAnySizeKeepsASlidingBallOnItsFloor) {
    for (const model::SolverKind kind : {model::SolverKind::conjugate, model::SolverKind::gauss_seidel})
        for (const model::Precision precision : {model::Precision::mixed, model::Precision::double_})
            for (const double friction : {10.0, 1e3, 1e6}) {
                SceneMaker scene(1e-3);
                scene.precision(precision).law({.friction = friction}).plane();
                scene.edit().settings.solver.kind = kind;
                const std::size_t ball =
                    scene.sphere({.position = {0, 0, .005}, .radius = .005, .velocity = {.5, 0, 0}});
                Experiment run(scene);
                run.until(0.3);
                EXPECT_NEAR(run.body(ball).position.z, .005, 5e-5) << friction;
                EXPECT_NEAR(run.body(ball).velocity.x, 5.0 / 7.0 * .5, 1e-2) << friction;
            }
}

}  // namespace
}  // namespace scree::test
