// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/mesh_file.hpp"

#include "engine/geometry/mesh_formats.hpp"
#include "engine/geometry/text_input.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace scree::geometry {
namespace {

using model::Error;
using model::ErrorKind;

/// Coordinates beyond this [m] are surely a wrong unit, and their squares leave the range of float.
constexpr double largest_coordinate = 1e15;

/// True when the content begins with "solid" and its start holds no byte that text cannot hold.
bool looks_like_stl_ascii(std::string_view content) {
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || lower_case(content.substr(first, 5)) != "solid") return false;
    return content.substr(0, 1024).find('\0') == std::string_view::npos;
}

using Parser = void (*)(std::string_view, const std::string&, MeshBuilder&);

Parser choose_parser(const std::filesystem::path& file, std::string_view content) {
    const std::string extension = content_extension(file);
    if (extension == "obj") return parse_obj;
    // The size is the better witness: some programs begin the header of binary files with "solid".
    if (extension == "stl") {
        if (!is_stl_binary_exactly(content) && looks_like_stl_ascii(content)) return parse_stl_ascii;
        return parse_stl_binary;
    }
    if (looks_like_stl_ascii(content)) return parse_stl_ascii;
    if (is_stl_binary_exactly(content)) return parse_stl_binary;
    return parse_triangle_text;
}

bool is_finite(model::Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

model::Quat unit(model::Quat q, const std::string& file) {
    const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(n > 0.0) || !std::isfinite(n))
        throw Error(ErrorKind::input, "rotation of the mesh is not a rotation", {}, file);
    return {q.w / n, q.x / n, q.y / n, q.z / n};
}

}  // namespace

model::MeshShape read_mesh(const std::filesystem::path& file, double scale, model::Quat rotation,
                           model::Vec3 translation) {
    const std::string name = file.string();
    if (!(scale > 0.0) || !std::isfinite(scale)) {
        throw Error(ErrorKind::input, fmt::format("scale of the mesh is {:g}, allowed: > 0", scale), {}, name);
    }
    if (!is_finite(translation)) throw Error(ErrorKind::input, "translation of the mesh is not finite", {}, name);
    const bool turned = !(rotation == model::Quat{});
    if (turned) rotation = unit(rotation, name);

    const std::string content = read_content(file);
    MeshBuilder builder;
    choose_parser(file, content)(content, name, builder);
    const std::size_t offered = builder.offered();
    model::MeshShape mesh = builder.take();
    mesh.path = name;
    if (mesh.triangles.empty()) {
        throw Error(ErrorKind::input,
                    offered == 0 ? "the mesh has no triangles"
                                 : "all " + std::to_string(offered) + " triangles of the mesh are without area",
                    {}, name);
    }
    for (model::Vec3& v : mesh.vertices) {
        const model::Vec3 scaled = scale * v;
        v = (turned ? rotate(rotation, scaled) : scaled) + translation;
        const double size = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
        if (!(size <= largest_coordinate)) {
            throw Error(ErrorKind::input, "a vertex of the mesh lies beyond 1e15 m", "check scale and translation",
                        name);
        }
    }
    return mesh;
}

}  // namespace scree::geometry
