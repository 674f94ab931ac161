// SPDX-License-Identifier: BSD-3-Clause
// The solvers of tests on models of a device.
#include "tests/support/model_device.hpp"

#include "kernels/cone/make_solver.hpp"
#include "tests/support/solved.hpp"

namespace scree::test {

template <class Backend, class R>
std::unique_ptr<kernels::ConeSolver<Backend, R>> new_solver(kernels::SolverName name,
                                                            kernels::Scratch<Backend>& scratch) {
    return kernels::make_solver<Backend, R>(name, scratch);
}
using Host = ModelDevice<LoopForm::host>;
using Graph = ModelDevice<LoopForm::graph>;
using Persistent = ModelDevice<LoopForm::persistent>;
template std::unique_ptr<kernels::ConeSolver<Host, float>> new_solver<Host, float>(kernels::SolverName,
                                                                                   kernels::Scratch<Host>&);
template std::unique_ptr<kernels::ConeSolver<Graph, float>> new_solver<Graph, float>(kernels::SolverName,
                                                                                     kernels::Scratch<Graph>&);
template std::unique_ptr<kernels::ConeSolver<Persistent, float>> new_solver<Persistent, float>(
    kernels::SolverName, kernels::Scratch<Persistent>&);
template std::unique_ptr<kernels::ConeSolver<Persistent, double>> new_solver<Persistent, double>(
    kernels::SolverName, kernels::Scratch<Persistent>&);

}  // namespace scree::test
