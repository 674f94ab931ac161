// SPDX-License-Identifier: BSD-3-Clause
// Overrides of single values: "time.step=0.5ms", "boundaries.drum.motion.angular_speed=3", "gravity.z=-1.62".
//
// A path is made of keys. A list item is addressed by its index (from 0) or its name (a pair by "glass-steel"), a
// component of a vector by index or x, y, z. The level that only tells kinds apart may be left out: `motion.rotation.
// angular_speed` and `motion.angular_speed` are one, as are `bodies.ball.sphere.radius` and `bodies.ball.radius`.
// The value is YAML on one line. Keys that the file leaves out may be set; list items are not created.
#pragma once

#include "engine/scene/document.hpp"
#include "engine/scene/reader.hpp"

namespace scree::scene {

/// Applies Context::overrides to the tree, in order. Throws model::Error with file "--set".
void apply_overrides(Node& root, const Context& context);

}  // namespace scree::scene
