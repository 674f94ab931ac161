// SPDX-License-Identifier: BSD-3-Clause
// The Markdown tables of docs/scene.md. A test compares the file with this text.
#include "engine/scene/key.hpp"
#include "engine/scene/schema.hpp"

namespace scree::scene {
namespace {

std::string joined_code(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "`" : ", `") + word + "`";
    return out;
}

std::string unit_text(const KeyInfo& key) {
    const auto unit = si_unit(key.dimension);
    return unit.empty() ? std::string{} : " [" + std::string(unit) + "]";
}

std::string range_text(const KeyInfo& key) {
    const std::string range = key.range.text();
    return range.empty() ? std::string{} : ", " + range;
}

std::string type_text(const KeyInfo& key) {
    const std::string length = std::to_string(key.length);
    switch (key.type) {
        case ValueType::flag:
            return "`true` or `false`";
        case ValueType::count:
            return "whole number" + range_text(key);
        case ValueType::quantity: {
            std::string out = "number" + unit_text(key) + range_text(key);
            if (!key.words.empty()) out += ", or " + joined_code(key.words);
            return out;
        }
        case ValueType::text:
            return "text";
        case ValueType::choice:
            return "one of " + joined_code(key.words);
        case ValueType::quantities:
            return length + " numbers" + unit_text(key) + range_text(key);
        case ValueType::directions:
            return "3 numbers, not all 0";
        case ValueType::orientation:
            return "`[w, x, y, z]` or `{axis, angle}`";
        case ValueType::texts:
            return (key.length > 0 ? length + " texts" : std::string("list")) +
                   (key.words.empty() ? std::string{} : " of " + joined_code(key.words));
        case ValueType::rows:
            return "rows of " + (key.length > 0 ? length + " " : std::string{}) + "numbers" + unit_text(key);
        case ValueType::object:
            return "map";
        case ValueType::object_or_list:
            return "map, or list of maps";
        case ValueType::object_list:
            return "list of maps";
        case ValueType::object_map:
            return "map from names to maps";
    }
    return {};
}

std::string default_text(const KeyInfo& key) {
    if (key.required) return "*required*";
    if (!key.group.empty()) return "one " + key.group + " *required*";
    if (!key.fallback.empty()) return key.fallback;
    return key.standard.empty() ? "none" : "`" + key.standard + "`";
}

std::string child_path(const std::string& path, const KeyInfo& key) {
    std::string out = path.empty() ? key.name : path + "." + key.name;
    if (key.type == ValueType::object_list) out += "[]";
    if (key.type == ValueType::object_map) out += ".NAME";
    return out;
}

/// GitHub tables end a cell at '|'.
std::string cell(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

void append_object(std::string& out, const ObjectInfo& object, const std::string& path) {
    out += path.empty() ? "### The root\n\n" : "### `" + path + "`\n\n";
    out += object.meaning + "\n\n| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const auto& key : object.keys)
        out += "| `" + key.name + "` | " + cell(type_text(key)) + " | " + cell(default_text(key)) + " | " +
               cell(key.meaning) + " |\n";
    out += "\n";
    for (const auto& key : object.keys) {
        if (key.object != nullptr) append_object(out, *key.object, child_path(path, key));
    }
}

}  // namespace

std::string reference_tables() {
    std::string out;
    append_object(out, scene_keys(), {});
    return out;
}

}  // namespace scree::scene
