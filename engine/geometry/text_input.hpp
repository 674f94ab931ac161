// SPDX-License-Identifier: BSD-3-Clause
// Reading text that came from elsewhere: whole files (gzip included), lines, fields and numbers.
#pragma once

#include "engine/model/error.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::geometry {

/// Largest content read from one file, after inflation [bytes]: a guard against compressed bombs.
inline constexpr std::size_t max_file_bytes = std::size_t{8} << 30U;

/// The content of a file; a name that ends in ".gz" is inflated (all members, checksums verified).
/// Throws model::Error: environment when it cannot be read, input when it is a folder, damaged or beyond `max_bytes`.
[[nodiscard]] std::string read_content(const std::filesystem::path& file, std::size_t max_bytes = max_file_bytes);

/// Lower-case extension without the dot, looking through ".gz": "a.STL.gz" gives "stl".
[[nodiscard]] std::string content_extension(const std::filesystem::path& file);

/// ASCII lower case, whatever the locale.
[[nodiscard]] std::string lower_case(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

/// A number that fills `field` entirely (a leading '+' is fine), in C notation whatever the locale. Includes nan and
/// inf; empty when the field is not a number or out of the range of double.
[[nodiscard]] std::optional<double> parse_number(std::string_view field);

/// The text between quotes for a message, cut at 40 characters, with unprintable bytes as '?'.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The items with ", " between them.
template <class Items>
[[nodiscard]] std::string comma_separated(const Items& items) {
    std::string text;
    for (const auto& item : items) {
        if (!text.empty()) text += ", ";
        text += item;
    }
    return text;
}

/// Walks the lines of a text: "\n" and "\r\n" end a line, a byte order mark at the start is skipped.
class LineReader {
public:
    LineReader(std::string_view text, std::string file);

    /// Moves to the next line; false at the end. A text that ends in a line end has no empty last line.
    [[nodiscard]] bool next();

    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] std::size_t number() const { return number_; }  ///< From 1.

    /// An input error at the current line.
    [[nodiscard]] model::Error error(const std::string& what, const std::string& hint = {}) const;

    /// The field as a finite number; throws error() naming the field and `meaning` otherwise.
    [[nodiscard]] double finite_number(std::string_view field, std::string_view meaning) const;

private:
    std::string_view rest_, line_;
    std::string file_;
    std::size_t number_ = 0;
};

/// Splits a line into fields, replacing `fields`: at commas or semicolons when the line has one (fields are trimmed
/// and may be empty), else at runs of white space. A blank line has no fields.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);

/// Splits at runs of white space only, replacing `fields`.
void split_words(std::string_view line, std::vector<std::string_view>& fields);

}  // namespace scree::geometry
