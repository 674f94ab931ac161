// SPDX-License-Identifier: BSD-3-Clause
// From the text of a URDF file to a robot. What links and joints mean to each other is for other files.
#pragma once

#include "engine/urdf/robot.hpp"

#include <filesystem>

namespace scree::urdf {

/// Adds a note for each element that is not used. Throws model::Error (input) with the line: malformed XML, numbers
/// that are none, names missing or given twice, joints of unknown types, axes of no length, masses that are not
/// positive, moments of inertia that no body has.
[[nodiscard]] Robot parse_robot(const std::filesystem::path& file, Notes& notes);

}  // namespace scree::urdf
