// SPDX-License-Identifier: BSD-3-Clause
// Stands in for granular_step_cuda.cu in builds without nvcc.
#include "kernels/parallel/error.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::kernels {

std::unique_ptr<StepEngine> make_cuda_engine(const WorldDescription& /*world*/, bool /*double_precision*/) {
    throw DeviceError("this build has no CUDA backend (nvcc was not found when it was configured)");
}

}  // namespace scree::kernels
