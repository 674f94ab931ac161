// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/check_model.hpp"

#include "engine/geometry/belts.hpp"
#include "engine/model/error.hpp"
#include "engine/scene/check.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/tables.hpp"

#include <string>
#include <variant>
#include <vector>

namespace scree::scene {
namespace {

/// The scene without what is long to write: a mesh may have millions of vertices.
model::Scene without_meshes(const model::Scene& scene) {
    const auto is_mesh = [](const model::Boundary& boundary) {
        return std::holds_alternative<model::MeshShape>(boundary.shape);
    };
    model::Scene light;
    light.boundaries.reserve(scene.boundaries.size());
    for (const model::Boundary& boundary : scene.boundaries) {
        if (!is_mesh(boundary)) {
            light.boundaries.push_back(boundary);
            continue;
        }
        model::Boundary& plane =
            light.boundaries.emplace_back(model::Boundary{boundary.name, boundary.material, model::PlaneShape{},
                                                          boundary.motions, boundary.torque_point, boundary.remove_at});
        std::erase_if(plane.motions, [](const auto& motion) { return motion.kind == model::Motion::Kind::belt; });
    }
    light.name = scene.name;
    light.path = scene.path;
    light.gravity = scene.gravity;
    light.materials = scene.materials;
    light.pairs = scene.pairs;
    light.sources = scene.sources;
    light.joints = scene.joints;
    light.outlets = scene.outlets;
    light.periodic = scene.periodic;
    light.probes = scene.probes;
    light.settings = scene.settings;
    return light;
}

/// Names of materials, once all indices are known to have one.
std::vector<std::string> material_names(const model::Scene& scene) {
    std::vector<std::string> names;
    names.reserve(scene.materials.size());
    for (const model::Material& material : scene.materials) names.push_back(material.name);
    const auto require = [&](std::size_t material, const auto& who) {
        if (material < names.size()) return;
        throw model::Error(
            model::ErrorKind::input,
            who() + ": its material is number " + std::to_string(material) + " of " + std::to_string(names.size()),
            "materials count from 0", scene.path);
    };
    const auto numbered = [](const char* section, std::size_t index, const std::string& name) {
        return name.empty() ? section + ("[" + std::to_string(index) + "]") : section + (" " + in_quotes(name));
    };
    for (std::size_t i = 0; i < scene.sources.size(); ++i)
        require(scene.sources[i].material, [&] { return numbered("bodies", i, scene.sources[i].name); });
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i)
        require(scene.boundaries[i].material, [&] { return numbered("boundaries", i, scene.boundaries[i].name); });
    for (std::size_t i = 0; i < scene.pairs.size(); ++i)
        for (const std::size_t material : {scene.pairs[i].first, scene.pairs[i].second})
            require(material, [&] { return numbered("pairs", i, {}); });
    return names;
}

}  // namespace

void check_model(const model::Scene& scene) {
    const model::Scene light = without_meshes(scene);
    Context context;
    context.file = scene.path;
    const Node root = write_object(scene_table(), light, material_names(light));
    const Reader reader(root, context, {}, {});
    model::Scene again;
    read_object(reader, scene_table(), again);
    check_scene(reader, again);
    for (const model::Boundary& boundary : scene.boundaries)
        if (!geometry::belts_run_along(boundary))
            throw model::Error(model::ErrorKind::input,
                               "boundary " + in_quotes(boundary.name) + ": a belt's velocity points out of the surface",
                               "a belt is a plane or a flat mesh", scene.path);
}

}  // namespace scree::scene
