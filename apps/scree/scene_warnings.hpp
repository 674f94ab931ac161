// SPDX-License-Identifier: BSD-3-Clause
// What is probably not meant in a scene that is valid.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <string>
#include <vector>

namespace scree::app {

/// Sentences about the bodies at the start: outside boundaries or periodic faces, past outlets, faster than a radius
/// per step; about settings that cannot act; and about a debug build.
[[nodiscard]] std::vector<std::string> scene_warnings(const model::Scene& scene, const model::Snapshot& bodies);

}  // namespace scree::app
