// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/mesh_write.hpp"

#include "engine/model/error.hpp"

#include <bit>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace scree::geometry {
namespace {

void append(std::string& bytes, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFFU);
}

void append(std::string& bytes, model::Vec3 v) {
    for (const double x : {v.x, v.y, v.z}) append(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
}

}  // namespace

void write_stl(const std::filesystem::path& file, const model::MeshShape& mesh) {
    if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw model::Error(model::ErrorKind::environment, "too many triangles for an STL file", {}, file.string());
    }
    std::string bytes = "scree binary STL";  // must not begin with "solid"
    bytes.resize(80, ' ');
    append(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
    bytes.reserve(bytes.size() + 50 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) {
        const model::Vec3 a = mesh.vertices.at(triangle[0]), b = mesh.vertices.at(triangle[1]),
                          c = mesh.vertices.at(triangle[2]);
        append(bytes, normalized(cross(b - a, c - a)));
        append(bytes, a);
        append(bytes, b);
        append(bytes, c);
        bytes += std::string(2, '\0');
    }
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw model::Error(model::ErrorKind::environment, "cannot write the file", {}, file.string());
}

}  // namespace scree::geometry
