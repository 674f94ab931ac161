// SPDX-License-Identifier: BSD-3-Clause
// Lemke's algorithm on the problems of tests/data/lcp, on degenerate ones, and on random ones of known class.
#include "engine/complementarity/lemke.hpp"

#include "engine/complementarity/problem_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearProblem file(const std::string& name) {
    return std::get<LinearProblem>(read_problem(std::string(SCREE_SOURCE_DIR) + "/tests/data/lcp/" + name + ".dat.gz"));
}

VectorXd vector(std::vector<double> values) { return Eigen::Map<VectorXd>(values.data(), Index(values.size())); }

/// Rows of entries.
MatrixXd matrix(std::vector<std::vector<double>> rows) {
    MatrixXd m(rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j) m(Index(i), Index(j)) = rows[i][j];
    return m;
}

/// Independent of certify(): signs and products, relative to the data.
void expect_solution(const LinearProblem& problem, const VectorXd& z, double tolerance) {
    const VectorXd w = problem.matrix * z + problem.vector;
    const double scale = problem.vector.cwiseAbs().maxCoeff() +
                         problem.matrix.cwiseAbs().maxCoeff() * (z.size() > 0 ? z.cwiseAbs().maxCoeff() : 0.0);
    for (Index i = 0; i < z.size(); ++i) {
        EXPECT_GE(z[i], 0.0);
        EXPECT_GE(w[i], -tolerance * scale);
        EXPECT_LE(std::min(z[i], w[i]), tolerance * scale);
    }
}

struct Known {
    std::string name;
    std::vector<double> z;  ///< Empty: not unique, or long.
};
void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

class SolvedFiles : public testing::TestWithParam<Known> {};
INSTANTIATE_TEST_SUITE_P(
    Lemke, SolvedFiles,
    testing::Values(
        Known{"drake_cycling", {1.0 / 3, 1.0 / 3, 1.0 / 3}}, Known{"drake_problem1_handbook10.2.1_n16", {}},
        Known{"drake_problem2_handbook10.2.2", {}}, Known{"drake_problem3_handbook10.2.3", {0, 1, 3}},
        Known{"drake_problem6_handbook10.2.9_l1", {17.0 / 13, 17.0 / 13, 44.0 / 13, 98.230769230769226}},
        Known{"drake_problem6_handbook10.2.9_l100", {3, 3, 0, 83}}, Known{"drake_problem6_handbook10.2.9_l16", {}},
        Known{"fathi_n8", {1, 0, 0, 0, 0, 0, 0, 0}}, Known{"lcp_CPS_1", {}}, Known{"lcp_CPS_2", {0, 1, 3}},
        Known{"lcp_CPS_4", {2, 2, 2, 92}}, Known{"lcp_CPS_4bis", {3, 3, 0, 83}}, Known{"lcp_CPS_5", {0, 1}},
        Known{"lcp_Pang_isolated_sol", {1, 0, 0}}, Known{"lcp_deudeu", {4.0 / 3, 7.0 / 3}},
        Known{"lcp_exp_murty", {0, 0, 0, 0, 0, 1}}, Known{"lcp_exp_murty2", {0, 0, 0, 0, 0, 64}}, Known{"lcp_mmc", {}},
        Known{"lcp_ortiz", {2.0 / 3, 0, 1.0 / 3, 0}},
        Known{"lcp_trivial", {1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7, 1.0 / 8, 1.0 / 9}},
        Known{"murty_exp_n10", {0, 0, 0, 0, 0, 0, 0, 0, 0, 512}}, Known{"painleve_ST_inconsistent", {}},
        Known{"painleve_ST_indeterminate", {}}, Known{"painleve_ST_regular", {}},
        Known{"painleve_accel_indeterminate", {0}}, Known{"painleve_accel_regular", {9.81 / 1.4665959031077296}},
        Known{"ST_Box_Stacks-i0035-31-0_nf4_n186", {}}, Known{"ST_Confeti-ex13-4contact-Fc3D-SBM_nf4_n24", {}},
        Known{"ST_FrictionContact3D_1c_nf4_n6", {}}, Known{"ST_FrictionContact3D_1c_nf8_n10", {}},
        Known{"ST_FrictionContact3D_RR_1c_nf4_n6", {}}, Known{"ST_LMGC_100_PR_PerioBox-i00361-60-03000_nf4_n360", {}},
        Known{"ST_NESpheres_10_1_nf4_n54", {}}, Known{"ST_OneObject-i1028-138_nf4_n138", {}},
        Known{"ST_Rover1039_nf4_n24", {}}, Known{"ST_Rover3865_nf8_n50", {}}, Known{"ST_Rover4396_nf4_n12", {}}),
    [](const auto& test) {
        std::string name = test.param.name;
        for (char& c : name)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
        return name;
    });

TEST_P(SolvedFiles, AreSolvedWithAndWithoutScaling) {
    const LinearProblem problem = file(GetParam().name);
    for (const bool scale : {true, false}) {
        LemkeSettings settings;
        settings.scale = scale;
        const LemkeResult result = solve_lemke(problem, settings);
        ASSERT_EQ(result.status, LinearStatus::solved) << name_of(result.status);
        EXPECT_LE(result.certificate.worst(), settings.tolerance);
        expect_solution(problem, result.z, 1e-10);
        for (std::size_t i = 0; i < GetParam().z.size(); ++i)
            EXPECT_NEAR(result.z[Index(i)], GetParam().z[i], 1e-9 * (1.0 + std::abs(GetParam().z[i])));
    }
}

TEST(Lemke, EndsOnARayWhereItsPathDoes) {
    for (const char* name : {"drake_failure_1d", "drake_problem4_bimatrix_handbook10.2.4", "lcp_CPS_3",
                             "lcp_Pang_isolated_sol_perturbed", "painleve_accel_inconsistent"}) {
        const LinearProblem problem = file(name);
        const LemkeResult result = solve_lemke(problem);
        ASSERT_EQ(result.status, LinearStatus::ray) << name;
        // Along a secondary ray z grows and stays feasible with z0: no entry may fall.
        ASSERT_EQ(result.ray.size(), problem.size());
        EXPECT_GE(result.ray.minCoeff(), 0.0) << name;
        EXPECT_GT(result.ray.maxCoeff(), 0.0) << name;
    }
}

TEST(Lemke, TakesAsManyPivotsAsTheExponentialExamplesAsk) {
    LemkeSettings plain;
    plain.scale = false;
    EXPECT_EQ(solve_lemke(file("murty_exp_n10"), plain).pivots, 1024U);
    EXPECT_EQ(solve_lemke(file("lcp_exp_murty2"), plain).pivots, 64U);
    EXPECT_LT(solve_lemke(file("fathi_n8")).pivots, 10U);  // scaled
    plain.max_pivots = 1000;
    EXPECT_EQ(solve_lemke(file("murty_exp_n10"), plain).status, LinearStatus::iteration_limit);
}

TEST(Lemke, HoldsForTheSmallestAndTheDegenerate) {
    EXPECT_EQ(solve_lemke({MatrixXd(0, 0), VectorXd(0)}).status, LinearStatus::solved);
    // q >= 0: z = 0, whatever M.
    const LemkeResult trivial = solve_lemke({matrix({{-1, 2}, {3, -4}}), vector({0, 5})});
    EXPECT_EQ(trivial.status, LinearStatus::solved);
    EXPECT_EQ(trivial.z.norm(), 0.0);
    EXPECT_NEAR(solve_lemke({matrix({{2}}), vector({-6})}).z[0], 3.0, 1e-15);
    // A zero row with q_i < 0 has no solution; with q_i = 0 it asks for nothing.
    EXPECT_EQ(solve_lemke({matrix({{1, 0}, {0, 0}}), vector({-1, -1})}).status, LinearStatus::ray);
    const LemkeResult idle = solve_lemke({matrix({{1, 0}, {0, 0}}), vector({-1, 0})});
    EXPECT_EQ(idle.status, LinearStatus::solved);
    EXPECT_NEAR(idle.z[0], 1.0, 1e-15);
    // Equal rows: a continuum of solutions, ties at each pivot.
    const LinearProblem equal{MatrixXd::Ones(6, 6), VectorXd::Constant(6, -3.0)};
    const LemkeResult one = solve_lemke(equal);
    EXPECT_EQ(one.status, LinearStatus::solved);
    EXPECT_NEAR(one.z.sum(), 3.0, 1e-14);
}

TEST(Lemke, SolvesMonotoneProblemsOfAnyScaleAndRank) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-6.0, 6.0);
    for (int trial = 0; trial < 200; ++trial) {
        const Index n = 1 + trial % 40, rank = 1 + trial % n;
        MatrixXd factor(n, rank), skew(n, n);
        for (double& x : factor.reshaped()) x = normal(random);
        for (double& x : skew.reshaped()) x = normal(random);
        VectorXd scale(n), z(n), w(n);
        for (Index i = 0; i < n; ++i) {
            scale[i] = std::pow(10.0, uniform(random) / 2.0);
            const bool active = normal(random) > 0.0;
            z[i] = active ? std::abs(normal(random)) : 0.0;
            w[i] = active ? 0.0 : std::abs(normal(random));
        }
        LinearProblem problem;
        problem.matrix = factor * factor.transpose() + (trial % 2) * (skew - skew.transpose());
        problem.vector = w - problem.matrix * z;  // solvable: PSD and feasible
        problem.matrix = scale.asDiagonal() * problem.matrix * scale.asDiagonal();
        problem.vector = scale.asDiagonal() * problem.vector;
        LemkeSettings settings;
        settings.ray_is_failure = true;
        const LemkeResult result = solve_lemke(problem, settings);
        ASSERT_EQ(result.status, LinearStatus::solved) << "n " << n << ", rank " << rank << ", trial " << trial;
        EXPECT_LE(result.certificate.worst(), 1e-9);
    }
}

TEST(Lemke, ReachesTheOneSolutionOfAPMatrixFromAnyCoveringVector) {
    const LinearProblem problem = file("lcp_ortiz");
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-3.0, 3.0);
    for (int trial = 0; trial < 50; ++trial) {
        LemkeSettings settings;
        settings.covering = VectorXd(4);
        for (double& x : settings.covering) x = std::pow(10.0, uniform(random));
        const LemkeResult result = solve_lemke(problem, settings);
        ASSERT_EQ(result.status, LinearStatus::solved);
        EXPECT_LT((result.z - vector({2.0 / 3, 0, 1.0 / 3, 0})).norm(), 1e-12);
    }
}

TEST(Lemke, RefusesWhatIsNoProblem) {
    EXPECT_THROW((void)solve_lemke({MatrixXd::Ones(2, 3), vector({1, 1})}), std::invalid_argument);
    EXPECT_THROW((void)solve_lemke({matrix({{std::nan("")}}), vector({-1})}), std::invalid_argument);
    EXPECT_THROW((void)solve_lemke({matrix({{1}}), vector({-std::numeric_limits<double>::infinity()})}),
                 std::invalid_argument);
    LemkeSettings settings;
    settings.covering = vector({0.0});
    EXPECT_THROW((void)solve_lemke({matrix({{1}}), vector({-1})}, settings), std::invalid_argument);
}

TEST(MixedLinear, HasTheSolutionOfTheEliminatedProblem) {
    // A mass on a floor, pulled by a spring towards -1: u = v', v = contact force.
    MixedLinearProblem problem;
    problem.A = matrix({{2.0, 0.5}, {0.5, 1.0}});
    problem.C = MatrixXd(2, 1);
    problem.C << -1.0, 0.0;
    problem.D = MatrixXd(1, 2);
    problem.D << 1.0, 0.0;
    problem.B = MatrixXd::Zero(1, 1);
    problem.a = vector({3.0, -1.0});
    problem.b = vector({0.2});
    const MixedLinearResult result = solve_mixed(problem);
    ASSERT_EQ(result.reduced.status, LinearStatus::solved);
    const VectorXd balance = problem.A * result.u + problem.C * result.v + problem.a;
    EXPECT_LT(balance.norm(), 1e-14);
    EXPECT_NEAR((problem.D * result.u + problem.b)[0], 0.0, 1e-14);  // the contact is closed
    EXPECT_GT(result.v[0], 0.0);
    problem.A.setZero();
    EXPECT_EQ(solve_mixed(problem).reduced.status, LinearStatus::ill_conditioned);
}

}  // namespace
}  // namespace scree::complementarity
