// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/body_pictures.hpp"

#include "engine/geometry/scene_shapes.hpp"
#include "engine/geometry/shape_surface.hpp"
#include "engine/io/vtp.hpp"

namespace scree::simulation {

BodyPictures::BodyPictures(const model::Scene& scene) : scene_(scene), solids_(scene) {}

void BodyPictures::make_surfaces() {
    const geometry::SceneShapes shapes(scene_, solids_);
    surfaces_.resize(scene_.sources.size());
    for (std::size_t source = 0; source < surfaces_.size(); ++source) {
        if (solids_.solid(source) == nullptr) continue;
        geometry::ClosedSurface& whole = surfaces_[source];
        for (const geometry::SceneShapes::Part& part : shapes.of_source(source)) {
            const geometry::ClosedSurface surface =
                geometry::picture_of(shapes.shapes().view(), shapes.shapes().shapes()[std::size_t(part.shape)]);
            const auto first = std::uint32_t(whole.points.size());
            for (const model::Vec3 p : surface.points)
                whole.points.push_back(part.offset + model::rotate(part.rotation, p));
            for (const auto& t : surface.triangles)
                whole.triangles.push_back({first + t[0], first + t[1], first + t[2]});
        }
    }
}

void BodyPictures::write(const std::filesystem::path& path, const model::Snapshot& snapshot) {
    if (surfaces_.empty()) make_surfaces();
    std::vector<io::BodySurface> bodies;
    for (std::size_t i = 0; i < snapshot.id.size(); ++i) {
        const geometry::ClosedSurface& surface = surfaces_[snapshot.source[i]];
        const bool is_ball = i < snapshot.shape.size() && snapshot.shape[i] == 0;  // also one that stands as a body
        if (surface.points.empty() || is_ball) continue;
        model::Sphere body;
        body.radius = snapshot.radius[i];
        body.source = snapshot.source[i];
        bodies.push_back({i, surface.points, surface.triangles, solids_.scale(body)});
    }
    io::write_surfaces(path, bodies, snapshot);
}

}  // namespace scree::simulation
