// SPDX-License-Identifier: BSD-3-Clause
// The CUDA block of block.hpp. Only .cu files include this header. Its methods carry both attributes because the
// schemes do; on the host they are never called.
#pragma once

#include "kernels/parallel/block.hpp"

#include <cuda_runtime.h>

namespace scree::kernels {

class CudaBlock {
public:
    /// A register.
    template <class T>
    struct Local {
        T value;
        SCREE_HD T& operator[](unsigned) { return value; }
        SCREE_HD const T& operator[](unsigned) const { return value; }
    };

#ifdef __CUDA_ARCH__
    /// The first `count` blocks of the grid work together; others have nothing to do with them.
    __device__ explicit CudaBlock(unsigned count) : count_(count) {}

    [[nodiscard]] __device__ unsigned index() const { return blockIdx.x; }
    [[nodiscard]] __device__ unsigned count() const { return count_; }
    template <class Region>
    __device__ void each(const Region& region) const {
        region(threadIdx.x);
    }
    template <class Region>
    __device__ void once(const Region& region) const {
        if (threadIdx.x == 0) region();
    }
    __device__ void barrier() const { __syncthreads(); }

    __device__ void fold_warps(Local<double>& value, bool sum) const {
        for (unsigned distance = warp_threads / 2; distance > 0; distance /= 2) {
            const double other = __shfl_down_sync(0xffffffffu, value.value, distance);
            value.value = sum ? value.value + other : larger(value.value, other);
        }
    }
    __device__ void fold_first_warp(Local<double>& value, bool sum) const {
        if (threadIdx.x < warp_threads) fold_warps(value, sum);
    }

    /// Reads past the first-level cache: what other blocks wrote in this launch.
    [[nodiscard]] __device__ double fresh(const double* at) const { return __ldcg(at); }

    /// The writes of all blocks before the call are seen by the last block after it. `arrived` is zero before and
    /// after.
    __device__ bool is_last(unsigned* arrived, unsigned& shared) const {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) shared = atomicInc(arrived, count_ - 1) == count_ - 1 ? 1U : 0U;
        __syncthreads();
        if (shared == 0) return false;
        __threadfence();
        return true;
    }
#else
    SCREE_HD explicit CudaBlock(unsigned count) : count_(count) {}
    [[nodiscard]] SCREE_HD unsigned index() const { return 0; }
    [[nodiscard]] SCREE_HD unsigned count() const { return count_; }
    template <class Region>
    SCREE_HD void each(const Region&) const {}
    template <class Region>
    SCREE_HD void once(const Region&) const {}
    SCREE_HD void barrier() const {}
    SCREE_HD void fold_warps(Local<double>&, bool) const {}
    SCREE_HD void fold_first_warp(Local<double>&, bool) const {}
    [[nodiscard]] SCREE_HD double fresh(const double* at) const { return *at; }
    SCREE_HD bool is_last(unsigned*, unsigned&) const { return false; }
#endif

private:
    unsigned count_;
};

}  // namespace scree::kernels
