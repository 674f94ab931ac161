// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/write.hpp"

#include "engine/scene/print.hpp"
#include "engine/scene/tables.hpp"

namespace scree::scene {

std::string to_yaml(const model::Scene& scene) {
    std::vector<std::string> names;
    names.reserve(scene.materials.size());
    for (const auto& material : scene.materials) names.push_back(material.name);
    return print_document(write_object(scene_table(), scene, names));
}

}  // namespace scree::scene
