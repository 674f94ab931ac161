// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/cone_fallback.hpp"

#include "engine/complementarity/friction_problem.hpp"
#include "engine/simulation/contact_problem.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

namespace scree::simulation {
namespace {

using test::Experiment;
using test::SceneMaker;

/// A pyramid of 30 stiff spheres in a box, many ways to bear its weight; five iterations do not find one.
SceneMaker hard_stack(model::Fallback fallback, model::Precision precision = model::Precision::double_) {
    SceneMaker scene(1e-3);
    scene.solver(1e-4, 5).precision(precision).law({.friction = 0.6, .stiffness = 1e8});
    scene.plane();
    constexpr double r = 0.05;
    const double up = r * std::sqrt(2.0);
    for (int level = 0; level < 4; ++level)
        for (int i = 0; i < 4 - level; ++i)
            for (int j = 0; j < 4 - level; ++j)
                scene.sphere({.position = {(2 * i + level) * r, (2 * j + level) * r, r + level * up}, .radius = r});
    scene.edit().settings.solver.fallback = fallback;
    return scene;
}

TEST(ConeFallback, AHyperstaticStackConvergesWithFiveIterations) {
    Experiment without(hard_stack(model::Fallback::none)), with(hard_stack(model::Fallback::lemke));
    int missed = 0, tried = 0, used = 0, still_missed = 0;
    for (int k = 0; k < 20; ++k) {
        missed += without.step().converged ? 0 : 1;
        const kernels::StepReport& report = with.step();
        tried += report.fallback_tried ? 1 : 0;
        used += report.fallback_used ? 1 : 0;
        still_missed += report.converged ? 0 : 1;
    }
    EXPECT_GE(missed, 15);
    EXPECT_GE(tried, 1);
    EXPECT_EQ(used, tried);
    EXPECT_EQ(still_missed, 0);
}

TEST(ConeFallback, MixedPrecisionKeepsWhatItCanHold) {
    Experiment with(hard_stack(model::Fallback::lemke, model::Precision::mixed));
    for (int k = 0; k < 10; ++k) {
        const kernels::StepReport& report = with.step();
        EXPECT_TRUE(report.converged) << k;
    }
}

TEST(ConeFallback, StaysOutOfLargeSteps) {
    SceneMaker scene = hard_stack(model::Fallback::lemke);
    scene.edit().settings.solver.fallback_contacts = 10;
    Experiment with(scene);
    for (int k = 0; k < 5; ++k) EXPECT_FALSE(with.step().fallback_tried);
}

TEST(ConeFallback, BodiesOfOtherShapesHaveTheSameProblemInFilesAsInTheSolver) {
    SceneMaker scene(1e-3);
    scene.exact(1e-9).law({.friction = 0.4});
    scene.plane();
    scene.solid(model::SolidBox{{0.1, 0.2, 0.05}}, {.position = {0, 0, 0.05}, .velocity = {1, 0.5, 0}});
    scene.solid(model::SolidCylinder{0.05, 0.1}, {.position = {0.02, 0.03, 0.2}, .angular_velocity = {0, 0, 3}});
    scene.solid(model::SolidEllipsoid{{0.05, 0.06, 0.07}}, {.position = {0, -0.15, 0.17}});
    Experiment run(scene);
    run.steps(20);
    const kernels::ProblemDownload step = run.simulation().problem();
    ASSERT_GT(step.a.size(), 8U);
    const complementarity::FrictionProblem problem = contact_problem(step);
    const Eigen::MatrixXd w(problem.W);
    EXPECT_LT((w - w.transpose()).cwiseAbs().maxCoeff(), 1e-13 * w.cwiseAbs().maxCoeff());
    const Eigen::VectorXd r = contact_impulses(step);
    const double residual =
        complementarity::natural_map_residual(problem, complementarity::contact_scales(problem),
                                              complementarity::Friction::coulomb, r, problem.W * r + problem.q);
    // The solver stopped at 1e-9 of g h per contact; the free velocities in q are some g h.
    EXPECT_LT(residual, 1e-7);
}

TEST(ConeFallback, SolvesStacksOfBoxes) {
    const auto run = [](model::Fallback fallback) {
        SceneMaker scene(1e-3);
        scene.solver(1e-6, 3).precision(model::Precision::double_).law({.friction = 0.5, .stiffness = 1e7});
        scene.plane();
        for (int k = 0; k < 4; ++k)
            scene.solid(model::SolidBox{{0.1, 0.1, 0.05}}, {.position = {0, 0, 0.05 + 0.1 * k}});
        scene.edit().settings.solver.fallback = fallback;
        Experiment stack(scene);
        int missed = 0;
        for (int k = 0; k < 10; ++k) missed += stack.step().converged ? 0 : 1;
        return missed;
    };
    EXPECT_GT(run(model::Fallback::none), 0);
    EXPECT_EQ(run(model::Fallback::lemke), 0);
}

TEST(ConeFallback, PyramidsComeCloseToCones) {
    Experiment run(hard_stack(model::Fallback::none));
    run.steps(3);
    const complementarity::FrictionProblem problem = contact_problem(run.simulation().problem());
    const Eigen::VectorXd r = solve_pyramids(problem, 8);
    ASSERT_EQ(r.size(), problem.q.size());
    const double residual =
        complementarity::natural_map_residual(problem, complementarity::contact_scales(problem),
                                              complementarity::Friction::coulomb, r, problem.W * r + problem.q);
    // An octagon misses a circle by 1 - cos(pi / 8) = 8 %.
    EXPECT_LT(residual, 0.08);
}

}  // namespace
}  // namespace scree::simulation
