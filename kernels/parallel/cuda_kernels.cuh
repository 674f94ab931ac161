// SPDX-License-Identifier: BSD-3-Clause
// The __global__ functions behind class Cuda: one thread runs an item, or a few of them when it sums.
#pragma once

#include "kernels/items/real.hpp"
#include "kernels/parallel/block.cuh"

#include <cuda_runtime.h>

namespace scree::kernels {

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

/// Sums and maxima over n items, see reduce_all(): the last block writes them to `results`, sums first.
template <class R, int S, int M, bool Tiles, class Item>
__global__ void __launch_bounds__(block_threads)
    reduce_kernel(unsigned n, const __grid_constant__ Item item, double* partials, unsigned* arrived, double* results) {
    __shared__ BlockMemory<S + M> memory;
    CudaBlock block(gridDim.x);
    Reduction<S, M> total;
    if (!reduce_all<R, S, M, Tiles>(block, Index(n), item, memory, partials, arrived, total) || threadIdx.x > 0) return;
    for (int k = 0; k < S; ++k) results[k] = total.sum[k];
    for (int k = 0; k < M; ++k) results[S + k] = total.max[k];
}

}  // namespace scree::kernels
