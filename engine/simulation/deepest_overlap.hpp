// SPDX-License-Identifier: BSD-3-Clause
// Which bodies overlap most, for the words of a warning.
#pragma once

#include "engine/model/snapshot.hpp"

#include <cstdint>
#include <optional>

namespace scree::simulation {

/// Overlaps of more than this share of the smaller diameter are worth a warning.
inline constexpr double much_overlap = 0.1;

/// One overlap; `id_b` is 0 where it is one with a boundary.
struct DeepestOverlap {
    std::uint64_t id_a = 0, id_b = 0;
    std::int32_t boundary = -1;  ///< Index into Scene::boundaries; -1: of two bodies.
    double relative = 0.0;       ///< Over the smaller diameter [-].
    std::uint64_t step = 0;      ///< At whose start it was found, counted from 1.
    double time = 0.0;           ///< Of that step's end [s].
};

/// The contact of `snapshot` (with contacts) that overlaps most for its size; nothing where none does.
[[nodiscard]] std::optional<DeepestOverlap> deepest_overlap(const model::Snapshot& snapshot);

}  // namespace scree::simulation
