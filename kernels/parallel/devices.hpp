// SPDX-License-Identifier: BSD-3-Clause
// Which CUDA devices this process can use, in plain C++: every build has it, also those without nvcc.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace scree::kernels {

struct DeviceInfo {
    int number = 0;  ///< What `--device` takes.
    std::string name;
    int compute_major = 0;
    int compute_minor = 0;
    std::size_t memory_total = 0;  ///< Bytes.
    std::size_t memory_free = 0;   ///< Bytes; 0 when the device was not opened to ask.
    int multiprocessors = 0;
    double bandwidth = 0;  ///< Of the device's memory, from its clock and bus width [bytes/s]; 0 when unknown.
};

struct DeviceProbe {
    bool built_with_cuda = false;
    std::string reason;  ///< In words, why there is no device; empty when there is one.
    std::vector<DeviceInfo> devices;
    int driver_version = 0;   ///< CUDA version the driver supports, 1000 major + 10 minor; 0 without a driver.
    int runtime_version = 0;  ///< CUDA version of the build, likewise.
};

/// Asks the driver once. Any error counts as "no device" and is cleared, so that the caller can go on with the CPU.
/// `open_devices` also fills memory_free, which makes a context on each device (some 0.3 s and 0.3 GB of its memory).
/// Throws nothing of its own.
[[nodiscard]] DeviceProbe probe_devices(bool open_devices = false);

}  // namespace scree::kernels
