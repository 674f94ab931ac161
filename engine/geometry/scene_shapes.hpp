// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a scene's bodies as the narrow phase takes them.
#pragma once

#include "engine/geometry/convex_shapes.hpp"
#include "engine/geometry/solid.hpp"

#include <vector>

namespace scree::geometry {

/// Bodies of one source share their shapes, plain spheres one of radius 1; SourceSolids::scale() says how large a body
/// is against it. Throws model::Error (input) for shapes that the narrow phase cannot take, naming the source.
class SceneShapes {
public:
    struct Part {
        std::int32_t shape = 0;
        model::Vec3 offset;    ///< From the body's centre of mass, body axes [m].
        model::Quat rotation;  ///< Shape axes to body axes.
    };

    SceneShapes(const model::Scene& scene, const SourceSolids& solids);

    [[nodiscard]] const ConvexShapes& shapes() const { return shapes_; }
    /// The parts of the bodies of a source, at the size of its solid; one for all but compounds.
    [[nodiscard]] const std::vector<Part>& of_source(std::size_t source) const { return parts_of_[source]; }
    /// The parts of a body where it stands, or of an image of it at `position`.
    [[nodiscard]] std::vector<kernels::PlacedShape> placed(const model::Sphere& body, model::Vec3 position) const;

private:
    const SourceSolids& solids_;
    ConvexShapes shapes_;
    std::vector<std::vector<Part>> parts_of_;
};

/// Depth of the deepest overlap of parts of two bodies [m]; 0 when they are apart.
[[nodiscard]] double overlap_of(const SceneShapes& shapes, const std::vector<kernels::PlacedShape>& a,
                                const std::vector<kernels::PlacedShape>& b);

}  // namespace scree::geometry
