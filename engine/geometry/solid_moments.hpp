// SPDX-License-Identifier: BSD-3-Clause
// Volume and principal moments of homogeneous solids with round edges, in closed form.
#pragma once

#include "engine/model/solid.hpp"

namespace scree::geometry {

/// About the centre of mass, body axes; moments per unit mass.
struct SolidMoments {
    double volume = 0.0;       ///< [m^3]
    model::Vec3 inertia;       ///< [m^2]
    double radius = 0.0;       ///< Of the smallest sphere about the centre of mass that holds the solid [m].
    model::Vec3 half_extents;  ///< The larger of both sides along each axis [m].
};

[[nodiscard]] SolidMoments moments_of(const model::SolidCapsule& capsule);
/// Base at z = -height / 4, apex at 3 height / 4.
[[nodiscard]] SolidMoments moments_of(const model::SolidCone& cone);
/// The rounding lies outside `half_extents` less the rounding: the outer sizes are the given ones.
[[nodiscard]] SolidMoments moments_of(const model::SolidBox& box);
[[nodiscard]] SolidMoments moments_of(const model::SolidCylinder& cylinder);

}  // namespace scree::geometry
