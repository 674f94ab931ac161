// SPDX-License-Identifier: BSD-3-Clause
// The radix sort of (key, slot) pairs that the broad phase and the partner lists use, on keys in random order.
// Counter pairs/s: by CPU time on one thread, by wall time on two.
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/cpu.hpp"

#include <benchmark/benchmark.h>

#include <numeric>
#include <random>
#include <vector>

namespace scree::benchmarks {
namespace {

using kernels::Cpu;
using kernels::Index;

/// Arguments: pairs, bits of the key, threads.
void sort_pairs(benchmark::State& state) {
    const auto n = std::size_t(state.range(0));
    const int bits = int(state.range(1));
    Cpu cpu(std::size_t(state.range(2)));
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> unsorted(n), keys(n), other_keys(n);
    for (auto& key : unsorted) key = random() >> (64 - bits);
    std::vector<Index> values(n), other_values(n);
    for (auto _ : state) {
        state.PauseTiming();
        keys = unsorted;
        std::iota(values.begin(), values.end(), Index(0));
        state.ResumeTiming();
        cpu.sort_pairs(keys.data(), values.data(), other_keys.data(), other_values.data(), Index(n), bits);
        benchmark::ClobberMemory();
    }
    state.counters["pairs/s"] = benchmark::Counter(double(state.iterations()) * double(n), benchmark::Counter::kIsRate);
}

// As many bits as a grid with one body per cell has, and as many as ten levels or a sparse space would ask for.
void on_one_thread(benchmark::internal::Benchmark* b) {
    b->ArgNames({"pairs", "bits", "threads"})->Unit(benchmark::kMicrosecond);
    for (const std::int64_t n : {10000, 100000, 1000000})
        for (const std::int64_t bits : {22, 33}) b->Args({n, bits, 1});
}
void on_two_threads(benchmark::internal::Benchmark* b) {
    b->ArgNames({"pairs", "bits", "threads"})->Unit(benchmark::kMicrosecond)->UseRealTime();
    for (const std::int64_t n : {10000, 100000, 1000000}) b->Args({n, 22, 2});
}
BENCHMARK(sort_pairs)->Apply(on_one_thread);
BENCHMARK(sort_pairs)->Apply(on_two_threads);

}  // namespace
}  // namespace scree::benchmarks
