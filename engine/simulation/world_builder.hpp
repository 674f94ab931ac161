// SPDX-License-Identifier: BSD-3-Clause
// From a scene and its bodies to what the kernels step: the only place where model types become kernel types.
#pragma once

#include "engine/geometry/bodies.hpp"
#include "engine/geometry/expected_bodies.hpp"
#include "engine/model/scene.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::geometry {
class Feeder;
}

namespace scree::simulation {

/// What "auto" became.
struct ResolvedSettings {
    double stiffness = 0.0;                                   ///< [N/m]
    double damping_time = 0.0;                                ///< [s], as model::ContactSettings has it
    double restitution_threshold = 0.0;                       ///< [m/s]
    model::SolverKind solver = model::SolverKind::conjugate;  ///< Never automatic.
};

/// Contact stiffness [N/m] at which static overlaps under the scene's own weight, and what servos press with, stay
/// about 1e-4 of the diameter: the largest of three, with the weight of a column (total weight x mean d^2 / footprint
/// of the bodies) in 2e-4 of the smallest diameter (5e-5 for a single file), the mean body's weight in 5e-5 of its own,
/// and the heaviest body's in 1e-3 of the smallest; a servo's force adds to the weight along its axis, as a column's,
/// as far as h sqrt(k / m) of the mean body stays below 30.
/// Without gravity the fastest body's kinetic energy in a hundredth of the smallest diameter takes the weights' place.
/// `later`: bodies that are fed until the end, which count like those at the start.
[[nodiscard]] double automatic_stiffness(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                                         const geometry::ExpectedBodies& later);

/// `backend`: the one that will step, cpu or cuda.
[[nodiscard]] ResolvedSettings resolve(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                                       const geometry::ExpectedBodies& later, model::Backend backend);

/// Throws model::Error (input) for what the kernels cannot take: a periodic length below four radii (the largest of
/// bodies that are fed is `largest_fed`), a missing pair.
[[nodiscard]] kernels::WorldDescription build_world(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                                                    double largest_fed, const ResolvedSettings& resolved);

/// Bodies that join, for StepEngine::append().
[[nodiscard]] kernels::WorldDescription describe(const geometry::Feeder& feeder,
                                                 const std::vector<model::Sphere>& bodies);

/// The parts of one boundary's shape, in its own frame at t = 0. Meshes are appended to `meshes`.
[[nodiscard]] std::vector<kernels::BoundaryPart> boundary_parts(const model::BoundaryShape& shape, std::size_t index,
                                                                std::vector<kernels::MeshData>& meshes);

}  // namespace scree::simulation
