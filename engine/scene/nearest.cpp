// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace scree::scene {
namespace {
constexpr std::size_t longest_compared = 128;  // a longer word is no misspelling of a key
constexpr std::size_t longest_quoted = 60;
constexpr std::size_t most_listed = 24;

/// What people who come from other engines write.
constexpr std::pair<std::string_view, std::string_view> other_words[] = {
    {"mu", "friction"},
    {"friction_coefficient", "friction"},
    {"e", "restitution"},
    {"cor", "restitution"},
    {"rho", "density"},
    {"E", "young"},
    {"youngs_modulus", "young"},
    {"nu", "poisson"},
    {"k", "stiffness"},
    {"dt", "step"},
    {"timestep", "step"},
    {"time_step", "step"},
    {"duration", "end"},
    {"rpm", "angular_speed"},
    {"omega", "angular_velocity"},
    {"omega", "angular_speed"},
    {"vel", "velocity"},
    {"pos", "position"},
    {"centre", "center"},
    {"tol", "tolerance"},
    {"iterations", "max_iterations"},
};

/// A word that fewer than half of the letters have in common is another word, not a misspelt one.
bool is_like(std::string_view word, std::string_view known) {
    return 2 * edit_distance(word, known) <= std::max(word.size(), known.size());
}

/// The known word that is meant, or nothing.
std::string likely(std::string_view word, std::span<const std::string> known) {
    for (const auto& [theirs, ours] : other_words)
        if (word == theirs && std::find(known.begin(), known.end(), ours) != known.end()) return std::string(ours);
    std::string found = nearest(word, known);
    return is_like(word.substr(0, longest_compared), found) ? found : std::string{};
}
}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j + 1] + 1, row[j] + 1});
        }
    }
    return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
    word = word.substr(0, longest_compared);
    const auto by_distance = [word](const std::string& a, const std::string& b) {
        return edit_distance(word, a) < edit_distance(word, b);
    };
    const auto found = std::min_element(known.begin(), known.end(), by_distance);
    return found == known.end() ? std::string{} : *found;
}

std::string joined(std::span<const std::string> words) {
    std::string out;
    for (std::size_t i = 0; i < std::min(words.size(), most_listed); ++i) {
        if (i > 0) out += ", ";
        out += words[i];
    }
    if (words.size() > most_listed) out += ", ... (" + std::to_string(words.size()) + " in all)";
    return out;
}

std::string on_one_line(std::string text) {
    for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    return text;
}

std::string in_quotes(std::string_view text) {
    std::size_t end = std::min(text.size(), longest_quoted);
    // Never cut inside a UTF-8 sequence.
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return "'" + on_one_line(std::string(text.substr(0, end))) + (end < text.size() ? "...'" : "'");
}

std::string suggestion(std::string_view word, std::span<const std::string> known, std::string_view what) {
    if (known.empty()) return "none is allowed here";
    const std::string meant = likely(word, known);
    return (meant.empty() ? std::string{} : "did you mean '" + meant + "'? ") + "known " + std::string(what) + ": " +
           joined(known);
}

}  // namespace scree::scene
