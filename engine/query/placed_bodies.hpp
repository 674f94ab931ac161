// SPDX-License-Identifier: BSD-3-Clause
// The bodies of a snapshot as shapes that stand in space, in a hierarchy of boxes.
#pragma once

#include "engine/geometry/bvh.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/model/snapshot.hpp"
#include "engine/query/line.hpp"

#include <cstdint>
#include <vector>

namespace scree::query {

/// Parts of bodies; in periodic scenes also those of images that reach between the faces.
class PlacedBodies {
public:
    /// The scene must outlive the object.
    explicit PlacedBodies(const model::Scene& scene);

    void update(const model::Snapshot& snapshot);

    struct BodyTouch {
        std::uint64_t id = 0;
        Touch touch;
    };
    /// The nearest touch within `limit` [m]; of equals that of the lowest id.
    [[nodiscard]] BodyTouch touch(const Line& line, double limit) const;
    /// Appends the ids of bodies that share a point with the region, a shape that needs no arrays of ShapeView, and
    /// whose box is `box`. Ids may come more than once.
    void find(const kernels::PlacedShape& region, const geometry::Extent& box, std::vector<std::uint64_t>& ids) const;

private:
    /// Whether the line was in the body right before its begin.
    [[nodiscard]] bool comes_out_of(std::uint64_t id, const Line& line) const;

    struct Part {
        std::uint64_t id = 0;
        kernels::PlacedShape shape;
    };
    const model::Scene& scene_;
    geometry::SourceSolids solids_;
    geometry::SceneShapes shapes_;
    std::vector<Part> parts_;  ///< In the order of the tree's leaves.
    std::vector<geometry::BvhNode> nodes_;
};

}  // namespace scree::query
