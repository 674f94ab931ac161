// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/parallel/cpu.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace scree::kernels {

struct Cpu::Arena {
    explicit Arena(int threads)
        : limit(tbb::global_control::max_allowed_parallelism, std::size_t(threads)), arena(threads) {}
    tbb::global_control limit;  ///< More threads than cores are given too.
    tbb::task_arena arena;
};

Cpu::Cpu(std::size_t threads)
    : threads_(threads > 0 ? threads : std::size_t(std::max(1, tbb::info::default_concurrency()))) {
    if (threads_ > 1) arena_ = std::make_unique<Arena>(int(threads_));
}
Cpu::~Cpu() = default;
Cpu::Cpu(Cpu&&) noexcept = default;
Cpu& Cpu::operator=(Cpu&&) noexcept = default;

void Cpu::run_parallel(Index n, Index grain, const Range& body) const {
    // A few parts per thread, taken as threads get free: some parts have more contacts than others, and the system
    // delays threads.
    const Index parts = std::min<Index>(Index(threads_) * 4, std::max<Index>(1, n / grain));
    arena_->arena.execute([&] {
        tbb::parallel_for(
            Index(0), parts,
            [&](Index part) {
                const auto edge = [&](Index p) { return Index(std::int64_t(n) * p / parts); };
                if (edge(part) < edge(part + 1)) body(edge(part), edge(part + 1));
            },
            tbb::simple_partitioner());
    });
}

Index Cpu::exclusive_scan(Index* values, Index n) {
    // One pass of a few ns per item; its input was just written and is still in the cache.
    Index total = 0;
    for (Index i = 0; i < n; ++i) {
        const Index value = values[i];
        values[i] = total;
        total += value;
    }
    values[n] = total;
    return total;
}

void Cpu::sort_pairs(std::uint64_t* keys, Index* values, std::uint64_t* scratch_keys, Index* scratch_values, Index n,
                     int bits) {
    // Least-significant-digit radix sort, 11 bits a pass; up to 16 bits in one where there are as many items. Each
    // thread counts and scatters its own contiguous part, so that the result is the stable order whatever the number of
    // parts.
    const Index parts = n < 1 << 14 ? 1 : Index(threads_);
    const int digit_bits = bits <= 16 && (n / parts >> bits) > 0 ? bits : 11;
    const std::size_t buckets = std::size_t(1) << digit_bits;
    const auto edge = [&](Index p) { return Index(std::int64_t(n) * p / parts); };
    counts_.resize(buckets * std::size_t(parts));
    std::uint64_t *from_keys = keys, *to_keys = scratch_keys;
    Index *from_values = values, *to_values = scratch_values;
    for (int shift = 0; shift < bits; shift += digit_bits) {
        // The last digit may be narrower: bits from `bits` on do not count.
        const std::uint64_t digit = (std::uint64_t(1) << std::min(digit_bits, bits - shift)) - 1;
        std::fill(counts_.begin(), counts_.end(), 0);
        run(parts, 1, [&](Index begin, Index end) {
            for (Index p = begin; p < end; ++p) {
                Index* count = counts_.data() + buckets * std::size_t(p);
                for (Index i = edge(p); i < edge(p + 1); ++i) ++count[(from_keys[i] >> shift) & digit];
            }
        });
        Index total = 0;
        for (std::size_t b = 0; b < buckets; ++b)
            for (Index p = 0; p < parts; ++p) {
                Index& count = counts_[buckets * std::size_t(p) + b];
                const Index here = count;
                count = total;
                total += here;
            }
        run(parts, 1, [&](Index begin, Index end) {
            for (Index p = begin; p < end; ++p) {
                Index* next = counts_.data() + buckets * std::size_t(p);
                for (Index i = edge(p); i < edge(p + 1); ++i) {
                    const Index to = next[(from_keys[i] >> shift) & digit]++;
                    to_keys[to] = from_keys[i];
                    to_values[to] = from_values[i];
                }
            }
        });
        std::swap(from_keys, to_keys);
        std::swap(from_values, to_values);
    }
    if (from_keys != keys) {
        std::copy(from_keys, from_keys + n, keys);
        std::copy(from_values, from_values + n, values);
    }
}

}  // namespace scree::kernels
