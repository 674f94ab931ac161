// SPDX-License-Identifier: BSD-3-Clause
// The certified residual: equal to a dense computation, zero at solutions, and free of units, precision and size.
#include "kernels/cone/residual.hpp"

#include "kernels/parallel/cpu.hpp"
#include "tests/support/packed_problem.hpp"
#include "tests/support/random_problems.hpp"

#include <gtest/gtest.h>

#include <random>

namespace scree::kernels {
namespace {

using test::PackedProblem;
using test::ReferenceProblem;
using test::ReferenceResidual;
using Vector = Eigen::VectorXd;

/// certify() of impulses whose velocities are computed densely.
template <class R>
ResidualReport certified(const ReferenceProblem& p, const Vector& gamma, std::size_t threads = 1) {
    Cpu cpu(threads);
    const PackedProblem<Cpu, R> packed(p);
    const auto& view = packed.view();
    ConeSolution<Cpu, R> solution;
    packed.set_impulses(gamma, solution);
    const Vector v = velocity_after(p, gamma);
    std::vector<R> rows(view.free_velocity, view.free_velocity + std::size_t(view.rows_of_velocity) * 8);
    for (std::size_t i = 0; i < std::size_t(p.bodies()); ++i)
        for (std::size_t k = 0; k < 6; ++k) rows[8 * i + k + (k > 2 ? 1 : 0)] = R(v[Eigen::Index(6 * i + k)]);
    solution.velocity.assign(rows);
    return certify<R>(cpu, view, packed.real_contacts(), solution.velocity.data(), solution.g.data(),
                      solution.m.data());
}

/// Impulses in and out of the cones.
Vector some_impulses(const ReferenceProblem& p, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    Vector gamma(p.rows() * p.count());
    for (int c = 0; c < p.count(); ++c) {
        for (int k = 0; k < p.rows(); ++k) gamma[p.rows() * c + k] = 0.3 * both(random);
        if (c % 3 == 0) gamma.segment<3>(p.rows() * c) += p.contacts[std::size_t(c)].n;
        if (c % 5 == 0) gamma.segment(p.rows() * c, p.rows()).setZero();
    }
    return gamma;
}

TEST(Residual, EqualsADenseComputation) {
    unsigned seed = 0;
    for (const bool rolling : {false, true})
        for (const bool coulomb : {false, true})
            for (const int contacts : {1, 8, 9, 50, 120}) {
                const ReferenceProblem p = test::random_problem(25, contacts, ++seed, 1.0, rolling, coulomb);
                const Vector gamma = some_impulses(p, seed);
                const ReferenceResidual expected = reference_residual(p, gamma);
                const ResidualReport found = certified<double>(p, gamma);
                // Velocities of size 1 to 100 with roundings of 1e-16 each.
                EXPECT_NEAR(found.rms, expected.rms, 1e-12 * (1.0 + expected.rms));
                EXPECT_NEAR(found.max, expected.max, 1e-12 * (1.0 + expected.max));
                EXPECT_NEAR(found.approach_max, std::max(0.0, expected.approach_max), 1e-12 * (1.0 + expected.max));
                EXPECT_NEAR(found.cone_violation_max, std::max(0.0, expected.cone_violation_max), 1e-12);
                EXPECT_NEAR(found.dissipation, expected.dissipation, 1e-11 * (1.0 + std::abs(expected.dissipation)));
            }
}

TEST(Residual, IsZeroAtSolutions) {
    for (const bool coulomb : {false, true}) {
        const ReferenceProblem p = test::problem_of(test::random_pile(40, 1), coulomb);
        ASSERT_GT(p.count(), 60);
        const Vector gamma = solve_by_gauss_seidel(p, 1e-13, 5000);
        const ResidualReport found = certified<double>(p, gamma);
        EXPECT_LT(found.rms, 1e-11);  // m/s; Gauss-Seidel stopped at changes of 1e-13 a sweep
        EXPECT_LT(std::abs(found.dissipation), 1e-11);
        EXPECT_GT(certified<double>(p, 1.01 * gamma).rms, 1e-6);
    }
}

TEST(Residual, OfInactiveContactsIsZero) {
    ReferenceProblem p = test::random_problem(10, 30, 3, 0.0, false, true);
    for (auto& c : p.contacts) c.bias = 1e3;
    EXPECT_EQ(certified<double>(p, Vector::Zero(90)).rms, 0.0);
}

TEST(Residual, ScalesAsAVelocityUnderAnyChangeOfUnits) {
    for (const bool rolling : {false, true}) {
        const ReferenceProblem p = test::random_problem(20, 60, 4, 1.0, rolling, true);
        const Vector gamma = some_impulses(p, 4);
        const ResidualReport si = certified<double>(p, gamma);
        for (const auto& [length, mass, time] : {std::array{1e3, 1.0, 1.0}, std::array{1.0, 1e-6, 1.0},
                                                 std::array{1.0, 1.0, 1e3}, std::array{1e-4, 1e5, 1e-2}}) {
            const double speed = length / time, impulse = mass * speed;
            ReferenceProblem q = p;
            for (std::size_t i = 0; i < q.inverse_mass.size(); ++i)
                q.inverse_mass[i] /= i % 2 == 0 ? mass : mass * length * length;
            for (std::size_t i = 0; i < q.free_velocity.size(); ++i)
                q.free_velocity[i] *= i % 6 < 3 ? speed : 1.0 / time;
            for (auto& c : q.contacts) {
                c.lever_a *= length;
                c.lever_b *= length;
                c.bias *= speed;
                c.compliance /= mass;
                c.rolling *= length;
                c.spinning *= length;
                c.wall_velocity *= speed;
                c.wall_spin /= time;
            }
            Vector scaled = impulse * gamma;
            if (rolling)
                for (int c = 0; c < p.count(); ++c) scaled.segment<3>(6 * c + 3) *= length;
            const ResidualReport other = certified<double>(q, scaled);
            // Exact but for rounding: the same digits at another scale.
            EXPECT_NEAR(other.rms / speed, si.rms, 1e-12 * si.rms);
            EXPECT_NEAR(other.max / speed, si.max, 1e-12 * si.max);
            EXPECT_NEAR(other.dissipation / (impulse * speed), si.dissipation, 1e-11 * std::abs(si.dissipation));
        }
    }
}

TEST(Residual, DoesNotDependOnPrecision) {
    for (const bool rolling : {false, true}) {
        const ReferenceProblem p = test::random_problem(30, 100, 5, 2.0, rolling, true);
        const Vector gamma = some_impulses(p, 5);
        const ResidualReport fine = certified<double>(p, gamma), coarse = certified<float>(p, gamma);
        // Float carries 6e-8 of each number; cancellation in velocities of size 10 costs two digits.
        EXPECT_NEAR(coarse.rms, fine.rms, 1e-4 * fine.rms);
        EXPECT_NEAR(coarse.max, fine.max, 1e-4 * fine.max);
    }
}

TEST(Residual, DoesNotDependOnTheNumberOfCopies) {
    const ReferenceProblem p = test::random_problem(10, 27, 6, 1.0, false, true);
    const Vector gamma = some_impulses(p, 6);
    const ResidualReport one = certified<double>(p, gamma);
    for (const int copies : {8, 64}) {
        Vector many(copies * gamma.size());
        for (int k = 0; k < copies; ++k) many.segment(k * gamma.size(), gamma.size()) = gamma;
        // Without the dense velocity of all copies: it is that of one, repeated.
        const ReferenceProblem q = tiled_copies(p, copies);
        const PackedProblem<Cpu, double> packed(q);
        const Vector v = velocity_after(p, gamma);
        std::vector<double> rows(packed.view().free_velocity,
                                 packed.view().free_velocity + std::size_t(packed.view().rows_of_velocity) * 8);
        for (std::size_t i = 0; i < std::size_t(q.bodies()); ++i)
            for (std::size_t k = 0; k < 6; ++k)
                rows[8 * i + k + (k > 2 ? 1 : 0)] = v[Eigen::Index(6 * (i % std::size_t(p.bodies())) + k)];
        Cpu cpu(1);
        ConeSolution<Cpu, double> solution;
        packed.set_impulses(many, solution);
        solution.velocity.assign(rows);
        const ResidualReport found = certify<double>(cpu, packed.view(), packed.real_contacts(),
                                                     solution.velocity.data(), solution.g.data(), solution.m.data());
        EXPECT_NEAR(found.rms, one.rms, 1e-13 * one.rms);  // sums in another order
        EXPECT_NEAR(found.max, one.max, 1e-14 * one.max);
    }
}

TEST(Residual, HasTheSameBitsForAnyNumberOfThreads) {
    const ReferenceProblem p = tiled_copies(test::random_problem(10, 27, 7, 1.0, false, true), 20);
    const Vector gamma = some_impulses(p, 7);
    const double one = certified<float>(p, gamma, 1).rms;
    for (std::size_t threads = 2; threads <= 4; ++threads) EXPECT_EQ(certified<float>(p, gamma, threads).rms, one);
}

}  // namespace
}  // namespace scree::kernels
