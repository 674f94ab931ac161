// SPDX-License-Identifier: BSD-3-Clause
// The bed that `scree bench --spheres N` measures.
#pragma once

#include "engine/model/scene.hpp"

#include <cstddef>

namespace scree::app {

/// N equal spheres of 1 cm diameter, close-packed (FCC) in a box with an open top that touches the outermost ones:
/// every sphere rests on four others, and a settled bed needs no time to make. About 6 contacts a sphere, twice as many
/// as in a random bed; use --scene for one of those.
[[nodiscard]] model::Scene bench_bed(std::size_t spheres);

}  // namespace scree::app
