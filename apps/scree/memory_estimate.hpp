// SPDX-License-Identifier: BSD-3-Clause
// How much memory a run will need, before its first step.
#pragma once

#include "engine/model/settings.hpp"

#include <cstdint>

namespace scree::app {

/// Bytes of the engine's buffers for spheres with three contacts each, as measured (docs/launcher.md).
[[nodiscard]] inline std::uint64_t memory_estimate(std::uint64_t bodies, model::Precision precision) {
    return bodies * (precision == model::Precision::double_ ? 1300U : 800U);
}

}  // namespace scree::app
