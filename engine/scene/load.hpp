// SPDX-License-Identifier: BSD-3-Clause
// Reading scenes. docs/scene.md lists all keys.
//
// Every fault is one model::Error of kind input that names file, line and column, the object, the value and what is
// allowed; a fault in an override has the file "--set". Reading a scene never makes bodies, but reads its mesh files.
#pragma once

#include "engine/model/scene.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace scree::scene {

/// Reads a scene file. `overrides` replace single values: "time.step=0.5ms" (overrides.hpp). Particle files that the
/// scene names must exist.
[[nodiscard]] model::Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// Reads a scene from text. `name` stands in messages and in Scene::path, and relative paths start at its folder.
/// Particle files are not looked for, so that a scene kept with a checkpoint reads back where they are gone.
[[nodiscard]] model::Scene parse_scene(std::string_view text, const std::filesystem::path& name,
                                       std::span<const std::string> overrides = {});

}  // namespace scree::scene
