// SPDX-License-Identifier: BSD-3-Clause
// What the columns of a particle file mean, from their names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scree::geometry {

enum class ColumnMeaning : std::uint8_t { id, x, y, z, radius, diameter, vx, vy, vz, wx, wy, wz, skip };

/// Names that scenes use, in the order of ColumnMeaning.
inline constexpr std::array<std::string_view, 13> column_names{"id", "x",  "y",  "z",  "radius", "diameter", "vx",
                                                               "vy", "vz", "wx", "wy", "wz",     "skip"};

/// A column heading taken apart.
struct ColumnHeading {
    std::optional<ColumnMeaning> meaning;  ///< Empty when the name is not known.
    std::string unit;                      ///< Between [] or (), without blanks; empty when not given.
};

/// Takes "PosX[m]", "vel_x (m/s)", "Radius" apart.
[[nodiscard]] ColumnHeading parse_heading(std::string_view heading);

/// True for columns that FileSource::scale multiplies.
[[nodiscard]] constexpr bool is_length(ColumnMeaning meaning) {
    return meaning == ColumnMeaning::x || meaning == ColumnMeaning::y || meaning == ColumnMeaning::z ||
           meaning == ColumnMeaning::radius || meaning == ColumnMeaning::diameter;
}

}  // namespace scree::geometry
