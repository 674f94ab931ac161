// SPDX-License-Identifier: BSD-3-Clause
// Where an entry of a scene stands in its file, for warnings.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/scene/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace scree::app {

/// " (drum.yaml:12)", or nothing where the file does not tell: it is gone, or an override replaced the whole list.
[[nodiscard]] inline std::string place_of(const model::Scene& scene, const std::string& list, std::size_t index) {
    const bool replaced = std::any_of(scene.overrides.begin(), scene.overrides.end(),
                                      [&](const std::string& text) { return text.starts_with(list + "="); });
    const std::size_t line = replaced ? 0 : scene::line_of(scene.path, list, index);
    return line == 0 ? std::string() : fmt::format(" ({}:{})", scene.path, line);
}

}  // namespace scree::app
