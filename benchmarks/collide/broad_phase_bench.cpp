// SPDX-License-Identifier: BSD-3-Clause
// The broad phase: building the grid, and the phases broad_phase and contact_set of a step (count, scan, fill, match,
// partner lists). Counters bodies/s and contacts/s, on one thread.
#include "apps/scree/bench_scene.hpp"
#include "engine/scene/load.hpp"
#include "engine/simulation/simulation.hpp"
#include "kernels/collide/grid.hpp"
#include "kernels/parallel/cpu.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace scree::benchmarks {
namespace {

using kernels::Cpu;
using kernels::Index;
using kernels::Phase;

/// Arguments: bodies; ratio of the largest to the smallest radius (log-uniform). Bodies lie in random order in a cube
/// with one body per cubed mean diameter. CPU time.
void grid_build(benchmark::State& state) {
    const auto n = std::size_t(state.range(0));
    const double ratio = double(state.range(1));
    Cpu cpu(1);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const double side = std::cbrt(double(n));
    std::vector<double> position(4 * n);
    std::vector<float> extent(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < 3; ++k) position[4 * i + k] = side * uniform(random);
        position[4 * i + 3] = 0.5 * std::pow(ratio, -uniform(random));
        extent[i] = float(position[4 * i + 3]);
    }
    kernels::GridBuilder<Cpu> builder;
    int levels = 0;
    for (auto _ : state) {
        const kernels::Grid grid = builder.build(cpu, position.data(), extent.data(), Index(n), {});
        benchmark::DoNotOptimize(grid.order);
        levels = grid.levels;
    }
    state.counters["bodies/s"] =
        benchmark::Counter(double(state.iterations()) * double(n), benchmark::Counter::kIsRate);
    state.counters["levels"] = levels;
}
BENCHMARK(grid_build)
    ->ArgNames({"bodies", "ratio"})
    ->Unit(benchmark::kMicrosecond)
    ->ArgsProduct({{1000, 10000, 100000, 1000000}, {1, 10}});

/// Steps a scene with one solver iteration a step and takes the time of the two phases, as the step measures it (wall).
void step_phases(benchmark::State& state, model::Scene scene) {
    scene.settings.threads = 1;
    scene.settings.solver.max_iterations = 1;
    simulation::Simulation simulation(std::move(scene));
    simulation.step();
    double contacts = 0.0, bodies = 0.0;
    for (auto _ : state) {
        const kernels::StepReport report = simulation.step();
        state.SetIterationTime(report.seconds[std::size_t(Phase::broad)] +
                               report.seconds[std::size_t(Phase::contacts)]);
        contacts += double(report.contacts);
        bodies += double(report.bodies);
    }
    state.counters["bodies/s"] = benchmark::Counter(bodies, benchmark::Counter::kIsRate);
    state.counters["contacts/s"] = benchmark::Counter(contacts, benchmark::Counter::kIsRate);
}

void contact_set_of_pile(benchmark::State& state) {
    constexpr std::array<const char*, 3> piles = {"pile_1000", "pile_8000", "pile_32000"};
    const std::string name = piles[std::size_t(state.range(0))];
    step_phases(state, scene::load_scene(SCREE_SOURCE_DIR "/scenes/" + name + ".yaml"));
    state.SetLabel(name);
}
BENCHMARK(contact_set_of_pile)->ArgName("pile")->DenseRange(0, 2)->Unit(benchmark::kMicrosecond)->UseManualTime();

void contact_set_of_bed(benchmark::State& state) { step_phases(state, app::bench_bed(std::size_t(state.range(0)))); }
BENCHMARK(contact_set_of_bed)
    ->ArgName("bodies")
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMicrosecond)
    ->UseManualTime();

}  // namespace
}  // namespace scree::benchmarks
