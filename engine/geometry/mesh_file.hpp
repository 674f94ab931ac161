// SPDX-License-Identifier: BSD-3-Clause
// Reading triangle meshes. Formats:
//   STL      ascii and binary, told apart by content (binary also when the header begins with "solid")
//   OBJ      (by its extension) v, f with v, v/vt, v//vn or v/vt/vn; negative indices; polygons are fan-triangulated
//   (convex ones only
//            come out right); normals, textures, groups and materials are ignored
//   triangle text   (any other extension) nine numbers a line (three vertices), comma or white space, an optional
//   header line, # comments
// Each may be compressed with gzip: name it *.stl.gz and so on.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/math.hpp"

#include <filesystem>

namespace scree::geometry {

/// Reads a mesh and places it: world = rotation (scale * file) + translation [m].
///
/// Vertices with exactly equal coordinates in the file are welded into one, so that triangles that meet share indices;
/// vertices that no triangle uses are left out. Triangles without area (height below 1e-12 of the longest edge) are
/// dropped and counted in MeshShape::degenerate_dropped. Triangles keep the order and orientation of the file.
///
/// `scale` > 0 is the unit of the file in metres; `rotation` need not be normalised.
/// Throws model::Error: environment when the file cannot be read; input, with the file and line (byte offset for
/// binary STL), when it is malformed, truncated, holds a number that is not finite, or has no triangle left.
[[nodiscard]] model::MeshShape read_mesh(const std::filesystem::path& file, double scale = 1.0,
                                         model::Quat rotation = {}, model::Vec3 translation = {});

}  // namespace scree::geometry
