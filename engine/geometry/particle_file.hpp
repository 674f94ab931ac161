// SPDX-License-Identifier: BSD-3-Clause
// Reading spheres from a text file (model::FileSource).
//
// One sphere a line: fields between commas, semicolons or white space; blank lines and lines that begin with '#' are
// skipped; "*.gz" is inflated. The columns are named, in this order of preference, by
//   1. FileSource::columns (a header in the file is then skipped),
//   2. a header: the first line, when its first field is not a number,
//   3. the last comment line before the data, when it names x, y and z ("# x y z radius").
// Names are compared without case, punctuation and a unit in brackets: "PosX[m]", "pos_x" and "x" are one. A length in
// a header with another unit than m needs FileSource::scale. Columns of a header without a meaning here are ignored
// and listed in the result.
#pragma once

#include "engine/model/math.hpp"
#include "engine/model/source.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace scree::geometry {

/// One sphere of a file: lengths scaled, position moved by the translation.
struct ParticleRow {
    model::Vec3 position;          ///< [m]
    model::Vec3 velocity;          ///< [m/s], as in the file; zero without these columns.
    model::Vec3 angular_velocity;  ///< [rad/s], as in the file; zero without these columns.
    double radius = 0.0;           ///< [m], > 0
};

struct ParticleTable {
    std::vector<ParticleRow> rows;             ///< In order of the file.
    std::size_t rows_read = 0;                 ///< Before the selection by radius.
    std::vector<std::string> ignored_columns;  ///< Names in the header without a meaning here.
};

/// Reads the file of a source; `folder` is where relative paths start.
/// Throws model::Error: environment when the file cannot be read; input, with file and line, when a line has another
/// number of fields than columns, or a field that is not a finite number, or a radius that is not positive, when a
/// column is missing or named twice, or when no sphere is left. FileSource::max_rows ends the data before a footer.
[[nodiscard]] ParticleTable read_particles(const model::FileSource& source, const std::filesystem::path& folder = {});

}  // namespace scree::geometry
