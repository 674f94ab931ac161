// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/schema.hpp"

#include "engine/scene/key.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::scene {
namespace {

using Json = nlohmann::ordered_json;

Json object_schema(const ObjectInfo& object);

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("/^.+*?()[]{}|\\$").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

/// Regular expression of "NUMBER [UNIT]".
std::string quantity_pattern(Dimension dimension) {
    std::string units;
    for (const auto& unit : all_units()) {
        if (unit.dimension == dimension) units += (units.empty() ? "" : "|") + escaped(unit.name);
    }
    const std::string number = R"(\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)";
    return "^" + number + (units.empty() ? "" : R"(\s*()" + units + ")?") + R"(\s*$)";
}

void add_range(Json& schema, const Range& range) {
    if (std::isfinite(range.low)) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
    if (std::isfinite(range.high)) schema[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
}

Json quantity_schema(const KeyInfo& key) {
    Json number{{"type", "number"}};
    add_range(number, key.range);
    Json options = Json::array({number, {{"type", "string"}, {"pattern", quantity_pattern(key.dimension)}}});
    if (key.range.infinite) options.push_back({{"enum", {".inf", "-.inf"}}});
    if (!key.words.empty()) options.push_back({{"enum", key.words}});
    return {{"anyOf", options}};
}

Json array_schema(Json items, std::size_t length) {
    Json out{{"type", "array"}, {"items", std::move(items)}};
    if (length > 0) out["minItems"] = out["maxItems"] = length;
    return out;
}

Json value_schema(const KeyInfo& key) {
    switch (key.type) {
        case ValueType::flag:
            return {{"type", "boolean"}};
        case ValueType::count: {
            Json out{{"type", "integer"}};
            add_range(out, key.range);
            // "1e5" is a whole number too, and text to some YAML readers.
            return {
                {"anyOf", Json::array({out, {{"type", "string"}, {"pattern", quantity_pattern(Dimension::none)}}})}};
        }
        case ValueType::quantity:
            return quantity_schema(key);
        case ValueType::text:
            return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
        case ValueType::choice:
            return {{"enum", key.words}};
        case ValueType::quantities:
        case ValueType::directions:
            return array_schema(quantity_schema(key), key.length);
        case ValueType::orientation:
            return {{"anyOf", Json::array({array_schema({{"type", "number"}}, 4), object_schema(orientation_keys())})}};
        case ValueType::texts:
            return array_schema(key.words.empty() ? Json{{"type", "string"}} : Json{{"enum", key.words}}, key.length);
        case ValueType::rows:  // columns of a row may differ in dimension, as in a sieve table
            return array_schema(array_schema({{"type", {"number", "string"}}}, key.length), 0);
        case ValueType::object:
            return object_schema(*key.object);
        case ValueType::object_or_list:
            return {{"anyOf", Json::array({object_schema(*key.object), array_schema(object_schema(*key.object), 0)})}};
        case ValueType::object_list:
            return array_schema(object_schema(*key.object), 0);
        case ValueType::object_map:
            return {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", object_schema(*key.object)}};
    }
    return Json::object();
}

/// "Radius. Unit: m. Default: 0."
std::string description(const KeyInfo& key) {
    std::string out = key.meaning;
    if (const auto unit = si_unit(key.dimension); !unit.empty()) out += " Unit: " + std::string(unit) + ".";
    const std::string& standard = key.fallback.empty() ? key.standard : key.fallback;
    if (!standard.empty()) out += " Default: " + standard + ".";
    return out;
}

Json object_schema(const ObjectInfo& object) {
    Json out{{"type", "object"}, {"additionalProperties", false}};
    Json required = Json::array(), properties = Json::object();
    std::vector<std::string> groups;
    for (const auto& key : object.keys) {
        Json value = value_schema(key);
        value["description"] = description(key);
        properties[key.name] = std::move(value);
        if (key.required) required.push_back(key.name);
        if (!key.group.empty() && std::find(groups.begin(), groups.end(), key.group) == groups.end())
            groups.push_back(key.group);
    }
    out["properties"] = std::move(properties);
    if (!required.empty()) out["required"] = std::move(required);
    Json all = Json::array();
    for (const auto& group : groups) {
        Json one = Json::array();
        for (const auto& key : object.keys) {
            if (key.group == group) one.push_back({{"required", Json::array({key.name})}});
        }
        all.push_back({{"oneOf", std::move(one)}});
    }
    if (!all.empty()) out["allOf"] = std::move(all);
    return out;
}

}  // namespace

std::string json_schema() {
    Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
             {"$id", "urn:scree:scene"},
             {"title", "Scree scene"}};
    out.update(object_schema(scene_keys()));
    return out.dump(2) + "\n";
}

}  // namespace scree::scene
