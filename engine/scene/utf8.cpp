// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/utf8.hpp"

namespace scree::scene {
namespace {

std::string hexadecimal(unsigned char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return {'0', 'x', digits[byte >> 4U], digits[byte & 0xFU]};
}

/// Length of the well-formed sequence that starts at `at`; 0 when it is malformed (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const auto within = [&](std::size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = first == 0xED ? 0x9F : 0xBF;
        return within(1, low, high) && within(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80;
        const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
        return within(1, low, high) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

}  // namespace

std::optional<BadText> find_bad_text(std::string_view text) {
    std::size_t line = 1, line_start = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t column = i - line_start + 1;
        const std::size_t length = sequence_length(text, i);
        if (length == 0)
            return BadText{"the text is not UTF-8 (byte " + hexadecimal(byte) + ")", "save the file as UTF-8", line,
                           column};
        const bool allowed = byte >= 0x20 ? byte != 0x7F : byte == '\t' || byte == '\n' || byte == '\r';
        if (!allowed)
            return BadText{"the text holds the control character " + hexadecimal(byte), "is this a text file?", line,
                           column};
        i += length;
        if (byte == '\n') {
            ++line;
            line_start = i;
        }
    }
    return std::nullopt;
}

}  // namespace scree::scene
