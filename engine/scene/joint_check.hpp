// SPDX-License-Identifier: BSD-3-Clause
// Joints against the rest of the scene: the bodies and joints that they name.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/scene/reader.hpp"

namespace scree::scene {

/// "NAME[k]" or "NAME" as a joint names a body; without [k], `index` is empty.
struct BodyReference {
    std::string source;
    std::optional<std::size_t> index;
};
[[nodiscard]] BodyReference read_body_reference(const std::string& text);
/// The same where a source of the scene may have brackets in its own name.
[[nodiscard]] BodyReference read_body_reference(const std::string& text, const model::Scene& scene);

/// Whether a gear couples slides: its first joint slides and does not turn.
[[nodiscard]] bool gear_slides(const model::Scene& scene, const std::string& first);

/// Throws model::Error (input) at the value that is wrong.
void check_joints(const Reader& root, const model::Scene& scene);

}  // namespace scree::scene
