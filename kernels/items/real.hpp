// SPDX-License-Identifier: BSD-3-Clause
// What one lane of arithmetic is. Items are written once on a type P that is `float` or `double` (a CUDA thread, a
// reference) or a packet of them (a CPU core, kernels/parallel/packet.hpp). They use only + - * /, comparisons and the
// functions below, and choose with select() where a thread would branch.
#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define SCREE_HD __host__ __device__
#define SCREE_HD_INLINE __host__ __device__ __forceinline__
/// For long functions with several callers: one copy each keeps device code small and quick to compile.
#define SCREE_HD_CALL __host__ __device__ __noinline__
/// The same on a device; on a CPU copied into each caller, where its result goes on in registers: a struct that is read
/// with wide loads just after it was written in parts waits for its stores.
#define SCREE_HD_CALL_IN_REGISTERS SCREE_HD_CALL inline
/// A call on both: long functions beside a short path that most calls take, which would pay for their registers.
#define SCREE_HD_CALL_BESIDE SCREE_HD_CALL
/// After a lambda's parameters: a call on a CPU, so that its loop and the loops around it have registers of their own.
#define SCREE_CALL_ON_CPU
#else
#define SCREE_HD
/// For the parts of a contact pass: packets that a call passes through memory cost more than the arithmetic.
#define SCREE_HD_INLINE [[gnu::always_inline]] inline
#define SCREE_HD_CALL
#define SCREE_HD_CALL_IN_REGISTERS SCREE_HD_INLINE
#define SCREE_HD_CALL_BESIDE [[gnu::noinline]]
#define SCREE_CALL_ON_CPU __attribute__((noinline))
#endif

namespace scree::kernels {

/// Index of a body, contact or list entry. Up to 2^31 - 2 of each.
using Index = std::int32_t;
/// Number of items of an array: several fields per index.
using Size = std::int64_t;

SCREE_HD inline float select(bool take_first, float a, float b) { return take_first ? a : b; }
SCREE_HD inline double select(bool take_first, double a, double b) { return take_first ? a : b; }
SCREE_HD inline float square_root(float a) { return sqrtf(a); }
SCREE_HD inline double square_root(double a) { return ::sqrt(a); }
SCREE_HD inline double round_down(double a) { return ::floor(a); }
SCREE_HD inline float larger(float a, float b) { return a > b ? a : b; }
SCREE_HD inline double larger(double a, double b) { return a > b ? a : b; }
SCREE_HD inline float smaller(float a, float b) { return a < b ? a : b; }
SCREE_HD inline double smaller(double a, double b) { return a < b ? a : b; }

/// *at <- max(*at, value) for values that are not negative, from many threads at once: the order does not matter.
SCREE_HD inline void raise_to(float* at, float value) {
#ifdef __CUDA_ARCH__
    atomicMax(reinterpret_cast<int*>(at), __float_as_int(value));  // the bits of such floats are ordered like them
#else
    std::atomic_ref<float> cell(*at);
    float seen = cell.load(std::memory_order_relaxed);
    while (seen < value && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
#endif
}

/// The same for 64 bits.
SCREE_HD inline void raise_to(std::uint64_t* at, std::uint64_t value) {
#ifdef __CUDA_ARCH__
    atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
    std::atomic_ref<std::uint64_t> cell(*at);
    std::uint64_t seen = cell.load(std::memory_order_relaxed);
    while (seen < value && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
#endif
}

/// *at <- min(*at, value), likewise.
SCREE_HD inline void lower_to(Index* at, Index value) {
#ifdef __CUDA_ARCH__
    atomicMin(at, value);
#else
    std::atomic_ref<Index> cell(*at);
    Index seen = cell.load(std::memory_order_relaxed);
    while (seen > value && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
#endif
}

/// *at while other threads lower it.
SCREE_HD inline Index read_lowered(Index* at) {
#ifdef __CUDA_ARCH__
    return *static_cast<volatile Index*>(at);
#else
    return std::atomic_ref<Index>(*at).load(std::memory_order_relaxed);
#endif
}

/// *at += value from many threads at once: whole numbers, so that the order does not matter.
SCREE_HD inline void add_to(std::int64_t* at, std::int64_t value) {
#ifdef __CUDA_ARCH__
    atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
    std::atomic_ref<std::int64_t>(*at).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Bit k: what lane k says.
SCREE_HD inline unsigned lane_bits(bool mask) { return mask ? 1U : 0U; }
/// Position of the lowest bit of `bits` > 0.
SCREE_HD inline int lowest_bit(unsigned bits) {
#ifdef __CUDA_ARCH__
    return __ffs(int(bits)) - 1;
#else
    return std::countr_zero(bits);
#endif
}

/// The scalar type under P, and the number of lanes.
template <class P>
struct LaneTraits {
    using Scalar = P;
    static constexpr int lanes = 1;
};

/// Reads P from `lanes` consecutive scalars.
template <class P>
struct Lanes {
    SCREE_HD static P load(const P* from) { return *from; }
    SCREE_HD static void store(P* to, P value) { *to = value; }
};

}  // namespace scree::kernels
