// SPDX-License-Identifier: BSD-3-Clause
// Parsers of the mesh formats. Each adds the triangles of `content` to `builder`; `file` is for messages only.
// They throw model::Error (input) with the line, or the byte offset for binary STL, of the first fault.
// A new format is one parser here and one row in the table of mesh_file.cpp.
#pragma once

#include "engine/geometry/mesh_builder.hpp"

#include <string>
#include <string_view>

namespace scree::geometry {

/// Statements of ascii STL, white space and line ends alike between words; normals are read and ignored.
void parse_stl_ascii(std::string_view content, const std::string& file, MeshBuilder& builder);

/// 80 bytes of header, a count, 50 bytes per triangle. The count must match the size of the file exactly.
void parse_stl_binary(std::string_view content, const std::string& file, MeshBuilder& builder);

/// True when the size matches the count in the header, which settles the question whatever the header says.
[[nodiscard]] bool is_stl_binary_exactly(std::string_view content);

void parse_obj(std::string_view content, const std::string& file, MeshBuilder& builder);

void parse_triangle_text(std::string_view content, const std::string& file, MeshBuilder& builder);

}  // namespace scree::geometry
