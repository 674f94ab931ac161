// SPDX-License-Identifier: BSD-3-Clause
// Factors in envelope form against dense ones.
#include "kernels/joints/envelope.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <random>
#include <vector>

namespace scree::kernels {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A matrix in envelope form, rows `begin` .. of larger arrays.
struct Packed {
    Packed(const Matrix& dense, Index begin) {
        const Index n = Index(dense.rows());
        const auto rows = std::size_t(begin + n);
        first.assign(rows, 0);
        start.assign(rows, 0);
        diagonal.assign(rows, 1.0);
        pivot.assign(rows, 0.0);
        for (Index k = 0; k < n; ++k) {
            Index j = 0;
            while (j < k && dense(k, j) == 0.0) ++j;
            first[std::size_t(begin + k)] = begin + j;
            start[std::size_t(begin + k)] = std::int64_t(values.size());
            for (; j < k; ++j) values.push_back(dense(k, j));
            diagonal[std::size_t(begin + k)] = dense(k, k);
        }
        values.push_back(0.0);
        factor.assign(values.size(), 0.0);
    }
    EnvelopeView view() {
        return {first.data(), start.data(), values.data(), diagonal.data(), factor.data(), pivot.data()};
    }
    std::vector<Index> first;
    std::vector<std::int64_t> start;
    std::vector<double> values, diagonal, factor, pivot;
};

/// J J^T of banded rows: positive definite, with zeros.
Matrix random_banded(std::mt19937& random, Index n, Index band) {
    std::normal_distribution<double> normal;
    Matrix j = Matrix::Zero(n, n + band);
    for (Index k = 0; k < n; ++k)
        for (Index c = 0; c <= band; ++c) j(k, k + c) = normal(random);
    Matrix s = j * j.transpose();
    for (Index a = 0; a < n; ++a)
        for (Index b = 0; b < n; ++b)
            if (std::abs(a - b) > band) s(a, b) = 0.0;
    return s;
}

TEST(Envelope, SolvesLikeADenseFactor) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (const Index n : {1, 2, 3, 17, 60})
        for (const Index band : {0, 1, 5})
            for (const Index begin : {0, 4}) {
                const Matrix s = random_banded(random, n, band) + 1e-3 * Matrix::Identity(n, n);
                Packed packed(s, begin);
                Vector x = Vector::Zero(begin + n);
                for (Index k = 0; k < n; ++k) x[begin + k] = normal(random);
                const Vector right = x.tail(n);
                packed.view().factorise(begin, begin + n, [](Index) { return true; });
                packed.view().solve(begin, begin + n, x.data());
                EXPECT_LT((s * x.tail(n) - right).norm(), 1e-9 * (right.norm() + s.norm() * x.norm()));
            }
}

TEST(Envelope, LeavesRowsOutAsIfTheyWereNotThere) {
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 50; ++trial) {
        const Index n = 20;
        const Matrix s = random_banded(random, n, 4) + 0.1 * Matrix::Identity(n, n);
        std::vector<bool> in(n);
        std::vector<Index> kept;
        for (Index k = 0; k < n; ++k) {
            in[std::size_t(k)] = random() % 3 != 0;
            if (in[std::size_t(k)]) kept.push_back(k);
        }
        Packed packed(s, 0);
        Vector x = Vector::NullaryExpr(n, [&] { return normal(random); });
        Vector right(kept.size());
        Matrix inner(kept.size(), kept.size());
        for (std::size_t a = 0; a < kept.size(); ++a) {
            right[Index(a)] = x[kept[a]];
            for (std::size_t b = 0; b < kept.size(); ++b) inner(Index(a), Index(b)) = s(kept[a], kept[b]);
        }
        packed.view().factorise(0, n, [&](Index k) { return bool(in[std::size_t(k)]); });
        packed.view().solve(0, n, x.data());
        const Vector expected = inner.ldlt().solve(right);
        for (std::size_t a = 0; a < kept.size(); ++a)
            EXPECT_NEAR(x[kept[a]], expected[Index(a)], 1e-9 * expected.norm());
        for (Index k = 0; k < n; ++k)
            if (!in[std::size_t(k)]) {
                EXPECT_EQ(x[k], 0.0);
            }
    }
}

TEST(Envelope, GivesDependentRowsNothingAndStillSolves) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const Index n = 8;
    Matrix j = Matrix::NullaryExpr(n, n, [&] { return normal(random); });
    j.row(5) = 2.0 * j.row(1) - j.row(3);
    j.row(7) = j.row(0);
    const Matrix s = j * j.transpose();
    const Vector right = s * Vector::NullaryExpr(n, [&] { return normal(random); });  // in its range
    Packed packed(s, 0);
    Vector x = right;
    packed.view().factorise(0, n, [](Index) { return true; });
    packed.view().solve(0, n, x.data());
    EXPECT_EQ(x[5], 0.0);
    EXPECT_EQ(x[7], 0.0);
    EXPECT_LT((s * x - right).norm(), 1e-9 * right.norm());
}

}  // namespace
}  // namespace scree::kernels
