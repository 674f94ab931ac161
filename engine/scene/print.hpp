// SPDX-License-Identifier: BSD-3-Clause
// A tree as YAML text.
#pragma once

#include "engine/scene/document.hpp"

#include <string>

namespace scree::scene {

/// The tree as YAML 1.2: the first levels as blocks, the rest on one line each. parse_document reads the same tree
/// back.
[[nodiscard]] std::string print_document(const Node& root);

/// One value on one line: "[0, 0, 1]", "{a: 1}", "plain", "\"quoted\"".
[[nodiscard]] std::string print_inline(const Node& node);

}  // namespace scree::scene
