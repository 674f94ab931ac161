// SPDX-License-Identifier: BSD-3-Clause
// A basis B of an LCP of n unknowns without its columns of w, which are unit vectors: only the block of the other
// columns in the other rows is factorised, the rest follows from it. Of a contact problem most z are zero, so that the
// block is a fraction of the basis.
#pragma once

#include <Eigen/LU>

#include <cstddef>
#include <vector>

namespace scree::complementarity {

/// Variables below n are w_j, whose column is the unit vector of row j.
template <class Real>
class ReducedBasis {
public:
    using Index = Eigen::Index;
    using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

    /// `column_of(variable)` gives a column of the problem [n].
    template <class Column>
    ReducedBasis(const std::vector<Index>& basis, const Column& column_of) : n_(Index(basis.size())) {
        std::vector<bool> covered(basis.size(), false);
        for (Index i = 0; i < n_; ++i) {
            const Index variable = basis[std::size_t(i)];
            if (variable < n_) {
                covered[std::size_t(variable)] = true;
                unit_places_.push_back(i);
                unit_rows_.push_back(variable);
            } else {
                places_.push_back(i);
            }
        }
        for (Index i = 0; i < n_; ++i)
            if (!covered[std::size_t(i)]) rows_.push_back(i);
        const Index k = Index(places_.size());
        Matrix block(k, k);
        coupling_.resize(n_ - k, k);
        for (Index c = 0; c < k; ++c) {
            const Vector column = column_of(basis[std::size_t(places_[std::size_t(c)])]);
            block.col(c) = column(rows_);
            coupling_.col(c) = column(unit_rows_);
        }
        if (k > 0) lu_.compute(block);
    }

    /// B^-1 r
    [[nodiscard]] Vector solve(const Vector& r) const {
        Vector x(n_);
        Vector rest = r(unit_rows_);
        if (!places_.empty()) {
            const Vector inner = lu_.solve(Vector(r(rows_)));
            x(places_) = inner;
            rest -= coupling_ * inner;
        }
        x(unit_places_) = rest;
        return x;
    }
    /// B^-1
    template <class Target>
    void invert(Target& inverse) const {
        inverse.setZero(n_, n_);
        for (std::size_t i = 0; i < unit_rows_.size(); ++i) inverse(unit_places_[i], unit_rows_[i]) = Real(1);
        if (places_.empty()) return;
        const Matrix inner = lu_.inverse();
        inverse(places_, rows_) = inner;
        inverse(unit_places_, rows_) = -coupling_ * inner;
    }

private:
    Index n_;
    std::vector<Index> places_, rows_;            // of the block: positions in the basis, rows of the problem
    std::vector<Index> unit_places_, unit_rows_;  // of the columns of w
    Matrix coupling_;                             // the other columns in the rows of those
    Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace scree::complementarity
