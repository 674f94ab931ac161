// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/compound_warnings.hpp"

#include "engine/geometry/compound.hpp"
#include "engine/geometry/scene_shapes.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <variant>

namespace scree::app {

void warn_of_parts(std::vector<std::string>& warnings, const model::Scene& scene) {
    std::optional<geometry::SourceSolids> solids;
    std::optional<geometry::SceneShapes> shapes;
    for (std::size_t s = 0; s < scene.sources.size(); ++s) {
        const model::Source& source = scene.sources[s];
        const auto* body = std::get_if<model::BodySource>(&source.what);
        if (body != nullptr && (body->fixed || body->mass > 0.0)) continue;
        const model::Solid* solid = body != nullptr ? &body->shape : source.shape ? &*source.shape : nullptr;
        const auto* compound = solid != nullptr ? std::get_if<model::SolidCompound>(solid) : nullptr;
        if (compound == nullptr || !geometry::balls_of(*compound).empty()) continue;
        if (!shapes) shapes.emplace(scene, solids.emplace(scene));
        const auto found = geometry::overlapping_parts(*shapes, *solids, s);
        if (!found) continue;
        warnings.push_back(fmt::format("parts {} and {} of {}{} overlap by {:.3g} m: both count for its mass [{}]",
                                       found->first, found->second,
                                       source.name.empty() ? fmt::format("bodies[{}]", s) : "'" + source.name + "'",
                                       source.line > 0 ? fmt::format(" (line {})", source.line) : "", found->depth,
                                       body != nullptr ? "give mass and inertia, or parts that only touch"
                                                       : "give parts that only touch, or spheres alone"));
    }
}

}  // namespace scree::app
