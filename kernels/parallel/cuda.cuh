// SPDX-License-Identifier: BSD-3-Clause
// The CUDA backend: one device, one stream, one thread per item. Only .cu files include this header.
//
// Invariants (beside those of cpu.hpp):
//  1. for_each and for_each_tile return before the device is done; whatever returns a value to the host waits for it.
//  2. Sums have a shape that depends on the number of items alone, not on the card: see block.hpp.
//  3. The stream is a blocking one and Memory<Cuda> works on the legacy default stream, so that every copy comes after
//     the kernels launched before it and before those launched after it, without naming a stream.
//  4. Each call makes the device current for its thread and leaves it so. Arrays belong to the current device: a Cuda
//     is made before the arrays that it works on, and used by one thread at a time.
//  5. Each call to the runtime is checked. A failed one throws DeviceError with phase, step, item and size; an error
//     inside a kernel shows at the next call that waits, unless SCREE_CUDA_SYNC=1 makes each launch wait.
//
// Items are trivially copyable structs at namespace scope (CUDA takes no local or private types as kernel arguments)
// that hold raw pointers and numbers, and whose call operators are const and SCREE_HD.
#pragma once

#include "kernels/items/real.hpp"
#include "kernels/items/rows_of_eight.hpp"
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/cuda_kernels.cuh"
#include "kernels/parallel/reduction.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace scree::kernels {

class Cuda;

template <>
void* Memory<Cuda>::allocate(std::size_t bytes);
template <>
void Memory<Cuda>::release(void* memory) noexcept;
template <>
void Memory<Cuda>::copy(void* to, const void* from, std::size_t bytes);
template <>
void Memory<Cuda>::copy_in(void* to, const void* from_host, std::size_t bytes);
template <>
void Memory<Cuda>::copy_out(void* to_host, const void* from, std::size_t bytes);

class Cuda {
public:
    static constexpr const char* name = "cuda";
    /// Contacts per tile of the contact rows: one warp, whose threads are the lanes.
    static constexpr int tile = 32;
    template <class R>
    using Lane = R;
    using DoubleLane = double;
    template <class R>
    using Row = ScalarRow<R>;

    /// Opens a device. Throws DeviceError when it is not there, or when this build holds no code for it.
    explicit Cuda(int device = 0);

    [[nodiscard]] int device() const { return device_; }
    /// For kernels that are launched by hand; blocking (see invariant 3).
    [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

    /// Names the phase and step that errors of the following calls mention. `phase` is kept as a pointer: a literal.
    void enter(const char* phase, std::int64_t step) {
        phase_ = phase;
        step_ = step;
    }

    /// Calls item(i) for 0 <= i < n, in any order.
    template <class Item>
    void for_each(Index n, const Item& item) const {
        if (n <= 0) return;
        launch<Item>("for_each", n, blocks_of(n, block_threads), for_each_kernel<Item>, unsigned(n), item);
    }

    /// Calls item.template operator()<R>(i) for 0 <= i < n; n is a multiple of `tile`.
    template <class R, class Item>
    void for_each_tile(Index n, const Item& item) const {
        if (n <= 0) return;
        launch<Item>("for_each_tile", n, blocks_of(n, block_threads), for_each_tile_kernel<R, Item>, unsigned(n), item);
    }

    /// The same with sums and maxima: item.template operator()<R>(i, Accumulator<R, S, M>&).
    template <class R, int S, int M, class Item>
    [[nodiscard]] Reduction<S, M> reduce_tiles(Index n, const Item& item) {
        return reduce_blocks<R, S, M, true>("reduce_tiles", n, item);
    }

    /// The same over parts one after the other: items of part k, parts[k] <= first < parts[k + 1], whole tiles, see
    /// what those before have done. item_of(k) is called as item(first - parts[k], acc). The host waits once for
    /// as many parts as it has room for results.
    template <class R, int S, int M, class ItemOf>
    [[nodiscard]] Reduction<S, M> reduce_tiles_in_turn(std::span<const Index> parts, const ItemOf& item_of) {
        constexpr std::size_t slots = results_capacity / (S + M);
        Reduction<S, M> total;
        for (std::size_t first = 0; first + 1 < parts.size(); first += slots) {
            const std::size_t end = std::min(first + slots, parts.size() - 1);
            for (std::size_t k = first; k < end; ++k)
                launch_reduction<R, S, M, true>("reduce_tiles_in_turn", parts[k + 1] - parts[k], item_of(k),
                                                int(k - first));
            check(cudaStreamSynchronize(stream_.get()), "reduce_tiles_in_turn", parts[end] - parts[first]);
            for (std::size_t k = first; k < end; ++k)
                if (parts[k + 1] > parts[k]) add(results_of<S, M>(int(k - first)), total);
        }
        return total;
    }

    /// Sums and maxima over single items: item(i, Accumulator<R, S, M>&).
    template <class R, int S, int M, class Item>
    [[nodiscard]] Reduction<S, M> reduce(Index n, const Item& item) {
        return reduce_blocks<R, S, M, false>("reduce", n, item);
    }

    /// The same for items that add rows of eight: a thread adds up the elements of each row at once.
    template <class R, int S, class Item>
    [[nodiscard]] Reduction<S, 0> reduce_rows(Index n, const Item& item) {
        return reduce<R, S, 0>(n, item);
    }

    /// Exclusive prefix sum of values[0..n); values[n] receives the total, which is returned.
    Index exclusive_scan(Index* values, Index n);

    /// Stable sort of (key, value) pairs by the low `bits` bits of the key. The scratch arrays hold n items each; the
    /// result is in keys and values.
    void sort_pairs(std::uint64_t* keys, Index* values, std::uint64_t* scratch_keys, Index* scratch_values, Index n,
                    int bits);

    /// Waits for all that was launched; throws what went wrong in it.
    void synchronize() const;

    /// Throws unless `error` is cudaSuccess. `what` says what was attempted over `count` items, `item` (a name as
    /// item_name() gives it, or null) on which.
    void check(cudaError_t error, const char* what, std::int64_t count = -1, const char* item = nullptr) const {
        if (error != cudaSuccess) fail(error, what, count, item);
    }

    /// Copies from the host in the stream's order; `from` may be reused at once.
    void send(void* to, const void* from_host, std::size_t bytes) const {
        check(cudaMemcpyAsync(to, from_host, bytes, cudaMemcpyHostToDevice, stream_.get()), "a copy to the device");
    }
    /// Copies to the host after all that was launched, and waits for it. At most 512 bytes.
    void fetch(void* to_host, const void* from, std::size_t bytes) const;

    /// Room for the partial results of a reduction, and the counter (zero) of the blocks that are done with theirs.
    [[nodiscard]] double* partial_results(unsigned blocks, int columns);
    [[nodiscard]] unsigned* arrived() { return arrived_.data(); }
    [[nodiscard]] bool waits_for_each() const { return wait_for_each_; }

private:
    struct StreamCloser {
        using pointer = cudaStream_t;
        void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
    };
    struct PinnedRelease {
        void operator()(double* memory) const noexcept { cudaFreeHost(memory); }
    };
    /// Doubles that the device can leave for the host.
    static constexpr int results_capacity = 64;

    static constexpr unsigned blocks_of(Index n, unsigned items) { return (unsigned(n) + items - 1) / items; }

    /// The compiler's text for this function, which holds Item's name.
    template <class Item>
    static const char* item_name() {
        return __PRETTY_FUNCTION__;
    }

    template <class Item, class... Expected, class... Given>
    void launch(const char* what, Index n, unsigned blocks, void (*kernel)(Expected...), Given&&... arguments) const {
        static_assert(std::is_trivially_copyable_v<Item>, "an item is copied to the device byte by byte");
        static_assert(sizeof(Item) <= 3840, "kernel arguments hold at most 4 KiB");
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(block_threads);
        config.stream = stream_.get();
        cudaError_t error = cudaSetDevice(device_);
        if (error == cudaSuccess) error = cudaLaunchKernelEx(&config, kernel, std::forward<Given>(arguments)...);
        if (error == cudaSuccess && wait_for_each_) error = cudaStreamSynchronize(stream_.get());
        if (error != cudaSuccess) fail(error, what, n, item_name<Item>());
    }

    /// Its results go to the slot, a row of S + M doubles; with nothing to sum they stay what they were.
    template <class R, int S, int M, bool Tiles, class Item>
    void launch_reduction(const char* what, Index n, const Item& item, int slot) {
        static_assert(S + M > 0 && S + M <= results_capacity);
        if (n <= 0) return;
        const unsigned blocks = reduction_blocks(n);
        launch<Item>(what, n, blocks, reduce_kernel<R, S, M, Tiles, Item>, unsigned(n), item,
                     partial_results(blocks, S + M), arrived_.data(), results_on_device_ + slot * (S + M));
    }

    template <int S, int M>
    [[nodiscard]] Reduction<S, M> results_of(int slot) const {
        Reduction<S, M> r;
        const double* results = results_.get() + slot * (S + M);
        for (int k = 0; k < S; ++k) r.sum[k] = results[k];
        for (int k = 0; k < M; ++k) r.max[k] = results[S + k];
        return r;
    }

    template <class R, int S, int M, bool Tiles, class Item>
    Reduction<S, M> reduce_blocks(const char* what, Index n, const Item& item) {
        if (n <= 0) return {};
        launch_reduction<R, S, M, Tiles>(what, n, item, 0);
        check(cudaStreamSynchronize(stream_.get()), what, n);
        return results_of<S, M>(0);
    }

    [[noreturn]] void fail(cudaError_t error, const char* what, std::int64_t count, const char* item) const;

    int device_ = 0;
    bool wait_for_each_ = false;
    const char* phase_ = nullptr;
    std::int64_t step_ = 0;
    std::unique_ptr<CUstream_st, StreamCloser> stream_;
    std::unique_ptr<double, PinnedRelease> results_;  ///< Pinned host memory that the device can write.
    double* results_on_device_ = nullptr;             ///< The same memory as the device addresses it.
    Array<double, Cuda> partials_;
    Array<unsigned, Cuda> arrived_;
    Array<unsigned char, Cuda> temporary_;  ///< CUB's.
};

}  // namespace scree::kernels
