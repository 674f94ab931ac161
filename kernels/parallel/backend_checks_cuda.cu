// SPDX-License-Identifier: BSD-3-Clause
// The checks of backend_checks.hpp on class Cuda, and those of what is particular to it.
#include "kernels/parallel/backend_checks.hpp"
#include "kernels/parallel/cuda.cuh"
#include "kernels/parallel/error.hpp"
#include "kernels/parallel/sequential_block.hpp"

#include <cstring>

namespace scree::kernels::checks {
namespace {

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
    const double expected = modelled_reduction<double, 2, 1, false>(n, SumValues<double>{values.data()}).sum[0];
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
