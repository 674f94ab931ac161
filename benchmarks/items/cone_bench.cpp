// SPDX-License-Identifier: BSD-3-Clause
// The projection onto the friction cone, alone and on data in the first-level cache: one lane at a time and in packets.
// The loop over single lanes has no branch: compilers make packets of their own of it, as wide as the machine's.
// Counter projections/s, one thread, CPU time.
#include "kernels/items/friction_cone.hpp"
#include "kernels/parallel/cpu.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace scree::benchmarks {
namespace {

using kernels::Lanes;
using kernels::LaneTraits;

constexpr std::size_t contacts = 1024;

/// Normal parts, three lengths, results; a third of the projections lies inside, on and outside the cone each.
template <class R>
struct Samples {
    std::vector<R> a, b[3], x, scale;
    Samples() : a(contacts), x(contacts), scale(contacts) {
        std::mt19937 random(1);
        std::uniform_real_distribution<R> uniform(R(-1), R(1));
        for (R& value : a) value = uniform(random);
        for (auto& lengths : b) {
            lengths.resize(contacts);
            for (R& value : lengths) value = R(1) + uniform(random);
        }
    }
};

void count(benchmark::State& state) {
    state.counters["projections/s"] =
        benchmark::Counter(double(state.iterations()) * double(contacts), benchmark::Counter::kIsRate);
}

template <class P>
void sliding(benchmark::State& state) {
    using R = typename LaneTraits<P>::Scalar;
    Samples<R> s;
    for (auto _ : state) {
        for (std::size_t i = 0; i < contacts; i += std::size_t(LaneTraits<P>::lanes)) {
            const P a = Lanes<P>::load(&s.a[i]), b = Lanes<P>::load(&s.b[0][i]);
            const P x = kernels::project_normal(a, b, P(R(0.5)), P(R(1)), P(R(0.3)));
            Lanes<P>::store(&s.x[i], x);
            Lanes<P>::store(&s.scale[i], kernels::cone_scale(b, P(R(0.5)) * x));
        }
        benchmark::ClobberMemory();
    }
    count(state);
}
BENCHMARK_TEMPLATE(sliding, float);
BENCHMARK_TEMPLATE(sliding, double);
BENCHMARK_TEMPLATE(sliding, kernels::Cpu::Lane<float>);
BENCHMARK_TEMPLATE(sliding, kernels::Cpu::Lane<double>);

template <class P>
void rolling(benchmark::State& state) {
    using R = typename LaneTraits<P>::Scalar;
    Samples<R> s;
    for (auto _ : state) {
        for (std::size_t i = 0; i < contacts; i += std::size_t(LaneTraits<P>::lanes)) {
            const P lengths[3] = {Lanes<P>::load(&s.b[0][i]), Lanes<P>::load(&s.b[1][i]), Lanes<P>::load(&s.b[2][i])};
            const P coefficients[3] = {P(R(0.5)), P(R(0.1)), P(R(0.05))};
            const P inverse_weights[3] = {P(R(0.3)), P(R(0.2)), P(R(0.2))};
            Lanes<P>::store(&s.x[i], kernels::project_normal(Lanes<P>::load(&s.a[i]), lengths, coefficients, P(R(1)),
                                                             inverse_weights));
        }
        benchmark::ClobberMemory();
    }
    count(state);
}
BENCHMARK_TEMPLATE(rolling, float);
BENCHMARK_TEMPLATE(rolling, kernels::Cpu::Lane<float>);

}  // namespace
}  // namespace scree::benchmarks
