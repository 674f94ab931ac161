// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/particle_columns.hpp"

#include "engine/geometry/text_input.hpp"

#include <cstddef>

namespace scree::geometry {
namespace {

struct Synonym {
    std::string_view name;
    ColumnMeaning meaning;
};

/// Whole names, then prefixes that x, y or z completes ("posx", "xpos").
constexpr std::array<Synonym, 15> whole_names{{{"id", ColumnMeaning::id},
                                               {"index", ColumnMeaning::id},
                                               {"particleid", ColumnMeaning::id},
                                               {"radius", ColumnMeaning::radius},
                                               {"r", ColumnMeaning::radius},
                                               {"rad", ColumnMeaning::radius},
                                               {"diameter", ColumnMeaning::diameter},
                                               {"d", ColumnMeaning::diameter},
                                               {"diam", ColumnMeaning::diameter},
                                               {"skip", ColumnMeaning::skip},
                                               {"u", ColumnMeaning::vx},
                                               {"v", ColumnMeaning::vy},
                                               {"w", ColumnMeaning::vz},
                                               {"particleradius", ColumnMeaning::radius},
                                               {"particlediameter", ColumnMeaning::diameter}}};
constexpr std::array<Synonym, 15> axis_names{{{"", ColumnMeaning::x},
                                              {"pos", ColumnMeaning::x},
                                              {"position", ColumnMeaning::x},
                                              {"coord", ColumnMeaning::x},
                                              {"center", ColumnMeaning::x},
                                              {"centre", ColumnMeaning::x},
                                              {"p", ColumnMeaning::x},
                                              {"v", ColumnMeaning::vx},
                                              {"vel", ColumnMeaning::vx},
                                              {"velocity", ColumnMeaning::vx},
                                              {"w", ColumnMeaning::wx},
                                              {"omega", ColumnMeaning::wx},
                                              {"angvel", ColumnMeaning::wx},
                                              {"angularvelocity", ColumnMeaning::wx},
                                              {"rotvel", ColumnMeaning::wx}}};

std::optional<ColumnMeaning> meaning_of(std::string_view name) {
    for (const Synonym& s : whole_names) {
        if (name == s.name) return s.meaning;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const char letter = "xyz"[axis];
        std::string_view stem = name;
        if (stem.ends_with(letter)) {
            stem.remove_suffix(1);
        } else if (stem.starts_with(letter)) {
            stem.remove_prefix(1);
        } else {
            continue;
        }
        for (const Synonym& s : axis_names) {
            if (stem == s.name) return static_cast<ColumnMeaning>(static_cast<int>(s.meaning) + axis);
        }
    }
    return std::nullopt;
}

}  // namespace

ColumnHeading parse_heading(std::string_view heading) {
    ColumnHeading result;
    const std::size_t open = heading.find_first_of("[(");
    if (open != std::string_view::npos) {
        const std::size_t close = heading.find_first_of("])", open);
        if (close != std::string_view::npos) {
            result.unit = std::string(trimmed(heading.substr(open + 1, close - open - 1)));
        }
        heading = heading.substr(0, open);
    }
    std::string name;
    for (const char c : lower_case(heading)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) name += c;
    }
    result.meaning = meaning_of(name);
    return result;
}

}  // namespace scree::geometry
