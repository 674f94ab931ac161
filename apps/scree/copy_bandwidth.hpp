// SPDX-License-Identifier: BSD-3-Clause
// The measured limit that the solver's traffic is held against.
#pragma once

#include <cstddef>

namespace scree::app {

/// Bytes read plus bytes written per second by a copy of arrays far larger than the caches, each thread its own part;
/// the best of several.
[[nodiscard]] double measure_copy_bandwidth(std::size_t threads);

}  // namespace scree::app
