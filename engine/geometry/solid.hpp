// SPDX-License-Identifier: BSD-3-Clause
// Mass properties and extents of the solids of a scene, without the arithmetic that finds them.
#pragma once

#include "engine/model/source.hpp"

namespace scree::geometry {

/// A body as it moves: about its centre of mass, in principal axes.
struct SolidFacts {
    double mass = 0.0;         ///< [kg]
    model::Vec3 inertia;       ///< Principal moments [kg m^2]
    model::Quat orientation;   ///< Of the principal axes at t = 0.
    double radius = 0.0;       ///< Of the smallest sphere about the centre of mass that holds the solid [m].
    model::Vec3 half_extents;  ///< Along the principal axes [m].
};

/// `density` [kg/m^3] counts where the source has no mass. Throws model::Error (input) for a shape that is no solid.
[[nodiscard]] SolidFacts solid_facts(const model::BodySource& source, double density, bool planar);

}  // namespace scree::geometry
