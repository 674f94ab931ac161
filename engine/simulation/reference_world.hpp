// SPDX-License-Identifier: BSD-3-Clause
// From a scene and its bodies to the rigid bodies that the reference methods work on, at t = 0.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/source.hpp"
#include "engine/reference/world.hpp"

#include <vector>

namespace scree::simulation {

/// Bodies come first, in the order of `bodies`: World::bodies[i] is bodies[i] (named after its source, with "#k" where
/// the source made several). Then the boundaries, in order: a plane is one half-space, a solid box is one box, a
/// container is one half-space per face that is not open (named "box -x", ...). A wall that turns does so about a point
/// of its axis.
///
/// Of the pair laws, friction and restitution are taken. Throws model::Error (input) naming the boundary, pair or axis
/// for what the reference world cannot hold: other boundary shapes, motions that are not steady from the start on,
/// walls that are removed, rolling or spinning resistance, cohesion, tangential restitution, periodic faces.
[[nodiscard]] reference::World reference_world(const model::Scene& scene, const std::vector<model::Sphere>& bodies);

}  // namespace scree::simulation
