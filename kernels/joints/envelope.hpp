// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices in envelope (skyline) form and their factors L D L^T: row k holds the entries of columns first[k]
// .. k - 1, and nothing outside the envelope fills in. Rows can be left out of a factor without touching the rest,
// which is what active sets do.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

/// Rows begin .. end - 1 are one block that nothing else is coupled to. Indices are those of the whole arrays.
struct EnvelopeView {
    const Index* first = nullptr;         ///< [rows]: first column of row k, >= begin.
    const std::int64_t* start = nullptr;  ///< [rows]: entry (k, first[k]) in `values` and `factor`.
    double* values = nullptr;             ///< Below the diagonal.
    double* diagonal = nullptr;           ///< [rows]
    double* factor = nullptr;             ///< L, in the places of `values`.
    double* inverse_pivot = nullptr;      ///< [rows]: 1 / D; 0: the row is left out.

    [[nodiscard]] SCREE_HD double* row(double* entries, Index k) const { return entries + start[k] - first[k]; }

    /// Pivots below this share of the diagonal are rounding: the row depends on the ones before it and is left out,
    /// which is exact where dependent rows agree.
    static constexpr double dependent = 1e-10;

    /// `included(k)` says whether a row takes part.
    template <class Included>
    SCREE_HD void factorise(Index begin, Index end, const Included& included) const {
        for (Index k = begin; k < end; ++k) {
            double* l = row(factor, k);
            if (!included(k)) {
                for (Index j = first[k]; j < k; ++j) l[j] = 0.0;
                inverse_pivot[k] = 0.0;
                continue;
            }
            const double* s = row(values, k);
            for (Index j = first[k]; j < k; ++j) {
                const double* other = row(factor, j);
                double sum = s[j];
                for (Index m = first[j] > first[k] ? first[j] : first[k]; m < j; ++m) sum -= l[m] * other[m];
                l[j] = sum;  // L D so far
            }
            double pivot = diagonal[k];
            for (Index j = first[k]; j < k; ++j) {
                const double scaled = l[j] * inverse_pivot[j];
                pivot -= scaled * l[j];
                l[j] = scaled;
            }
            inverse_pivot[k] = pivot > dependent * diagonal[k] ? 1.0 / pivot : 0.0;
        }
    }

    /// x <- (L D L^T)^-1 x; rows that are left out get 0.
    SCREE_HD void solve(Index begin, Index end, double* x) const {
        for (Index k = begin; k < end; ++k) {
            const double* l = row(factor, k);
            double sum = x[k];
            for (Index j = first[k]; j < k; ++j) sum -= l[j] * x[j];
            x[k] = sum;
        }
        for (Index k = begin; k < end; ++k) x[k] *= inverse_pivot[k];
        for (Index k = end - 1; k >= begin; --k) {
            const double* l = row(factor, k);
            for (Index j = first[k]; j < k; ++j) x[j] -= l[j] * x[k];
        }
    }
};

}  // namespace scree::kernels
