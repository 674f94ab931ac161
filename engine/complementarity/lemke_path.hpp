// SPDX-License-Identifier: BSD-3-Clause
// The path of Lemke's algorithm (lemke.hpp) in one precision: what the ladder of solve_lemke() and the regularised
// problems of regularised.hpp follow.
#pragma once

#include "engine/complementarity/reduced_basis.hpp"
#include "engine/model/interrupt.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace scree::complementarity {

/// Index of a variable: w_i is i, z_i is n + i, z0 is 2 n.
struct PathEnd {
    std::vector<Eigen::Index> basis;  ///< Variable per row.
    std::size_t pivots = 0;
    bool at_ray = false;
    bool doubtful = false;  ///< The ray may be the work of pivots that were refused.
    bool at_limit = false;
    bool broken = false;         ///< A fresh inverse showed that the basis is singular.
    Eigen::Index entering = -1;  ///< Of the ray.
};

struct PathSettings {
    double pivot_tolerance = 1e-6;  ///< Smaller pivots, relative to their column, are refused.
    std::size_t refactor_interval = 50;
    std::size_t max_pivots = 0;
    const std::atomic<bool>* interrupt = nullptr;  ///< Looked at before each pivot.
};

/// One run of the algorithm in one precision, on the scaled problem; `m`, `q` and `d` must outlive it.
template <class Real>
class LemkePath {
public:
    using Index = Eigen::Index;
    using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

    LemkePath(const Matrix& m, const Vector& q, const Vector& d, const PathSettings& settings)
        : m_(m), q_(q), d_(d), n_(q.size()), settings_(settings), pivot_tolerance_(Real(settings.pivot_tolerance)) {}

    /// q has a negative entry. Throws model::Interrupted.
    PathEnd follow() {
        path_.basis.resize(std::size_t(n_));
        for (Index i = 0; i < n_; ++i) path_.basis[std::size_t(i)] = i;
        inverse_ = Matrix::Identity(n_, n_);
        x_ = q_;
        // z0 enters as far as the most negative row asks; rows tie by [q | I] / d.
        Index row = 0;
        for (Index i = 1; i < n_; ++i)
            if (q_[i] / d_[i] < q_[row] / d_[row] || (q_[i] / d_[i] == q_[row] / d_[row] && i > row)) row = i;
        Index entering = 2 * n_;
        column_ = -d_;
        for (;;) {
            const Index leaving = pivot(row, entering);
            if (path_.broken || leaving == 2 * n_) break;
            if (path_.pivots >= settings_.max_pivots) {
                path_.at_limit = true;
                break;
            }
            model::stop_if(settings_.interrupt);
            entering = leaving < n_ ? leaving + n_ : leaving - n_;
            column_ = inverse_ * column_of(entering);
            row = leaving_row();
            if (row < 0) {
                path_.at_ray = true;
                path_.doubtful = is_doubtful();
                path_.entering = entering;
                break;
            }
        }
        return path_;
    }

    /// z of the final basis, by a fresh LU of it in long double: degenerate bases are ill-conditioned.
    [[nodiscard]] Eigen::VectorXd polished() const {
        const auto column = [this](Index variable) -> Eigen::Matrix<long double, Eigen::Dynamic, 1> {
            return column_of(variable).template cast<long double>();
        };
        const Eigen::Matrix<long double, Eigen::Dynamic, 1> x =
            ReducedBasis<long double>(path_.basis, column).solve(q_.template cast<long double>());
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
        for (Index i = 0; i < n_; ++i) {
            const Index v = path_.basis[std::size_t(i)];
            if (v >= n_ && v < 2 * n_) z[v - n_] = double(std::max(x[i], 0.0L));
        }
        return z;
    }

    /// Direction of z on the ray: the entering variable grows by one.
    [[nodiscard]] Vector ray() const {
        Vector z = Vector::Zero(n_);
        const auto add = [&](Index variable, Real rate) {
            if (variable >= n_ && variable < 2 * n_) z[variable - n_] += rate;
        };
        add(path_.entering, Real(1));
        for (Index i = 0; i < n_; ++i) add(path_.basis[std::size_t(i)], -column_[i]);
        return z;
    }

private:
    [[nodiscard]] Vector column_of(Index variable) const {
        if (variable == 2 * n_) return -d_;
        if (variable >= n_) return -m_.col(variable - n_);
        return Vector::Unit(n_, variable);
    }

    /// Exchanges the variable of `row` for `entering`, whose column is in column_; returns the one that left.
    Index pivot(Index row, Index entering) {
        const Real pivot = column_[row];
        inverse_.row(row) /= pivot;
        x_[row] /= pivot;
        for (Index i = 0; i < n_; ++i) {
            if (i == row || column_[i] == Real(0)) continue;
            inverse_.row(i) -= column_[i] * inverse_.row(row);
            x_[i] -= column_[i] * x_[row];
        }
        const Index leaving = std::exchange(path_.basis[std::size_t(row)], entering);
        if (++path_.pivots % settings_.refactor_interval == 0 && leaving != 2 * n_) refactor();
        return leaving;
    }

    void refactor() {
        const ReducedBasis<Real> fresh(path_.basis, [this](Index variable) { return column_of(variable); });
        fresh.invert(inverse_);
        x_ = inverse_ * q_;
        path_.broken = !inverse_.allFinite() || !x_.allFinite();
    }

    /// A refused pivot above rounding would have ended this ray, or one before it has left an x negative.
    [[nodiscard]] bool is_doubtful() {
        refactor();
        return path_.broken || column_.maxCoeff() > Real(rounding) * column_.cwiseAbs().maxCoeff() ||
               x_.minCoeff() < -Real(rounding) * x_.cwiseAbs().maxCoeff();
    }

    /// Lexicographic minimum of [x | B^-1]_i / column_i over positive entries; -1: none, a ray.
    [[nodiscard]] Index leaving_row() const {
        const Real threshold = pivot_tolerance_ * column_.cwiseAbs().maxCoeff();
        std::vector<Index> candidates;
        for (Index i = 0; i < n_; ++i)
            if (column_[i] > threshold) candidates.push_back(i);
        // Column -1 is x itself.
        for (Index k = -1; k < n_ && candidates.size() > 1; ++k) {
            const auto value = [&](Index i) { return (k < 0 ? x_[i] : inverse_(i, k)) / column_[i]; };
            Real smallest = std::numeric_limits<Real>::max(), scale = Real(0);
            for (const Index i : candidates) {
                smallest = std::min(smallest, value(i));
                scale = std::max(scale, std::abs(k < 0 ? x_[i] : inverse_(i, k)) / column_[i]);
            }
            // Ties are relative to what entered the quotient: the largest x of the basis for the first column.
            const Real unit = k < 0
                                  ? tie_tolerance * std::max(std::abs(smallest), x_.cwiseAbs().maxCoeff() * Real(1e-3))
                                  : tie_tolerance * scale;
            std::erase_if(candidates, [&](Index i) { return value(i) > smallest + unit; });
            if (k < 0)
                for (const Index i : candidates)
                    if (path_.basis[std::size_t(i)] == 2 * n_) return i;
        }
        return candidates.empty() ? -1 : candidates.front();
    }

    static constexpr double rounding = 1e-10;  // relative to the column, of bases as ill-conditioned as they come
    static constexpr Real tie_tolerance = Real(64) * std::numeric_limits<Real>::epsilon();

    const Matrix& m_;
    const Vector& q_;
    const Vector& d_;
    Index n_;
    PathSettings settings_;
    Real pivot_tolerance_;
    PathEnd path_;
    Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> inverse_;  // updated row by row
    Vector x_, column_;
};

}  // namespace scree::complementarity
