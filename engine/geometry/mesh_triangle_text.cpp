// SPDX-License-Identifier: BSD-3-Clause
// Nine numbers a line: the corners of one triangle.
#include "engine/geometry/mesh_formats.hpp"
#include "engine/geometry/text_input.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace scree::geometry {

void parse_triangle_text(std::string_view content, const std::string& file, MeshBuilder& builder) {
    static constexpr std::array<std::string_view, 9> meanings{"x of vertex 1", "y of vertex 1", "z of vertex 1",
                                                              "x of vertex 2", "y of vertex 2", "z of vertex 2",
                                                              "x of vertex 3", "y of vertex 3", "z of vertex 3"};
    LineReader lines(content, file);
    std::vector<std::string_view> fields;
    bool first = true;
    while (lines.next()) {
        const std::string_view line = lines.line();
        if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
        split_fields(line, fields);
        const bool may_be_header = first;
        first = false;
        if (may_be_header && !parse_number(fields[0])) continue;
        if (fields.size() != 9) {
            throw lines.error("a triangle has 9 numbers, this line has " + std::to_string(fields.size()) + " fields",
                              may_be_header ? "supported meshes: STL, OBJ, nine-column text" : "");
        }
        std::array<double, 9> v{};
        for (std::size_t k = 0; k < 9; ++k) v[k] = lines.finite_number(fields[k], meanings[k]);
        builder.add({v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]});
    }
}

}  // namespace scree::geometry
