// SPDX-License-Identifier: BSD-3-Clause
// Bodies that left everything behind: through a hole in a mesh, or where a floor is missing.
#pragma once

#include "engine/geometry/extent.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <cstdint>

namespace scree::simulation {

/// How far a stray is from the box around everything, in largest sides of that box.
inline constexpr double stray_distance = 2.0;

/// Free bodies whose centre is farther than twice the largest side from the box around all boundaries (at t = 0 and as
/// they stand now) and all bodies at t = 0 (`start`). None in scenes whose boundaries are infinite planes alone, which
/// have no outside; nor bodies that fall towards such a plane.
[[nodiscard]] std::uint64_t count_strays(const model::Scene& scene, const geometry::Extent& start,
                                         const model::Snapshot& now);

}  // namespace scree::simulation
