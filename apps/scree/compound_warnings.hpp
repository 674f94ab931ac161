// SPDX-License-Identifier: BSD-3-Clause
// Compounds whose parts overlap.
#pragma once

#include "engine/model/scene.hpp"

#include <string>
#include <vector>

namespace scree::app {

/// A sentence for each source of free bodies whose mass, by the density, counts parts that overlap twice. Clumps do
/// not: theirs is that of the union.
void warn_of_parts(std::vector<std::string>& warnings, const model::Scene& scene);

}  // namespace scree::app
