// SPDX-License-Identifier: BSD-3-Clause
// Boundaries from a grid of heights. The model holds their triangles: a written scene has them as a mesh.
#include "engine/geometry/height_field.hpp"
#include "engine/scene/mesh_table.hpp"
#include "engine/scene/nearest.hpp"

#include <cmath>
#include <system_error>

namespace scree::scene {

using namespace model;

namespace {

struct HeightInput {
    std::string path;
    geometry::HeightRows heights;
    Vec3 corner;
    double spacing_x = 0.0, spacing_y = 0.0;
    double scale = 1.0;
};

/// Bodies are 32-bit indices, and so are vertices.
constexpr std::size_t most_points = 100'000'000;

void read_rows(const Reader& in, HeightInput& input) {
    for (const auto& row : in.items()) {
        auto& heights = input.heights.emplace_back();
        for (const auto& value : row.items()) heights.push_back(value.quantity(Dimension::length, any_value));
        if (heights.size() != input.heights.front().size())
            row.fail("has " + std::to_string(heights.size()) + " heights, the first row has " +
                         std::to_string(input.heights.front().size()),
                     "all rows are of one length");
    }
    if (input.heights.size() < 2 || input.heights.front().size() < 2) in.fail("must hold at least 2 rows of 2 heights");
}

void finish(const Reader& in, HeightInput& input) {
    if (const auto path = in.find("path")) {
        const auto file = in.context().directory / input.path;
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored))
            path->fail("= " + in_quotes(input.path) + ": there is no such file",
                       "looked for " + in_quotes(file.generic_string()) + "; relative paths start at the scene file");
        input.heights = geometry::read_heights(file);
    }
    if (input.heights.size() * input.heights.front().size() > most_points)
        in.fail("has more than " + std::to_string(most_points) + " points");
    for (auto& row : input.heights)
        for (double& height : row) {
            height *= input.scale;
            if (!std::isfinite(height)) in.fail("has a height outside the range of double precision after 'scale'");
        }
}

const Table<HeightInput>& height_field_table() {
    static const auto table = [] {
        Table<HeightInput> t("height_field",
                             "Terrain: heights on a grid of points, two triangles a cell. Written back as a mesh.");
        t.text(&HeightInput::path, {.name = "path",
                                    .meaning = "Text with a row of heights per line (along x; lines follow along y), "
                                               "perhaps compressed (*.gz); relative to the scene file.",
                                    .group = "heights"});
        t.add({.name = "heights",
               .meaning = "The heights themselves: rows along x, one after another along y.",
               .dimension = Dimension::length,
               .group = "heights",
               .type = ValueType::rows},
              read_rows, [](const HeightInput&, Names) -> std::optional<Node> { return std::nullopt; });
        t.vector(
            &HeightInput::corner,
            {.name = "corner", .meaning = "Of the first row and column, at height 0.", .dimension = Dimension::length});
        t.add(
            {.name = "spacing",
             .meaning = "Distance of the points along x and y.",
             .dimension = Dimension::length,
             .range = positive,
             .required = true,
             .type = ValueType::quantities,
             .length = 2},
            [](const Reader& in, HeightInput& input) {
                const auto parts = in.items(2);
                input.spacing_x = parts[0].quantity(Dimension::length, positive);
                input.spacing_y = parts[1].quantity(Dimension::length, positive);
            },
            [](const HeightInput& input, Names) -> std::optional<Node> {
                return sequence_node({number_node(input.spacing_x), number_node(input.spacing_y)});
            });
        t.quantity(&HeightInput::scale, {.name = "scale",
                                         .meaning = "Multiplies the heights: the file's unit in metres.",
                                         .range = positive,
                                         .omit_default = true});
        t.check = finish;
        return t;
    }();
    return table;
}

}  // namespace

void add_height_field(Table<Boundary>& t) {
    t.add(
        {.name = "height_field",
         .meaning = height_field_table().about.meaning,
         .group = "shape",
         .type = ValueType::object,
         .object = &height_field_table().about},
        [](const Reader& in, Boundary& boundary) {
            HeightInput input;
            read_object(in, height_field_table(), input);
            MeshShape mesh = geometry::height_field_mesh(input.heights, input.corner, input.spacing_x, input.spacing_y);
            mesh.path = input.path;
            boundary.shape = std::move(mesh);
        },
        [](const Boundary&, Names) -> std::optional<Node> { return std::nullopt; });
}

}  // namespace scree::scene
