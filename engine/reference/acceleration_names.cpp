// SPDX-License-Identifier: BSD-3-Clause
// Words of the analysis, as reports and JSON have them.
#include "engine/reference/acceleration.hpp"

#include <array>

namespace scree::reference {

std::string_view name_of(ContactState state) {
    constexpr std::array<std::string_view, 4> names{"rolling", "sliding", "separating", "approaching"};
    return names[std::size_t(state)];
}

std::string_view name_of(Transition transition) {
    constexpr std::array<std::string_view, 5> names{"rolling -> rolling", "rolling -> sliding", "sliding -> sliding",
                                                    "rolling -> separating", "sliding -> separating"};
    return names[std::size_t(transition)];
}

std::string_view name_of(Existence existence) {
    constexpr std::array<std::string_view, 5> names{"unique", "several", "none", "some", "unknown"};
    return names[std::size_t(existence)];
}

std::string_view name_of(Condition condition) {
    constexpr std::array<std::string_view, 4> names{"holds_by_rank", "holds", "fails", "undecided"};
    return names[std::size_t(condition)];
}

std::string_view name_of(Fixture fixture) {
    constexpr std::array<std::string_view, 6> names{"not_at_rest", "stable",   "may_collapse",
                                                    "collapses",   "may_rest", "unknown"};
    return names[std::size_t(fixture)];
}

}  // namespace scree::reference
