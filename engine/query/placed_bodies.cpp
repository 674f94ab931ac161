// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/placed_bodies.hpp"

#include "engine/geometry/periodic_images.hpp"
#include "engine/query/shape_queries.hpp"
#include "engine/query/tree_walk.hpp"

#include <array>
#include <span>

namespace scree::query {
namespace {

using model::Vec3;

/// Whether a ball reaches between the periodic faces.
bool reaches_between(Vec3 center, double radius, const std::array<model::PeriodicFaces, 3>& periodic) {
    const double at[3] = {center.x, center.y, center.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const model::PeriodicFaces& faces = periodic[axis];
        if (faces.active && (at[axis] + radius < faces.lower || at[axis] - radius > faces.upper)) return false;
    }
    return true;
}

}  // namespace

PlacedBodies::PlacedBodies(const model::Scene& scene) : scene_(scene), solids_(scene), shapes_(scene, solids_) {}

void PlacedBodies::update(const model::Snapshot& snapshot) {
    const kernels::ShapeView view = shapes_.shapes().view();
    std::vector<Part> parts;
    std::vector<geometry::Extent> boxes;
    for (std::size_t i = 0; i < snapshot.id.size(); ++i) {
        geometry::for_each_image(snapshot.position[i], scene_.periodic, [&](Vec3 position, bool is_image) {
            if (is_image && !reaches_between(position, snapshot.radius[i], scene_.periodic)) return;
            for (const kernels::PlacedShape& shape : shapes_.placed(snapshot, i, position)) {
                parts.push_back({snapshot.id[i], shape});
                boxes.push_back(geometry::box_around(view, shape));
            }
        });
    }
    geometry::Bvh tree = geometry::build_box_bvh(boxes);
    nodes_ = std::move(tree.nodes);
    parts_.clear();
    parts_.reserve(parts.size());
    for (const std::uint32_t part : tree.order) parts_.push_back(parts[part]);
}

PlacedBodies::BodyTouch PlacedBodies::touch(const Line& line, double limit) const {
    const kernels::ShapeView view = shapes_.shapes().view();
    BodyTouch best;
    walk_along(std::span<const geometry::BvhNode>(nodes_), line, limit, [&](std::size_t place) {
        const Part& part = parts_[place];
        const Touch touch = touch_shape(view, part.shape, line, limit);
        if (!touch.found) return;
        if (best.touch.found && touch.distance == best.touch.distance && part.id >= best.id) return;
        best = {part.id, touch};
        limit = touch.distance;
    });
    // Where two parts of a body meet, the way into one is the way out of the other: no surface of the body.
    if (best.touch.found && !best.touch.inside && best.touch.distance == 0.0 && comes_out_of(best.id, line))
        best.touch = {true, true, 0.0, against(line.along)};
    return best;
}

bool PlacedBodies::comes_out_of(std::uint64_t id, const Line& line) const {
    const kernels::ShapeView view = shapes_.shapes().view();
    const Line back{line.from, against(line.along)};
    bool comes = false;
    double limit = 0.0;
    walk_along(std::span<const geometry::BvhNode>(nodes_), back, limit, [&](std::size_t place) {
        if (parts_[place].id == id && touch_shape(view, parts_[place].shape, back, 0.0).found) comes = true;
    });
    return comes;
}

void PlacedBodies::find(const kernels::PlacedShape& region, const geometry::Extent& box,
                        std::vector<std::uint64_t>& ids) const {
    const kernels::ShapeView view = shapes_.shapes().view();
    walk_through(std::span<const geometry::BvhNode>(nodes_), box, [&](std::size_t place) {
        if (reaches_into(view, parts_[place].shape, region)) ids.push_back(parts_[place].id);
    });
}

}  // namespace scree::query
