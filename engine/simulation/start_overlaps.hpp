// SPDX-License-Identifier: BSD-3-Clause
// Deep overlaps at the start of a scene of bodies of any shape, with its walls: what geometry/overlaps.hpp is to
// spheres.
#pragma once

#include "engine/reference/world.hpp"

#include <string>

namespace scree::simulation {

/// Pairs that overlap by more than 10 % of the smaller one's half thickness: the radius of the ball about its centre
/// that fits inside. Walls and fixed bodies count beside free ones.
struct StartOverlaps {
    std::size_t count = 0;
    // Of the pair that overlaps most for its size.
    std::string first, second;
    double depth = 0.0, share = 0.0;  ///< [m]; of the half thickness.
};

[[nodiscard]] StartOverlaps start_overlaps(const reference::World& world);

/// Radius of the largest ball about the centre of mass inside the shape [m], or, for superquadrics with an exponent
/// above 1, inside the octahedron of the semi-axes; infinity for half-spaces and bowls.
[[nodiscard]] double half_thickness(const reference::Shape& shape);

}  // namespace scree::simulation
