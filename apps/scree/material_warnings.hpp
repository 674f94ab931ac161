// SPDX-License-Identifier: BSD-3-Clause
// Values of materials and pairs that are probably of another unit, or do not do what they seem to.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <string>
#include <vector>

namespace scree::app {

/// Sentences about densities that no solid has, resistances to rolling and spinning (lengths) larger than the bodies
/// they act on, cohesion a thousand times any weight, and cohesion that Newton's impacts rebound from.
void warn_of_materials(std::vector<std::string>& warnings, const model::Scene& scene, const model::Snapshot& bodies);

}  // namespace scree::app
