// SPDX-License-Identifier: BSD-3-Clause
// Terrain from a grid of heights.
#pragma once

#include "engine/model/boundary.hpp"

#include <filesystem>
#include <vector>

namespace scree::geometry {

/// Rows of equal length, row j at y = y0 + j dy, column i at x = x0 + i dx.
using HeightRows = std::vector<std::vector<double>>;

/// Numbers in rows, separated by commas, semicolons or white space; perhaps compressed (*.gz). Lines that begin with
/// '#' and empty ones are skipped. Throws model::Error with file and line for anything else than a rectangle of at
/// least 2 x 2 finite numbers.
[[nodiscard]] HeightRows read_heights(const std::filesystem::path& file);

/// Two triangles per cell, all cells cut along the same diagonal. `corner` is the point of row 0, column 0 at height 0.
/// Spacings are positive [m]; rows form a rectangle of at least 2 x 2.
[[nodiscard]] model::MeshShape height_field_mesh(const HeightRows& heights, model::Vec3 corner, double spacing_x,
                                                 double spacing_y);

}  // namespace scree::geometry
