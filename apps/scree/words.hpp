// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace scree::app {

/// "3.2 s", "12 min 05 s", "3 h 20 min"
[[nodiscard]] inline std::string duration_text(double seconds) {
    if (!(seconds < 1e9)) return "?";
    const auto whole = std::int64_t(std::llround(seconds));
    if (seconds < 10.0) return fmt::format("{:.2g} s", seconds);
    if (whole < 120) return fmt::format("{} s", whole);
    if (whole < 7200) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

/// "1.4 GB"
[[nodiscard]] inline std::string bytes_text(double bytes) {
    constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000.0;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

/// "0.0021 %"
[[nodiscard]] inline std::string percent_text(double fraction) { return fmt::format("{:.2g} %", 100.0 * fraction); }

}  // namespace scree::app
