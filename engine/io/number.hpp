// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text that reads back to the same bits, independent of the locale.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace scree::io {

/// The shortest decimal text that reads back to `value`. Whole numbers below 1e15 have no exponent: 100000, not 1e+05.
[[nodiscard]] inline std::string to_text(double value) {
    char buffer[64];
    const bool whole = std::abs(value) < 1e15 && std::trunc(value) == value && !(value == 0.0 && std::signbit(value));
    const auto end = whole ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(value))
                           : std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, end.ptr};
}

/// The number that the whole of `text` spells; nothing if it spells none.
[[nodiscard]] inline std::optional<double> to_number(std::string_view text) {
    double value = 0.0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace scree::io
