// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/wall_overlaps.hpp"

#include "engine/geometry/overlaps.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/simulation/world_builder.hpp"
#include "kernels/collide/shapes/mesh_contacts.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {
namespace {

/// One boundary as the narrow phase takes it.
class Wall {
public:
    explicit Wall(const model::Boundary& boundary) : parts_(boundary_parts(boundary.shape, 0, meshes_)) {
        for (const kernels::MeshData& mesh : meshes_)
            views_.push_back({mesh.nodes.data(), mesh.triangles.data(), kernels::Index(mesh.triangles.size() / 9)});
    }
    /// How deep the shape lies in the wall [m].
    [[nodiscard]] double depth(const kernels::ShapeView& shapes, const kernels::PlacedShape& placed) const {
        double deepest = 0.0;
        for (const kernels::BoundaryPart& part : parts_) {
            const bool flat = part.kind == kernels::PartKind::plane || part.kind == kernels::PartKind::rectangle;
            if (flat && dot(placed.position - part.origin, part.e3) > placed.bounding_radius()) continue;
            kernels::WallContacts found;
            kernels::Vector3d axis{0, 0, 0};
            if (part.kind == kernels::PartKind::mesh)
                kernels::find_mesh_contacts(shapes, placed, views_[std::size_t(part.mesh)], 0.0, found);
            else
                kernels::find_wall_contacts(shapes, placed, part, 0.0, axis, found);
            for (int k = 0; k < found.count; ++k) deepest = std::max(deepest, -found.point[k].gap);
        }
        return deepest;
    }

private:
    std::vector<kernels::MeshData> meshes_;
    std::vector<kernels::BoundaryPart> parts_;
    std::vector<kernels::MeshView> views_;
};

}  // namespace

double half_thickness(const model::Snapshot& bodies, std::size_t i) {
    double least = bodies.radius[i];
    if (bodies.semi_axes.empty()) return least;
    const model::Vec3 half = bodies.semi_axes[i];
    for (const double h : {half.x, half.y, half.z})
        if (h > 0.0) least = std::min(least, h);
    return least;
}

std::vector<WallOverlaps> wall_overlaps(const model::Scene& scene, const model::Snapshot& bodies) {
    const geometry::SourceSolids solids(scene);
    const geometry::SceneShapes shapes(scene, solids);
    std::vector<WallOverlaps> result(scene.boundaries.size());
    for (std::size_t b = 0; b < result.size(); ++b) {
        if (scene.boundaries[b].remove_at <= 0.0) continue;
        const Wall wall(scene.boundaries[b]);
        for (std::size_t i = 0; i < bodies.id.size(); ++i) {
            if (!std::isfinite(bodies.mass[i]) || !model::collides(scene.sources[bodies.source[i]])) continue;
            model::Sphere body;
            body.position = bodies.position[i];
            body.orientation = bodies.orientation[i];
            body.radius = bodies.radius[i];
            body.source = bodies.source[i];
            double depth = 0.0;
            for (const kernels::PlacedShape& part : shapes.placed(body, body.position))
                depth = std::max(depth, wall.depth(shapes.shapes().view(), part));
            const double share = depth / half_thickness(bodies, i);
            if (!(share > geometry::deep_overlap)) continue;
            WallOverlaps& found = result[b];
            ++found.count;
            if (share > found.share) found = {found.count, bodies.id[i], depth, share};
        }
    }
    return result;
}

}  // namespace scree::simulation
