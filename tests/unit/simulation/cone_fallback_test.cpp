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
