// SPDX-License-Identifier: BSD-3-Clause
// Block-level schemes, written once for a CUDA block (block.cuh) and for a sequential model of one
// (sequential_block.hpp), so that their indexing and order are tested on machines without a GPU.
//
// A scheme is a function template on Block, made of regions: block.each(f) calls f(t) for the threads t of the block,
// block.once(f) calls f() by one of them, block.barrier() stands between regions that exchange data through shared or
// global memory. What a thread keeps from one region to the next is a Block::Local<T>, indexed by t. Nothing else
// crosses a region.
#pragma once

#include "kernels/items/real.hpp"
#include "kernels/parallel/reduction.hpp"

namespace scree::kernels {

/// Threads of a block, in every kernel.
inline constexpr unsigned block_threads = 256;
inline constexpr unsigned warp_threads = 32;
inline constexpr unsigned block_warps = block_threads / warp_threads;

/// Shared memory of a reduction of up to K columns.
template <int K>
struct BlockMemory {
    double rows[K][block_warps];
    double totals[K];
    unsigned last;
};

/// Sums and maxima of `mine` over the block: within each warp, then over the warps, in a fixed order. The results are
/// in memory.totals after the next barrier.
template <class Block, int S, int M, int K>
SCREE_HD void reduce_block(Block& block, const typename Block::template Local<Reduction<S, M>>& mine,
                           BlockMemory<K>& memory) {
    static_assert(S + M <= K);
    typename Block::template Local<double> value;
    for (int k = 0; k < S + M; ++k) {
        const bool is_sum = k < S;
        const int place = is_sum ? k : k - S;
        block.each([&](unsigned t) { value[t] = is_sum ? mine[t].sum[place] : mine[t].max[place]; });
        block.fold_warps(value, is_sum);
        block.each([&](unsigned t) {
            if (t % warp_threads == 0) memory.rows[k][t / warp_threads] = value[t];
        });
    }
    block.barrier();
    for (int k = 0; k < S + M; ++k) {
        const bool is_sum = k < S;
        block.each([&](unsigned t) { value[t] = t < block_warps ? memory.rows[k][t] : 0.0; });
        block.fold_first_warp(value, is_sum);
        block.each([&](unsigned t) {
            if (t == 0) memory.totals[k] = value[t];
        });
    }
}

/// Block b of `blocks` takes the items b * 256 + t, then those `blocks` * 256 further on, and so forth, sums them per
/// thread in R, and writes the block's k-th result to partials[k * blocks + b]. `Tiles` says which form of item is
/// called. The shape of the sums depends on n and `blocks` alone.
template <class R, int S, int M, bool Tiles, class Block, class Item, int K>
SCREE_HD void reduce_share(Block& block, Index n, unsigned blocks, const Item& item, BlockMemory<K>& memory,
                           double* partials) {
    typename Block::template Local<Reduction<S, M>> mine;
    block.each([&](unsigned t) {
        Accumulator<R, S, M> acc{};
        for (std::int64_t i = std::int64_t(block.index()) * block_threads + t; i < n;
             i += std::int64_t(blocks) * block_threads) {
            if constexpr (Tiles)
                item.template operator()<R>(Index(i), acc);
            else
                item(Index(i), acc);
        }
        for (int k = 0; k < S; ++k) mine[t].sum[k] = double(acc.sum[k]);
        for (int k = 0; k < M; ++k) mine[t].max[k] = double(acc.max[k]);
    });
    reduce_block<Block, S, M>(block, mine, memory);
    block.barrier();
    block.each([&](unsigned t) {
        if (t < unsigned(S + M)) partials[t * blocks + block.index()] = memory.totals[t];
    });
}

/// Number of blocks that sum n items: one item per thread up to 2^18, then more, so that few partial results remain.
/// Does not depend on the card, and nor do the sums.
[[nodiscard]] SCREE_HD constexpr unsigned reduction_blocks(Index n) {
    const unsigned chunks = (unsigned(n) + block_threads - 1) / block_threads;
    if (chunks <= 1024) return chunks;
    return chunks / 4 < 4096 ? (chunks + 3) / 4 : 4096;
}
inline constexpr unsigned most_reduction_blocks = 4096;

/// The partial results of all blocks, reduced by this one: thread t takes rows t, t + 256, ... in ascending order, then
/// the block its threads. The result is the same in every thread, and in every block that asks. Needs a barrier of the
/// grid, or its like, after the partial results were written.
template <int S, int M, class Block, int K>
SCREE_HD Reduction<S, M> reduce_partials(Block& block, unsigned blocks, const double* partials,
                                         BlockMemory<K>& memory) {
    typename Block::template Local<Reduction<S, M>> mine;
    block.each([&](unsigned t) {
        Reduction<S, M> own;
        for (unsigned row = t; row < blocks; row += block_threads) {
            for (int k = 0; k < S; ++k) own.sum[k] += block.fresh(partials + std::size_t(k) * blocks + row);
            for (int k = 0; k < M; ++k)
                own.max[k] = larger(own.max[k], block.fresh(partials + std::size_t(S + k) * blocks + row));
        }
        mine[t] = own;
    });
    block.barrier();  // memory may still be read by the caller's last region
    reduce_block<Block, S, M>(block, mine, memory);
    block.barrier();
    Reduction<S, M> total;
    for (int k = 0; k < S; ++k) total.sum[k] = memory.totals[k];
    for (int k = 0; k < M; ++k) total.max[k] = memory.totals[S + k];
    return total;
}

/// A whole reduction: each block's share, then the partial results by the block that comes last. True in that block,
/// where `total` has the result. `partials` holds count * (S + M) doubles, `arrived` zero.
template <class R, int S, int M, bool Tiles, class Block, class Item, int K>
SCREE_HD bool reduce_all(Block& block, Index n, const Item& item, BlockMemory<K>& memory, double* partials,
                         unsigned* arrived, Reduction<S, M>& total) {
    reduce_share<R, S, M, Tiles>(block, n, block.count(), item, memory, partials);
    if (!block.is_last(arrived, memory.last)) return false;
    total = reduce_partials<S, M>(block, block.count(), partials, memory);
    return true;
}

}  // namespace scree::kernels
