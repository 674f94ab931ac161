// SPDX-License-Identifier: BSD-3-Clause
// A YAML document as a plain tree with the position of every value. YAML is only spoken here and in print.hpp.
//
// Invariants of a tree from parse_document:
// 1. the text is UTF-8 without control characters, the nesting and the number of nodes are limited;
// 2. keys of a map are scalars, each once;
// 3. aliases (*name) are already replaced by copies, so a tree is finite and small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

/// Where a value was written.
struct Position {
    std::uint32_t line = 0;      ///< From 1; 0 when unknown.
    std::uint32_t column = 0;    ///< From 1, in bytes.
    std::uint32_t override = 0;  ///< 0: in the file; n: in the n-th override.
};

struct Node {
    enum class Kind : std::uint8_t { null, scalar, sequence, map };
    struct Name {
        std::string text;
        Position at;
    };

    Kind kind = Kind::null;
    bool is_quoted = false;  ///< scalar: written in quotes
    Position at;
    std::string text;         ///< scalar
    std::vector<Node> items;  ///< sequence: elements; map: values
    std::vector<Name> keys;   ///< map: keys, as long as `items`

    [[nodiscard]] bool is_map() const { return kind == Kind::map; }
    [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
    [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }
    /// The value of a map's key; nullptr when absent or when this is no map.
    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);
    /// Appends an entry to a map.
    Node& add(std::string key, Node value, Position at_key = {});
};

[[nodiscard]] Node scalar_node(std::string text, bool quoted = false);
[[nodiscard]] Node sequence_node(std::vector<Node> items = {});
[[nodiscard]] Node map_node();

/// What a document may hold. Past it, reading stops with an error instead of running out of memory or stack.
struct DocumentLimits {
    std::size_t bytes = std::size_t{128} << 20;
    std::size_t depth = 32;
    std::size_t nodes = 8'000'000;
    std::size_t alias_nodes = 100'000;  ///< Nodes created by aliases, all together.
};

/// Reads one YAML document. Throws model::Error (input) with `file`, line and column; an empty document is a null node.
[[nodiscard]] Node parse_document(std::string_view text, const std::string& file, const DocumentLimits& limits = {});

}  // namespace scree::scene
