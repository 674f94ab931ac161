// SPDX-License-Identifier: BSD-3-Clause
// From a scene and its bodies to what the kernels step: the only place where model types become kernel types.
#pragma once

#include "engine/geometry/bodies.hpp"
#include "engine/model/scene.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::simulation {

/// What "auto" became.
struct ResolvedSettings {
    double stiffness = 0.0;              ///< [N/m]
    double damping_time = 0.0;           ///< [s]
    double restitution_threshold = 0.0;  ///< [m/s]
};

/// Contact stiffness [N/m] at which the largest static overlap under the scene's own weight is about 5e-5 of the
/// smallest diameter: the load is the weight of a column, total weight x d^2 / footprint of the bodies (at least the
/// heaviest body). Without gravity the speed of the fastest body takes its place (m v^2 = k (5e-5 d)^2 bounded).
[[nodiscard]] double automatic_stiffness(const model::Scene& scene, const std::vector<model::Sphere>& bodies);

[[nodiscard]] ResolvedSettings resolve(const model::Scene& scene, const std::vector<model::Sphere>& bodies);

/// Throws model::Error (input) for what the kernels cannot take: a periodic length below four radii, a missing pair.
[[nodiscard]] kernels::WorldDescription build_world(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                                                    const ResolvedSettings& resolved);

/// The parts of one boundary's shape, in its own frame at t = 0. Meshes are appended to `meshes`.
[[nodiscard]] std::vector<kernels::BoundaryPart> boundary_parts(const model::BoundaryShape& shape, std::size_t index,
                                                                std::vector<kernels::MeshData>& meshes);

}  // namespace scree::simulation
