// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a scene's bodies as the narrow phase takes them.
#pragma once

#include "engine/geometry/convex_shapes.hpp"
#include "engine/geometry/solid.hpp"

#include <vector>

namespace scree::geometry {

/// Bodies of one source share a shape, plain spheres one of radius 1; SourceSolids::scale() says how large a body is
/// against it. Throws model::Error (input) for shapes that the narrow phase cannot take, naming the source.
class SceneShapes {
public:
    SceneShapes(const model::Scene& scene, const SourceSolids& solids);

    [[nodiscard]] const ConvexShapes& shapes() const { return shapes_; }
    [[nodiscard]] std::int32_t of_source(std::size_t source) const { return shape_of_[source]; }
    /// A body where it stands, or an image of it at `position`.
    [[nodiscard]] kernels::PlacedShape placed(const model::Sphere& body, model::Vec3 position) const;

private:
    const SourceSolids& solids_;
    ConvexShapes shapes_;
    std::vector<std::int32_t> shape_of_;
};

/// Depth of the overlap of two placed shapes [m]; 0 when they are apart.
[[nodiscard]] double overlap_of(const SceneShapes& shapes, const kernels::PlacedShape& a,
                                const kernels::PlacedShape& b);

}  // namespace scree::geometry
