// SPDX-License-Identifier: BSD-3-Clause
// Scenes that were made or changed in code, by the checks of scenes from files.
#pragma once

#include "engine/model/scene.hpp"

namespace scree::scene {

/// Throws model::Error (input) for the first value that the reader of scene files would refuse, with the name that the
/// file would have for it: "boundary 'floor': plane.normal = ...". The scene is written as a tree and read again by the
/// same tables, so there is no second list of rules. Vertices of meshes are not looked at: whoever builds the mesh
/// does.
void check_model(const model::Scene& scene);

}  // namespace scree::scene
