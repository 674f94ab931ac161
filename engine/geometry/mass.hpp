// SPDX-License-Identifier: BSD-3-Clause
// Mass properties of bodies.
#pragma once

#include <numbers>

namespace scree::geometry {

/// Volume [m^3] of a sphere of radius [m].
[[nodiscard]] constexpr double sphere_volume(double radius) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// Mass [kg] of a solid sphere of density [kg/m^3] and radius [m].
[[nodiscard]] constexpr double sphere_mass(double density, double radius) { return density * sphere_volume(radius); }

/// Moment of inertia [kg m^2] of a solid sphere about any axis through its centre.
[[nodiscard]] constexpr double sphere_inertia(double mass, double radius) { return 0.4 * mass * radius * radius; }

}  // namespace scree::geometry
