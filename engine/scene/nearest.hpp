// SPDX-License-Identifier: BSD-3-Clause
// Words for error messages: the known word nearest to a mistyped one, quoting, lists.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace scree::scene {

/// Levenshtein distance: the least number of insertions, deletions and replacements of bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `known` with the least edit distance to `word` (the first of equals); empty when `known` is empty.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> known);

/// "a, b, c"; long lists end in "... (N in all)".
[[nodiscard]] std::string joined(std::span<const std::string> words);

/// The text with '?' for each control character, so that a message stays on one line.
[[nodiscard]] std::string on_one_line(std::string text);

/// `'text'` on one line: control characters become '?', long text is cut.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// "did you mean 'step'? known keys: step, end"
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> known, std::string_view what);

}  // namespace scree::scene
