// SPDX-License-Identifier: BSD-3-Clause
// The cone problems that the solver's benchmarks work on.
#pragma once

#include "kernels/step/step_engine.hpp"

#include <string>

namespace scree::benchmarks {

/// The cone problem of the third step of scenes/NAME.yaml, contacts and order as the step made them.
[[nodiscard]] kernels::ProblemDownload settled_pile(const std::string& name);

/// side^3 equal spheres (10 cm, 2500 kg/m^3, friction 0.5) that touch in a simple cubic lattice on a floor, under
/// gravity for 1 ms: about three contacts a sphere, slots along x, then y, then z. Made without a broad phase, so that
/// a set far larger than the caches is there in a second.
[[nodiscard]] kernels::ProblemDownload touching_lattice(kernels::Index side);

}  // namespace scree::benchmarks
