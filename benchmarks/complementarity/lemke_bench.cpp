// SPDX-License-Identifier: BSD-3-Clause
// Lemke's algorithm on the Stewart-Trinkle problems of one step: stacks of equal cubes, towers that are heavier
// upwards, piles of spheres of radius ratio three, and random contacts over six decades of mass
// (tests/support/contact_scenes.hpp). Arguments: kind of scene, contacts, friction directions m; n = contacts x (m + 2)
// unknowns. Each iteration takes the next of 20 seeds. Counters: pivots per solve, worst certificate, rungs above the
// first, and problems lost (must be 0).
#include "tests/support/contact_scenes.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

namespace scree::benchmarks {
namespace {

using reference::SceneKind;

void lemke(benchmark::State& state) {
    const auto kind = SceneKind(state.range(0));
    std::vector<complementarity::LinearProblem> problems;
    for (unsigned seed = 1; seed <= 20; ++seed)
        problems.push_back(reference::stewart_trinkle_problem(
            reference::contact_scene(kind, std::size_t(state.range(1)), seed), int(state.range(2))));
    complementarity::LemkeSettings settings;
    settings.ray_is_failure = true;
    std::size_t solves = 0, pivots = 0, lost = 0, climbs = 0;
    double certificate = 0.0;
    for (auto _ : state) {
        const auto result = complementarity::solve_lemke(problems[solves++ % problems.size()], settings);
        pivots += result.pivots;
        climbs += result.rung > 0 ? 1 : 0;
        lost += result.status == complementarity::LinearStatus::solved ? 0 : 1;
        certificate = std::max(certificate, result.certificate.worst());
    }
    state.SetLabel(std::string(reference::name_of(kind)) + ", n = " + std::to_string(problems.front().size()));
    state.counters["pivots"] = double(pivots) / double(solves);
    state.counters["certificate"] = certificate;
    state.counters["climbs"] = double(climbs);
    state.counters["lost"] = double(lost);
}
BENCHMARK(lemke)->ArgsProduct({{0, 1, 2, 3}, {4, 12, 20, 60}, {4, 8}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scree::benchmarks
