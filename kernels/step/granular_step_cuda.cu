// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/parallel/cuda.cuh"

#include "kernels/cone/projected_gradient_loop.cuh"

#include "kernels/step/granular_step_measure.hpp"
#include "kernels/step/granular_step_phases.hpp"
#include "kernels/step/granular_step_solve.hpp"
#include "kernels/step/granular_step_transfer.hpp"

namespace scree::kernels {

template <class Backend, class R>
std::size_t GranularStep<Backend, R>::threads() const {
    return 1;
}

std::unique_ptr<StepEngine> make_cuda_engine(const WorldDescription& world, bool double_precision) {
    if (double_precision) return std::make_unique<GranularStep<Cuda, double>>(world, Cuda(world.device));
    return std::make_unique<GranularStep<Cuda, float>>(world, Cuda(world.device));
}

}  // namespace scree::kernels
