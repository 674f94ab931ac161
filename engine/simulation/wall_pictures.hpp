// SPDX-License-Identifier: BSD-3-Clause
// The boundaries of a scene as triangles, made once, drawn at every frame.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <filesystem>
#include <vector>

namespace scree::simulation {

class WallPictures {
public:
    explicit WallPictures(const model::Scene& scene);

    [[nodiscard]] bool empty() const { return boundaries_.empty(); }
    void write(const std::filesystem::path& path, const model::Snapshot& snapshot);

private:
    /// Infinite planes are drawn as squares about the bodies of the first frame.
    void make_meshes(const model::Snapshot& snapshot);

    std::vector<model::Boundary> boundaries_;
    std::vector<model::MeshShape> meshes_;
};

}  // namespace scree::simulation
