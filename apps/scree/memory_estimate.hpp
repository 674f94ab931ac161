// SPDX-License-Identifier: BSD-3-Clause
// How much memory a run will need, before its first step.
#pragma once

#include "engine/geometry/solid.hpp"
#include "engine/simulation/simulation.hpp"

#include <algorithm>
#include <cstdint>

namespace scree::app {

/// Bytes of the engine's buffers for spheres with three contacts each, or for bodies of other shapes in a bed, as
/// measured (docs/launcher.md). What feeds will bring until the end counts.
[[nodiscard]] inline std::uint64_t memory_estimate(const simulation::Simulation& simulation) {
    const model::Scene& scene = simulation.scene();
    double count = double(simulation.body_count());
    for (const simulation::FeedReport& feed : simulation.feeds())
        count += std::max(0.0, feed.expected - double(feed.joined));
    const auto bodies = std::uint64_t(count);
    const bool in_double = scene.settings.precision == model::Precision::double_;
    const bool sorts_rows = simulation.resolved().solver == model::SolverKind::gauss_seidel;
    if (geometry::SourceSolids(scene).any())
        return bodies * (sorts_rows ? (in_double ? 9000U : 5200U) : (in_double ? 6500U : 4000U));
    return bodies * (sorts_rows ? (in_double ? 2050U : 1300U) : (in_double ? 1300U : 800U));
}

}  // namespace scree::app
