// SPDX-License-Identifier: BSD-3-Clause
// A cone problem of plain arrays in the layout that the CPU's solvers work on, mixed precision.
#pragma once

#include "kernels/cone/cone_solver.hpp"
#include "kernels/parallel/cpu.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::app {

class PackedProblem {
public:
    static constexpr int W = kernels::Cpu::tile;

    explicit PackedProblem(const kernels::ProblemDownload& problem);

    [[nodiscard]] const kernels::ConeProblem<float, W>& view() const { return view_; }
    [[nodiscard]] kernels::Index contacts() const { return contacts_; }
    void set_zero(kernels::ConeSolution<kernels::Cpu, float>& solution) const;

private:
    template <class T>
    using Array = kernels::Array<T, kernels::Cpu>;

    kernels::Index contacts_ = 0;  ///< Without the padding.
    kernels::ConeProblem<float, W> view_;
    Array<float> rows_, velocity_, inverse_mass_;
    Array<kernels::Index> a_, b_, a_start_, b_start_, b_list_;
};

}  // namespace scree::app
