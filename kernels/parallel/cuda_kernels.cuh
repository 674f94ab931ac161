// SPDX-License-Identifier: BSD-3-Clause
// The __global__ functions behind class Cuda: one thread runs an item, or a few of them when it sums.
#pragma once

#include "kernels/items/real.hpp"
#include "kernels/parallel/reduction.hpp"

#include <cuda_runtime.h>

namespace scree::kernels {

/// Threads of a block, in every kernel of this backend.
inline constexpr unsigned block_threads = 256;
inline constexpr unsigned warp_threads = 32;
inline constexpr unsigned block_warps = block_threads / warp_threads;

/// This thread's place in the grid. Unsigned: the last block may reach past the largest Index.
__device__ inline unsigned thread_in_grid() { return blockIdx.x * block_threads + threadIdx.x; }

// Items are __grid_constant__: they stay in the constant bank even where an item's member function takes `this`.

template <class Item>
__global__ void __launch_bounds__(block_threads) for_each_kernel(unsigned n, const __grid_constant__ Item item) {
    const unsigned i = thread_in_grid();
    if (i < n) item(Index(i));
}

template <class R, class Item>
__global__ void __launch_bounds__(block_threads) for_each_tile_kernel(unsigned n, const __grid_constant__ Item item) {
    const unsigned i = thread_in_grid();
    if (i < n) item.template operator()<R>(Index(i));
}

/// Sum over the warp, in lane 0: lanes at distance 16 are added, then 8, 4, 2, 1.
__device__ inline double warp_sum(double value) {
    for (unsigned distance = warp_threads / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

/// Largest over the warp, in lane 0.
__device__ inline double warp_max(double value) {
    for (unsigned distance = warp_threads / 2; distance > 0; distance /= 2) {
        const double other = __shfl_down_sync(0xffffffffu, value, distance);
        value = other > value ? other : value;
    }
    return value;
}

/// Adds up S sums and M maxima over a block: within each warp, then over the warps, in a fixed order. All threads of
/// the block call it, once per kernel. The first thread writes the k-th result to out[k * stride].
template <int S, int M>
__device__ void reduce_block(const Reduction<S, M>& mine, double* out, unsigned stride) {
    __shared__ double rows[S + M][block_warps];
    const unsigned lane = threadIdx.x % warp_threads, warp = threadIdx.x / warp_threads;
    for (int k = 0; k < S + M; ++k) {
        const double value = k < S ? warp_sum(mine.sum[k < S ? k : 0]) : warp_max(mine.max[k < S ? 0 : k - S]);
        if (lane == 0) rows[k][warp] = value;
    }
    __syncthreads();
    if (warp > 0) return;
    for (int k = 0; k < S + M; ++k) {
        const double row = lane < block_warps ? rows[k][lane] : 0.0;
        const double value = k < S ? warp_sum(row) : warp_max(row);
        if (lane == 0) out[std::size_t(k) * stride] = value;
    }
}

/// Block b reduces the items [b, b + 1) * block_threads * per_thread; its thread t takes those with index t modulo
/// block_threads in ascending order, sums them in R, and hands the sum to the block in double. The k-th result of block
/// b goes to partials[k * blocks + b]. `Tiles` says which of the two forms of item is called.
template <class R, int S, int M, bool Tiles, class Item>
__global__ void __launch_bounds__(block_threads)
    reduce_kernel(unsigned n, unsigned per_thread, const __grid_constant__ Item item, double* partials) {
    Accumulator<R, S, M> acc{};
    const unsigned begin = blockIdx.x * block_threads * per_thread + threadIdx.x;
    for (unsigned k = 0; k < per_thread; ++k) {
        const unsigned i = begin + k * block_threads;
        if (i >= n) break;
        if constexpr (Tiles)
            item.template operator()<R>(Index(i), acc);
        else
            item(Index(i), acc);
    }
    Reduction<S, M> mine;
    for (int k = 0; k < S; ++k) mine.sum[k] = double(acc.sum[k]);
    for (int k = 0; k < M; ++k) mine.max[k] = double(acc.max[k]);
    reduce_block(mine, partials + blockIdx.x, gridDim.x);
}

}  // namespace scree::kernels
