// SPDX-License-Identifier: BSD-3-Clause
// Scenes made in code meet the checks of scene files.
#include "engine/model/error.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"
#include "engine/simulation/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace scree::simulation {
namespace {

using ::testing::HasSubstr;

model::Scene ball_above_a_floor() {
    model::Scene scene;
    scene.settings.backend = model::Backend::cpu;
    scene.settings.threads = 1;
    scene.materials.push_back({"glass", 2500.0});
    scene.pairs.emplace_back();
    model::Source ball;
    ball.name = "ball";
    ball.what = model::SphereSource{.position = {0, 0, 0.1}, .radius = 0.01};
    scene.sources.push_back(ball);
    model::Boundary floor;
    floor.name = "floor";
    floor.shape = model::PlaneShape{};
    scene.boundaries.push_back(floor);
    return scene;
}

void add_hinge(model::Scene& scene, const std::string& name, model::Vec3 axis) {
    model::Joint joint;
    joint.name = name;
    joint.bodies = {"ground", "ball"};
    joint.kind = model::RevoluteJoint{{0, 0, 0.1}, axis};
    scene.joints.push_back(joint);
}

std::string refusal(const std::function<void(model::Scene&)>& change) {
    model::Scene scene = ball_above_a_floor();
    change(scene);
    try {
        const Simulation simulation(std::move(scene));
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        return error.what();
    }
    return "none";
}

TEST(SceneInCode, FaultsAreErrorsThatNameTheObject) {
    EXPECT_EQ(refusal([](model::Scene&) {}), "none");
    for (const double step : {0.0, -1e-3, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_THAT(refusal([&](model::Scene& s) { s.settings.time.step = step; }), HasSubstr("time.step")) << step;
    EXPECT_THAT(refusal([](model::Scene& s) {
                    s.boundaries[0].shape = model::PlaneShape{{}, {0, 0, 0}};
                }),
                HasSubstr("boundary 'floor': plane.normal must not be the zero vector"));
    EXPECT_THAT(refusal([](model::Scene& s) {
                    add_hinge(s, "hinge", {0, 0, 0});
                }),
                HasSubstr("joint 'hinge': revolute.axis must not be the zero vector"));
    EXPECT_THAT(refusal([](model::Scene& s) {
                    add_hinge(s, "hinge", {0, 0, 1});
                    s.joints.emplace_back();
                    s.joints.back().name = "drive";
                    s.joints.back().kind = model::GearJoint{"hinge", "hinge", 2.0};
                }),
                HasSubstr("joint 'drive': gear.second is the first joint again"));
    EXPECT_THAT(refusal([](model::Scene& s) { s.gravity.z = std::nan(""); }), HasSubstr("gravity"));
    EXPECT_THAT(refusal([](model::Scene& s) { s.materials[0].density = 0.0; }), HasSubstr("material 'glass'"));
    EXPECT_THAT(refusal([](model::Scene& s) { s.pairs.clear(); }), HasSubstr("lacks the pair [glass, glass]"));
    EXPECT_THAT(refusal([](model::Scene& s) { s.boundaries[0].material = 7; }),
                HasSubstr("boundaries 'floor': its material is number 7 of 1"));
    EXPECT_THAT(refusal([](model::Scene& s) { s.boundaries.push_back(s.boundaries[0]); }), HasSubstr("'floor'"));
}

TEST(SceneInCode, AMeshIsNotWrittenOutToBeChecked) {
    model::Scene scene = ball_above_a_floor();
    scene.boundaries[0].shape = model::MeshShape{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, 0};
    EXPECT_NO_THROW(Simulation{scene});
    scene.boundaries[0].remove_at = -1.0;
    EXPECT_THROW(Simulation{scene}, model::Error);
}

TEST(SceneInCode, ASceneWithoutMaterialsCanBeWrittenAndReadAgain) {
    const model::Scene scene = scene::parse_scene(scene::to_yaml(model::Scene{}), "empty.yaml");
    EXPECT_TRUE(scene.materials.empty());
    Simulation simulation(scene);
    simulation.step();
    EXPECT_TRUE(simulation.snapshot().id.empty());
}

TEST(SceneInCode, TheSolverIsChosenByFrictionAndJoints) {
    const auto solver_of = [](const std::function<void(model::Scene&)>& change) {
        model::Scene scene = ball_above_a_floor();
        change(scene);
        return Simulation(std::move(scene)).resolved().solver;
    };
    using model::SolverKind;
    EXPECT_EQ(solver_of([](model::Scene&) {}), SolverKind::gauss_seidel);
    EXPECT_EQ(solver_of([](model::Scene& s) { s.pairs[0].friction = 1.0; }), SolverKind::gauss_seidel);
    EXPECT_EQ(solver_of([](model::Scene& s) { s.pairs[0].friction = 1.1; }), SolverKind::conjugate);
    EXPECT_EQ(solver_of([](model::Scene& s) { add_hinge(s, "hinge", {0, 1, 0}); }), SolverKind::conjugate);
    const auto solver_with = [&](const model::Solid& shape) {
        return solver_of([&](model::Scene& s) {
            model::BodySource body;
            body.shape = shape;
            body.position = {0.1, 0, 0.1};
            s.sources.emplace_back().name = "body";
            s.sources.back().what = body;
        });
    };
    EXPECT_EQ(solver_with(model::SolidBox{{0.01, 0.01, 0.01}}), SolverKind::gauss_seidel);
    EXPECT_EQ(solver_with(model::SolidSphere{0.01}), SolverKind::gauss_seidel);
    for (const SolverKind asked : {SolverKind::conjugate, SolverKind::apgd, SolverKind::gauss_seidel})
        EXPECT_EQ(solver_of([&](model::Scene& s) {
                      s.pairs[0].friction = 2.0;
                      s.settings.solver.kind = asked;
                  }),
                  asked);
    // The scene keeps what it says, the resolved settings are those of this run.
    const Simulation simulation(ball_above_a_floor());
    EXPECT_EQ(simulation.scene().settings.solver.kind, SolverKind::automatic);
}

TEST(Simulation, AMoveOntoItselfChangesNothing) {
    Simulation simulation(ball_above_a_floor());
    simulation.step();
    Simulation& same = simulation;
    simulation = std::move(same);
    simulation.step();
    EXPECT_EQ(simulation.step_index(), 2);
    Simulation other(ball_above_a_floor());
    other = std::move(simulation);
    other.step();
    EXPECT_EQ(other.step_index(), 3);
}

}  // namespace
}  // namespace scree::simulation
