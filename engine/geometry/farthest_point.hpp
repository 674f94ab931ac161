// SPDX-License-Identifier: BSD-3-Clause
// How far a solid reaches from a point.
#pragma once

#include "engine/model/solid.hpp"

namespace scree::geometry {

/// The largest distance of a point of the solid from `from` [m], which is given about the solid's centre of mass in its
/// own axes (of a polytope: those of its vertices). In closed form to rounding; of ellipsoids and superquadrics by
/// search, from directions at most 1.5 degrees apart: to rounding, and never more than 4e-4 of it too small.
[[nodiscard]] double farthest_distance(const model::ConvexSolid& solid, model::Vec3 from);

}  // namespace scree::geometry
