// SPDX-License-Identifier: BSD-3-Clause
// The checks of the CUDA backend in a build without it.
#include "kernels/parallel/backend_checks.hpp"
#include "kernels/parallel/error.hpp"

namespace scree::kernels::checks {
namespace {
[[noreturn]] void refuse() { throw DeviceError("built without CUDA"); }
}  // namespace

std::string run_on_cuda(int /*device*/, Check /*check*/, Index /*n*/) { refuse(); }
std::string run_cuda_reduction_shape(int /*device*/, Index /*n*/) { refuse(); }
std::string run_cuda_errors(int /*device*/) { refuse(); }
void provoke_cuda_fault(int /*device*/) { refuse(); }

}  // namespace scree::kernels::checks
