// SPDX-License-Identifier: BSD-3-Clause
// References to characters in XML text, which the parser leaves as they stand when it does not know them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scree::urdf {

struct BadEntity {
    std::size_t offset = 0;
    std::string text;  ///< "&foo;"
};

/// The first reference &NAME; outside of comments, CDATA and declarations that is none of the five of XML, or names a
/// number that is no character. An ampersand that begins no reference is text, as most readers of URDF take it.
[[nodiscard]] std::optional<BadEntity> find_bad_entity(std::string_view xml);

}  // namespace scree::urdf
