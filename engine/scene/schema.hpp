// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of the keys of a scene, generated from the same tables as the parser.
#pragma once

#include <string>

namespace scree::scene {

/// JSON Schema (draft 2020-12) for editors: completion, tips, wrong keys and units while typing.
[[nodiscard]] std::string json_schema();

/// The tables of docs/scene.md, in Markdown: key, type, default, meaning.
[[nodiscard]] std::string reference_tables();

}  // namespace scree::scene
