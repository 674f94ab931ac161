// SPDX-License-Identifier: BSD-3-Clause
// Steps of the production engine, solved again by solvers that share nothing with it: what the contacts do must be the
// same. W is definite in the normal directions (compliance), so velocities are what can be compared; impulses are not
// unique in piles.
#include "engine/complementarity/lemke.hpp"
#include "engine/complementarity/polyhedral.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/contact_problem.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The first step of overlapping spheres on a plane that part in all directions, some sliding and some sticking, in
/// double precision to 1e-10 of g h.
struct SolvedStep {
    kernels::ProblemDownload download;
    kernels::StepReport report;
    FrictionProblem problem;
    VectorXd r;
};
SolvedStep solved_step(kernels::Index spheres, unsigned seed, double friction) {
    test::WorldDescription world = test::random_pile(spheres, seed, 0.02, {friction, 0.0, 0.0, 0.0, 0.0, 1e6});
    world.parts.resize(1);
    world.boundaries = 1;
    for (double& v : world.velocity) v *= 5.0;
    world.tolerance = 1e-10;
    world.max_iterations = 200000;
    const auto engine = kernels::make_cpu_engine(world, true);
    SolvedStep step;
    step.report = engine->step(test::still_poses(world));
    engine->download(step.download);
    step.problem = simulation::contact_problem(step.download);
    step.r = simulation::contact_impulses(step.download);
    return step;
}

double residual_of(const FrictionProblem& problem, const VectorXd& r) {
    return natural_map_residual(problem, contact_scales(problem), Friction::coulomb, r, problem.W * r + problem.q);
}

/// One edge of each pyramid along the impulse of a solution.
VectorXd along(const FrictionProblem& problem, const VectorXd& r) {
    VectorXd angles(problem.contacts());
    for (Index c = 0; c < problem.contacts(); ++c) angles[c] = std::atan2(r[3 * c + 2], r[3 * c + 1]);
    return angles;
}

TEST(ContactProblem, IsTheOneThatTheStepWasSolvedFor) {
    const SolvedStep step = solved_step(12, 1, 0.5);
    const test::ReferenceProblem reference = test::problem_of(step.download, true);
    const Index n = step.problem.q.size();
    // T from the tangents' own definition: W = T^T N T has the trace and the norm of N, and the residual is the same.
    const Eigen::MatrixXd dense = test::dense_operator(reference);
    EXPECT_NEAR(Eigen::MatrixXd(step.problem.W).norm(), dense.norm(), 1e-12 * dense.norm());
    EXPECT_NEAR(Eigen::MatrixXd(step.problem.W).trace(), dense.trace(), 1e-12 * dense.trace());
    VectorXd gamma(n);
    for (Index i = 0; i < n; ++i) gamma[i] = step.download.impulse[std::size_t(i)];
    const auto expected = test::reference_residual(reference, gamma);
    const double contacts = double(step.problem.contacts());
    // E_q = sqrt(nc) RMS / |q|; the bound of the RMS is the rounding of velocities, 1e-16 of |q| with some hundred
    // terms.
    EXPECT_NEAR(residual_of(step.problem, step.r), std::sqrt(contacts) * expected.rms / step.problem.q.norm(), 1e-13);
    EXPECT_NEAR(expected.rms, step.report.residual.rms, 1e-13 * step.problem.q.norm());
}

TEST(ContactProblem, HoldsMovingWallsAndImpacts) {
    test::WorldDescription world = test::random_pile(10, 3, 0.0, {0.4, 0.5, 0.0, 0.0, 0.0, 1e6});
    world.laws[0].tangential_restitution = 0.4;
    world.tolerance = 1e-9;
    world.max_iterations = 200000;
    for (std::size_t i = 0; i < world.velocity.size(); i += 6) world.velocity[i + 2] -= 1.0;  // they hit the floor
    auto poses = test::still_poses(world);
    poses[0].velocity[0] = 0.3;
    poses[0].velocity[2] = 0.2;
    poses[0].moving = 1;
    const auto engine = kernels::make_cpu_engine(world, true);
    const kernels::StepReport report = engine->step(poses);
    kernels::ProblemDownload download;
    engine->download(download);
    ASSERT_FALSE(download.offset.empty());
    EXPECT_GT(VectorXd::Map(download.wall_velocity.data(), Index(download.wall_velocity.size())).norm(), 0.1);
    ASSERT_GT(VectorXd::Map(download.offset.data(), Index(download.offset.size())).norm(), 1e-3);
    const FrictionProblem problem = simulation::contact_problem(download);
    const double contacts = double(problem.contacts());
    EXPECT_NEAR(residual_of(problem, simulation::contact_impulses(download)),
                std::sqrt(contacts) * report.residual.rms / problem.q.norm(), 1e-12);
}

TEST(ContactProblem, RefusesRollingContacts) {
    test::WorldDescription world = test::random_pile(5, 3);
    world.laws[0].rolling = 1e-4;
    const auto engine = kernels::make_cpu_engine(world, true);
    engine->step(test::still_poses(world));
    kernels::ProblemDownload download;
    engine->download(download);
    EXPECT_THROW((void)simulation::contact_problem(download), model::Error);
}

class CrossCheck : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Scenes, CrossCheck, testing::Values(2U, 3U, 4U, 5U, 6U, 7U));

TEST_P(CrossCheck, AllSolversFindTheVelocitiesOfTheStep) {
    const SolvedStep step = solved_step(kernels::Index(8 + 3 * GetParam()), GetParam(), 0.1 + 0.1 * GetParam());
    const FrictionProblem& problem = step.problem;
    ASSERT_TRUE(step.report.converged);
    ASSERT_GT(problem.contacts(), 12);
    Index sliding = 0;
    for (Index c = 0; c < problem.contacts(); ++c)
        if (step.r.segment(3 * c + 1, 2).norm() > 0.999999 * problem.mu[c] * step.r[3 * c] && step.r[3 * c] > 0.0)
            ++sliding;
    ASSERT_GT(sliding, 2);
    const double size = problem.q.norm();
    const VectorXd u = problem.W * step.r + problem.q;
    FrictionSettings settings;
    settings.tolerance = 1e-11;
    // Both residuals are below 1e-10 |q|. A velocity is farther from the solution than its residual says by the
    // conditioning of the contacts that stick or slide, which is below a hundred where chains of contacts are as short.
    const double bound = 1e-8 * size;
    for (const char* name : {"nsgs", "proximal", "apgd"}) {
        for (const FrictionSolver& solver : friction_solvers()) {
            if (solver.name != name) continue;
            const FrictionResult result = solver.solve(problem, settings);
            ASSERT_EQ(result.status, FrictionStatus::solved) << name << " " << result.residual;
            EXPECT_LT((result.u - u).norm(), bound) << name;
        }
    }
}

TEST_P(CrossCheck, PyramidsAlongTheFrictionHaveTheSameSolution) {
    const SolvedStep step = solved_step(kernels::Index(6 + GetParam()), GetParam(), 0.1 + 0.1 * GetParam());
    const FrictionProblem& problem = step.problem;
    const VectorXd u = problem.W * step.r + problem.q, angles = along(problem, step.r);
    constexpr Index m = 8;
    const LemkeResult lemke = solve_lemke(polyhedral_problem(problem, m, angles));
    ASSERT_EQ(lemke.status, LinearStatus::solved) << name_of(lemke.status);
    const VectorXd r = polyhedral_impulses(problem, m, angles, lemke.z);
    // Sliding contacts lie on an edge and sticking ones inside of the pyramid: the solution of the cones solves the
    // pyramids too, and what is left are both tolerances (1e-10, 1e-9), amplified as above.
    EXPECT_LT((problem.W * r + problem.q - u).norm(), 1e-7 * problem.q.norm());
}

TEST_P(CrossCheck, PyramidsWithManySidesComeNearTheCone) {
    const SolvedStep step = solved_step(10, GetParam(), 0.15);
    const FrictionProblem& problem = step.problem;
    const VectorXd u = problem.W * step.r + problem.q;
    // Friction on an edge is turned by up to pi / m against the slip, and within a face shorter by 1 - cos(pi / m):
    // |dr_t| <= 2 sin(pi / 2m) mu r_n, and velocities follow by W.
    const VectorXd scales = contact_scales(problem);
    double friction = 0.0;
    for (Index c = 0; c < problem.contacts(); ++c)
        friction = std::hypot(friction, scales[c] * problem.mu[c] * step.r[3 * c]);
    for (const Index m : {4, 8, 16}) {
        const LemkeResult lemke = solve_lemke(polyhedral_problem(problem, m));
        ASSERT_EQ(lemke.status, LinearStatus::solved);
        const double error = (problem.W * polyhedral_impulses(problem, m, {}, lemke.z) + problem.q - u).norm();
        EXPECT_LT(error, 2.0 * std::sin(std::numbers::pi / double(2 * m)) * friction) << m;
    }
}

}  // namespace
}  // namespace scree::complementarity
