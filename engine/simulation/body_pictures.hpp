// SPDX-License-Identifier: BSD-3-Clause
// The bodies of a scene that are no plain spheres as triangles: made once by source, drawn at every frame.
#pragma once

#include "engine/geometry/closed_surface.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <filesystem>
#include <vector>

namespace scree::simulation {

class BodyPictures {
public:
    /// `scene` must outlive this.
    explicit BodyPictures(const model::Scene& scene);

    /// All bodies are plain spheres.
    [[nodiscard]] bool empty() const { return !solids_.any(); }
    /// Plain spheres are left out.
    void write(const std::filesystem::path& path, const model::Snapshot& snapshot);

private:
    void make_surfaces();

    const model::Scene& scene_;
    geometry::SourceSolids solids_;
    /// By source, at the size of its solid, in body axes; nothing for plain spheres. Made at the first frame.
    std::vector<geometry::ClosedSurface> surfaces_;
};

}  // namespace scree::simulation
