// SPDX-License-Identifier: BSD-3-Clause
// Scenes stepped by the reference steppers through the interface that all runs use.
#include "engine/model/error.hpp"
#include "engine/model/interrupt.hpp"
#include "engine/scene/load.hpp"
#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

namespace scree::simulation {
namespace {

using model::Vec3;
using ::testing::HasSubstr;

constexpr double g = 9.81;

/// A scene of one material and one floor; `rest` adds keys.
model::Scene scene_of(const std::string& stepper, const std::string& pair, const std::string& bodies,
                      const std::string& rest = "") {
    return scene::parse_scene("stepper: " + stepper + "\nmaterials: {m: {density: 1000}}\npairs: [{between: [m, m], " +
                                  pair + "}]\nbodies:\n" + bodies + "\n" + rest +
                                  "\nboundaries: [{name: floor, material: m, plane: {}}]\n",
                              "test.yaml");
}

kernels::StepReport run(Simulation& simulation, int steps) {
    kernels::StepReport report;
    for (int k = 0; k < steps; ++k) report = simulation.step();
    return report;
}

const std::string block =
    "  - {name: block, material: m, velocity: [1, 0, 0], body: {box: {half_extents: [0.1, 0.1, 0.05]}, position: [0, "
    "0, "
    "0.05], mass: 2}}";
const std::string egg =
    "  - {name: egg, material: m, angular_velocity: [0.3, 0.2, 1], body: {ellipsoid: {semi_axes: [0.1, 0.1, 0.15]}, "
    "position: [0, 0, 0.16], orientation: {axis: [1, 0, 0], angle: 0.3}}}\n"
    "  - {name: ball, material: m, velocity: [-1, 0, 0], sphere: {position: [0.4, 0, 0.1], radius: 0.1}}";

TEST(ReferenceEngine, ASettledSphereAgreesWithTheProductionStep) {
    const std::string ball = "  - {name: ball, material: m, sphere: {position: [0, 0, 0.1], radius: 0.1}}";
    const std::string exact = "precision: double\nbackend: cpu\ntime: {step: 1 ms, end: 1}\n";
    Simulation production(scene_of("ccp", "friction: 0.5", ball, exact + "solver: {tolerance: 1e-9}\n"));
    Simulation reference(scene_of("lcp", "friction: 0.5", ball, exact));
    run(production, 200);
    const auto report = run(reference, 200);
    const model::Snapshot a = production.snapshot(), b = reference.snapshot();
    EXPECT_EQ(report.contacts, 1);
    // The production step's contact spring gives way by 5e-5 of the diameter.
    EXPECT_NEAR(a.position[0].z, b.position[0].z, 1e-4 * 0.2);
    EXPECT_NEAR(a.boundaries[0].force.z, b.boundaries[0].force.z, 1e-6 * b.mass[0] * g);
    EXPECT_NEAR(b.boundaries[0].force.z, -b.mass[0] * g, 1e-12 * b.mass[0] * g);
    EXPECT_NEAR(a.force[0].z, b.force[0].z, 1e-6 * b.mass[0] * g);
    ASSERT_EQ(b.contacts.size(), 1U);
    EXPECT_EQ(a.contacts[0].normal, b.contacts[0].normal);
    EXPECT_NEAR(norm(a.contacts[0].point - b.contacts[0].point), 0.0, 1e-4 * 0.2);
    EXPECT_NEAR(reference.unbalanced_force(), 0.0, 1e-12);
    EXPECT_DOUBLE_EQ(reference.free_mass(), production.free_mass());
}

TEST(ReferenceEngine, ASlidingBlockDeceleratesByMuG) {
    Simulation simulation(scene_of("lcp", "friction: 0.3", block, "time: {step: 1 ms, end: 1}\n"));
    const auto report = run(simulation, 100);
    const model::Snapshot s = simulation.snapshot();
    EXPECT_NEAR(s.velocity[0].x, 1.0 - 0.3 * g * 0.1, 1e-12);
    EXPECT_EQ(report.contacts, 4);
    EXPECT_TRUE(report.converged);
    // The load of the floor, and its torque about the origin: the block has slid from it.
    const model::BoundaryState& floor = s.boundaries[0];
    EXPECT_NEAR(floor.force.x, 0.3 * 2 * g, 1e-10);
    EXPECT_NEAR(floor.force.z, -2 * g, 1e-10);
    const double before = s.position[0].x - 1e-3 * s.velocity[0].x;  // Contacts are those at the start of the step.
    // Friction acts at the floor; its moment on the block leans the pressure forward by mu times half the height.
    EXPECT_NEAR(floor.torque.y, (before + 0.3 * 0.05) * 2 * g, 1e-9);
    EXPECT_NEAR(norm(s.force[0] - Vec3{-0.3 * 2 * g, 0, 2 * g}), 0.0, 1e-10);
    ASSERT_EQ(s.shape.size(), 1U);
    EXPECT_EQ(s.shape[0], 1U);
    EXPECT_EQ(s.semi_axes[0], (Vec3{0.1, 0.1, 0.05}));
    EXPECT_DOUBLE_EQ(s.radius[0], std::sqrt(0.1 * 0.1 * 2 + 0.05 * 0.05));
}

TEST(ReferenceEngine, TheEnergyLedgerCloses) {
    // With a force and restitution.
    const model::Scene scene = scene_of("lcp", "friction: 0.3, restitution: 0.7",
                                        "  - {name: a, material: m, velocity: [1, 0, 0], body: {sphere: {radius: 0.1}, "
                                        "position: [0, 0, 0.2], force: [3, 1, 0]}}\n"
                                        "  - {name: b, material: m, sphere: {position: [0.5, 0, 0.1], radius: 0.1}}",
                                        "time: {step: 1 ms, end: 1}\n");
    Simulation simulation(scene);
    RunStatistics statistics(scene);
    statistics.start(simulation.snapshot());
    for (int k = 0; k < 500; ++k) statistics.add(simulation.step(), simulation.free_mass());
    const auto defect = statistics.energy().relative_defect(simulation.snapshot());
    ASSERT_TRUE(defect.has_value());
    EXPECT_NEAR(*defect, 0.0, 1e-12);  // Rounding of 500 steps.
    EXPECT_LT(statistics.energy().contact_work(), 0.0);
}

// The deepest overlap and the deepest for its size are of two bodies here.
TEST(ReferenceEngine, OverlapsAreRelativeToTheirOwnBodies) {
    const std::string balls =
        "  - {name: large, material: m, sphere: {position: [0, 0, 0.97], radius: 1}}\n"
        "  - {name: small, material: m, sphere: {position: [3, 0, 0.006], radius: 0.01}}";
    Simulation simulation(scene_of("lcp", "friction: 0.5", balls, "time: {step: 0.1 ms, end: 1}\n"));
    const auto report = run(simulation, 1);
    EXPECT_NEAR(report.overlap_max, 0.03, 1e-4);
    EXPECT_NEAR(report.overlap_relative, 0.2, 1e-2);
}

TEST(ReferenceEngine, MovingWallsCarryBodies) {
    model::Scene scene = scene_of("lcp", "friction: 0.5", block, "time: {step: 1 ms, end: 1}\n");
    model::Motion motion;
    motion.velocity = {0.5, 0, 0.2};
    scene.boundaries[0].motions.push_back(motion);
    Simulation simulation(scene);
    run(simulation, 400);
    const model::Snapshot s = simulation.snapshot();
    EXPECT_NEAR(norm(s.velocity[0] - Vec3{0.5, 0, 0.2}), 0.0, 1e-9);
    EXPECT_NEAR(s.position[0].z, 0.05 + 0.2 * 0.4, 1e-9);
}

class EachStepper : public ::testing::TestWithParam<std::string> {};

TEST_P(EachStepper, ContinuesBitForBit) {
    // Friction with memory where the stepper has it: sticking and breaking away.
    const std::string pair =
        GetParam() == "lcp" ? "friction: 0.3, static_friction: 0.5, restitution: 0.4" : "friction: 0.3";
    const std::string settings = "time: {step: 1 ms, end: 1}\ncompliant: {young: 1e6, spacing: 5 mm, elements: 2}\n";
    Simulation whole(scene_of(GetParam(), pair, egg, settings)), part(scene_of(GetParam(), pair, egg, settings));
    run(whole, 150);
    run(part, 75);
    Simulation continued(scene_of(GetParam(), pair, egg, settings));
    continued.restore(part.save());
    EXPECT_EQ(model::state_hash(continued.snapshot()), model::state_hash(part.snapshot()));
    EXPECT_EQ(continued.snapshot().torque, part.snapshot().torque);
    run(continued, 75);
    EXPECT_EQ(model::state_hash(continued.snapshot()), model::state_hash(whole.snapshot()));
    EXPECT_GT(whole.snapshot().contacts.size(), 0U);
}

TEST_P(EachStepper, CarriesWeightInThePlaneAndInSpace) {
    for (const bool planar : {false, true}) {
        const std::string cube =
            "  - {name: cube, material: m, body: {box: {half_extents: [0.1, 0.1, 0.1]}, position: [0, 0, 0.1], mass: "
            "2}}";
        Simulation simulation(scene_of(GetParam(), "friction: 0.3", cube,
                                       std::string("planar: ") + (planar ? "true" : "false") +
                                           "\ntime: {step: 1 ms, end: 1}\ncompliant: {young: 1e6, spacing: 5 mm}\n"));
        run(simulation, 300);
        const model::Snapshot s = simulation.snapshot();
        EXPECT_NEAR(s.boundaries[0].force.z, -2 * g, 1e-3 * 2 * g) << planar;
        EXPECT_NEAR(norm(s.velocity[0]), 0.0, 1e-4) << planar;
        EXPECT_NEAR(s.position[0].x, 0.0, 1e-9) << planar;
    }
}

TEST_P(EachStepper, ReportsTheForcesThatMoveItsBodies) {
    Simulation simulation(
        scene_of(GetParam(), "friction: 0.3", egg,
                 "time: {step: 1 ms, end: 1}\ncompliant: {young: 1e6, spacing: 5 mm, elements: 2}\n"));
    double friction = 0.0;
    for (int k = 0; k < 200; ++k) {
        const model::Snapshot before = simulation.snapshot(false);
        simulation.step();
        const model::Snapshot s = simulation.snapshot(false);
        for (std::size_t i = 0; i < 2; ++i) {
            const Vec3 by_contact = s.mass[i] * (1e3 * (s.velocity[i] - before.velocity[i]) - Vec3{0, 0, -g});
            EXPECT_NEAR(norm(by_contact - s.force[i]), 0.0, 1e-9 * s.mass[i] * g) << k;
            friction = std::max(friction, std::hypot(s.force[i].x, s.force[i].y));
        }
    }
    EXPECT_GT(friction, 1.0);
}

TEST_P(EachStepper, ClosesTheEnergyLedger) {
    // A body that turns about no axis of its own, with a force: the ledger is exact for the scheme, gyroscopic work
    // included. What is left is the rounding of 300 steps and the residual of the Newton iteration.
    model::Scene scene = scene_of(GetParam(), "friction: 0.3", egg,
                                  "time: {step: 1 ms, end: 1}\ncompliant: {young: 1e6, spacing: 5 mm, elements: 2}\n");
    std::get<model::BodySource>(scene.sources[0].what).force = {3, 1, 0};
    Simulation simulation(scene);
    RunStatistics statistics(scene);
    statistics.start(simulation.snapshot());
    for (int k = 0; k < 300; ++k) statistics.add(simulation.step(), simulation.free_mass());
    const auto defect = statistics.energy().relative_defect(simulation.snapshot());
    ASSERT_TRUE(defect.has_value());
    EXPECT_NEAR(*defect, 0.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Steppers, EachStepper, ::testing::Values("lcp", "ncp", "compliant"),
                         [](const auto& stepper) { return stepper.param; });

TEST(ReferenceEngine, RefusesWhatIsTooLarge) {
    const auto message = [](const model::Scene& scene, int steps) -> std::string {
        try {
            Simulation simulation(scene);
            run(simulation, steps);
        } catch (const model::Error& error) {
            return error.what();
        }
        return "no error";
    };
    const std::string settings = "time: {step: 1 ms, end: 1}\n";
    EXPECT_THAT(
        message(scene_of("lcp", "friction: 0.3",
                         "  - {material: m, lattice: {lower: [0, 0, 0], upper: [1.81, 1, 1], radius: 0.1}}", settings),
                0),
        HasSubstr("stepper: lcp with 225 bodies"));
    // Face-centred cubic: some 140 spheres, about five contacts each.
    EXPECT_THAT(
        message(scene_of("lcp", "friction: 0.3",
                         "  - {material: m, lattice: {kind: fcc, lower: [0, 0, 0], upper: [1.2, 1.2, 1], radius: 0.1}}",
                         settings + "gravity: [0, 0, 0]\nlcp: {reach: 1 mm}\n"),
                1),
        HasSubstr("contacts (allowed: at most 500)"));
}

TEST(ReferenceEngine, HasNoConeProblem) {
    Simulation simulation(scene_of("ncp", "friction: 0.3", block, "time: {step: 1 ms, end: 1}\n"));
    simulation.step();
    try {
        (void)simulation.problem();
        FAIL();
    } catch (const model::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("stepper: ncp has no cone problem"));
    }
}

TEST(ReferenceEngine, RefusesACheckpointOfAnotherStepper) {
    Simulation lcp(scene_of("lcp", "friction: 0.3", egg, "time: {step: 1 ms, end: 1}\n"));
    run(lcp, 20);
    io::Checkpoint checkpoint = lcp.save();
    checkpoint.arrays.erase("engine_memory");
    EXPECT_THROW(lcp.restore(checkpoint), model::Error);
}

TEST(ReferenceEngine, APolytopeStandsOnItsFace) {
    // A wedge given in axes of its own: its centre of mass is put at `position`.
    const std::string wedge =
        "  - {name: wedge, material: m, body: {polytope: {vertices: [[0, 0, 0], [0.3, 0, 0], [0, 0, 0.3]]}, position: "
        "[0, 0, "
        "0.1]}}";
    Simulation simulation(scene_of("lcp", "friction: 0.5", wedge, "planar: true\ntime: {step: 1 ms, end: 1}\n"));
    run(simulation, 200);
    const model::Snapshot s = simulation.snapshot();
    EXPECT_NEAR(simulation.free_mass(), 1000.0 * 0.045, 1e-9);
    EXPECT_NEAR(s.position[0].z, 0.1, 1e-9);
    EXPECT_NEAR(norm(s.velocity[0]), 0.0, 1e-9);
    EXPECT_NEAR(s.boundaries[0].force.z, -45.0 * g, 1e-6);
}

TEST(ReferenceEngine, AnInterruptedStepLeavesTheWorldAsItWasAfterTheStepBefore) {
    const std::string time = "time: {step: 1 ms, end: 1}\n";
    for (const char* stepper : {"lcp", "ncp", "compliant"}) {
        SCOPED_TRACE(stepper);
        std::atomic<bool> interrupt{false};
        Simulation with(scene_of(stepper, "friction: 0.5", block, time)),
            without(scene_of(stepper, "friction: 0.5", block, time));
        with.watch(&interrupt);
        run(with, 5);
        run(without, 5);
        interrupt = true;
        EXPECT_THROW(with.step(), model::Interrupted);
        EXPECT_EQ(with.step_index(), 5);
        EXPECT_EQ(model::state_hash(with.snapshot()), model::state_hash(without.snapshot()));
        interrupt = false;
        run(with, 5);
        run(without, 5);
        EXPECT_EQ(model::state_hash(with.snapshot()), model::state_hash(without.snapshot()));
    }
}

}  // namespace
}  // namespace scree::simulation
