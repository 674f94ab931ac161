// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a text, one after the other, whatever the lines; knows the line of each for messages.
#pragma once

#include "engine/geometry/text_input.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <string>
#include <string_view>

namespace scree::complementarity {

/// Reads a text that must outlive it. All errors are model::Error (input) with file and line; `what` names the number
/// that was wanted.
class NumberStream {
public:
    NumberStream(std::string_view text, const std::string& file);

    /// The next number; finite.
    double next(std::string_view what);
    /// A whole number between `low` and `high`.
    Eigen::Index whole(std::string_view what, Eigen::Index low, Eigen::Index high);
    void expect(std::string_view what, Eigen::Index value);
    /// The next word as it stands.
    std::string_view word(std::string_view what);
    void expect_word(std::string_view wanted);
    /// What is left of the present line; it is passed.
    std::string_view rest_of_line();

    /// Refuses before any memory is taken: `count` numbers cannot stand in a text of this size.
    void expect_room(Eigen::Index count, std::string_view what) const;
    /// What follows may be a comment, which begins with something that is no number; numbers left over are an error.
    void expect_end(bool one_flag);

    [[nodiscard]] model::Error error(const std::string& what, const std::string& hint = {}) const {
        return lines_.error(what, hint);
    }

private:
    /// Moves to the next word, over line ends; false at the end of the text.
    bool advance();

    geometry::LineReader lines_;
    std::string file_;
    std::size_t size_;
    std::string_view rest_, word_;
};

}  // namespace scree::complementarity
