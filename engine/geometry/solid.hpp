// SPDX-License-Identifier: BSD-3-Clause
// Mass properties and extents of the solids of a scene, without the arithmetic that finds them.
#pragma once

#include "engine/model/error.hpp"
#include "engine/model/scene.hpp"

#include <optional>
#include <vector>

namespace scree::geometry {

/// A body as it moves: about its centre of mass, in principal axes.
struct SolidFacts {
    double mass = 0.0;         ///< [kg]
    model::Vec3 inertia;       ///< Principal moments [kg m^2]
    model::Quat orientation;   ///< Of the principal axes at t = 0.
    double radius = 0.0;       ///< Of the smallest sphere about the centre of mass that holds the solid [m].
    model::Vec3 half_extents;  ///< Along the principal axes [m].
    // Where the shape stands, which is about its own centre of mass and in its own principal axes. Zero and identity
    // but for bodies whose mass is not that of a homogeneous solid.
    model::Vec3 shift;  ///< Of the shape's own centre [m], in the principal axes.
    model::Quat turn;   ///< Turns the shape's own axes into the principal axes.
};

/// `density` [kg/m^3] counts where the source has no mass. Throws model::Error (input) for a shape that is no solid.
[[nodiscard]] SolidFacts solid_facts(const model::BodySource& source, double density, bool planar);

/// The error with the name of the source before it, and its place in the scene's file.
[[nodiscard]] model::Error error_of_source(const model::Scene& scene, std::size_t source, const model::Error& error);

/// The solids of a scene's sources, each worked out once. Throws as solid_facts(), naming the source.
class SourceSolids {
public:
    explicit SourceSolids(const model::Scene& scene);

    /// Whether any source makes other bodies than plain spheres.
    [[nodiscard]] bool any() const;
    /// The solid of a source; null: plain spheres.
    [[nodiscard]] const model::Solid* solid(std::size_t source) const;
    /// At the size of the solid that the source gives; of sources with solids only.
    [[nodiscard]] const SolidFacts& of_source(std::size_t source) const { return *facts_[source]; }
    /// Radius, mass and inertia of a body of the scene, fixed ones included; its own orientation is not among them.
    [[nodiscard]] SolidFacts facts(const model::Sphere& body) const;
    [[nodiscard]] double mass(const model::Sphere& body) const;
    /// Size of a body against its source's solid; of plain spheres, against the unit sphere.
    [[nodiscard]] double scale(const model::Sphere& body) const;

private:
    const model::Scene& scene_;
    std::vector<std::optional<SolidFacts>> facts_;  ///< By source; none for plain spheres.
};

}  // namespace scree::geometry
