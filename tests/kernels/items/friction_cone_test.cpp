// SPDX-License-Identifier: BSD-3-Clause
// Projection onto the friction cone against bisection in long double, for every lane type, and its optimality.
#include "kernels/items/friction_cone.hpp"

#include "kernels/cone/cone_problem.hpp"
#include "kernels/parallel/packet.hpp"
#include "tests/support/reference_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace scree::kernels {
namespace {

/// Point (a; b) and cone and metric; [0] tangential, [1] rolling, [2] spinning.
struct Case {
    double a;
    double b[3], mu[3];
    double dn, d[3];
};

/// Random signs and sizes over four decades, metric ratios 1e-3 .. 1e3, and the corners of the input space.
std::vector<Case> cases() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const auto decades = [&](double low, double high) { return std::pow(10.0, low + (high - low) * unit(random)); };
    std::vector<Case> list;
    for (int k = 0; k < 4000; ++k) {
        Case c{};
        c.a = (k % 2 == 0 ? 1.0 : -1.0) * decades(-2, 2);
        c.dn = decades(-1.5, 1.5);
        for (int part = 0; part < 3; ++part) {
            c.b[part] = decades(-2, 2);
            c.mu[part] = unit(random);
            c.d[part] = c.dn * decades(-3, 3);
        }
        switch (k % 16) {
            case 0:
                c.mu[0] = 0.0;
                break;
            case 1:
                c.mu[0] = 1e6;
                break;
            case 2:
                c.a = 0.0;
                break;
            case 3:
                c.b[0] = 0.0;
                break;
            case 4:
                c.a = c.b[0] = c.b[1] = c.b[2] = 0.0;
                break;
            case 5:
                c.a = std::abs(c.a), c.b[0] = c.mu[0] * c.a;
                break;  // on the cone
            case 6:
                c.a = -c.mu[0] * c.b[0] * c.d[0] / c.dn;
                break;  // on the polar cone
            case 7:
                c.mu[1] = c.mu[2] = 0.0;
                break;
            case 8:
                c.b[1] = c.b[2] = 0.0;
                break;
            case 9:
                c.mu[0] = c.mu[1] = c.mu[2] = 0.0;
                break;
            case 10:
                for (int p = 1; p < 3; ++p) c.b[p] = c.b[0], c.mu[p] = c.mu[0];
                break;  // one breakpoint for all
            default:
                break;
        }
        list.push_back(c);
    }
    return list;
}

/// Projections of all cases by lanes of P: with one tangential part, or with all three.
template <class P>
std::vector<double> projected(const std::vector<Case>& list, bool three_parts) {
    using R = typename LaneTraits<P>::Scalar;
    constexpr std::size_t lanes = std::size_t(LaneTraits<P>::lanes);
    std::vector<double> result;
    for (std::size_t first = 0; first < list.size(); first += lanes) {
        const auto lane = [&](auto&& value) {
            R values[lanes];
            for (std::size_t k = 0; k < lanes; ++k) values[k] = R(value(list[first + k]));
            return Lanes<P>::load(values);
        };
        const P a = lane([](const Case& c) { return c.a; });
        const P inv_dn = lane([](const Case& c) { return 1.0 / c.dn; });
        P b[3], mu[3], inv_d[3];
        for (int k = 0; k < 3; ++k) {
            b[k] = lane([k](const Case& c) { return c.b[k]; });
            mu[k] = lane([k](const Case& c) { return c.mu[k]; });
            inv_d[k] = lane([k](const Case& c) { return 1.0 / c.d[k]; });
        }
        const P x =
            three_parts ? project_normal(a, b, mu, inv_dn, inv_d) : project_normal(a, b[0], mu[0], inv_dn, inv_d[0]);
        R values[lanes];
        Lanes<P>::store(values, x);
        for (const R value : values) result.push_back(double(value));
    }
    return result;
}

/// Size of the terms that make up x: their rounding is the error of x, however much they cancel.
double scale_of(const Case& c, int parts, double x) {
    double numerator = c.dn * std::abs(c.a), denominator = c.dn;
    for (int k = 0; k < parts; ++k)
        if (c.b[k] > c.mu[k] * x) {
            numerator += c.d[k] * c.mu[k] * c.b[k];
            denominator += c.d[k] * c.mu[k] * c.mu[k];
        }
    return std::abs(c.a) + x + numerator / denominator;
}

template <class P>
class FrictionConeLanes : public testing::Test {};
using LaneTypes = testing::Types<float, double, Packet<float, 8>, Packet<double, 8>>;
TYPED_TEST_SUITE(FrictionConeLanes, LaneTypes);

TYPED_TEST(FrictionConeLanes, ProjectAsBisectionDoes) {
    using R = typename LaneTraits<TypeParam>::Scalar;
    const std::vector<Case> list = cases();
    const std::vector<double> found = projected<TypeParam>(list, false);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Case& c = list[i];
        const double expected = test::project_by_bisection(c.a, {c.b[0]}, {c.mu[0]}, c.dn, {c.d[0]});
        // About a dozen roundings of the inputs and of the terms.
        const double tolerance = 16.0 * double(std::numeric_limits<R>::epsilon()) * scale_of(c, 1, expected);
        EXPECT_NEAR(found[i], expected, tolerance) << "case " << i;
        EXPECT_GE(found[i], 0.0);
    }
}

TYPED_TEST(FrictionConeLanes, ProjectWithRollingAndSpinningAsBisectionDoes) {
    using R = typename LaneTraits<TypeParam>::Scalar;
    const std::vector<Case> list = cases();
    const std::vector<double> found = projected<TypeParam>(list, true);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Case& c = list[i];
        const double expected = test::project_by_bisection(c.a, {c.b[0], c.b[1], c.b[2]}, {c.mu[0], c.mu[1], c.mu[2]},
                                                           c.dn, {c.d[0], c.d[1], c.d[2]});
        // Four passes, each with about two dozen roundings.
        const double tolerance = 64.0 * double(std::numeric_limits<R>::epsilon()) * scale_of(c, 3, expected);
        EXPECT_NEAR(found[i], expected, tolerance) << "case " << i;
    }
}

TYPED_TEST(FrictionConeLanes, KeepAValueThatIsNotANumber) {
    using P = TypeParam;
    using R = typename LaneTraits<P>::Scalar;
    const P nan(std::numeric_limits<R>::quiet_NaN()), one(R(1));
    const P b[3] = {one, one, one};
    R lane[LaneTraits<P>::lanes];
    Lanes<P>::store(lane, project_normal(nan, one, one, one, one));
    EXPECT_TRUE(std::isnan(lane[0]));
    Lanes<P>::store(lane, project_normal(nan, b, b, one, b));
    EXPECT_TRUE(std::isnan(lane[0]));
}

TYPED_TEST(FrictionConeLanes, ScaleAPartToItsLimitAndLeaveSmallerOnes) {
    using P = TypeParam;
    using R = typename LaneTraits<P>::Scalar;
    const auto scale = [](double b, double limit) {
        R lane[LaneTraits<P>::lanes];
        Lanes<P>::store(lane, cone_scale(P(R(b)), P(R(limit))));
        return double(lane[0]);
    };
    EXPECT_EQ(scale(0.0, 0.0), 1.0);
    EXPECT_EQ(scale(1.0, 2.0), 1.0);
    EXPECT_EQ(scale(2.0, 2.0), 1.0);
    EXPECT_EQ(scale(4.0, 1.0), 0.25);
    EXPECT_EQ(scale(3.0, 0.0), 0.0);
}

/// Metric inner product of the six parts of two impulses.
double inner(const ConeImpulse<double>& x, const ConeImpulse<double>& y, double dn, double dt, double dr) {
    return dn * x.n * y.n + dt * dot(x.t, y.t) + dr * (x.m_n * y.m_n + dot(x.m_t, y.m_t));
}
ConeImpulse<double> minus(const ConeImpulse<double>& x, const ConeImpulse<double>& y) {
    return {x.n - y.n, x.t - y.t, x.m_n - y.m_n, x.m_t - y.m_t};
}

TEST(ProjectedStep, SatisfiesTheVariationalInequality) {
    // q = P_K(s) if and only if q in K and <s - q, w - q> <= 0 for all w in K.
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0.0, 1.0), both(-1.0, 1.0);
    for (int k = 0; k < 500; ++k) {
        ContactRow<double> row{};
        row.n = {0, 0, 1};
        row.friction = k % 5 == 0 ? 0.0 : unit(random);
        const RollingRow<double> rolling{k % 3 == 0 ? 0.0 : unit(random), unit(random), 1.0};
        const auto tangent = [&](double size) {
            return Vector3<double>{size * both(random), size * both(random), 0.0};
        };
        const ConeImpulse<double> s{both(random), tangent(1.0), both(random), tangent(1.0)};
        const double dn = 0.1 + unit(random), dt = std::pow(10.0, 3.0 * both(random)),
                     dr = std::pow(10.0, 3.0 * both(random));

        const ConeImpulse<double> q =
            projected_step<RowKind::rolling>(row, rolling, s, ConeVelocity<double>{}, 1.0 / dn, 1.0 / dt, 1.0 / dr);

        const double round = 1e-14;  // a few roundings of numbers of size 1
        EXPECT_LE(norm(q.t), row.friction * q.n + round);
        EXPECT_LE(norm(q.m_t), rolling.rolling * q.n + round);
        EXPECT_LE(std::abs(q.m_n), rolling.spinning * q.n + round);
        for (int trial = 0; trial < 50; ++trial) {
            ConeImpulse<double> w{2.0 * unit(random), tangent(1.0), both(random), tangent(1.0)};
            w.t = cone_scale(norm(w.t), row.friction * w.n) * w.t;
            w.m_t = cone_scale(norm(w.m_t), rolling.rolling * w.n) * w.m_t;
            w.m_n = cone_scale(std::abs(w.m_n), rolling.spinning * w.n) * w.m_n;
            EXPECT_LE(inner(minus(s, q), minus(w, q), dn, dt, dr), 100.0 * round * (dn + dt + dr)) << "case " << k;
        }
    }
}

TEST(ProjectedStep, WithoutRollingPartsIsTheSameAsWithEmptyOnes) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (int k = 0; k < 200; ++k) {
        ContactRow<double> row{};
        row.n = {0, 0, 1};
        row.friction = 0.5 + 0.5 * both(random);
        const ConeImpulse<double> s{both(random), {both(random), both(random), 0.0}, 0.0, {0, 0, 0}};
        const ConeVelocity<double> v{both(random), {both(random), both(random), 0.0}, 0.0, {0, 0, 0}};
        const auto plain = projected_step<RowKind::sliding>(row, RollingRow<double>{}, s, v, 0.7, 0.2, 1.0);
        const auto empty =
            projected_step<RowKind::rolling>(row, RollingRow<double>{0.0, 0.0, 1.0}, s, v, 0.7, 0.2, 1.0);
        EXPECT_NEAR(plain.n, empty.n, 1e-14);  // two formulas of numbers of size 1
        EXPECT_NEAR(norm(plain.t - empty.t), 0.0, 1e-14);
    }
}

}  // namespace
}  // namespace scree::kernels
