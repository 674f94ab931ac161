// SPDX-License-Identifier: BSD-3-Clause
// The table of cone solvers. A new solver is one header beside this one and one line here.
#pragma once

#include "kernels/cone/gauss_seidel.hpp"
#include "kernels/cone/projected_gradient.hpp"
#include "kernels/step/step_engine.hpp"

#include <memory>

namespace scree::kernels {

template <class Backend, class R>
[[nodiscard]] std::unique_ptr<ConeSolver<Backend, R>> make_solver(SolverName name, Scratch<Backend>& scratch) {
    switch (name) {
        case SolverName::apgd:
            return std::make_unique<ProjectedGradientSolver<Backend, R>>(Momentum::nesterov, scratch);
        case SolverName::projected_jacobi:
            return std::make_unique<ProjectedGradientSolver<Backend, R>>(Momentum::none, scratch);
        case SolverName::conjugate:
            return std::make_unique<ProjectedGradientSolver<Backend, R>>(Momentum::conjugate, scratch);
        case SolverName::gauss_seidel:
            return std::make_unique<GaussSeidelSolver<Backend, R>>(scratch);
    }
    return nullptr;
}

}  // namespace scree::kernels
