// SPDX-License-Identifier: BSD-3-Clause
// The checks of backend_checks.hpp on class Cuda, and those of what is particular to it.
#include "kernels/parallel/backend_checks.hpp"
#include "kernels/parallel/cuda.cuh"
#include "kernels/parallel/error.hpp"

#include <cstring>

namespace scree::kernels::checks {
namespace {

/// Sum of a block's threads in the order of reduce_block().
double block_sum(std::vector<double> threads) {
    const auto halve = [&](std::size_t begin, std::size_t width) {
        for (; width > 0; width /= 2)
            for (std::size_t i = 0; i < width; ++i) threads[begin + i] += threads[begin + i + width];
    };
    for (std::size_t warp = 0; warp < block_warps; ++warp) {
        halve(warp * warp_threads, warp_threads / 2);
        threads[warp] = threads[warp * warp_threads];
    }
    halve(0, block_warps / 2);
    return threads[0];
}

/// Sum of the values in the order of reduce_kernel() and the pass over its partial results.
double modelled_sum(const std::vector<double>& values) {
    const std::size_t per_block = std::size_t(block_threads) * Cuda::reduction_items(Index(values.size()));
    std::vector<double> rows(block_threads, 0.0);
    std::size_t block = 0;
    for (std::size_t begin = 0; begin < values.size(); begin += per_block, ++block) {
        std::vector<double> threads(block_threads, 0.0);
        for (std::size_t i = begin; i < std::min(begin + per_block, values.size()); ++i)
            threads[(i - begin) % block_threads] += values[i];
        rows[block % block_threads] += block_sum(std::move(threads));
    }
    return block_sum(std::move(rows));
}

/// Writes where no memory is.
struct WriteBeyond {
    Index* nowhere;
    SCREE_HD void operator()(Index i) const { nowhere[i] = i; }
};

template <class Error, class Action>
std::string must_say(const char* word, const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        if (std::strstr(error.what(), word) != nullptr) return {};
        return std::string("the message lacks '") + word + "': " + error.what();
    }
    return std::string("no error where one with '") + word + "' was expected";
}

}  // namespace

std::string run_on_cuda(int device, Check check, Index n) {
    Cuda cuda(device);
    cuda.enter("backend check", 0);
    std::string wrong = run(cuda, check, n);
    cuda.synchronize();
    return wrong;
}

std::string run_cuda_reduction_shape(int device, Index n) {
    Cuda cuda(device);
    const std::vector<double> values = random_values<double>(n, false);
    Array<double, Cuda> array;
    array.assign(values);
    const double found = cuda.reduce<double, 2, 1>(n, SumValues<double>{array.data()}).sum[0];
    const double expected = modelled_sum(values);
    return found == expected ? std::string() : mismatch("sum in the documented order over items", n, found, expected);
}

std::string run_cuda_errors(int device) {
    std::string wrong = must_say<DeviceError>("no CUDA device 4711", [] { Cuda absent(4711); });
    if (!wrong.empty()) return wrong;
    const Cuda cuda(device);
    // A pebibyte: no card has it. The same device must go on working.
    wrong = must_say<OutOfMemory>("MiB more were asked for",
                                  [] { Memory<Cuda>::release(Memory<Cuda>::allocate(std::size_t(1) << 50)); });
    return wrong.empty() ? run_on_cuda(device, Check::for_each, 1000) : wrong;
}

void provoke_cuda_fault(int device) {
    Cuda cuda(device);
    cuda.enter("contact set", 7);
    cuda.for_each(33, WriteBeyond{nullptr});
    cuda.synchronize();
}

}  // namespace scree::kernels::checks
