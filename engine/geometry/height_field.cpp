// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/height_field.hpp"

#include "engine/geometry/text_input.hpp"

#include <string>

namespace scree::geometry {

HeightRows read_heights(const std::filesystem::path& file) {
    const std::string text = read_content(file);
    LineReader lines(text, file.generic_string());
    HeightRows rows;
    std::vector<std::string_view> fields;
    while (lines.next()) {
        const std::string_view line = trimmed(lines.line());
        if (line.empty() || line.front() == '#') continue;
        split_fields(line, fields);
        auto& row = rows.emplace_back();
        for (const std::string_view field : fields) row.push_back(lines.finite_number(field, "a height"));
        if (row.size() != rows.front().size())
            throw lines.error("has " + std::to_string(row.size()) + " heights, the first row has " +
                                  std::to_string(rows.front().size()),
                              "all rows are of one length");
    }
    if (rows.size() < 2 || rows.front().size() < 2)
        throw model::Error(model::ErrorKind::input,
                           "holds " + std::to_string(rows.size()) + " rows of " +
                               std::to_string(rows.empty() ? 0 : rows.front().size()) +
                               " heights (allowed: at least 2 x 2)",
                           "a row per line, numbers separated by spaces or commas", file.generic_string());
    return rows;
}

model::MeshShape height_field_mesh(const HeightRows& heights, model::Vec3 corner, double spacing_x, double spacing_y) {
    model::MeshShape mesh;
    const std::size_t columns = heights.front().size();
    mesh.vertices.reserve(heights.size() * columns);
    for (std::size_t j = 0; j < heights.size(); ++j)
        for (std::size_t i = 0; i < columns; ++i)
            mesh.vertices.push_back(corner + model::Vec3{double(i) * spacing_x, double(j) * spacing_y, heights[j][i]});
    mesh.triangles.reserve(2 * (heights.size() - 1) * (columns - 1));
    for (std::size_t j = 0; j + 1 < heights.size(); ++j)
        for (std::size_t i = 0; i + 1 < columns; ++i) {
            const auto at = [&](std::size_t di, std::size_t dj) {
                return static_cast<std::uint32_t>((j + dj) * columns + i + di);
            };
            mesh.triangles.push_back({at(0, 0), at(1, 0), at(1, 1)});
            mesh.triangles.push_back({at(0, 0), at(1, 1), at(0, 1)});
        }
    return mesh;
}

}  // namespace scree::geometry
