// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/entities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace scree::urdf {
namespace {

constexpr std::size_t longest_name = 64;

/// XML 1.0, production 2.
bool is_character(unsigned long code) {
    return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) ||
           (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

bool is_known(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"lt", "gt", "amp", "apos", "quot"};
    if (!name.starts_with('#')) return std::find(names.begin(), names.end(), name) != names.end();
    const bool hexadecimal = name.starts_with("#x");
    const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
    unsigned long code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    return error == std::errc{} && end == digits.data() + digits.size() && is_character(code);
}

bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '#';
}

/// Where what begins at `at` ends, if it is a comment or the like; else `at`.
std::size_t end_of_verbatim(std::string_view xml, std::size_t at) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!DOCTYPE", ">"}}};
    for (const auto& [open, close] : kinds) {
        if (!xml.substr(at).starts_with(open)) continue;
        std::size_t end = at + open.size();
        if (open == "<!DOCTYPE") {
            // Declarations inside it have brackets of their own.
            const std::size_t subset = xml.find('[', end), simple = xml.find('>', end);
            if (subset < simple) end = xml.find(']', subset);
        }
        end = end == std::string_view::npos ? end : xml.find(close, end);
        return end == std::string_view::npos ? xml.size() : end + close.size();
    }
    return at;
}

}  // namespace

std::optional<BadEntity> find_bad_entity(std::string_view xml) {
    for (std::size_t at = xml.find_first_of("<&"); at != std::string_view::npos; at = xml.find_first_of("<&", at)) {
        if (xml[at] == '<') {
            at = std::max(end_of_verbatim(xml, at), at + 1);
            continue;
        }
        const std::string_view rest = xml.substr(at + 1, longest_name);
        const auto length = std::size_t(std::find_if_not(rest.begin(), rest.end(), is_of_name) - rest.begin());
        if (length > 0 && length < rest.size() && rest[length] == ';' && !is_known(rest.substr(0, length)))
            return BadEntity{at, std::string(xml.substr(at, length + 2))};
        ++at;
    }
    return std::nullopt;
}

}  // namespace scree::urdf
