// SPDX-License-Identifier: BSD-3-Clause
// The operator N = D^T M^-1 D + E, applied in two passes, against the dense matrix.
#include "kernels/cone/projected_gradient_items.hpp"
#include "kernels/parallel/cpu.hpp"
#include "tests/support/packed_problem.hpp"
#include "tests/support/random_problems.hpp"

#include <gtest/gtest.h>

#include <random>

namespace scree::kernels {
namespace {

using test::PackedProblem;
using test::ReferenceProblem;
using Vector = Eigen::VectorXd;

/// D^T V per contact as rows of six (u, w), plus E gamma_n n on u.
template <class R, int W, RowKind K>
struct RelativeVelocityItem {
    ConeProblem<R, W> problem;
    const R* velocity;
    const R* g;
    R* out;  ///< Tiled, six fields.
    template <class P>
    SCREE_HD void operator()(Index first) const {
        const KindRow<P, K> row = load_kind_row<P, K>(problem, first);
        P a[8], b[8];
        RowsOfEight<P>::gather(velocity, problem.body_a + first, a);
        RowsOfEight<P>::gather(velocity, problem.body_b + first, b);
        const RelativeVelocity<P> v = relative_velocity(row, a, b);
        const P gn = dot(load_vector<P, W>(g, first), row.n);
        const Vector3<P> u = v.u + (row.compliance * gn) * row.n;
        const P fields[6] = {u.x, u.y, u.z, v.w.x, v.w.y, v.w.z};
        for (int f = 0; f < 6; ++f) store_field<W, 6>(out, first, f, fields[f]);
    }
};

/// N gamma (or D^T V(gamma) + E gamma with `with_free`) by the kernels, as rows per contact.
template <class R>
Vector applied(const ReferenceProblem& reference, const Vector& gamma, bool with_free) {
    Cpu cpu(1);
    const PackedProblem<Cpu, R> packed(reference);
    const auto& view = packed.view();
    ConeSolution<Cpu, R> solution;
    packed.set_impulses(gamma, solution);
    std::vector<R> velocity(std::size_t(view.rows_of_velocity) * 8, R(0));
    if (with_free) velocity.assign(view.free_velocity, view.free_velocity + velocity.size());
    Array<R, Cpu> rows, impulse_rows, moment_rows, out;
    rows.assign(velocity);
    impulse_rows.resize_discard(view.contacts * 16);
    moment_rows.resize_discard(view.contacts * 4);
    out.resize_discard(view.contacts * 6);
    const ImpulseRows<R> impulses{impulse_rows.data(), moment_rows.data()};
    with_row_kind(view.kind(), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        const ImpulseView<const R> x{solution.g.data(), solution.m.data()};
        cpu.for_each_tile<R>(view.contacts, ImpulseRowsItem<R, Cpu::tile, K>{view, x, impulses});
        cpu.for_each(view.bodies,
                     ImpulseVelocityItem<R, Cpu::tile, Cpu::Row<R>, K>{view, impulses, rows.data(), with_free});
        cpu.for_each_tile<R>(view.contacts,
                             RelativeVelocityItem<R, Cpu::tile, K>{view, rows.data(), solution.g.data(), out.data()});
    });
    Vector result(reference.rows() * reference.count());
    for (Index c = 0; c < Index(reference.count()); ++c)
        for (int f = 0; f < reference.rows(); ++f)
            result[reference.rows() * c + f] = double(out.data()[tiled<Cpu::tile, 6>(c, f)]);
    return result;
}

Vector random_vector(Eigen::Index n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    Vector v(n);
    for (double& x : v) x = both(random);
    return v;
}

struct Size {
    int bodies, contacts;
    double decades;
};
constexpr Size sizes[] = {{1, 1, 0},   {1, 7, 0},    {2, 8, 0},    {2, 9, 6},
                          {10, 40, 2}, {30, 100, 0}, {30, 100, 6}, {60, 33, 9}};

constexpr RowKind kinds[] = {RowKind::sliding, RowKind::rolling, RowKind::arms, RowKind::arms_rolling};
ReferenceProblem problem(RowKind kind, int bodies, int contacts, unsigned seed, double decades) {
    const bool rolling = kind == RowKind::rolling || kind == RowKind::arms_rolling;
    return kind == RowKind::sliding || kind == RowKind::rolling
               ? test::random_problem(bodies, contacts, seed, decades, rolling, true)
               : test::random_problem_with_arms(bodies, contacts, seed, decades, rolling, true);
}

template <class R>
class DelassusOperator : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DelassusOperator, Precisions);

TYPED_TEST(DelassusOperator, EqualsTheDenseMatrix) {
    // Each entry is a sum of products; rounding is relative to the sum of their absolute values.
    const double eps = sizeof(TypeParam) == 4 ? 1e-6 : 2e-15;
    unsigned seed = 0;
    for (const Size& size : sizes)
        for (const RowKind kind : kinds) {
            const ReferenceProblem p = problem(kind, size.bodies, size.contacts, ++seed, size.decades);
            const Vector gamma = random_vector(p.rows() * p.count(), seed);
            const Eigen::MatrixXd j = dense_jacobian(p);
            const Vector expected = dense_operator(p) * gamma;
            const Vector bound = j.cwiseAbs() * (dense_inverse_mass(p).cwiseAbs() *
                                                 (j.cwiseAbs().transpose() * gamma.cwiseAbs()).eval());
            const Vector found = applied<TypeParam>(p, gamma, false);
            for (Eigen::Index k = 0; k < gamma.size(); ++k)
                EXPECT_NEAR(found[k], expected[k], eps * (4.0 * bound[k] + 1.0)) << size.contacts << " row " << k;
        }
}

TYPED_TEST(DelassusOperator, StartsFromTheFreeVelocityAndTheWalls) {
    const double eps = sizeof(TypeParam) == 4 ? 2e-5 : 1e-13;  // sums of some ten numbers of size 1 to 10
    for (const RowKind kind : kinds) {
        const ReferenceProblem p = problem(kind, 20, 60, 5, 1.0);
        const Vector gamma = random_vector(p.rows() * p.count(), 6);
        const Vector expected = dense_operator(p) * gamma + free_relative_velocity(p);
        EXPECT_LT((applied<TypeParam>(p, gamma, true) - expected).cwiseAbs().maxCoeff(), eps * 10.0);
    }
}

TEST(DelassusSymmetry, HoldsForAnyTwoImpulses) {
    for (const RowKind kind : kinds) {
        const ReferenceProblem p = problem(kind, 30, 90, 7, 6.0);
        for (unsigned seed = 0; seed < 10; ++seed) {
            const Vector x = random_vector(p.rows() * p.count(), 2 * seed),
                         y = random_vector(p.rows() * p.count(), 2 * seed + 1);
            const Vector nx = applied<double>(p, x, false), ny = applied<double>(p, y, false);
            // Rounding of sums of products as large as |x| |N y|.
            EXPECT_NEAR(y.dot(nx), x.dot(ny), 1e-13 * (x.norm() * ny.norm() + y.norm() * nx.norm()));
            EXPECT_GE(x.dot(nx), 0.0);
        }
    }
}

const ReferenceProblem p = test::random_problem(15, 50, 8, 0.0, false, true);
const PackedProblem<Cpu, double> packed(p);
const Vector v = velocity_after(p, random_vector(3 * p.count(), 9));

}  // namespace
}  // namespace scree::kernels
