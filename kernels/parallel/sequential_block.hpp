// SPDX-License-Identifier: BSD-3-Clause
// A block of CUDA threads as a sequential program on the host: the model that block.hpp speaks of. Regions run thread
// by thread; warp operations add in the order of the shuffles that they stand for. Marked for
// the device only because the schemes are.
#pragma once

#include "kernels/parallel/block.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace scree::kernels {

class SequentialBlock {
public:
    template <class T>
    using Local = std::array<T, block_threads>;

    SCREE_HD SequentialBlock(unsigned index, unsigned count) : index_(index), count_(count) {}

    [[nodiscard]] SCREE_HD unsigned index() const { return index_; }
    [[nodiscard]] SCREE_HD unsigned count() const { return count_; }

    template <class Region>
    SCREE_HD void each(const Region& region) const {
        for (unsigned t = 0; t < block_threads; ++t) region(t);
    }
    template <class Region>
    SCREE_HD void once(const Region& region) const {
        region();
    }
    SCREE_HD void barrier() const {}

    /// Lane 0 of each warp receives the warp's sum or maximum: lanes at distance 16 first, then 8, 4, 2, 1.
    SCREE_HD void fold_warps(Local<double>& value, bool sum) const {
        for (unsigned warp = 0; warp < block_warps; ++warp) fold(value, warp * warp_threads, sum);
    }
    SCREE_HD void fold_first_warp(Local<double>& value, bool sum) const { fold(value, 0, sum); }

    [[nodiscard]] SCREE_HD double fresh(const double* at) const { return *at; }

    /// True in the block that is the last of its pass to come here. `arrived` counts, and is zero again afterwards.
    SCREE_HD bool is_last(unsigned* arrived, unsigned& /*shared*/) const {
        if (++*arrived < count_) return false;
        *arrived = 0;
        return true;
    }

private:
    SCREE_HD static void fold(Local<double>& value, unsigned first, bool sum) {
        for (unsigned distance = warp_threads / 2; distance > 0; distance /= 2)
            for (unsigned lane = 0; lane + distance < warp_threads; ++lane) {
                double& mine = value[first + lane];
                const double other = value[first + lane + distance];
                mine = sum ? mine + other : larger(mine, other);
            }
    }

    unsigned index_, count_;
};

/// A whole reduction by the blocks of a grid, one after the other.
template <class R, int S, int M, bool Tiles, class Item>
[[nodiscard]] Reduction<S, M> modelled_reduction(Index n, const Item& item) {
    Reduction<S, M> total;
    if (n <= 0) return total;
    const unsigned blocks = reduction_blocks(n);
    std::vector<double> partials(std::size_t(blocks) * (S + M));
    unsigned arrived = 0;
    BlockMemory<S + M> memory;
    for (unsigned b = 0; b < blocks; ++b) {
        SequentialBlock block(b, blocks);
        reduce_all<R, S, M, Tiles>(block, n, item, memory, partials.data(), &arrived, total);
    }
    return total;
}

}  // namespace scree::kernels
