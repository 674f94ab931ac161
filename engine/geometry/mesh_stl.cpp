// SPDX-License-Identifier: BSD-3-Clause
// Both forms of STL.
#include "engine/geometry/mesh_formats.hpp"
#include "engine/geometry/text_input.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::geometry {
namespace {

using model::Error;
using model::ErrorKind;

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

/// Little-endian, whatever this machine is; the caller checks the size.
std::uint32_t read_u32(std::string_view content, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 4; k-- > 0;) value = (value << 8U) | static_cast<unsigned char>(content[at + k]);
    return value;
}

/// The words of an ascii STL, with the rest of the line skipped after a name.
class Words {
public:
    Words(std::string_view content, const std::string& file) : lines_(content, file) {}

    /// The next word in lower case, or "" at the end of the file.
    std::string next() {
        while (at_ == words_.size()) {
            if (!lines_.next()) return {};
            split_words(lines_.line(), words_);
            at_ = 0;
        }
        return lower_case(words_[at_++]);
    }
    void skip_line() { at_ = words_.size(); }

    void expect(std::string_view wanted) {
        const std::string word = next();
        if (word == wanted) return;
        throw lines_.error(word.empty() ? "the file ends where '" + std::string(wanted) + "' is wanted"
                                        : "'" + std::string(wanted) + "' is wanted, found " + in_quotes(word));
    }
    double number(std::string_view meaning, bool finite) {
        const std::string word = next();
        if (word.empty()) throw lines_.error("the file ends inside a triangle");
        if (!finite && parse_number(word)) return 0.0;
        return lines_.finite_number(word, meaning);
    }
    [[nodiscard]] Error error(const std::string& what) const { return lines_.error(what); }

private:
    LineReader lines_;
    std::vector<std::string_view> words_;
    std::size_t at_ = 0;
};

void parse_facet(Words& words, MeshBuilder& builder) {
    words.expect("normal");
    // Exporters write "nan" as the normal of a triangle without area: any number will do.
    for (int k = 0; k < 3; ++k) static_cast<void>(words.number("a normal", false));
    words.expect("outer");
    words.expect("loop");
    std::array<model::Vec3, 3> corners;
    for (model::Vec3& corner : corners) {
        words.expect("vertex");
        corner.x = words.number("x of a vertex", true);
        corner.y = words.number("y of a vertex", true);
        corner.z = words.number("z of a vertex", true);
    }
    words.expect("endloop");
    words.expect("endfacet");
    builder.add(corners[0], corners[1], corners[2]);
}

}  // namespace

bool is_stl_binary_exactly(std::string_view content) {
    return content.size() >= header_bytes &&
           content.size() - header_bytes == triangle_bytes * std::size_t{read_u32(content, 80)};
}

void parse_stl_ascii(std::string_view content, const std::string& file, MeshBuilder& builder) {
    Words words(content, file);
    words.expect("solid");
    while (true) {  // a file may hold several solids
        words.skip_line();
        std::string word = words.next();
        while (word == "facet") {
            parse_facet(words, builder);
            word = words.next();
        }
        if (word != "endsolid") {
            throw words.error(word.empty() ? "the file ends before 'endsolid'"
                                           : "'facet' or 'endsolid' is wanted, found " + in_quotes(word));
        }
        words.skip_line();
        word = words.next();
        if (word.empty()) return;
        if (word != "solid") throw words.error("'solid' or the end of the file is wanted, found " + in_quotes(word));
    }
}

void parse_stl_binary(std::string_view content, const std::string& file, MeshBuilder& builder) {
    const std::string size = std::to_string(content.size());
    if (content.size() < header_bytes) {
        throw Error(ErrorKind::input, "not an STL file: " + size + " bytes, a binary one has at least 84", {}, file);
    }
    const std::size_t count = read_u32(content, 80);
    if (!is_stl_binary_exactly(content)) {
        throw Error(ErrorKind::input,
                    "binary STL: byte 80 says " + std::to_string(count) + " triangles, which makes " +
                        std::to_string(header_bytes + triangle_bytes * count) + " bytes, but the file has " + size,
                    "truncated, or not an STL file", file);
    }
    for (std::size_t t = 0; t < count; ++t) {
        std::array<double, 9> values{};
        for (std::size_t k = 0; k < 9; ++k) {
            const std::size_t at = header_bytes + triangle_bytes * t + 12 + 4 * k;  // 12: the normal comes first
            values[k] = static_cast<double>(std::bit_cast<float>(read_u32(content, at)));
            if (std::isfinite(values[k])) continue;
            throw Error(ErrorKind::input,
                        "binary STL: triangle " + std::to_string(t) + ", byte " + std::to_string(at) +
                            ": coordinate is not finite",
                        {}, file);
        }
        builder.add({values[0], values[1], values[2]}, {values[3], values[4], values[5]},
                    {values[6], values[7], values[8]});
    }
}

}  // namespace scree::geometry
