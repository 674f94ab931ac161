// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a scene's bodies as the narrow phase takes them.
#pragma once

#include "engine/geometry/convex_shapes.hpp"
#include "engine/geometry/extent.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/model/snapshot.hpp"

#include <optional>
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
    /// The same of body i of a snapshot.
    [[nodiscard]] std::vector<kernels::PlacedShape> placed(const model::Snapshot& snapshot, std::size_t i,
                                                           model::Vec3 position) const;

private:
    const SourceSolids& solids_;
    ConvexShapes shapes_;
    std::vector<std::vector<Part>> parts_of_;
};

/// The box around a placed shape: its farthest points along the axes, wider by rounding.
[[nodiscard]] Extent box_around(const kernels::ShapeView& view, const kernels::PlacedShape& shape);

/// The first two parts of a source's compound that overlap by more than a millionth of its radius, which is about what
/// faces in one plane do by rounding, and what changes the mass by no more than that.
struct PartOverlap {
    std::size_t first = 0, second = 0;  ///< Numbers of the parts.
    double depth = 0.0;                 ///< [m]
};
[[nodiscard]] std::optional<PartOverlap> overlapping_parts(const SceneShapes& shapes, const SourceSolids& solids,
                                                           std::size_t source);

/// Depth of the deepest overlap of parts of two bodies [m]; 0 when they are apart.
[[nodiscard]] double overlap_of(const SceneShapes& shapes, const std::vector<kernels::PlacedShape>& a,
                                const std::vector<kernels::PlacedShape>& b);
/// Whether parts of two bodies come nearer than `gap` [m].
[[nodiscard]] bool are_within(double gap, const SceneShapes& shapes, const std::vector<kernels::PlacedShape>& a,
                              const std::vector<kernels::PlacedShape>& b);

}  // namespace scree::geometry
