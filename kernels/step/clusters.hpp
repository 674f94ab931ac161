// SPDX-License-Identifier: BSD-3-Clause
// Clusters of bodies that contacts connect: their labels, and sums over them, the same for any order of threads.
#pragma once

#include "kernels/items/boundary_shapes.hpp"
#include "kernels/items/convex_shape.hpp"
#include "kernels/items/real.hpp"

#include <cstdint>

namespace scree::kernels {

/// Clusters: label[i] becomes the smallest slot that contacts connect with slot i, whatever the order of the threads.
struct ClusterLabels {
    Index* label;
    /// Hangs the root of one end under that of the other; whether they were different.
    SCREE_HD bool connect(Index a, Index b) const {
        const Index of_a = read_lowered(label + a), of_b = read_lowered(label + b);
        if (of_a == of_b) return false;
        lower_to(label + larger_of(of_a, of_b), of_a < of_b ? of_a : of_b);
        return true;
    }

private:
    SCREE_HD static Index larger_of(Index a, Index b) { return a > b ? a : b; }
};
struct OwnLabelItem {
    Index* label;
    SCREE_HD void operator()(Index i) const { label[i] = i; }
};
struct FollowLabelItem {
    Index* label;
    SCREE_HD void operator()(Index i) const {
        Index root = read_lowered(label + i);
        for (Index next = read_lowered(label + root); next != root; next = read_lowered(label + root)) root = next;
        lower_to(label + i, root);
    }
};

/// Sums over clusters that no order of threads changes: whole numbers of 2^-40 of the largest part of the cluster, so
/// that 63 bits hold the sum of eight million parts as large as that.
template <int N>
struct ClusterSums {
    float* largest;      ///< [bodies], at the roots
    std::int64_t* sums;  ///< Rows of N.

    SCREE_HD void measure(Index root, const double (&values)[N]) const {
        double most = 0.0;
        for (const double value : values) most = larger(most, size_of(value));
        raise_to(largest + root, float(most));
    }
    SCREE_HD void add(Index root, const double (&values)[N]) const {
        const double unit = unit_of(root);
        if (!(unit > 0.0)) return;
        for (int k = 0; k < N; ++k) {
            const auto whole = std::int64_t(round_down(values[k] / unit + 0.5));
            if (whole != 0) add_to(sums + std::int64_t(N) * root + k, whole);
        }
    }
    [[nodiscard]] SCREE_HD double sum(Index root, int k) const {
        return unit_of(root) * double(sums[std::int64_t(N) * root + k]);
    }

    /// What rounding may do to a sum.
    [[nodiscard]] SCREE_HD double rounding(Index root) const { return 4.0 * unit_of(root); }

private:
    [[nodiscard]] SCREE_HD double unit_of(Index root) const { return double(largest[root]) * 0x1p-40; }
};
template <int N>
struct ClearSumsItem {
    ClusterSums<N> sums;
    SCREE_HD void operator()(Index i) const {
        sums.largest[i] = 0.0F;
        for (int k = 0; k < N; ++k) sums.sums[std::int64_t(N) * i + k] = 0;
    }
};

}  // namespace scree::kernels
