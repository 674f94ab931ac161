// SPDX-License-Identifier: BSD-3-Clause
// The cone system (33) of papers/003 against friction pyramids of more and more sides.
#include "engine/reference/mode_search.hpp"
#include "tests/support/contact_systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The all-rolling problem with polygons of `sides` directions, as Stewart and Trinkle have it at the velocity level:
/// unknowns (c_n, beta, lambda) per contact. Nothing where Lemke ends on a ray.
std::optional<VectorXd> with_polygons(const AccelerationProblem& p, int sides) {
    const Index nc = p.count(), m = sides + 2, n = nc * m;
    MatrixXd forces = MatrixXd::Zero(p.size(), n), rest = MatrixXd::Zero(n, n);
    for (Index k = 0; k < nc; ++k) {
        forces(3 * k, m * k) = 1.0;
        for (int s = 0; s < sides; ++s) {
            const double angle = 2.0 * std::numbers::pi * s / sides;
            forces(3 * k + 1, m * k + 1 + s) = std::cos(angle);
            forces(3 * k + 2, m * k + 1 + s) = std::sin(angle);
            rest(m * k + 1 + s, m * k + m - 1) = 1.0;
            rest(m * k + m - 1, m * k + 1 + s) = -1.0;
        }
        rest(m * k + m - 1, m * k) = p.contacts[std::size_t(k)].mu;
    }
    const auto lemke =
        complementarity::solve_lemke({forces.transpose() * p.A * forces + rest, VectorXd(forces.transpose() * p.b)});
    if (lemke.status != complementarity::LinearStatus::solved) return std::nullopt;
    return forces * lemke.z;
}

TEST(PangTrinkleCone, PolygonsOfManySidesApproachTheCone) {
    std::mt19937 random(11);
    int compared = 0, slid = 0;
    double coarse = 0.0, fine = 0.0;
    for (int trial = 0; trial < 30; ++trial) {
        const auto system = test::random_rolling(random, 2, 2, 3, 0.3, 0.0);
        std::vector<std::size_t> active;
        std::vector<std::string> notes;
        const State state = system.state();
        const AccelerationProblem p = acceleration_problem(system, state, classify(system, state, {}), active, notes);
        const SearchOutcome cone = search_modes(p, RollingLaw::cone, 20000);
        if (!cone.complete || cone.forces.size() != 1) continue;
        const AccelerationSolution exact = solution_of(p, RollingLaw::cone, cone.forces[0]);
        for (const Transition t : exact.transitions)
            if (t == Transition::rolling_to_sliding) ++slid;
        const auto error = [&](int sides) {
            const auto c = with_polygons(p, sides);
            return c ? (p.motion(*c) - exact.acceleration).norm() / exact.acceleration.norm() : HUGE_VAL;
        };
        ++compared;
        coarse = std::max(coarse, error(16));
        fine = std::max(fine, error(128));
    }
    // A regular polygon is off by pi / sides in direction at most; what that does to the motion is of the same size
    // here.
    EXPECT_LE(coarse, std::numbers::pi / 16);
    EXPECT_LE(fine, std::numbers::pi / 128);
    EXPECT_GE(compared, 20);
    EXPECT_GE(slid, 10);
}

TEST(PangTrinkleCone, PyramidAndConeAgreeWhereSlipIsAlongAnAxis) {
    // One contact, A diagonal: sliding along the first tangent touches both cones in one point.
    test::GivenRows system;
    system.M = MatrixXd::Identity(3, 3);
    system.k = Eigen::Vector3d(-1.0, 0.7, 0.0);
    system.rows.resize(1);
    system.rows[0].normal = Eigen::RowVector3d(1, 0, 0);
    system.rows[0].tangent = MatrixXd::Zero(2, 3);
    system.rows[0].tangent(0, 1) = system.rows[0].tangent(1, 2) = 1.0;
    system.rows[0].law.friction.sliding = 0.5;
    system.curvature = VectorXd::Zero(3);
    const Analysis along = analyse(system, system.state());
    EXPECT_NEAR(along.cone.solutions.at(0).acceleration[1], 0.2, 1e-12);
    EXPECT_NEAR(along.pyramid.solutions.at(0).acceleration[1], 0.2, 1e-12);
    // Along the diagonal the square holds sqrt(2) as much: it sticks where the cone slides.
    system.k = Eigen::Vector3d(-1.0, 0.45, 0.45);
    const Analysis across = analyse(system, system.state());
    EXPECT_EQ(across.pyramid.solutions.at(0).transitions[0], Transition::rolling_to_rolling);
    EXPECT_EQ(across.cone.solutions.at(0).transitions[0], Transition::rolling_to_sliding);
    EXPECT_NEAR(across.cone.solutions[0].acceleration.norm(), 0.45 * std::sqrt(2.0) - 0.5, 1e-12);
}

TEST(PangTrinkleCone, ConeSolutionsAreTrueCoulomb) {
    std::mt19937 random(12);
    for (int trial = 0; trial < 40; ++trial) {
        const auto system = test::random_rolling(random, 1, 2, 3, 0.6, 0.5);
        for (const AccelerationSolution& s : analyse(system, system.state()).cone.solutions)
            for (Index k = 0; k < s.normal_force.size(); ++k) {
                const Eigen::Vector2d f = s.tangent_force.col(k), a = s.tangent_acceleration.col(k);
                const double bound = system.rows[std::size_t(k)].law.friction.sliding * s.normal_force[k];
                EXPECT_GE(s.normal_force[k], -1e-9);
                EXPECT_GE(s.normal_acceleration[k], -1e-8);
                EXPECT_LE(f.norm(), bound + 1e-8);
                // Eq. 10: mu c_n a_t + |a_t| c_t = 0.
                EXPECT_LE((bound * a + a.norm() * f).norm(), 1e-7 * (1.0 + bound) * (1.0 + a.norm()));
            }
    }
}

}  // namespace
}  // namespace scree::reference
