// SPDX-License-Identifier: BSD-3-Clause
// A backend whose loops are the block-level schemes of the CUDA backend, run sequentially on the host: same tiles, same
// items, same shape of sums. What a GPU would compute, up to the rounding of its fused operations.
#pragma once

#include "kernels/cone/projected_gradient_blocks.hpp"
#include "kernels/items/rows_of_eight.hpp"
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/sequential_block.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace scree::test {

/// Which form of the solver's loop is modelled.
enum class LoopForm { host, graph, persistent };

template <LoopForm form>
class ModelDevice {
public:
    static constexpr const char* name = "model";
    static constexpr int tile = 32;
    template <class R>
    using Lane = R;
    template <class R>
    using Row = kernels::ScalarRow<R>;

    template <class Item>
    void for_each(kernels::Index n, const Item& item) const {
        for (kernels::Index i = 0; i < n; ++i) item(i);
    }
    template <class R, class Item>
    void for_each_tile(kernels::Index n, const Item& item) const {
        for (kernels::Index i = 0; i < n; ++i) item.template operator()<R>(i);
    }
    template <class R, int S, int M, class Item>
    [[nodiscard]] kernels::Reduction<S, M> reduce_tiles(kernels::Index n, const Item& item) {
        return kernels::modelled_reduction<R, S, M, true>(n, item);
    }
    template <class R, int S, int M, class ItemOf>
    [[nodiscard]] kernels::Reduction<S, M> reduce_tiles_in_turn(std::span<const kernels::Index> parts,
                                                                const ItemOf& item_of) {
        kernels::Reduction<S, M> total;
        for (std::size_t k = 0; k + 1 < parts.size(); ++k)
            kernels::add(reduce_tiles<R, S, M>(parts[k + 1] - parts[k], item_of(k)), total);
        return total;
    }
    template <class R, int S, int M, class Item>
    [[nodiscard]] kernels::Reduction<S, M> reduce(kernels::Index n, const Item& item) {
        return kernels::modelled_reduction<R, S, M, false>(n, item);
    }
    template <class R, int S, class Item>
    [[nodiscard]] kernels::Reduction<S, 0> reduce_rows(kernels::Index n, const Item& item) {
        return kernels::modelled_reduction<R, S, 0, false>(n, item);
    }
    void sort_pairs(std::uint64_t* keys, kernels::Index* values, std::uint64_t*, kernels::Index*, kernels::Index n,
                    int) const {
        std::vector<std::pair<std::uint64_t, kernels::Index>> pairs;
        for (kernels::Index i = 0; i < n; ++i) pairs.emplace_back(keys[i], values[i]);
        std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (kernels::Index i = 0; i < n; ++i) std::tie(keys[i], values[i]) = pairs[std::size_t(i)];
    }
};

/// A grid of sequential blocks with one control for all: they would all decide the same.
class SequentialGrid {
public:
    SequentialGrid(unsigned blocks, kernels::ProjectedGradientControl& control) : blocks_(blocks), control_(control) {}
    [[nodiscard]] unsigned blocks() const { return blocks_; }
    [[nodiscard]] const kernels::ProjectedGradientControl& control() const { return control_; }
    template <class Pass>
    void pass(const Pass& pass) {
        for (unsigned b = 0; b < blocks_; ++b) {
            kernels::SequentialBlock block(b, blocks_);
            pass(block, memory_);
        }
    }
    template <class Decision>
    void decide(const Decision& decision) {
        kernels::SequentialBlock block(0, blocks_);
        decision(block, memory_, control_);
    }

private:
    unsigned blocks_;
    kernels::ProjectedGradientControl& control_;
    kernels::LoopMemory memory_;
};

/// The loop as its kernels would run it.
template <LoopForm form, class R, kernels::RowKind K>
void run_modelled_loop(const kernels::ProjectedGradientData<R, 32>& data, kernels::ProjectedGradientControl& control) {
    using kernels::LoopPass;
    // Nothing may be read before it is written: start from numbers that would show.
    std::vector<double> partials(std::size_t(kernels::most_reduction_blocks) * kernels::persistent_columns(), 1e300);
    if constexpr (form == LoopForm::persistent) {
        SequentialGrid grid(kernels::persistent_blocks(data), control);
        kernels::persistent_loop<R, 32, K>(grid, data, partials.data());
    } else {
        unsigned arrived = 0;
        kernels::LoopMemory memory;
        const auto launch = [&]<LoopPass pass>() {
            const unsigned blocks = kernels::loop_blocks<pass>(data);
            for (unsigned b = 0; b < blocks; ++b) {
                kernels::SequentialBlock block(b, blocks);
                kernels::loop_block<pass, R, 32, K>(block, memory, data, &control, partials.data(), &arrived);
            }
        };
        while (control.running) {
            launch.template operator()<LoopPass::contacts>();
            launch.template operator()<LoopPass::bodies>();
            if (control.certify) launch.template operator()<LoopPass::certificate>();
        }
    }
}

}  // namespace scree::test

namespace scree::kernels {

template <test::LoopForm form>
struct Memory<test::ModelDevice<form>> {
    static void* allocate(std::size_t bytes) { return ::operator new(bytes, std::align_val_t(64)); }
    static void release(void* memory) noexcept { ::operator delete(memory, std::align_val_t(64)); }
    static void copy(void* to, const void* from, std::size_t bytes) { std::memmove(to, from, bytes); }
    static void copy_in(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
    static void copy_out(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

template <test::LoopForm form, class R>
requires(form != test::LoopForm::host) class ProjectedGradientLoop<test::ModelDevice<form>, R> {
public:
    template <RowKind K>
    void run(test::ModelDevice<form>&, const ProjectedGradientData<R, 32>& data, ProjectedGradientControl& control) {
        test::run_modelled_loop<form, R, K>(data, control);
    }
};

}  // namespace scree::kernels
