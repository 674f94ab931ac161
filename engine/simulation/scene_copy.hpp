// SPDX-License-Identifier: BSD-3-Clause
// scene.yaml in the folder of a run: the scene as it ran.
#pragma once

#include "engine/model/scene.hpp"

#include <filesystem>

namespace scree::simulation {

/// Writes `directory`/scene.yaml: all values with their defaults, overrides included, meshes vertex by vertex, particle
/// files by absolute path, so that it reads back from any folder. Comments at its head name the file it came from and
/// the overrides. A scene.yaml that no run wrote stays as it is (somebody's own scene, and the run's output beside it):
/// then there is no copy. Restarts read the scene of their checkpoint and never this file.
void write_scene_copy(const std::filesystem::path& directory, const model::Scene& scene);

/// Whether a file begins as write_scene_copy() begins.
[[nodiscard]] bool is_scene_copy(const std::filesystem::path& file);

}  // namespace scree::simulation
