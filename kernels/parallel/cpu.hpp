// SPDX-License-Identifier: BSD-3-Clause
// The CPU backend: threads from oneTBB, packets for the hot loops.
//
// Invariants (every backend keeps them):
//  1. Same input, same bits, on every run; on the CPU also for every number of threads.
//  2. Sums have a fixed shape: blocks of `reduction_block` items in index order, then the blocks in index order.
//  3. Nothing is left running when a call returns a value to the host.
#pragma once

#include "kernels/items/real.hpp"
#include "kernels/parallel/packet.hpp"
#include "kernels/parallel/packet_rows.hpp"
#include "kernels/parallel/reduction.hpp"
#include "kernels/parallel/subnormals.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace scree::kernels {

class Cpu {
public:
    static constexpr const char* name = "cpu";
    /// Contacts per tile of the contact rows: one packet.
    static constexpr int tile = 8;
    static constexpr Index reduction_block = 4096;
    /// Of reductions in turn, whose parts are short.
    static constexpr Index turn_block = 1024;
    template <class R>
    using Lane = Packet<R, tile>;
    template <class R>
    using Row = Packet<R, 8>;
    /// For passes beside the solver: a register of 256 bits. Wider ones slow the clock of some processors.
    using DoubleLane = Packet<double, 4>;

    /// `threads` = 0 takes all cores.
    explicit Cpu(std::size_t threads = 0);
    ~Cpu();
    Cpu(Cpu&&) noexcept;
    Cpu& operator=(Cpu&&) noexcept;

    [[nodiscard]] std::size_t threads() const { return threads_; }

    /// Calls item(i) for 0 <= i < n, in any order.
    template <class Item>
    void for_each(Index n, const Item& item) const {
        run(n, 256, [&item](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) item(i);
        });
    }

    /// Calls item.template operator()<P>(first) for each tile of `tile` items; n is a multiple of `tile`.
    template <class R, class Item>
    void for_each_tile(Index n, const Item& item) const {
        run(n / tile, 32, [&item](Index begin, Index end) {
            for (Index t = begin; t < end; ++t) item.template operator()<Lane<R>>(t * tile);
        });
    }

    /// The same with sums and maxima: item.template operator()<P>(first, Accumulator<P, S, M>&).
    template <class R, int S, int M, class Item>
    [[nodiscard]] Reduction<S, M> reduce_tiles(Index n, const Item& item) {
        return reduce_blocks<S, M>(n, reduction_block, block_of_tiles<R, S, M>(item));
    }

    /// The same over parts one after the other: items of part k, parts[k] <= first < parts[k + 1], whole tiles, see
    /// what those before have done. item_of(k) is called as item(first - parts[k], acc).
    template <class R, int S, int M, class ItemOf>
    [[nodiscard]] Reduction<S, M> reduce_tiles_in_turn(std::span<const Index> parts, const ItemOf& item_of) {
        Reduction<S, M> total;
        for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
            const auto item = item_of(k);
            add(reduce_blocks<S, M>(parts[k + 1] - parts[k], turn_block, block_of_tiles<R, S, M>(item)), total);
        }
        return total;
    }

    /// Sums and maxima over single items: item(i, Accumulator<R, S, M>&).
    template <class R, int S, int M, class Item>
    [[nodiscard]] Reduction<S, M> reduce(Index n, const Item& item) {
        return reduce_blocks<S, M>(n, reduction_block, [&item](Index begin, Index end, Reduction<S, M>& partial) {
            Accumulator<R, S, M> acc{};
            for (Index i = begin; i < end; ++i) item(i, acc);
            for (int k = 0; k < S; ++k) partial.sum[k] = double(acc.sum[k]);
            for (int k = 0; k < M; ++k) partial.max[k] = double(acc.max[k]);
        });
    }

    /// The same over bodies whose sums are kept in rows of eight: item(i, Accumulator<Row<R>, S, 0>&). The sums of all
    /// elements are returned.
    template <class R, int S, class Item>
    [[nodiscard]] Reduction<S, 0> reduce_rows(Index n, const Item& item) {
        return reduce_blocks<S, 0>(n, reduction_block, [&item](Index begin, Index end, Reduction<S, 0>& partial) {
            Accumulator<Row<R>, S, 0> acc;
            for (auto& s : acc.sum) s = Row<R>(R(0));
            for (Index i = begin; i < end; ++i) item(i, acc);
            for (int k = 0; k < S; ++k) partial.sum[k] = double(acc.sum[k].sum());
        });
    }

    /// Exclusive prefix sum of values[0..n); values[n] receives the total, which is returned.
    Index exclusive_scan(Index* values, Index n);

    /// Stable sort of (key, value) pairs by the low `bits` bits of the key. The scratch arrays hold n items each; the
    /// result is in keys and values.
    void sort_pairs(std::uint64_t* keys, Index* values, std::uint64_t* scratch_keys, Index* scratch_values, Index n,
                    int bits);

    void synchronize() const {}

    /// Names the phase and step that errors of the following calls mention. Nothing fails late on the CPU: no effect.
    void enter(const char* /*phase*/, std::int64_t /*step*/) {}

private:
    struct Arena;
    using Range = std::function<void(Index, Index)>;

    /// One part of a loop. Never inlined or cloned, so that one thread and several run the same machine code: a second
    /// copy, inlined elsewhere, may contract multiply-adds in another way and differ in the last bit.
    template <class Body>
#if defined(__GNUC__) && !defined(__clang__)
    [[gnu::noinline, gnu::noclone]]
#else
    [[gnu::noinline]]
#endif
    static void
    run_part(const Body& body, Index begin, Index end) {
        const FlushSubnormals flush;  // on every thread alike: results must not depend on their number
        body(begin, end);
    }

    /// Splits [0, n) into one contiguous part per thread (fewer when parts would be shorter than `grain`).
    template <class Body>
    void run(Index n, Index grain, const Body& body) const {
        if (threads_ == 1 || n < 2 * grain) {
            if (n > 0) run_part(body, Index(0), n);
            return;
        }
        run_parallel(n, grain, [&body](Index begin, Index end) { run_part(body, begin, end); });
    }
    void run_parallel(Index n, Index grain, const Range& body) const;

    template <class R, int S, int M, class Item>
    [[nodiscard]] static auto block_of_tiles(const Item& item) {
        return [&item](Index begin, Index end, Reduction<S, M>& partial) {
            Accumulator<Lane<R>, S, M> acc;
            for (auto& s : acc.sum) s = Lane<R>(R(0));
            for (auto& m : acc.max) m = Lane<R>(R(0));
            for (Index first = begin; first < end; first += tile) item.template operator()<Lane<R>>(first, acc);
            for (int k = 0; k < S; ++k) partial.sum[k] = double(acc.sum[k].sum());
            for (int k = 0; k < M; ++k) partial.max[k] = double(acc.max[k].maximum());
        };
    }

    template <int S, int M, class Block>
    Reduction<S, M> reduce_blocks(Index n, Index block_size, const Block& block) {
        const Index blocks = (n + block_size - 1) / block_size;
        partials_.resize(std::size_t(blocks) * (S + M));
        run(blocks, 1, [&](Index begin, Index end) {
            for (Index b = begin; b < end; ++b) {
                Reduction<S, M> partial;
                const Index last = (b + 1) * block_size < n ? (b + 1) * block_size : n;
                block(b * block_size, last, partial);
                double* row = partials_.data() + std::size_t(b) * (S + M);
                for (int k = 0; k < S; ++k) row[k] = partial.sum[k];
                for (int k = 0; k < M; ++k) row[S + k] = partial.max[k];
            }
        });
        Reduction<S, M> total;
        for (Index b = 0; b < blocks; ++b) {
            Reduction<S, M> partial;
            const double* row = partials_.data() + std::size_t(b) * (S + M);
            for (int k = 0; k < S; ++k) partial.sum[k] = row[k];
            for (int k = 0; k < M; ++k) partial.max[k] = row[S + k];
            add(partial, total);
        }
        return total;
    }

    std::size_t threads_ = 1;
    std::unique_ptr<Arena> arena_;
    std::vector<double> partials_;
    std::vector<Index> counts_;
};

}  // namespace scree::kernels
