// SPDX-License-Identifier: BSD-3-Clause
// What a key of a scene means, apart from how it is bound to the model: read by the parser's checks, the overrides, the
// JSON Schema and the reference in docs/scene.md alike.
#pragma once

#include "engine/scene/units.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

struct ObjectInfo;

enum class ValueType : std::uint8_t {
    flag,            ///< true, false
    count,           ///< whole number >= 0
    quantity,        ///< number with an optional unit, or one of `words`
    text,            ///< any text
    choice,          ///< one of `words`
    quantities,      ///< list of `length` quantities
    directions,      ///< list of 3 plain numbers, not all zero
    orientation,     ///< [w, x, y, z] or {axis, angle}
    texts,           ///< list of texts (of `length`, if not 0), each one of `words` if there are any
    rows,            ///< list of lists of `length` quantities
    object,          ///< map with the keys of `object`
    object_or_list,  ///< such a map or a list of them
    object_list,     ///< list of such maps
    object_map,      ///< map from names to such maps
};

/// One key. `meaning` says what it is and what too high and too low do, for people who read the docs or an editor's
/// tip.
struct KeyInfo {
    std::string name;
    std::string meaning;
    Dimension dimension = Dimension::none;
    Range range{};
    bool required = false;
    std::string group{};        ///< Exactly one key of each group ("shape", "region") is given.
    std::string fallback{};     ///< The default in words, where the value alone says too little.
    bool omit_default = false;  ///< Written only where it differs from the default.
    // Set by the table (table.hpp):
    ValueType type = ValueType::quantity;
    std::vector<std::string> words{};
    std::size_t length = 0;
    const ObjectInfo* object = nullptr;
    std::string standard{};  ///< The default as YAML, from the model; empty when there is none.
};

/// The keys of one map.
struct ObjectInfo {
    std::string noun;  ///< "boundary": how messages name such an object
    std::string meaning;
    std::vector<KeyInfo> keys;

    [[nodiscard]] const KeyInfo* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const;
};

/// {axis, angle}, the second form of an orientation.
[[nodiscard]] const ObjectInfo& orientation_keys();
/// All keys of a scene, from its root.
[[nodiscard]] const ObjectInfo& scene_keys();

}  // namespace scree::scene
