// SPDX-License-Identifier: BSD-3-Clause
// Writing triangle meshes.
#pragma once

#include "engine/model/boundary.hpp"

#include <filesystem>

namespace scree::geometry {

/// Writes a binary STL file (little endian, coordinates rounded to float, normals by the right-hand rule).
/// Throws model::Error (environment) when the file cannot be written.
void write_stl(const std::filesystem::path& file, const model::MeshShape& mesh);

}  // namespace scree::geometry
