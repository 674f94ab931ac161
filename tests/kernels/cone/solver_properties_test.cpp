// SPDX-License-Identifier: BSD-3-Clause
// What must hold of every solution whatever the problem: objectives that fall, and answers that do not depend on how
// the problem is told, on how many copies of it there are, or on where the iteration starts.
#include "kernels/parallel/cpu.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/solved.hpp"
#include "tests/support/transformed_problem.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

namespace scree::kernels {
namespace {

using test::ReferenceContact;
using test::ReferenceProblem;
using test::Solved;
using test::SolverFixture;
using test::Units;
using Vector = Eigen::VectorXd;

const char* name_of(SolverName name) { return name == SolverName::apgd ? "Apgd" : "ProjectedJacobi"; }

class SolverProperties : public testing::TestWithParam<SolverName> {
protected:
    template <class R>
    static Solved solve(const ReferenceProblem& p, const SolveSettings& settings, const Vector* start = nullptr) {
        return SolverFixture<Cpu, R>(GetParam(), Cpu(1)).solve(p, settings, start);
    }
};
INSTANTIATE_TEST_SUITE_P(All, SolverProperties, testing::Values(SolverName::apgd, SolverName::projected_jacobi),
                         [](const auto& solver) { return name_of(solver.param); });

/// 1/2 g.N g + p.g in double, from the formulas.
class Objective {
public:
    explicit Objective(const ReferenceProblem& p) : matrix_(dense_operator(p)), linear_(free_relative_velocity(p)) {
        for (int c = 0; c < p.count(); ++c)
            linear_.segment<3>(p.rows() * c) += p.contacts[std::size_t(c)].bias * p.contacts[std::size_t(c)].n;
    }
    [[nodiscard]] double operator()(const Vector& g) const { return 0.5 * g.dot(matrix_ * g) + g.dot(linear_); }

private:
    Eigen::MatrixXd matrix_;
    Vector linear_;
};

std::vector<ReferenceProblem> some_problems(bool coulomb) {
    std::vector<ReferenceProblem> problems;
    problems.push_back(test::problem_of(test::random_pile(60, 1, 0.2), coulomb));
    problems.push_back(test::problem_of(test::random_pile(40, 2, 0.2, {0.4, 0, 2e-4, 1e-4, 0, 1e5}), coulomb));
    problems.push_back(test::random_problem(20, 60, 3, 1.0, false, coulomb));
    problems.push_back(test::random_problem_with_arms(20, 60, 4, 1.0, false, coulomb));
    problems.push_back(test::random_problem_with_arms(12, 40, 5, 1.0, true, coulomb));
    return problems;
}

/// Largest difference of two sets of body velocities: v, and spins times a lever of the problem [m/s].
double difference(const Vector& a, const Vector& b, double lever) {
    double most = 0.0;
    for (Eigen::Index i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a[i] - b[i]) * (i % 6 < 3 ? 1.0 : lever));
    return most;
}
double lever_of(const ReferenceProblem& p) {
    double most = 0.0;
    for (const ReferenceContact& c : p.contacts) most = std::max({most, c.lever_a, c.lever_b});
    return most;
}

TEST_P(SolverProperties, ObjectiveOfTheAssociatedLawNeverRises) {
    for (const ReferenceProblem& p : some_problems(false)) {
        const Objective objective(p);
        const double depth = -objective(solve<double>(p, {1e-10, 200000, true}).gamma);
        ASSERT_GT(depth, 0.0);
        double last = 0.0;  // of zero impulses, where it starts
        int fell = 0;
        // What a solve of k iterations returns is the best certified iterate: for k up to 20 the start or iterate k,
        // then also the 20th, 40th ... Projected Jacobi returns every iterate, and each is checked. The iterates of an
        // accelerated method rise and fall; those that it accepts as better are checked, at every certificate.
        const int interval = GetParam() == SolverName::apgd ? 20 : 1;
        for (int k = interval; k <= 40 * interval && k <= 400; k += interval) {
            const double now = objective(solve<double>(p, {0.0, k, true}).gamma);
            // Rounding: sums of p.count() products of 1e-16.
            EXPECT_LE(now, last + 1e-13 * depth) << "iteration " << k << " of " << name_of(GetParam());
            fell += now < last ? 1 : 0;
            last = now;
        }
        EXPECT_GT(fell, 5);
        EXPECT_LT(last, -0.01 * depth);
    }
}

TEST_P(SolverProperties, SolutionDoesNotDependOnNumbersAndFinders) {
    for (const bool coulomb : {false, true})
        for (const ReferenceProblem& p : some_problems(coulomb)) {
            const SolveSettings settings{1e-11, 400000, true};
            const Solved first = solve<double>(p, settings);
            ASSERT_TRUE(first.report.converged);
            for (const unsigned seed : {1U, 2U, 3U}) {
                const test::RenumberedProblem other = renumbered(p, seed);
                const Solved second = solve<double>(other.problem, settings);
                ASSERT_TRUE(second.report.converged);
                Vector v(first.velocity.size());
                for (std::size_t i = 0; i < other.body.size(); ++i)
                    v.segment<6>(6 * other.body[i]) = second.velocity.segment<6>(Eigen::Index(6 * i));
                // Residuals of 1e-11 m/s times the conditioning of these problems, below 1e4 (measured: 2e3).
                EXPECT_LT(difference(v, first.velocity, lever_of(p)), 1e-7);
                // Normal impulses are unique where every contact is compliant; there only.
                if (std::any_of(p.contacts.begin(), p.contacts.end(), [](auto& c) { return c.compliance < 1e-3; }))
                    continue;
                for (int c = 0; c < p.count(); ++c) {
                    const int from = other.contact[std::size_t(c)];
                    const auto& k = p.contacts[std::size_t(from)];
                    const double sign = other.turned[std::size_t(c)] ? -1.0 : 1.0;
                    const double gn = k.n.dot(first.gamma.segment<3>(p.rows() * from));
                    EXPECT_NEAR(sign * k.n.dot(second.gamma.segment<3>(p.rows() * c)), gn, 1e-7 / k.compliance);
                }
            }
        }
}

TEST_P(SolverProperties, SolutionTurnsWithTheSceneAndItsMirrorImage) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (const ReferenceProblem& p : some_problems(true)) {
        const SolveSettings settings{1e-11, 400000, true};
        const Solved first = solve<double>(p, settings);
        ASSERT_TRUE(first.report.converged);
        for (int k = 0; k < 4; ++k) {
            Eigen::Matrix3d q = Eigen::Quaterniond(both(random), both(random), both(random), both(random))
                                    .normalized()
                                    .toRotationMatrix();
            if (k % 2 == 1) q = -q;  // a turned mirror image
            const double sign = q.determinant() > 0.0 ? 1.0 : -1.0;
            const Solved second = solve<double>(turned_problem(p, q), settings);
            ASSERT_TRUE(second.report.converged);
            Vector v = second.velocity;
            for (Eigen::Index i = 0; i < v.size() / 6; ++i) {
                v.segment<3>(6 * i) = Eigen::Vector3d(q.transpose() * v.segment<3>(6 * i));
                v.segment<3>(6 * i + 3) = Eigen::Vector3d(sign * (q.transpose() * v.segment<3>(6 * i + 3)));
            }
            // No tangents are stored, so axes are all that could be special. Bounds as above.
            EXPECT_LT(difference(v, first.velocity, lever_of(p)), 1e-7) << "turn " << k;
        }
    }
}

constexpr std::array other_units{Units{1e-6, 1, 1},       Units{1e6, 1, 1},     Units{1, 1e-6, 1},
                                 Units{1, 1e6, 1},        Units{1, 1, 1e-6},    Units{1, 1, 1e6},
                                 Units{1e-6, 1e-6, 1e-6}, Units{1e6, 1e6, 1e6}, Units{1e3, 1e-6, 1e4}};

TEST_P(SolverProperties, SolutionDoesNotDependOnUnits) {
    for (const ReferenceProblem& p : some_problems(true)) {
        // The same number of iterations is the same arithmetic at another scale: what differs is rounding, and that the
        // numbers which seed the power iterations are not scaled.
        const Solved first = solve<double>(p, {1e-9, 400000, true});
        ASSERT_TRUE(first.report.converged);
        for (const Units& u : other_units) {
            const Solved second = solve<double>(in_units(p, u), {1e-9 * u.speed(), 400000, true});
            EXPECT_TRUE(second.report.converged) << u.length << " " << u.mass << " " << u.time;
            Vector v = second.velocity;
            for (Eigen::Index i = 0; i < v.size(); ++i) v[i] *= i % 6 < 3 ? 1.0 / u.speed() : u.time;
            // Two solutions with residuals of 1e-9 m/s, conditioning as above.
            EXPECT_LT(difference(v, first.velocity, lever_of(p)), 1e-5) << u.length << " " << u.mass << " " << u.time;
        }
    }
}

TEST_P(SolverProperties, SolutionDoesNotDependOnUnitsInFloat) {
    // In the precision of runs, to a residual that projected Jacobi reaches as well: sums of squares of velocities and
    // impulses must neither underflow nor overflow.
    for (const ReferenceProblem& p : some_problems(true)) {
        const Solved first = solve<float>(p, {5e-3, 20000, true});
        ASSERT_TRUE(first.report.converged);
        for (const Units& u : other_units) {
            const Solved second = solve<float>(in_units(p, u), {5e-3 * u.speed(), 20000, true});
            EXPECT_TRUE(second.report.converged) << u.length << " " << u.mass << " " << u.time << ": residual "
                                                 << second.report.residual.rms / u.speed();
        }
    }
}

TEST_P(SolverProperties, SolutionDoesNotDependOnTheNumberOfCopies) {
    const ReferenceProblem p = test::problem_of(test::random_pile(60, 1, 0.2), true);
    const SolveSettings settings{1e-10, 400000, true};
    const Solved one = solve<double>(p, settings);
    ASSERT_TRUE(one.report.converged);
    for (const int copies : {8, 64}) {
        const Solved many = solve<double>(tiled_copies(p, copies), settings);
        ASSERT_TRUE(many.report.converged);
        EXPECT_LE(many.report.residual.rms, 1e-10);
        for (int k = 0; k < copies; ++k)
            EXPECT_LT(difference(many.velocity.segment(k * one.velocity.size(), one.velocity.size()), one.velocity,
                                 lever_of(p)),
                      1e-6)
                << "copy " << k << " of " << copies;  // 1e-10 m/s in the mean over all copies; conditioning as above
    }
}

TEST_P(SolverProperties, ReachesTheToleranceFromAnyStart) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (const bool coulomb : {false, true})
        for (const ReferenceProblem& p : some_problems(coulomb)) {
            const Objective objective(p);
            const SolveSettings settings{1e-7, 400000, true};
            const Solved cold = solve<double>(p, {1e-7, 400000, false});
            ASSERT_TRUE(cold.report.converged);
            const double depth = -objective(cold.gamma);
            Vector noise(cold.gamma.size());
            for (double& g : noise) g = both(random) * cold.gamma.cwiseAbs().maxCoeff();
            const std::pair<const char*, Vector> starts[] = {{"good", cold.gamma},
                                                             {"reversed", -cold.gamma},
                                                             {"thousandfold", 1e3 * cold.gamma},
                                                             {"random", noise},
                                                             {"random thousandfold", 1e3 * noise},
                                                             {"of another step", 0.7 * cold.gamma + 0.3 * noise}};
            for (const auto& [what, start] : starts) {
                // A cold start begins at zero, where the objective is 0.
                const Solved begun = solve<double>(p, {0.0, 0, true}, &start);
                EXPECT_LE(objective(begun.gamma), 1e-13 * depth) << what;
                const Solved warm = solve<double>(p, settings, &start);
                EXPECT_TRUE(warm.report.converged) << what;
                EXPECT_LT(difference(warm.velocity, cold.velocity, lever_of(p)), 1e-3) << what;  // 1e-7, as above
                // At equal numbers of iterations: never worse than what it started from.
                for (const int k : {1, 5, 20, 60})
                    EXPECT_LE(solve<double>(p, {0.0, k, true}, &start).report.residual.rms, begun.report.residual.rms)
                        << what << ", " << k;
            }
        }
}

}  // namespace
}  // namespace scree::kernels
