// SPDX-License-Identifier: BSD-3-Clause
// Bodies of the production step that begin deep in boundaries.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::simulation {

/// Half the thickness of a body: the least of half its extents along its axes [m]; of a plain sphere the radius.
/// Axes without extent, of planar bodies, do not count.
[[nodiscard]] double half_thickness(const model::Snapshot& bodies, std::size_t i);

/// Free bodies that overlap a boundary by more than 10 % of half their thickness.
struct WallOverlaps {
    std::size_t count = 0;
    // Of the body that overlaps most for its size.
    std::uint64_t body = 0;
    double depth = 0.0, share = 0.0;  ///< [m]; of half the thickness.
};

/// One entry per boundary, where they are at t = 0 (removed ones overlap nothing); `bodies` as at t = 0.
[[nodiscard]] std::vector<WallOverlaps> wall_overlaps(const model::Scene& scene, const model::Snapshot& bodies);

}  // namespace scree::simulation
