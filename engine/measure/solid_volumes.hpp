// SPDX-License-Identifier: BSD-3-Clause
// Bodies of any shape in a box: the volume that they fill there, and who touches whom.
#pragma once

#include "engine/geometry/closed_surface.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scree::measure {

/// The solids of a scene that is not planar.
class SolidVolumes {
public:
    /// Parts where they stand.
    using Placed = std::vector<kernels::PlacedShape>;

    /// Keeps what it needs of the scene.
    explicit SolidVolumes(const model::Scene& scene);
    SolidVolumes(const SolidVolumes&) = delete;
    SolidVolumes& operator=(const SolidVolumes&) = delete;

    /// Body i of a snapshot, or an image of it at `position`.
    [[nodiscard]] Placed placed(const model::Snapshot& snapshot, std::size_t i, model::Vec3 position) const {
        return shapes_.placed(snapshot, i, position);
    }
    [[nodiscard]] geometry::Extent extent(const Placed& body) const;
    /// Volume [m^3] of a body of this source in the box: to rounding for spheres, clumps (their union), boxes and
    /// polyhedra, and for all bodies that lie wholly inside; for round shapes that a face cuts, within 1e-4 of the
    /// shape's volume (geometry/shape_surface.hpp). In other compounds both parts count where two overlap, as for the
    /// mass.
    [[nodiscard]] double volume_in_box(const Placed& body, std::size_t source, model::Vec3 lower,
                                       model::Vec3 upper) const;
    /// Whether bodies of the source touch anything.
    [[nodiscard]] bool collides(std::size_t source) const { return model::collides(scene_.sources[source]); }
    /// Whether the gap between two bodies is below `reach` [m].
    [[nodiscard]] bool are_within(const Placed& a, const Placed& b, double reach) const;

private:
    struct Part {
        double volume = 0.0;              ///< At unit scale [m^3].
        geometry::ClosedSurface surface;  ///< Of all but spheres.
    };
    [[nodiscard]] double part_in_box(const Part& part, const kernels::PlacedShape& shape, model::Vec3 lower,
                                     model::Vec3 upper) const;

    model::Scene scene_;  ///< Sources and what they name.
    geometry::SourceSolids solids_;
    geometry::SceneShapes shapes_;
    std::vector<std::vector<Part>> parts_;          ///< By source; empty: spheres and clumps.
    std::vector<std::optional<double>> of_clumps_;  ///< By source: volume of the union, of the size of its solid [m^3].
};

}  // namespace scree::measure
