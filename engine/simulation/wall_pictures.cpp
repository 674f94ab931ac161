// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/wall_pictures.hpp"

#include "engine/geometry/tessellate.hpp"
#include "engine/io/vtp.hpp"

#include <algorithm>

namespace scree::simulation {
namespace {

struct Extent {
    model::Vec3 lower, upper;
    bool empty = true;
    void add(model::Vec3 point, double radius) {
        const model::Vec3 r{radius, radius, radius}, low = point - r, high = point + r;
        if (empty) {
            lower = low;
            upper = high;
        }
        empty = false;
        lower = {std::min(lower.x, low.x), std::min(lower.y, low.y), std::min(lower.z, low.z)};
        upper = {std::max(upper.x, high.x), std::max(upper.y, high.y), std::max(upper.z, high.z)};
    }
};

}  // namespace

WallPictures::WallPictures(const model::Scene& scene) : boundaries_(scene.boundaries) {}

void WallPictures::make_meshes(const model::Snapshot& snapshot) {
    Extent extent;
    for (std::size_t i = 0; i < snapshot.id.size(); ++i) extent.add(snapshot.position[i], snapshot.radius[i]);
    for (const model::Boundary& boundary : boundaries_) {
        if (const auto* mesh = std::get_if<model::MeshShape>(&boundary.shape))
            for (const model::Vec3& vertex : mesh->vertices) extent.add(vertex, 0.0);
    }
    const double size = 0.75 * model::norm(extent.upper - extent.lower);
    for (const model::Boundary& boundary : boundaries_)
        meshes_.push_back(
            geometry::tessellate(boundary.shape, size > 0.0 ? size : 1.0, 0.5 * (extent.lower + extent.upper)));
}

void WallPictures::write(const std::filesystem::path& path, const model::Snapshot& snapshot) {
    if (meshes_.empty()) make_meshes(snapshot);
    std::vector<io::WallPicture> walls;
    for (std::size_t b = 0; b < boundaries_.size(); ++b)
        walls.push_back({&meshes_[b], snapshot.boundaries[b], boundaries_[b].torque_point, std::int32_t(b)});
    io::write_walls(path, walls, snapshot.time);
}

}  // namespace scree::simulation
