// SPDX-License-Identifier: BSD-3-Clause
// Where a body stands in a snapshot.
#pragma once

#include "engine/model/snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace scree::model {

/// Index of the body with this id, which bodies are in order of; nothing where the snapshot does not hold it.
[[nodiscard]] inline std::optional<std::size_t> index_of_body(const Snapshot& snapshot, std::uint64_t id) {
    const auto found = std::lower_bound(snapshot.id.begin(), snapshot.id.end(), id);
    if (found == snapshot.id.end() || *found != id) return std::nullopt;
    return std::size_t(found - snapshot.id.begin());
}

}  // namespace scree::model
