// SPDX-License-Identifier: BSD-3-Clause
// Tests that need a CUDA device. Their names hold "Gpu" (the label gpu is made from it); those that a sanitizer can run
// in seconds also hold "Small". They skip without a device, and fail instead when SCREE_REQUIRE_GPU=1.
#pragma once

#include "kernels/parallel/devices.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace scree::test {

/// Whether a missing device is a failure.
inline bool gpu_required() {
    const char* value = std::getenv("SCREE_REQUIRE_GPU");
    return value != nullptr && std::string(value) == "1";
}

}  // namespace scree::test

/// First line of a test that needs a device. A macro, because only the test's own function can leave the test.
#define SCREE_SKIP_WITHOUT_GPU()                                                                                  \
    do {                                                                                                          \
        const ::scree::kernels::DeviceProbe probe = ::scree::kernels::probe_devices();                            \
        if (!probe.devices.empty()) break;                                                                        \
        if (::scree::test::gpu_required()) FAIL() << "no CUDA device, and SCREE_REQUIRE_GPU=1: " << probe.reason; \
        GTEST_SKIP() << "no CUDA device: " << probe.reason;                                                       \
    } while (false)
