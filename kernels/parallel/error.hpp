// SPDX-License-Identifier: BSD-3-Clause
// What kernels throw. The engine turns these into model::Error with the user's names.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace scree::kernels {

/// A backend could not give memory.
class OutOfMemory : public std::runtime_error {
public:
    /// `detail` continues the sentence: what is free, what to reduce.
    OutOfMemory(const char* backend, std::size_t bytes_, const std::string& detail = "")
        : std::runtime_error(std::string("out of ") + backend + " memory: " +
                             std::to_string(bytes_ / (1024 * 1024) + 1) + " MiB more were asked for" + detail),
          bytes(bytes_) {}
    std::size_t bytes;
};

/// The device or its driver failed, or is not there.
class DeviceError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The state is no longer a number, or a body left the world.
class NumericalError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace scree::kernels
