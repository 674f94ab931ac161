// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/polydata.hpp"

#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace scree::io {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::pair<PolyData::Section, std::string_view>, 6> sections{
    {{PolyData::Section::point_data, "PointData"},
     {PolyData::Section::cell_data, "CellData"},
     {PolyData::Section::points, "Points"},
     {PolyData::Section::verts, "Verts"},
     {PolyData::Section::lines, "Lines"},
     {PolyData::Section::polys, "Polys"}}};

std::string attribute(std::string_view name, std::size_t value) {
    return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

}  // namespace

void Base64Stream::write(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
        group_ |= std::to_integer<std::uint32_t>(byte) << (16 - 8 * held_);
        if (++held_ == 3) put(4);
    }
}

void Base64Stream::finish() {
    if (held_ > 0) put(held_ + 1);
}

void Base64Stream::put(std::size_t length) {
    std::array<char, 4> text{'=', '=', '=', '='};
    for (std::size_t i = 0; i < length; ++i) text[i] = alphabet[(group_ >> (18 - 6 * i)) & 63U];
    file_->write(std::string_view(text.data(), text.size()));
    group_ = 0;
    held_ = 0;
}

void PolyData::write(const std::filesystem::path& path) const {
    const bool little = std::endian::native == std::endian::little;
    AtomicFile file(path);
    file.write("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" +
               std::string(little ? "LittleEndian" : "BigEndian") + "\" header_type=\"UInt64\">\n<!-- " + comment_ +
               " -->\n<PolyData>\n<Piece" + attribute("NumberOfPoints", counts_.points) +
               attribute("NumberOfVerts", counts_.verts) + attribute("NumberOfLines", counts_.lines) +
               attribute("NumberOfStrips", 0) + attribute("NumberOfPolys", counts_.polys) + ">\n");
    for (const auto& [section, tag] : sections) {
        file.write("<" + std::string(tag) + ">\n");
        for (const ArrayEntry& array : arrays_) {
            if (array.section != section) continue;
            file.write("<DataArray type=\"" + array.type + "\" Name=\"" + array.name + "\"" +
                       attribute("NumberOfComponents", array.components) + " format=\"binary\">\n");
            Base64Stream stream(file);
            stream.write(std::as_bytes(std::span<const std::uint64_t>(&array.bytes, 1)));
            array.emit(stream);
            stream.finish();
            file.write("\n</DataArray>\n");
        }
        file.write("</" + std::string(tag) + ">\n");
    }
    file.write("</Piece>\n</PolyData>\n</VTKFile>\n");
    file.commit();
}

}  // namespace scree::io
