// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of convex shapes: pairs/s for each kind of pair, apart, touching and overlapping, on one thread, CPU
// time; and the same pairs given to Bullet, FCL and libccd where they were found. Counters pairs/s and points per pair.
//
// What is compared: find_manifold() without a direction of the step before ("cold") and with it ("warm"); it gives full
// patches in double precision. Bullet (float in Debian): the algorithm of its dispatcher for the pair, with an empty
// manifold each time, contact distance as our reach; of hulls it gives one point a time. FCL and libccd (double):
// collide() with all contacts, ccdGJKPenetration(); both see overlaps alone, so pairs apart are looked at only.
#include "benchmarks/collide/shape_peers.hpp"
#include "benchmarks/collide/shape_samples.hpp"

#include <benchmark/benchmark.h>

namespace scree::benchmarks {
namespace {

using kernels::ShapeKind;

constexpr const char* kind_names[] = {"sphere", "capsule",   "box",          "cylinder",
                                      "cone",   "ellipsoid", "superquadric", "hull"};
constexpr const char* nearness_names[] = {"apart", "touching", "overlapping"};

void count(benchmark::State& state, std::size_t pairs, std::size_t points) {
    state.counters["pairs/s"] =
        benchmark::Counter(double(state.iterations()) * double(pairs), benchmark::Counter::kIsRate);
    state.counters["points"] = double(points) / double(pairs);
}

void ours(benchmark::State& state, ShapeKind a, ShapeKind b, Nearness nearness, bool warm) {
    const std::vector<ShapePair> pairs = sample_pairs(a, b, nearness);
    const kernels::ShapeView view = sample_shapes().list.view();
    std::size_t points = 0;
    for (auto _ : state) {
        points = 0;
        for (const ShapePair& pair : pairs) {
            kernels::Manifold manifold;
            kernels::Vector3d axis = warm ? pair.axis : kernels::Vector3d{0, 0, 0};
            kernels::find_manifold(view, pair.a, pair.b, contact_reach, axis, manifold);
            points += std::size_t(manifold.count);
        }
        benchmark::DoNotOptimize(points);
    }
    count(state, pairs.size(), points);
}

void peer(benchmark::State& state, const Peer& which, ShapeKind a, ShapeKind b, Nearness nearness) {
    const std::vector<ShapePair> pairs = sample_pairs(a, b, nearness);
    const std::unique_ptr<PeerNarrowPhase> phase = which.make(pairs);
    if (phase == nullptr) return state.SkipWithError("no such shape");
    std::size_t points = 0;
    for (auto _ : state) {
        points = phase->look_at_all();
        benchmark::DoNotOptimize(points);
    }
    count(state, pairs.size(), points);
}

const bool registered = [] {
    const std::vector<Peer> peers = peers_found();
    for (int a = 0; a < 8; ++a)
        for (int b = a; b < 8; ++b)
            for (int n = 0; n < 3; ++n) {
                const std::string name =
                    std::string("shapes/") + kind_names[a] + '_' + kind_names[b] + '/' + nearness_names[n] + '/';
                const auto add = [&](const std::string& code, auto function) {
                    benchmark::RegisterBenchmark((name + code).c_str(), function)->Unit(benchmark::kMicrosecond);
                };
                for (const bool warm : {false, true})
                    add(warm ? "warm" : "cold",
                        [=](benchmark::State& state) { ours(state, ShapeKind(a), ShapeKind(b), Nearness(n), warm); });
                for (const Peer& which : peers)
                    if (which.knows(ShapeKind(a)) && which.knows(ShapeKind(b)))
                        add(which.name, [=](benchmark::State& state) {
                            peer(state, which, ShapeKind(a), ShapeKind(b), Nearness(n));
                        });
            }
    return true;
}();

}  // namespace
}  // namespace scree::benchmarks
