// SPDX-License-Identifier: BSD-3-Clause
// Masses of links: whether their moments are those of a body, and their sums.
#pragma once

#include "engine/urdf/robot.hpp"

#include <array>
#include <span>
#include <string>

namespace scree::urdf {

/// What is wrong with the moments of a body, empty if nothing: a principal moment is at least 0 and at most the sum of
/// the other two, to 1e-6 of the largest (files round).
[[nodiscard]] std::string fault_of_inertia(const std::array<double, 6>& inertia);

/// Of a body, in some frame.
struct Mass {
    double mass = 0.0;
    model::Vec3 center;   ///< [m]
    model::Vec3 moments;  ///< Principal ones about the centre [kg m^2]; each at most the sum of the other two.
    model::Quat axes;     ///< Turns the principal axes into those of the frame.
};

/// The inertial of a link, and where the link stands.
struct PlacedInertial {
    Frame link;
    Inertial inertial;
};

/// Bodies fixed to one another, by the parallel axis theorem.
[[nodiscard]] Mass sum_of(std::span<const PlacedInertial> inertials);

}  // namespace scree::urdf
