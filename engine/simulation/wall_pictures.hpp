// SPDX-License-Identifier: BSD-3-Clause
// The boundaries of a scene as triangles, made once, drawn at every frame.
#pragma once

#include "engine/geometry/extent.hpp"
#include "engine/geometry/nearest_triangle.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace scree::simulation {

class WallPictures {
public:
    /// Infinite planes are drawn as squares about `bodies`, the extent of the bodies at t = 0: a run that was continued
    /// draws what an uninterrupted one does.
    WallPictures(const model::Scene& scene, const geometry::Extent& bodies);

    [[nodiscard]] bool empty() const { return boundaries_.empty(); }
    /// The snapshot has its contacts.
    void write(const std::filesystem::path& path, const model::Snapshot& snapshot);

private:
    void make_meshes();

    std::vector<model::Boundary> boundaries_;
    geometry::Extent extent_;
    /// Forces of the contacts with each boundary on the triangles that they are nearest to.
    [[nodiscard]] std::vector<std::vector<model::Vec3>> triangle_forces(const model::Snapshot& snapshot);

    std::vector<model::MeshShape> meshes_;
    std::vector<std::optional<geometry::NearestTriangle>> nearest_;  ///< By boundary, once it was touched.
};

}  // namespace scree::simulation
