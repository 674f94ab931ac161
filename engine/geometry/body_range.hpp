// SPDX-License-Identifier: BSD-3-Clause
// Bodies that the step can compute with.
#pragma once

#include "engine/geometry/solid.hpp"
#include "engine/model/scene.hpp"

namespace scree::geometry {

/// Throws model::Error (input) for sizes, masses, moments, coordinates, speeds and forces that are beyond the precision
/// of the scene, with the value and what is allowed.
void check_range(const model::Scene& scene, const SourceSolids& solids, const model::Sphere& body);

}  // namespace scree::geometry
