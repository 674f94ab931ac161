// SPDX-License-Identifier: BSD-3-Clause
// Wavefront OBJ: vertices and faces.
#include "engine/geometry/mesh_formats.hpp"
#include "engine/geometry/text_input.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::geometry {
namespace {

/// Statements without meaning for a collision mesh.
constexpr std::array<std::string_view, 16> ignored{"vn",         "vt",     "vp",    "g", "o",      "s",
                                                   "usemtl",     "mtllib", "l",     "p", "usemap", "maplib",
                                                   "shadow_obj", "lod",    "bevel", "mg"};

/// One index of a face corner such as "7", "-1": resolved to 0-based among `count`.
std::size_t resolve(const LineReader& lines, std::string_view text, std::size_t count, std::string_view corner) {
    std::int64_t index = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (status != std::errc{} || end != text.data() + text.size() || index == 0) {
        throw lines.error("face corner " + in_quotes(corner) + " is not of the form v, v/vt, v//vn or v/vt/vn");
    }
    const auto n = static_cast<std::int64_t>(count);
    if (index > n || index < -n) {
        throw lines.error("face corner " + in_quotes(corner) + " is out of range: " + std::to_string(count) +
                          " defined so far");
    }
    return static_cast<std::size_t>(index > 0 ? index - 1 : n + index);
}

/// How many of each kind of vertex have been defined so far.
struct Counts {
    std::size_t texture = 0, normal = 0;
};

std::size_t parse_corner(const LineReader& lines, std::string_view corner, std::size_t vertices, const Counts& counts) {
    const std::size_t first = std::min(corner.find('/'), corner.size());
    const std::size_t vertex = resolve(lines, corner.substr(0, first), vertices, corner);
    if (first == corner.size()) return vertex;
    const std::string_view rest = corner.substr(first + 1);
    const std::size_t second = rest.find('/');
    const std::string_view texture = rest.substr(0, second);
    const bool has_normal = second != std::string_view::npos;
    if (!texture.empty() || !has_normal) static_cast<void>(resolve(lines, texture, counts.texture, corner));
    if (has_normal) static_cast<void>(resolve(lines, rest.substr(second + 1), counts.normal, corner));
    return vertex;
}

void parse_face(const LineReader& lines, const std::vector<std::string_view>& words,
                const std::vector<model::Vec3>& vertices, const Counts& counts, MeshBuilder& builder) {
    if (words.size() < 4) {
        throw lines.error("a face has " + std::to_string(words.size() - 1) + " corners, at least 3 are wanted");
    }
    const auto corner = [&](std::size_t k) { return vertices[parse_corner(lines, words[k], vertices.size(), counts)]; };
    const model::Vec3 first = corner(1);
    model::Vec3 previous = corner(2);
    for (std::size_t k = 3; k < words.size(); ++k) {
        const model::Vec3 current = corner(k);
        builder.add(first, previous, current);
        previous = current;
    }
}

model::Vec3 parse_vertex(const LineReader& lines, const std::vector<std::string_view>& words) {
    // x y z, then a weight or a colour or both, which are ignored.
    if (words.size() < 4 || words.size() > 8) {
        throw lines.error("a vertex has " + std::to_string(words.size() - 1) + " numbers, 3 are wanted");
    }
    return {lines.finite_number(words[1], "x of a vertex"), lines.finite_number(words[2], "y of a vertex"),
            lines.finite_number(words[3], "z of a vertex")};
}

}  // namespace

void parse_obj(std::string_view content, const std::string& file, MeshBuilder& builder) {
    LineReader lines(content, file);
    std::vector<std::string_view> words;
    std::vector<model::Vec3> vertices;
    Counts counts;
    while (lines.next()) {
        const std::string_view line = lines.line();
        split_words(line.substr(0, line.find('#')), words);
        if (words.empty()) continue;
        if (words.back() == "\\") throw lines.error("continued lines are not supported", "join them");
        if (words[0] == "v") {
            vertices.push_back(parse_vertex(lines, words));
        } else if (words[0] == "f") {
            parse_face(lines, words, vertices, counts, builder);
        } else if (std::find(ignored.begin(), ignored.end(), words[0]) != ignored.end()) {
            counts.texture += words[0] == "vt" ? 1U : 0U;
            counts.normal += words[0] == "vn" ? 1U : 0U;
        } else {
            throw lines.error("unknown OBJ statement " + in_quotes(words[0]));
        }
    }
}

}  // namespace scree::geometry
