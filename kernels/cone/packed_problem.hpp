// SPDX-License-Identifier: BSD-3-Clause
// A cone problem of plain arrays in the layout that the CPU's solvers work on, mixed precision.
#pragma once

#include "kernels/cone/cone_solver.hpp"
#include "kernels/parallel/cpu.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::kernels {

class PackedProblem {
public:
    static constexpr int W = Cpu::tile;

    explicit PackedProblem(const ProblemDownload& problem);

    [[nodiscard]] const ConeProblem<float, W>& view() const { return view_; }
    [[nodiscard]] Index contacts() const { return contacts_; }
    void set_zero(ConeSolution<Cpu, float>& solution) const;

private:
    Index contacts_ = 0;  ///< Without the padding.
    ConeProblem<float, W> view_;
    Array<float, Cpu> rows_, velocity_, inverse_mass_;
    Array<Index, Cpu> a_, b_, a_start_, b_start_, b_list_;
};

}  // namespace scree::kernels
