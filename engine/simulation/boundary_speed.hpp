// SPDX-License-Identifier: BSD-3-Clause
// How fast moving boundaries get, for reports and warnings before the first step.
#pragma once

#include "engine/geometry/extent.hpp"
#include "engine/model/boundary.hpp"

#include <vector>

namespace scree::simulation {

struct BoundarySpeed {
    /// The largest speed of a point of the boundary [m/s]; of an infinite plane, of those near the bodies.
    double largest = 0.0;
    /// The same without motion of the shape along itself, which moves no wall: of planes the speed along the normal, of
    /// cylinders and cones without the spin about their own axis. Below a radius per step, no wall passes a body.
    double sweep = 0.0;
};

/// From t = 0 to `end` [s], or until the boundary is removed. Motions are sampled, 64 times a period and between the
/// starts and stops: exact but for some .1 %. `bodies`: the box around the bodies at t = 0.
[[nodiscard]] BoundarySpeed boundary_speed(const model::Boundary& boundary, double end, const geometry::Extent& bodies);

/// Where a boundary of finite size is, sampled as for boundary_speed(), without what servos do. Curved ones are taken
/// for their facets.
struct BoundaryReach {
    geometry::Extent widest;  ///< Around all places that it comes to.
    geometry::Extent always;  ///< Per axis, what it spans at all times; lower > upper where there is nothing.
};
[[nodiscard]] BoundaryReach boundary_reach(const model::Boundary& boundary, double end);

/// Of the fastest oscillation among the motions [s]; infinity where there is none.
[[nodiscard]] double shortest_oscillation(const std::vector<model::Motion>& motions);

}  // namespace scree::simulation
