// SPDX-License-Identifier: BSD-3-Clause
// The block-level reduction on the sequential model of a block.
#include "kernels/parallel/backend_checks.hpp"
#include "kernels/parallel/sequential_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace scree::kernels {
namespace {

/// Sums 1, i and the values; maxima of the values.
struct CountItem {
    const double* values;
    SCREE_HD void operator()(Index i, Accumulator<double, 3, 1>& acc) const {
        acc.sum[0] += 1.0;
        acc.sum[1] += double(i);
        acc.sum[2] += values[i];
        acc.max[0] = larger(acc.max[0], values[i]);
    }
};

class BlockReduction : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Sizes, BlockReduction,
                         testing::Values(1, 31, 32, 33, 255, 256, 257, 1000, 65537, 262144, 262145, 1000001));

TEST_P(BlockReduction, TakesEachItemOnce) {
    const Index n = GetParam();
    const std::vector<double> values = checks::random_values<double>(n, false);
    const auto total = modelled_reduction<double, 3, 1, false>(n, CountItem{values.data()});
    EXPECT_EQ(total.sum[0], double(n));
    EXPECT_EQ(total.sum[1], 0.5 * double(n) * double(n - 1));  // whole numbers below 2^53: exact in any order
    const double expected = std::accumulate(values.begin(), values.end(), 0.0);
    double sizes = 0.0;
    for (const double v : values) sizes += std::abs(v);
    EXPECT_NEAR(total.sum[2], expected, 1e-13 * sizes);
    EXPECT_EQ(total.max[0], std::max(0.0, *std::max_element(values.begin(), values.end())));
}

TEST_P(BlockReduction, FitsItsGrid) {
    const unsigned blocks = reduction_blocks(GetParam());
    EXPECT_GE(blocks, 1U);
    EXPECT_LE(blocks, most_reduction_blocks);
    EXPECT_LE(blocks, (unsigned(GetParam()) + block_threads - 1) / block_threads);  // none without work
}

}  // namespace
}  // namespace scree::kernels
