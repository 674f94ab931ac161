// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/wall_pictures.hpp"

#include "engine/geometry/tessellate.hpp"
#include "engine/io/vtp.hpp"

#include <cmath>
#include <utility>

namespace scree::simulation {

WallPictures::WallPictures(const model::Scene& scene, const geometry::Extent& bodies)
    : boundaries_(scene.boundaries), extent_(bodies) {}

void WallPictures::make_meshes() {
    for (const model::Boundary& boundary : boundaries_) {
        if (const auto* mesh = std::get_if<model::MeshShape>(&boundary.shape))
            for (const model::Vec3& vertex : mesh->vertices) extent_.add(vertex);
    }
    const double size = 0.75 * model::norm(extent_.upper - extent_.lower);
    for (const model::Boundary& boundary : boundaries_)
        meshes_.push_back(geometry::tessellate(boundary.shape, size > 0.0 && std::isfinite(size) ? size : 1.0,
                                               0.5 * (extent_.lower + extent_.upper)));
    nearest_.resize(meshes_.size());
}

std::vector<std::vector<model::Vec3>> WallPictures::triangle_forces(const model::Snapshot& snapshot) {
    std::vector<std::vector<model::Vec3>> forces(boundaries_.size());
    for (const model::ContactRecord& contact : snapshot.contacts) {
        if (contact.boundary < 0) continue;
        const auto b = std::size_t(contact.boundary);
        if (!nearest_[b]) nearest_[b].emplace(meshes_[b]);
        const model::BoundaryState& state = snapshot.boundaries[b];
        const model::Vec3 point = rotate(conjugate(state.rotation), contact.point - state.displacement);
        const auto triangle = nearest_[b]->find(point);
        if (!triangle) continue;
        forces[b].resize(meshes_[b].triangles.size());
        forces[b][*triangle] = forces[b][*triangle] + contact.force;
    }
    return forces;
}

void WallPictures::write(const std::filesystem::path& path, const model::Snapshot& snapshot) {
    if (meshes_.empty()) make_meshes();
    std::vector<std::vector<model::Vec3>> forces = triangle_forces(snapshot);
    std::vector<io::WallPicture> walls;
    for (std::size_t b = 0; b < boundaries_.size(); ++b)
        walls.push_back(
            {&meshes_[b], snapshot.boundaries[b], boundaries_[b].torque_point, std::int32_t(b), std::move(forces[b])});
    io::write_walls(path, walls, snapshot.time);
}

}  // namespace scree::simulation
