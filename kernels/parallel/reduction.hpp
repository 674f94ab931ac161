// SPDX-License-Identifier: BSD-3-Clause
// Sums and maxima that a pass accumulates, the same types on every backend.
#pragma once

namespace scree::kernels {

/// Sums and maxima that a pass over lanes accumulates. S sums, then M maxima (of non-negative numbers).
template <class P, int S, int M>
struct Accumulator {
    P sum[S > 0 ? S : 1];
    P max[M > 0 ? M : 1];
};

/// Sums and maxima of a whole pass, in double.
template <int S, int M>
struct Reduction {
    double sum[S > 0 ? S : 1] = {};
    double max[M > 0 ? M : 1] = {};
};

template <int S, int M>
void add(const Reduction<S, M>& partial, Reduction<S, M>& total) {
    for (int k = 0; k < S; ++k) total.sum[k] += partial.sum[k];
    for (int k = 0; k < M; ++k) total.max[k] = partial.max[k] > total.max[k] ? partial.max[k] : total.max[k];
}

}  // namespace scree::kernels
