// SPDX-License-Identifier: BSD-3-Clause
// The device probe of a build without nvcc.
#include "kernels/parallel/devices.hpp"

namespace scree::kernels {

DeviceProbe probe_devices(bool /*open_devices*/) {
    DeviceProbe probe;
    probe.reason = "built without CUDA (no nvcc was found, or SCREE_CUDA was off)";
    return probe;
}

}  // namespace scree::kernels
