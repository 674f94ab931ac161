// SPDX-License-Identifier: BSD-3-Clause
// The passes of the projected gradient loop as block-level schemes (parallel/block.hpp): what the CUDA kernels of
// projected_gradient_loop.cuh run, and the sequential model in tests.
//
// In the graph form each pass is a launch whose last block decides. In the persistent form one grid stays for the whole
// loop: after each pass all blocks reduce the partial results and come to the same decision, so that a pass costs one
// barrier of the grid.
#pragma once

#include "kernels/cone/projected_gradient_loop.hpp"
#include "kernels/parallel/block.hpp"

namespace scree::kernels {

/// Columns of the largest reduction: the residual's two sums and three maxima.
inline constexpr int loop_columns = 5;
using LoopMemory = BlockMemory<loop_columns>;

/// Which pass.
enum class LoopPass : int { contacts, bodies, certificate };

/// One block's part of a launched pass; the last block decides and says so. `control` is in the memory of the device.
template <LoopPass pass, class R, int W, RowKind K, class Block>
SCREE_HD bool loop_block(Block& block, LoopMemory& memory, const ProjectedGradientData<R, W>& data,
                         ProjectedGradientControl* control, double* partials, unsigned* arrived) {
    bool last = false;
    if constexpr (pass == LoopPass::contacts) {
        Reduction<4, 0> sums;
        last = reduce_all<R, 4, 0, true>(block, data.problem.contacts, data.template contact_item<K>(*control), memory,
                                         partials, arrived, sums);
        if (last) block.once([&] { control->after_contacts(sums); });
    } else if constexpr (pass == LoopPass::bodies) {
        Reduction<2, 0> sums;
        last =
            reduce_all<R, 2, 0, false>(block, data.problem.bodies, data.template body_item<ScalarRow<R>, K>(*control),
                                       memory, partials, arrived, sums);
        if (last) block.once([&] { control->after_bodies(sums); });
    } else {
        Reduction<2, 3> sums;
        last = reduce_all<R, 2, 3, true>(block, data.problem.contacts, data.template residual_item<K>(*control), memory,
                                         partials, arrived, sums);
        if (last) block.once([&] { control->after_certificate(ResidualReport::of(sums, control->contacts)); });
    }
    return last;
}

/// Blocks of the passes over contacts and over bodies.
template <LoopPass pass, class R, int W>
[[nodiscard]] SCREE_HD unsigned loop_blocks(const ProjectedGradientData<R, W>& data) {
    const unsigned blocks = reduction_blocks(pass == LoopPass::bodies ? data.problem.bodies : data.problem.contacts);
    return blocks > 0 ? blocks : 1;
}

/// Blocks of the persistent form: those of its larger pass.
template <class R, int W>
[[nodiscard]] SCREE_HD unsigned persistent_blocks(const ProjectedGradientData<R, W>& data) {
    const unsigned of_contacts = loop_blocks<LoopPass::contacts>(data), of_bodies = loop_blocks<LoopPass::bodies>(data);
    return of_contacts > of_bodies ? of_contacts : of_bodies;
}

/// The whole loop by one grid of persistent_blocks(). grid.pass(f) calls f(block, memory) for its blocks and ends with
/// a barrier of the grid; grid.decide(f) calls f(block, memory, control) on each block's own copy of the control. A
/// pass has the blocks that it has when launched alone, so that its sums have the same shape; others wait at the
/// barrier.
template <class R, int W, RowKind K, class Grid>
SCREE_HD void persistent_loop(Grid& grid, const ProjectedGradientData<R, W>& data, double* partials) {
    const unsigned contact_blocks = loop_blocks<LoopPass::contacts>(data);
    const unsigned body_blocks = loop_blocks<LoopPass::bodies>(data);
    // Each pass has its own partial results: a block may be a pass ahead of one that still reads.
    double* const of_contacts = partials;
    double* const of_bodies = of_contacts + 4 * contact_blocks;
    double* const of_certificate = of_bodies + 2 * body_blocks;
    while (grid.control().running) {
        grid.pass([&](auto& block, LoopMemory& memory) {
            if (block.index() >= contact_blocks) return;
            reduce_share<R, 4, 0, true>(block, data.problem.contacts, contact_blocks,
                                        data.template contact_item<K>(grid.control()), memory, of_contacts);
        });
        grid.decide([&](auto& block, LoopMemory& memory, ProjectedGradientControl& control) {
            const auto sums = reduce_partials<4, 0>(block, contact_blocks, of_contacts, memory);
            block.once([&] { control.after_contacts(sums); });
        });
        grid.pass([&](auto& block, LoopMemory& memory) {
            if (block.index() >= body_blocks) return;
            reduce_share<R, 2, 0, false>(block, data.problem.bodies, body_blocks,
                                         data.template body_item<ScalarRow<R>, K>(grid.control()), memory, of_bodies);
        });
        grid.decide([&](auto& block, LoopMemory& memory, ProjectedGradientControl& control) {
            const auto sums = reduce_partials<2, 0>(block, body_blocks, of_bodies, memory);
            block.once([&] { control.after_bodies(sums); });
        });
        if (!grid.control().certify) continue;
        grid.pass([&](auto& block, LoopMemory& memory) {
            if (block.index() >= contact_blocks) return;
            reduce_share<R, 2, 3, true>(block, data.problem.contacts, contact_blocks,
                                        data.template residual_item<K>(grid.control()), memory, of_certificate);
        });
        grid.decide([&](auto& block, LoopMemory& memory, ProjectedGradientControl& control) {
            const auto sums = reduce_partials<2, 3>(block, contact_blocks, of_certificate, memory);
            block.once([&] { control.after_certificate(ResidualReport::of(sums, control.contacts)); });
        });
    }
}
/// Doubles of partial results that the persistent form needs.
[[nodiscard]] constexpr int persistent_columns() { return 4 + 2 + loop_columns; }

}  // namespace scree::kernels
