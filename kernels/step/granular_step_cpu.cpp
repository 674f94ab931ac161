// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set, SCREE_MAKE_CPU_ENGINE being the name of its entry.
#include "kernels/parallel/cpu.hpp"

#include "kernels/step/granular_step_measure.hpp"
#include "kernels/step/granular_step_phases.hpp"
#include "kernels/step/granular_step_solve.hpp"
#include "kernels/step/granular_step_transfer.hpp"

namespace scree::kernels {

template <class Backend, class R>
std::size_t GranularStep<Backend, R>::threads() const {
    return backend_.threads();
}

std::unique_ptr<StepEngine> SCREE_MAKE_CPU_ENGINE(const WorldDescription& world, bool double_precision);
std::unique_ptr<StepEngine> SCREE_MAKE_CPU_ENGINE(const WorldDescription& world, bool double_precision) {
    Cpu cpu(world.threads);
    if (double_precision) return std::make_unique<GranularStep<Cpu, double>>(world, std::move(cpu));
    return std::make_unique<GranularStep<Cpu, float>>(world, std::move(cpu));
}

}  // namespace scree::kernels
