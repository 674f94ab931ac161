// SPDX-License-Identifier: BSD-3-Clause
// Projected Jacobi and APGD on small problems: closed forms, the dense Gauss-Seidel, and degenerate sets.
#include "kernels/parallel/cpu.hpp"
#include "tests/support/model_device.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/solved.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::kernels {
namespace {

using test::LoopForm;
using test::ModelDevice;
using test::ReferenceContact;
using test::ReferenceProblem;
using test::Solved;
using test::SolverFixture;
using Vector = Eigen::VectorXd;
using Eigen::Vector3d;

/// Stiff enough that impulses travel, soft enough that Gauss-Seidel converges: overlaps under the own weight of 1e-5 of
/// a diameter.
constexpr PairLaw<double> pile_law = {0.5, 0.0, 0.0, 0.0, 0.0, 1e5};
constexpr double gravity_step = 9.81e-3;  ///< g h [m/s], the scale of the piles' velocities

template <class R_, SolverName name_, class Backend_ = Cpu>
struct Variant {
    using R = R_;
    using Backend = Backend_;
    static constexpr SolverName name = name_;
    /// What a residual can reach [m/s]: velocities of size .1 m/s through sums of some ten impulses.
    static constexpr double reachable = sizeof(R) == 4 ? 1e-3 * gravity_step : 1e-8;
};
template <class V>
class ConeSolvers : public testing::Test {
protected:
    using R = typename V::R;
    static Solved solve(const ReferenceProblem& p, double tolerance = V::reachable, int iterations = 50000) {
        return SolverFixture<typename V::Backend, R>(V::name, typename V::Backend{})
            .solve(p, {tolerance, iterations, true});
    }
};
using Variants =
    testing::Types<Variant<float, SolverName::conjugate>, Variant<double, SolverName::conjugate>,
                   Variant<float, SolverName::apgd>, Variant<double, SolverName::apgd>,
                   Variant<float, SolverName::projected_jacobi>, Variant<double, SolverName::projected_jacobi>,
                   Variant<float, SolverName::gauss_seidel>, Variant<double, SolverName::gauss_seidel>,
                   Variant<float, SolverName::apgd, ModelDevice<LoopForm::host>>,
                   Variant<float, SolverName::conjugate, ModelDevice<LoopForm::graph>>,
                   Variant<double, SolverName::conjugate, ModelDevice<LoopForm::persistent>>>;
TYPED_TEST_SUITE(ConeSolvers, Variants);

/// A unit sphere (m = 1, I = .4) on a floor: n points down from the body to the wall.
ReferenceProblem sphere_on_floor(Vector3d velocity, double friction, bool coulomb, double compliance = 0.0) {
    ReferenceProblem p;
    p.inverse_mass = {1.0, 2.5};
    p.free_velocity = {velocity.x(), velocity.y(), velocity.z(), 0, 0, 0};
    p.coulomb = coulomb;
    ReferenceContact c;
    c.n = -Vector3d::UnitZ();
    c.lever_a = 1.0;
    c.friction = friction;
    c.compliance = compliance;
    p.contacts = {c};
    return p;
}

TYPED_TEST(ConeSolvers, LetASeparatingContactGo) {
    const Solved s = this->solve(sphere_on_floor({0.3, 0.0, 0.1}, 0.5, true));
    EXPECT_EQ(s.gamma.norm(), 0.0);
    EXPECT_TRUE(s.report.converged);
    EXPECT_NEAR(s.velocity[2], 0.1, 1e-8);  // untouched: .1 in float
}

TYPED_TEST(ConeSolvers, StopAStickingSphere) {
    // N_tt = 1/m + r^2/I = 3.5: the impulse is (v_t / 3.5, v_n), inside the cone; the sphere rolls at 5/7 of its speed.
    for (const bool coulomb : {false, true}) {
        const Solved s = this->solve(sphere_on_floor({0.14, 0.0, -0.2}, 0.5, coulomb), TypeParam::reachable * 1e-1);
        EXPECT_NEAR(s.gamma[0], 0.14 / 3.5, TypeParam::reachable);  // on the wall, which is B
        EXPECT_NEAR(s.gamma[2], -0.2, TypeParam::reachable);
        EXPECT_NEAR(s.velocity[0], 0.14 * 5.0 / 7.0, TypeParam::reachable);
        EXPECT_NEAR(s.velocity[4], 0.14 * 5.0 / 7.0, TypeParam::reachable);
        EXPECT_NEAR(s.velocity[2], 0.0, TypeParam::reachable);
    }
}

TYPED_TEST(ConeSolvers, SlideASphereByTheLawAskedFor) {
    const double mu = 0.2, vt = 1.0, vn = 0.3, dn = 1.0, dt = 3.5, compliance = 0.25;
    for (const double e : {0.0, compliance}) {
        // Coulomb: the normal impulse does not see the sliding.
        const Solved coulomb = this->solve(sphere_on_floor({vt, 0, -vn}, mu, true, e), TypeParam::reachable * 1e-1);
        const double g = vn / (dn + e);
        EXPECT_NEAR(coulomb.gamma[2], -g, TypeParam::reachable);
        EXPECT_NEAR(coulomb.gamma[0], mu * g, TypeParam::reachable);
        EXPECT_NEAR(coulomb.velocity[2], -vn + g, TypeParam::reachable);
        // Associated: the projection of the free impulse in the metric N; the sphere floats up at mu |u_t|.
        const Solved associated = this->solve(sphere_on_floor({vt, 0, -vn}, mu, false, e), TypeParam::reachable * 1e-1);
        const double x = (vn + mu * vt) / (dn + e + mu * mu * dt), slip = vt - dt * mu * x;
        EXPECT_NEAR(associated.gamma[2], -x, TypeParam::reachable);
        EXPECT_NEAR(associated.gamma[0], mu * x, TypeParam::reachable);
        EXPECT_NEAR(associated.velocity[2] + e * x, mu * slip, 2.0 * TypeParam::reachable);
        EXPECT_GT(associated.velocity[2] + e * x, 0.01);
    }
}

TYPED_TEST(ConeSolvers, BrakeSpinAndRollingByTheirMoments) {
    // Spinning about the normal: the moment is at most mu_s g_n, and no more than stops the spin.
    for (const double spin : {0.5, 5.0}) {
        ReferenceProblem p = sphere_on_floor({0, 0, -0.4}, 0.5, true);
        p.rolling = true;
        p.contacts[0].rolling = 0.1;
        p.contacts[0].spinning = 1.0;
        p.free_velocity[5] = spin;
        const Solved s = this->solve(p, TypeParam::reachable * 1e-1);
        const double moment = std::min(1.0 * 0.4, 0.4 * spin);
        EXPECT_NEAR(s.velocity[5], spin - 2.5 * moment, 10.0 * TypeParam::reachable);
        EXPECT_NEAR(s.velocity[2], 0.0, 10.0 * TypeParam::reachable);
    }
    // Rolling without slip at speed v: contact point at rest, decelerated by the moment alone if it is small.
    ReferenceProblem p = sphere_on_floor({1.0, 0, -0.4}, 0.9, true);
    p.rolling = true;
    p.contacts[0].rolling = 0.05;
    p.free_velocity[4] = 1.0;  // w x r: v_x = w_y r
    const Solved s = this->solve(p, TypeParam::reachable * 1e-1);
    // Moment M = mu_r g on the sphere and friction F that keeps v = w r: m dv = F, I dw = -M - F r, so that
    // dv = dw = -M / (I + m).
    const double dv = -0.05 * 0.4 / 1.4;
    EXPECT_NEAR(s.velocity[0], 1.0 + dv, 10.0 * TypeParam::reachable);
    EXPECT_NEAR(s.velocity[4], 1.0 + dv, 10.0 * TypeParam::reachable);
}

TYPED_TEST(ConeSolvers, AgreeWithGaussSeidelOnPiles) {
    for (const bool coulomb : {false, true})
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const ReferenceProblem p =
                test::problem_of(test::random_pile(60, seed, seed == 3 ? 0.05 : 0.0, pile_law), coulomb);
            ASSERT_GT(p.count(), 60);
            const Solved s = this->solve(p);
            EXPECT_TRUE(s.report.converged) << s.report.residual.rms;
            const Vector impulses = solve_by_gauss_seidel(p, 1e-12, 4000);
            ASSERT_LT(reference_residual(p, impulses).rms, 1e-10);
            const Vector expected = velocity_after(p, impulses);
            // A residual r leaves velocities uncertain by r times the square root of the condition number, some ten
            // here; spins are velocities over the radius of .01 m.
            for (int i = 0; i < p.bodies(); ++i) {
                EXPECT_LT((s.velocity - expected).segment<3>(6 * i).norm(), 100.0 * TypeParam::reachable);
                EXPECT_LT((s.velocity - expected).segment<3>(6 * i + 3).norm() * 0.01, 100.0 * TypeParam::reachable);
            }
        }
}

TYPED_TEST(ConeSolvers, ReachTheToleranceWithRollingRows) {
    const PairLaw<double> law{0.5, 0.0, 5e-4, 5e-4, 0.0, 1e5};
    const ReferenceProblem p = test::problem_of(test::random_pile(80, 4, 0.0, law), true);
    const Solved s = this->solve(p);
    EXPECT_TRUE(s.report.converged);
    const auto checked = reference_residual(p, s.gamma);
    EXPECT_LT(checked.rms, 1.5 * TypeParam::reachable);  // the tolerance and what float loses in the impulses
    // A few roundings of the largest impulse.
    EXPECT_LT(checked.cone_violation_max,
              (sizeof(typename TypeParam::R) == 4 ? 1e-6 : 1e-15) * s.gamma.cwiseAbs().maxCoeff());
}

TYPED_TEST(ConeSolvers, StandRedundantAndDuplicatedContacts) {
    // A rigid body on eight copies of one contact, and on a rigid grid of supports far more than it needs.
    ReferenceProblem p = sphere_on_floor({0.1, 0.05, -0.2}, 0.5, true);
    const Vector expected = this->solve(p, TypeParam::reachable * 1e-1).velocity;
    p.contacts.resize(8, p.contacts[0]);
    const Solved s = this->solve(p, TypeParam::reachable * 1e-1);
    EXPECT_TRUE(s.report.converged);
    EXPECT_LT((s.velocity - expected).norm(), 10.0 * TypeParam::reachable);

    ReferenceProblem wall;  // spheres in a closed rigid row between two walls: forces are not unique
    const int n = 10;
    for (int i = 0; i < n; ++i) {
        wall.inverse_mass.insert(wall.inverse_mass.end(), {1.0, 2.5});
        wall.free_velocity.insert(wall.free_velocity.end(), {i < n / 2 ? 0.1 : -0.1, 0, -0.01, 0, 0, 0});
        ReferenceContact c;
        c.a = i;
        c.b = i + 1 < n ? i + 1 : -1;
        c.n = Vector3d::UnitX();
        c.lever_a = 1.0;
        c.lever_b = i + 1 < n ? 1.0 : 0.0;
        c.friction = 0.3;
        wall.contacts.push_back(c);
        c.b = -1;
        c.lever_b = 0.0;
        c.n = -Vector3d::UnitZ();
        wall.contacts.push_back(c);
        if (i > 0) continue;
        c.n = -Vector3d::UnitX();
        wall.contacts.push_back(c);
    }
    const Solved w = this->solve(wall);
    EXPECT_TRUE(w.report.converged) << w.report.residual.rms;
    EXPECT_LT(reference_residual(wall, w.gamma).rms, 1.5 * TypeParam::reachable);
}

TYPED_TEST(ConeSolvers, NeedNoIterationWithoutContactsOrActiveOnes) {
    ReferenceProblem none = sphere_on_floor({1, 2, 3}, 0.5, true);
    none.contacts.clear();
    const Solved empty = this->solve(none);
    EXPECT_TRUE(empty.report.converged);
    EXPECT_EQ(empty.report.iterations, 0);
    EXPECT_EQ(empty.velocity[1], 2.0);

    ReferenceProblem inactive = test::problem_of(test::random_pile(30, 5), true);
    for (auto& c : inactive.contacts) c.bias = 10.0;
    const Solved s = this->solve(inactive, 0.0);
    EXPECT_EQ(s.report.iterations, 0);
    EXPECT_EQ(s.report.residual.rms, 0.0);
    EXPECT_EQ(s.gamma.norm(), 0.0);
}

TYPED_TEST(ConeSolvers, ConserveMomentumAndDissipateEnergy) {
    ReferenceProblem p = test::problem_of(test::random_pile(60, 6, 0.0, pile_law), true);
    for (auto& c : p.contacts) c.bias = 0.0;  // no stored overlap that could give energy
    const Solved s = this->solve(p);
    EXPECT_TRUE(s.report.converged);
    // gamma . u <= 0: contacts take energy. At a solution it is -sum mu |u_t| g_n - E g_n^2.
    const Vector u = dense_jacobian(p) * s.velocity;
    EXPECT_LE(s.gamma.dot(u), s.gamma.norm() * 10.0 * TypeParam::reachable);
    double before = 0.0, after = 0.0;
    for (int i = 0; i < 6 * p.bodies(); ++i) {
        const double m = 1.0 / p.inverse_mass[std::size_t(i / 6 * 2 + (i % 6 < 3 ? 0 : 1))];
        before += 0.5 * m * p.free_velocity[std::size_t(i)] * p.free_velocity[std::size_t(i)];
        after += 0.5 * m * s.velocity[i] * s.velocity[i];
    }
    EXPECT_LT(after, before);
}

}  // namespace
}  // namespace scree::kernels
