// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/parallel/devices.hpp"

#include <cuda_runtime.h>

namespace scree::kernels {
namespace {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Value of an attribute, or 0 where the driver does not know it.
int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

std::string reason_in_words(cudaError_t error, int count, const DeviceProbe& probe) {
    if (probe.driver_version == 0) return "no NVIDIA driver is installed";
    if (error == cudaErrorInsufficientDriver)
        return "the NVIDIA driver supports CUDA " + version_text(probe.driver_version) + ", this build needs " +
               version_text(probe.runtime_version);
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0))
        return "the NVIDIA driver shows no device (none is there, or CUDA_VISIBLE_DEVICES hides it)";
    return std::string("the NVIDIA driver answers: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
           ")";
}

DeviceInfo describe(int device, bool open) {
    DeviceInfo info;
    info.number = device;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
        info.name = properties.name;
        info.memory_total = properties.totalGlobalMem;
    }
    info.compute_major = attribute(cudaDevAttrComputeCapabilityMajor, device);
    info.compute_minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
    info.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
    // The clock is in kHz, the bus width in bits, and every kind of device memory moves two words per clock.
    info.bandwidth = 2.0e3 * attribute(cudaDevAttrMemoryClockRate, device) *
                     attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8.0;
    if (open) {
        int before = 0;
        std::size_t free = 0, total = 0;
        const bool known = cudaGetDevice(&before) == cudaSuccess;
        if (cudaSetDevice(device) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess)
            info.memory_free = free;
        if (known) cudaSetDevice(before);
    }
    return info;
}

}  // namespace

DeviceProbe probe_devices(bool open_devices) {
    DeviceProbe probe;
    probe.built_with_cuda = true;
    if (cudaDriverGetVersion(&probe.driver_version) != cudaSuccess) probe.driver_version = 0;
    if (cudaRuntimeGetVersion(&probe.runtime_version) != cudaSuccess) probe.runtime_version = 0;
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        probe.reason = reason_in_words(error, count, probe);
    else
        for (int device = 0; device < count; ++device) probe.devices.push_back(describe(device, open_devices));
    cudaGetLastError();  // Whatever went wrong above is told in `reason`; the next call's check must not find it.
    return probe;
}

}  // namespace scree::kernels
