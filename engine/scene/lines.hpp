// SPDX-License-Identifier: BSD-3-Clause
// Places in a scene file for errors that are found after it was read.
#pragma once

#include <cstddef>
#include <string>

namespace scree::scene {

/// Line of entry `index` of a list or map of the scene ("boundaries", "materials"), from 1; 0 where the file cannot be
/// read again, or has no such entry.
[[nodiscard]] std::size_t line_of(const std::string& file, const std::string& list, std::size_t index);

}  // namespace scree::scene
