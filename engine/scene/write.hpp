// SPDX-License-Identifier: BSD-3-Clause
// Writing scenes.
#pragma once

#include "engine/model/scene.hpp"

#include <string>

namespace scree::scene {

/// The scene as YAML, in SI units, with all defaults written out. parse_scene reads the same scene back, bit for bit
/// (but for SourceCommon::line). Meshes are written as placed, vertex by vertex, so no mesh file is needed again.
[[nodiscard]] std::string to_yaml(const model::Scene& scene);

}  // namespace scree::scene
