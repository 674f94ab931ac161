// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/checked_text.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/document.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"

#include <cstddef>

namespace scree::urdf {
namespace {

/// The robot's line of what stands in `line` of the text: that of the last body or joint that begins there or above; 0
/// where none does.
std::size_t robot_line(const model::Scene& scene, const std::string& text, std::size_t line) {
    const scene::Node root = scene::parse_document(text, {});
    std::size_t nearest = 0, found = 0;
    const auto look = [&](const char* section, const auto& items) {
        const scene::Node* nodes = root.find(section);
        if (nodes == nullptr) return;
        for (std::size_t k = 0; k < items.size() && k < nodes->items.size(); ++k) {
            const std::size_t at = nodes->items[k].at.line;
            if (at > line || at < nearest) continue;
            nearest = at;
            found = items[k].line;
        }
    };
    look("bodies", scene.sources);
    look("joints", scene.joints);
    return found;
}

}  // namespace

std::string checked_text(const model::Scene& scene) {
    std::string text = scene::to_yaml(scene);
    try {
        static_cast<void>(scene::parse_scene(text, scene.path));
    } catch (const model::Error& error) {
        throw model::Error(error.kind(), error.message(), error.hint(), scene.path,
                           robot_line(scene, text, error.line()));
    }
    return text;
}

}  // namespace scree::urdf
