// SPDX-License-Identifier: BSD-3-Clause
// The solvers of tests on the CPU backend.
#include "kernels/cone/make_solver.hpp"
#include "kernels/parallel/cpu.hpp"
#include "tests/support/solved.hpp"

namespace scree::test {

using kernels::Cpu;

template <class Backend, class R>
std::unique_ptr<kernels::ConeSolver<Backend, R>> new_solver(kernels::SolverName name,
                                                            kernels::Scratch<Backend>& scratch) {
    return kernels::make_solver<Backend, R>(name, scratch);
}
template std::unique_ptr<kernels::ConeSolver<Cpu, float>> new_solver<Cpu, float>(kernels::SolverName,
                                                                                 kernels::Scratch<Cpu>&);
template std::unique_ptr<kernels::ConeSolver<Cpu, double>> new_solver<Cpu, double>(kernels::SolverName,
                                                                                   kernels::Scratch<Cpu>&);

}  // namespace scree::test
