// SPDX-License-Identifier: BSD-3-Clause
// Spheres on lattice points in a box.
#pragma once

#include "engine/model/math.hpp"
#include "engine/model/source.hpp"

#include <cstddef>
#include <vector>

namespace scree::geometry {

/// Centres of a lattice source, layer by layer along z, rows along y, x fastest.
///
/// sc: cubic axes along x, y, z. fcc: the conventional cube along x, y, z. hcp: close-packed layers normal to z with
/// rows along x. The first sphere touches the lower faces of the box (less the jitter); those that would stick out of
/// an upper face are left out. Jitter keeps every sphere inside the box.
///
/// LatticeSource::count stops early; fewer points than that may fit.
///
/// Throws model::Error (input) when the box holds no sphere or more than `limit`, when the radius or spacing makes no
/// sense, when spheres would overlap (spacing < 2 radius) or copies of a shape, each of `volume` [m^3], would fill more
/// than the space (they may stand closer than the spheres around them, without jitter), or when the jitter exceeds what
/// keeps any two neighbours apart whatever the random numbers are: (spacing - 2 radius) / (2 c) with c = 1 for
/// sc, 1.414 for fcc and 1.606 for hcp (the largest sum of the components of a unit vector to a neighbour).
[[nodiscard]] std::vector<model::Vec3> make_lattice(const model::LatticeSource& source, std::size_t limit,
                                                    double volume = 0.0);

}  // namespace scree::geometry
