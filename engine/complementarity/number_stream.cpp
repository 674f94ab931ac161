// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/number_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::complementarity {

using Eigen::Index;

namespace {
constexpr std::string_view blanks = " \t\r\v\f";
}

NumberStream::NumberStream(std::string_view text, const std::string& file)
    : lines_(text, file), file_(file), size_(text.size()) {}

bool NumberStream::advance() {
    // Word by word: a text may be one line of many millions of numbers.
    std::size_t first = rest_.find_first_not_of(blanks);
    while (first == std::string_view::npos) {
        if (!lines_.next()) return false;
        rest_ = lines_.line();
        first = rest_.find_first_not_of(blanks);
    }
    rest_.remove_prefix(first);
    word_ = rest_.substr(0, std::min(rest_.find_first_of(blanks), rest_.size()));
    rest_.remove_prefix(word_.size());
    return true;
}

std::string_view NumberStream::word(std::string_view what) {
    if (!advance())
        throw model::Error(model::ErrorKind::input, fmt::format("the file ends before {}", what), "is it complete?",
                           file_, lines_.number());
    return word_;
}

void NumberStream::expect_word(std::string_view wanted) {
    const std::string_view found = word(fmt::format("'{}'", wanted));
    if (found != wanted) throw error(fmt::format("{} stands where '{}' is wanted", geometry::in_quotes(found), wanted));
}

std::string_view NumberStream::rest_of_line() {
    const std::string_view rest = rest_;
    rest_ = {};
    return geometry::trimmed(rest);
}

double NumberStream::next(std::string_view what) { return lines_.finite_number(word(what), what); }

Index NumberStream::whole(std::string_view what, Index low, Index high) {
    const double value = next(what);
    if (value != std::floor(value) || value < double(low) || value > double(high))
        throw error(
            fmt::format("{} = {:g} is out of range (allowed: a whole number from {} to {})", what, value, low, high));
    return Index(value);
}

void NumberStream::expect(std::string_view what, Index value) {
    const double found = next(what);
    if (found != double(value))
        throw error(fmt::format("{} = {:g}, but the numbers before ask for {}", what, found, value));
}

void NumberStream::expect_room(Index count, std::string_view what) const {
    // A digit and a blank each.
    if (std::size_t(count) > (size_ + 1) / 2)
        throw error(fmt::format("{} would be {} numbers, more than a file of {} bytes holds", what, count, size_),
                    "is it complete?");
}

void NumberStream::expect_end(bool one_flag) {
    while (advance()) {
        if (!geometry::parse_number(word_)) return;
        if (!one_flag) throw error("there are more numbers than the problem has");
        one_flag = false;
    }
}

}  // namespace scree::complementarity
