// SPDX-License-Identifier: BSD-3-Clause
// Checks that text is UTF-8 without control characters before a parser sees it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scree::scene {

struct BadText {
    std::string what, hint;
    std::size_t line = 0, column = 0;  ///< From 1; the column counts bytes.
};

/// The first byte that is not allowed: malformed UTF-8 (overlong forms and surrogates included), or a control character
/// other than tab, line feed and carriage return.
[[nodiscard]] std::optional<BadText> find_bad_text(std::string_view text);

}  // namespace scree::scene
