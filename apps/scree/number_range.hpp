// SPDX-License-Identifier: BSD-3-Clause
// Bounds of numbers on the command line, with errors in short form; not-a-number is out of every range.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace scree::app {

/// Finite numbers from `low` to `high`, both included.
[[nodiscard]] inline CLI::Validator in_range(double low, double high = std::numeric_limits<double>::max()) {
    const bool bounded = high < std::numeric_limits<double>::max();
    const std::string allowed =
        bounded ? fmt::format("{:g} to {:g}", low, high) : fmt::format("a finite number >= {:g}", low);
    return {[low, high, allowed](std::string& text) -> std::string {
                double value = 0.0;
                if (!CLI::detail::lexical_cast(text, value)) return "'" + text + "' is no number";
                if (std::isfinite(value) && value >= low && value <= high) return {};
                return text + " is out of range (allowed: " + allowed + ")";
            },
            bounded ? fmt::format("[{:g} - {:g}]", low, high) : fmt::format(">= {:g}", low)};
}

}  // namespace scree::app
