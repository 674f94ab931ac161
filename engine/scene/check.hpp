// SPDX-License-Identifier: BSD-3-Clause
// What concerns several sections of a scene: names, pairs of materials that can meet, targets of probes.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/scene/reader.hpp"

namespace scree::scene {

/// Throws the first fault, at the place in the file that must change. `root` is the scene as read into `scene`.
void check_scene(const Reader& root, const model::Scene& scene);

}  // namespace scree::scene
