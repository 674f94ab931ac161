// SPDX-License-Identifier: BSD-3-Clause
// The scene of a robot as the text of a scene file, once it is known that runs take it.
#pragma once

#include "engine/model/scene.hpp"

#include <string>

namespace scree::urdf {

/// The scene as YAML. Throws model::Error (input) when that cannot be read back: names with control characters, masses
/// out of range, more parts than a body may have. The error is one of the robot file, which is all that its author
/// knows: `scene.path`, and the `line` of the body or joint at fault.
[[nodiscard]] std::string checked_text(const model::Scene& scene);

}  // namespace scree::urdf
