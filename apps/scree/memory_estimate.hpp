// SPDX-License-Identifier: BSD-3-Clause
// How much memory a run will need, before its first step.
#pragma once

#include "engine/geometry/solid.hpp"

#include <cstdint>

namespace scree::app {

/// Bytes of the engine's buffers for spheres with three contacts each, or for bodies of other shapes in a bed, as
/// measured (docs/launcher.md).
[[nodiscard]] inline std::uint64_t memory_estimate(const model::Scene& scene, std::uint64_t bodies) {
    const bool in_double = scene.settings.precision == model::Precision::double_;
    if (geometry::SourceSolids(scene).any()) return bodies * (in_double ? 6500U : 4000U);
    return bodies * (in_double ? 1300U : 800U);
}

}  // namespace scree::app
