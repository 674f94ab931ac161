// SPDX-License-Identifier: BSD-3-Clause
// Belts: boundaries whose surface runs along itself.
#pragma once

#include "engine/model/boundary.hpp"

namespace scree::geometry {

/// Whether the velocity of each belt of the boundary lies in its surface everywhere, to 1e-4 of the speed.
[[nodiscard]] bool belts_run_along(const model::Boundary& boundary);

}  // namespace scree::geometry
