// SPDX-License-Identifier: BSD-3-Clause
// The cone solver's passes, alone and together, on settled piles and on a set that exceeds the caches.
//
// Arguments: bed, threads. With one thread, rates are by CPU time, which other jobs on the machine hardly disturb; with
// more, by wall time. Counters:
//   contacts/s        contact-iterations per second
//   bytes/s           as counted in kernels/cone/pass_bytes.hpp
//   of_copy           bytes/s over the bandwidth of a copy on as many threads in this process: of wall
//                     time, so that other jobs on the machine make it look small and the fraction large
//   residual          of a solve: certified RMS over g h
#include "apps/scree/copy_bandwidth.hpp"
#include "benchmarks/cone/beds.hpp"
#include "kernels/cone/make_solver.hpp"
#include "kernels/cone/packed_problem.hpp"
#include "kernels/cone/pass_bytes.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace scree::benchmarks {
namespace {

using kernels::Cpu;
using kernels::Index;
constexpr int W = Cpu::tile;
using ContactPass = kernels::ProjectedStepItem<float, W, kernels::RowKind::sliding>;
using BodyPass = kernels::BodyVelocityItem<float, W, Cpu::Row<float>, kernels::RowKind::sliding>;

constexpr std::array<const char*, 4> bed_names = {"pile_1000", "pile_8000", "pile_32000", "lattice_1000000"};
constexpr std::int64_t lattice = 3;
constexpr double g_h = 9.81e-3;  // [m/s] of every bed
constexpr int solve_iterations = 50;

/// What the passes move, in float.
constexpr kernels::PassBytes bytes_of(double contacts, double bodies) { return {sizeof(float), contacts, bodies}; }

/// A problem and the vectors of an iteration, as ProjectedGradientSolver lays them out.
struct Bed {
    explicit Bed(const kernels::ProblemDownload& p) : problem(p) {
        const auto m = std::size_t(view().contacts);
        x.assign(std::vector<float>(3 * m, 0.0F));
        previous.assign(std::vector<float>(3 * m, 0.0F));
        impulse_rows.assign(std::vector<float>(8 * m, 0.0F));
        const std::vector<float> free(view().free_velocity, view().free_velocity + 8 * std::ptrdiff_t(rows()));
        velocity_x.assign(free);
        velocity_y.assign(free);
    }
    [[nodiscard]] const kernels::ConeProblem<float, W>& view() const { return problem.view(); }
    [[nodiscard]] Index rows() const { return view().rows_of_velocity; }

    void contact_pass(Cpu& cpu) {
        auto sums = cpu.reduce_tiles<float, 4, 0>(view().contacts, ContactPass{view(),
                                                                               velocity_y.data(),
                                                                               {x.data(), nullptr},
                                                                               {previous.data(), nullptr},
                                                                               {previous.data(), nullptr},
                                                                               {impulse_rows.data(), nullptr},
                                                                               momentum,
                                                                               0.3F});
        benchmark::DoNotOptimize(sums);
    }
    void body_pass(Cpu& cpu) {
        auto sums = cpu.reduce_rows<float, 2>(view().bodies, BodyPass{view(),
                                                                      {impulse_rows.data(), nullptr},
                                                                      velocity_x.data(),
                                                                      velocity_y.data(),
                                                                      velocity_y.data(),
                                                                      momentum});
        benchmark::DoNotOptimize(sums);
    }
    void iteration(Cpu& cpu) {
        contact_pass(cpu);
        x.swap(previous);
        body_pass(cpu);
    }

    static constexpr float momentum = 0.5F;
    kernels::PackedProblem problem;
    kernels::Array<float, Cpu> x, previous, impulse_rows, velocity_x, velocity_y;
};

/// The bed of the last call is kept: Google Benchmark calls a benchmark several times.
Bed& bed_of(std::int64_t which) {
    static std::int64_t held = -1;
    static std::unique_ptr<Bed> bed;
    if (held != which) {
        bed.reset();
        bed = std::make_unique<Bed>(which == lattice ? touching_lattice(100)
                                                     : settled_pile(bed_names[std::size_t(which)]));
        held = which;
        // Impulses and velocities as in the middle of a solve.
        Cpu cpu(1);
        for (int i = 0; i < 20; ++i) bed->iteration(cpu);
    }
    return *bed;
}

double copy_bandwidth(std::size_t threads) {
    static std::map<std::size_t, double> measured;
    const auto [at, is_new] = measured.try_emplace(threads, 0.0);
    if (is_new) at->second = app::measure_copy_bandwidth(threads);
    return at->second;
}

void count(benchmark::State& state, const Bed& bed, double contact_iterations, double bytes) {
    const double runs = double(state.iterations());
    using benchmark::Counter;
    state.counters["contacts/s"] = Counter(runs * contact_iterations, Counter::kIsRate);
    state.counters["bytes/s"] = Counter(runs * bytes, Counter::kIsRate, Counter::kIs1000);
    state.counters["of_copy"] = Counter(runs * bytes / copy_bandwidth(std::size_t(state.range(1))), Counter::kIsRate);
    state.SetLabel(std::string(bed_names[std::size_t(state.range(0))]) + ", " + std::to_string(bed.problem.contacts()) +
                   " contacts");
}

void contact_pass(benchmark::State& state) {
    Bed& bed = bed_of(state.range(0));
    Cpu cpu(std::size_t(state.range(1)));
    for (auto _ : state) bed.contact_pass(cpu);
    const double m = bed.problem.contacts();
    count(state, bed, m, bytes_of(m, bed.view().bodies).contact_pass());
}

void body_pass(benchmark::State& state) {
    Bed& bed = bed_of(state.range(0));
    Cpu cpu(std::size_t(state.range(1)));
    for (auto _ : state) bed.body_pass(cpu);
    const double m = bed.problem.contacts();
    count(state, bed, m, bytes_of(m, bed.view().bodies).body_pass());
}

void iteration(benchmark::State& state) {
    Bed& bed = bed_of(state.range(0));
    Cpu cpu(std::size_t(state.range(1)));
    for (auto _ : state) bed.iteration(cpu);
    const double m = bed.problem.contacts(), n = bed.view().bodies;
    count(state, bed, m, bytes_of(m, n).iteration());
}

/// Cold solves: start-up and certificates are in the time, not in the bytes.
void solve(benchmark::State& state) {
    const Bed& bed = bed_of(state.range(0));
    Cpu cpu(std::size_t(state.range(1)));
    kernels::Scratch<Cpu> scratch;
    const auto solver = kernels::make_solver<Cpu, float>(kernels::SolverName::apgd, scratch);
    kernels::ConeSolution<Cpu, float> solution;
    kernels::SolveReport report;
    const auto cold_solve = [&] {
        bed.problem.set_zero(solution);
        report = solver->solve(cpu, bed.view(), bed.problem.contacts(), {0.0, solve_iterations, false}, solution);
    };
    cold_solve();  // Memory and the spectral estimate.
    for (auto _ : state) cold_solve();
    const double m = bed.problem.contacts(), n = bed.view().bodies;
    count(state, bed, m * report.iterations, report.iterations * bytes_of(m, n).iteration());
    state.counters["residual"] = report.residual.rms / g_h;
}

void beds_on_one_thread(benchmark::internal::Benchmark* b) {
    b->ArgNames({"bed", "threads"})->Unit(benchmark::kMicrosecond);
    for (std::int64_t bed = 0; bed < std::int64_t(bed_names.size()); ++bed) b->Args({bed, 1});
}
void beds_on_two_threads(benchmark::internal::Benchmark* b) {
    b->ArgNames({"bed", "threads"})->Unit(benchmark::kMicrosecond)->UseRealTime();
    for (std::int64_t bed = 0; bed < std::int64_t(bed_names.size()); ++bed) b->Args({bed, 2});
}

BENCHMARK(contact_pass)->Apply(beds_on_one_thread);
BENCHMARK(contact_pass)->Apply(beds_on_two_threads);
BENCHMARK(body_pass)->Apply(beds_on_one_thread);
BENCHMARK(body_pass)->Apply(beds_on_two_threads);
BENCHMARK(iteration)->Apply(beds_on_one_thread);
BENCHMARK(iteration)->Apply(beds_on_two_threads);
BENCHMARK(solve)->Apply(beds_on_one_thread);
BENCHMARK(solve)->Apply(beds_on_two_threads);

}  // namespace
}  // namespace scree::benchmarks
