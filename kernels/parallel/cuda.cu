// SPDX-License-Identifier: BSD-3-Clause
// What class Cuda does without templates. The only file that includes CUB, which is slow to compile.
#include "kernels/parallel/cuda.cuh"

#include "kernels/parallel/devices.hpp"
#include "kernels/parallel/error.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace scree::kernels {
namespace {

/// Asked for its attributes, to learn whether this build holds code for a device.
__global__ void probe_kernel() {}

std::string in_words(cudaError_t error) {
    return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
}

/// "FreeVelocity" of "... [with Item = scree::kernels::FreeVelocity]". Names of unnamed namespaces are left out.
std::string name_in(const char* pretty_function) {
    std::string name = pretty_function;
    const std::size_t equals = name.find("Item = ");
    if (equals == std::string::npos) return name;
    name = name.substr(equals + 7, name.find_last_of(']') - equals - 7);
    for (const char* part : {"scree::", "kernels::", "_GLOBAL__N_"})
        for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part)) {
            const std::size_t colons = name.find("::", at);
            name.erase(at, colons == std::string::npos ? colons : colons + 2 - at);
        }
    return name;
}

/// What Memory<Cuda> throws: it knows neither phase nor step.
void check_memory(cudaError_t error, const char* what, std::size_t bytes) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw DeviceError(std::string("CUDA: ") + what + " (" + std::to_string(bytes) + " bytes) failed: " +
                      in_words(error) + "; an earlier kernel may be at fault, SCREE_CUDA_SYNC=1 finds which");
}

}  // namespace

// --- memory
// Plain cudaMalloc and cudaFree: cudaFree waits for the kernels that may still use the memory, so that nothing has to
// follow which stream touched which array. Both cost up to a millisecond; arrays grow by an eighth, between steps only.

template <>
void* Memory<Cuda>::allocate(std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, std::max<std::size_t>(bytes, 1));
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        std::size_t free = 0, total = 0;
        std::string detail;
        if (cudaMemGetInfo(&free, &total) == cudaSuccess)
            detail = ", the device has " + std::to_string(free >> 20) + " of " + std::to_string(total >> 20) +
                     " MiB free: use fewer bodies, mixed precision or a device with more memory";
        throw OutOfMemory("CUDA device", bytes, detail);
    }
    check_memory(error, "asking for memory", bytes);
    return memory;
}
template <>
void Memory<Cuda>::release(void* memory) noexcept {
    if (memory == nullptr) return;                            // An empty array must not wake the driver.
    if (cudaFree(memory) != cudaSuccess) cudaGetLastError();  // A lasting error shows again at the next checked call.
}
template <>
void Memory<Cuda>::copy(void* to, const void* from, std::size_t bytes) {
    check_memory(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cudaStreamLegacy), "copying on the device",
                 bytes);
}
template <>
void Memory<Cuda>::copy_in(void* to, const void* from_host, std::size_t bytes) {
    check_memory(cudaMemcpy(to, from_host, bytes, cudaMemcpyHostToDevice), "copying to the device", bytes);
}
template <>
void Memory<Cuda>::copy_out(void* to_host, const void* from, std::size_t bytes) {
    check_memory(cudaMemcpy(to_host, from, bytes, cudaMemcpyDeviceToHost), "copying from the device", bytes);
}

// --- the device

Cuda::Cuda(int device) : device_(device) {
    const char* wait = std::getenv("SCREE_CUDA_SYNC");
    wait_for_each_ = wait != nullptr && std::strcmp(wait, "") != 0 && std::strcmp(wait, "0") != 0;
    const cudaError_t opened = cudaSetDevice(device);
    if (opened != cudaSuccess) {
        cudaGetLastError();
        const DeviceProbe probe = probe_devices();
        if (probe.devices.empty()) throw DeviceError("there is no CUDA device: " + probe.reason);
        if (device < 0 || device >= int(probe.devices.size()))
            throw DeviceError("there is no CUDA device " + std::to_string(device) + ", only 0 to " +
                              std::to_string(probe.devices.size() - 1));
        check(opened, "opening the device");
    }

    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, probe_kernel);
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction) {
        cudaGetLastError();
        int major = 0, minor = 0;
        check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for its capability");
        check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "asking for its capability");
        const std::string capability = std::to_string(major) + std::to_string(minor);
        throw DeviceError("CUDA device " + std::to_string(device) + ": this build holds no code for its compute " +
                          "capability; configure with -DSCREE_CUDA_ARCHITECTURES=" + capability);
    }
    check(error, "loading the kernels");

    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamDefault), "making a stream");
    stream_.reset(stream);
    void* results = nullptr;
    check(cudaHostAlloc(&results, results_capacity * sizeof(double), cudaHostAllocMapped), "asking for pinned memory");
    results_.reset(static_cast<double*>(results));
    void* mapped = nullptr;
    check(cudaHostGetDevicePointer(&mapped, results, 0), "mapping pinned memory");
    results_on_device_ = static_cast<double*>(mapped);
    const unsigned zero = 0;
    arrived_.assign({&zero, 1});
}

void Cuda::fail(cudaError_t error, const char* what, std::int64_t count, const char* item) const {
    cudaGetLastError();
    std::string text = "CUDA device " + std::to_string(device_);
    if (phase_ != nullptr) text += std::string(", ") + phase_ + " of step " + std::to_string(step_);
    text += std::string(": ") + what;
    if (item != nullptr) text += " of " + name_in(item);
    if (count >= 0) text += " over " + std::to_string(count) + " items";
    text += " failed: " + in_words(error);
    if (error == cudaErrorMemoryAllocation) throw OutOfMemory("CUDA device", 0, " (" + text + ")");
    const bool inside_a_kernel = error == cudaErrorIllegalAddress || error == cudaErrorMisalignedAddress ||
                                 error == cudaErrorLaunchFailure || error == cudaErrorAssert ||
                                 error == cudaErrorIllegalInstruction || error == cudaErrorLaunchTimeout;
    if (inside_a_kernel && !wait_for_each_)
        text += "; this kernel or an earlier one is at fault, SCREE_CUDA_SYNC=1 finds which";
    throw DeviceError(text);
}

void Cuda::synchronize() const {
    check(cudaSetDevice(device_), "choosing the device");
    check(cudaStreamSynchronize(stream_.get()), "waiting for the device");
    // Copies on the device are on the legacy stream, which waits for this one; a caller who times them waits for both.
    check(cudaStreamSynchronize(cudaStreamLegacy), "waiting for the device");
}

// --- reductions

double* Cuda::partial_results(unsigned blocks, int columns) {
    check(cudaSetDevice(device_), "choosing the device");
    partials_.resize_discard(Size(blocks) * columns);
    return partials_.data();
}

void Cuda::fetch(void* to_host, const void* from, std::size_t bytes) const {
    if (bytes > results_capacity * sizeof(double)) throw std::logic_error("Cuda::fetch: more than its room");
    check(cudaMemcpyAsync(results_.get(), from, bytes, cudaMemcpyDeviceToHost, stream_.get()), "a copy to the host");
    check(cudaStreamSynchronize(stream_.get()), "waiting for the device");
    std::memcpy(to_host, results_.get(), bytes);
}

// --- CUB
// CUB's calls are made twice: the first, without memory, says how much is needed.

Index Cuda::exclusive_scan(Index* values, Index n) {
    constexpr const char* what = "exclusive_scan";
    const cudaStream_t stream = stream_.get();
    check(cudaSetDevice(device_), "choosing the device");
    // The scan runs over n + 1 items, so that its last result is the total. The last input does not count, but is read.
    check(cudaMemsetAsync(values + n, 0, sizeof(Index), stream), what, n);
    if (n <= 0) return 0;
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, n + 1, stream), what, n);
    temporary_.resize_discard(Size(bytes));
    check(cub::DeviceScan::ExclusiveSum(temporary_.data(), bytes, values, values, n + 1, stream), what, n);
    check(cudaMemcpyAsync(results_.get(), values + n, sizeof(Index), cudaMemcpyDeviceToHost, stream), what, n);
    check(cudaStreamSynchronize(stream), what, n);
    Index total = 0;
    std::memcpy(&total, results_.get(), sizeof total);
    return total;
}

void Cuda::sort_pairs(std::uint64_t* keys, Index* values, std::uint64_t* scratch_keys, Index* scratch_values, Index n,
                      int bits) {
    constexpr const char* what = "sort_pairs";
    if (n <= 1 || bits <= 0) return;
    const cudaStream_t stream = stream_.get();
    check(cudaSetDevice(device_), "choosing the device");
    const int last_bit = std::min(bits, 64);
    cub::DoubleBuffer<std::uint64_t> key_buffers(keys, scratch_keys);
    cub::DoubleBuffer<Index> value_buffers(values, scratch_values);
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, key_buffers, value_buffers, n, 0, last_bit, stream), what, n);
    temporary_.resize_discard(Size(bytes));
    check(cub::DeviceRadixSort::SortPairs(temporary_.data(), bytes, key_buffers, value_buffers, n, 0, last_bit, stream),
          what, n);
    const std::size_t count = std::size_t(n);
    if (key_buffers.Current() != keys)
        check(cudaMemcpyAsync(keys, key_buffers.Current(), count * sizeof(std::uint64_t), cudaMemcpyDeviceToDevice,
                              stream),
              what, n);
    if (value_buffers.Current() != values)
        check(cudaMemcpyAsync(values, value_buffers.Current(), count * sizeof(Index), cudaMemcpyDeviceToDevice, stream),
              what, n);
    if (wait_for_each_) check(cudaStreamSynchronize(stream), what, n);
}

}  // namespace scree::kernels
