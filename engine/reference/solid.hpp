// SPDX-License-Identifier: BSD-3-Clause
// From the solids of a scene to shapes of the reference world, with their mass properties.
#pragma once

#include "engine/model/solid.hpp"
#include "engine/reference/shape.hpp"

#include <Eigen/Geometry>

namespace scree::reference {

/// A homogeneous solid about its centre of mass, in principal axes. Mass properties are those of mass_properties(): in
/// planar worlds of the section y = 0, 1 m deep.
struct Solid {
    Shape shape{};
    double volume = 0.0;                                       ///< [m^3]
    Eigen::Vector3d inertia = Eigen::Vector3d::Zero();         ///< Principal moments of unit mass [m^2]
    Eigen::Quaterniond axes = Eigen::Quaterniond::Identity();  ///< Turns principal axes into the scene's.
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();          ///< Centre of mass in the scene's axes [m]
    double radius = 0.0;                                       ///< bounding_radius(shape) [m]
    Eigen::Vector3d half_extents = Eigen::Vector3d::Zero();    ///< Along the principal axes [m]
};

/// Throws model::Error (input) for points that span no solid (planar: no polygon), lengths that are not positive and
/// finite, or exponents out of range.
[[nodiscard]] Solid make_solid(const model::Solid& solid, bool planar);

}  // namespace scree::reference
