// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a scene's bodies as kernels take them.
#pragma once

#include "engine/geometry/convex_shapes.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/geometry/solid.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::simulation {

/// The arrays of `shapes`, for WorldDescription::shapes.
[[nodiscard]] kernels::ShapeLibrary library_of(const geometry::ConvexShapes& shapes);

/// Fills WorldDescription::body_parts, inertia and wrench for bodies of a scene whose bodies are not all plain spheres.
/// Bodies of one source share a shape; plain spheres share one of radius 1.
void add_parts(const model::Scene& scene, const geometry::SourceSolids& solids, const geometry::SceneShapes& shapes,
               const std::vector<model::Sphere>& bodies, kernels::WorldDescription& world);

/// The same and WorldDescription::shapes; leaves them empty where all bodies are plain spheres. Throws model::Error
/// (input) for shapes that the narrow phase cannot take, naming the source.
void add_shapes(const model::Scene& scene, const geometry::SourceSolids& solids,
                const std::vector<model::Sphere>& bodies, kernels::WorldDescription& world);

}  // namespace scree::simulation
