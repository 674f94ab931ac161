// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/schema.hpp"

#include "engine/scene/document.hpp"
#include "engine/scene/units.hpp"
#include "engine/scene/write.hpp"
#include "tests/unit/scene/sample_scenes.hpp"

#include <nlohmann/json.hpp>

#include <regex.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

namespace scree::scene {
namespace {

using Json = nlohmann::json;

/// A tree as an editor sees it: plain scalars are booleans and numbers where they look like it.
Json json_of(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return nullptr;
        case Node::Kind::scalar: {
            if (!node.is_quoted && (node.text == "true" || node.text == "false")) return node.text == "true";
            std::uint64_t whole = 0;
            double number = 0.0;
            const char *begin = node.text.data(), *end = begin + node.text.size();
            if (!node.is_quoted && std::from_chars(begin, end, whole).ptr == end && !node.text.empty()) return whole;
            if (!node.is_quoted && std::from_chars(begin, end, number).ptr == end && !node.text.empty()) return number;
            return node.text;
        }
        case Node::Kind::sequence: {
            Json out = Json::array();
            for (const auto& item : node.items) out.push_back(json_of(item));
            return out;
        }
        case Node::Kind::map: {
            Json out = Json::object();
            for (std::size_t i = 0; i < node.items.size(); ++i) out[node.keys[i].text] = json_of(node.items[i]);
            return out;
        }
    }
    return nullptr;
}

bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "number") return value.is_number();
    if (type == "integer")
        return value.is_number_integer() ||
               (value.is_number() && value.get<double>() == std::floor(value.get<double>()));
    ADD_FAILURE() << "unknown type " << type;
    return false;
}

/// POSIX extended expressions suffice for the patterns of the schema, and std::regex recurses per character.
bool matches(const std::string& pattern, const std::string& text) {
    regex_t compiled;
    EXPECT_EQ(regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB), 0) << pattern;
    const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
    regfree(&compiled);
    return found;
}

/// A validator for the keywords that the schema uses, no more; an unknown keyword fails the test.
bool is_valid(const Json& schema, const Json& value) {
    for (const auto& [keyword, rule] : schema.items()) {
        const auto count = [&] {
            return std::count_if(rule.begin(), rule.end(), [&](const Json& option) { return is_valid(option, value); });
        };
        if (keyword == "type") {
            const Json types = rule.is_array() ? rule : Json::array({rule});
            if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type); }))
                return false;
        } else if (keyword == "anyOf") {
            if (count() == 0) return false;
        } else if (keyword == "oneOf") {
            if (count() != 1) return false;
        } else if (keyword == "allOf") {
            if (static_cast<std::size_t>(count()) != rule.size()) return false;
        } else if (keyword == "enum") {
            if (std::find(rule.begin(), rule.end(), value) == rule.end()) return false;
        } else if (keyword == "pattern") {
            if (value.is_string() && !matches(rule.get<std::string>(), value.get<std::string>())) return false;
        } else if (keyword == "required") {
            for (const auto& key : rule) {
                if (value.is_object() && !value.contains(key.get<std::string>())) return false;
            }
        } else if (keyword == "properties") {
            for (const auto& [key, child] : rule.items()) {
                if (value.is_object() && value.contains(key) && !is_valid(child, value[key])) return false;
            }
        } else if (keyword == "additionalProperties") {
            for (const auto& [key, child] : value.items()) {
                if (schema.contains("properties") && schema["properties"].contains(key)) continue;
                if (rule.is_boolean() || !is_valid(rule, child)) return false;
            }
        } else if (keyword == "items") {
            if (value.is_array() &&
                !std::all_of(value.begin(), value.end(), [&](const Json& item) { return is_valid(rule, item); }))
                return false;
        } else if (keyword == "minItems" || keyword == "maxItems" || keyword == "minProperties") {
            if (keyword == "maxItems" ? value.size() > rule.get<std::size_t>() : value.size() < rule.get<std::size_t>())
                return false;
        } else if (keyword == "minLength") {
            if (value.is_string() && value.get<std::string>().empty()) return false;
        } else if (value.is_number() && keyword == "minimum") {
            if (value < rule) return false;
        } else if (value.is_number() && keyword == "maximum") {
            if (value > rule) return false;
        } else if (value.is_number() && keyword == "exclusiveMinimum") {
            if (value <= rule) return false;
        } else if (value.is_number() && keyword == "exclusiveMaximum") {
            if (value >= rule) return false;
        } else if (keyword != "description" && keyword != "$schema" && keyword != "$id" && keyword != "title" &&
                   !keyword.ends_with("imum")) {
            ADD_FAILURE() << "unknown keyword " << keyword;
        }
    }
    return true;
}

bool schema_accepts(const std::string& text) {
    static const Json schema = Json::parse(json_schema());
    return is_valid(schema, json_of(parse_document(text, "scene.yaml")));
}

TEST(SceneSchema, IsDraft2020) {
    const Json schema = Json::parse(json_schema());
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema["properties"]["time"]["properties"]["step"]["anyOf"][0]["exclusiveMinimum"], 0.0);
}

TEST(SceneSchema, AcceptsWhatTheParserAccepts) {
    EXPECT_TRUE(schema_accepts(samples::minimal));
    EXPECT_TRUE(schema_accepts(samples::complete));
    EXPECT_TRUE(schema_accepts(to_yaml(samples::parse(samples::complete))));
}

TEST(SceneSchema, RejectsWrongKeysTypesUnitsAndRanges) {
    const auto wrong = [](const std::string& from, const std::string& to) {
        return samples::replaced(samples::complete, from, to);
    };
    EXPECT_FALSE(schema_accepts(wrong("tolerance:", "tolerence:")));
    EXPECT_FALSE(schema_accepts(wrong("radius: 0.3, side", "radius: 5 kg, side")));
    EXPECT_FALSE(schema_accepts(wrong("radius: 0.3, side", "radius: -1, side")));
    EXPECT_FALSE(schema_accepts(wrong("restitution: 0.4", "restitution: 1.5")));
    EXPECT_FALSE(schema_accepts(wrong("kind: hcp", "kind: bcc")));
    EXPECT_FALSE(schema_accepts(wrong("gravity: [0.1, 0, -1 g]", "gravity: [0, 0]")));
    EXPECT_FALSE(schema_accepts(wrong("position: [0, 0, 0.06], ", "")));
    EXPECT_FALSE(schema_accepts(wrong("count: 1e3, ", "count: 1e3, fraction: 0.1, ")));
    EXPECT_FALSE(schema_accepts(wrong("warm_start: false", "warm_start: 3")));
}

TEST(SceneSchema, EveryKeyHasADescription) {
    const Json schema = Json::parse(json_schema());
    const std::function<void(const Json&, const std::string&)> walk = [&](const Json& node, const std::string& path) {
        if (node.is_object() && node.contains("properties") && node["properties"].is_object() &&
            node.contains("type")) {
            for (const auto& [key, child] : node["properties"].items())
                EXPECT_GE(child.value("description", "").size(), 5U) << path << "." << key;
        }
        for (const auto& [key, child] : node.items()) {
            if (child.is_structured()) walk(child, path + "." + key);
        }
    };
    walk(schema, "");
}

/// docs/scene.md holds the reference between two marks. SCREE_UPDATE_DOCS=1 writes it there.
TEST(SceneSchema, TheReferenceInTheDocsIsUpToDate) {
    const std::string file = std::string(SCREE_SOURCE_DIR) + "/docs/scene.md";
    std::stringstream content;
    content << std::ifstream(file).rdbuf();
    const std::string text = content.str(), begin = "<!-- reference: begin -->\n", end = "<!-- reference: end -->";
    const auto first = text.find(begin), last = text.find(end);
    ASSERT_NE(first, std::string::npos);
    ASSERT_NE(last, std::string::npos);
    const std::string expected = text.substr(0, first + begin.size()) + "\n" + reference_tables() + text.substr(last);
    if (std::getenv("SCREE_UPDATE_DOCS") != nullptr) {
        std::ofstream(file) << expected;
        return;
    }
    EXPECT_TRUE(text == expected) << "run this test with SCREE_UPDATE_DOCS=1 to write the tables again";
}

TEST(SceneSchema, TheDocsListEveryUnit) {
    std::stringstream content;
    content << std::ifstream(std::string(SCREE_SOURCE_DIR) + "/docs/scene.md").rdbuf();
    const std::string text = content.str();
    for (const auto& unit : all_units()) {
        if (static_cast<unsigned char>(unit.name.front()) >= 0x80) continue;  // two more ways to write um
        const std::string name(unit.dimension == Dimension::none ? "plain number" : dimension_name(unit.dimension));
        const auto row = text.find("| " + name + " |");
        ASSERT_NE(row, std::string::npos) << name;
        EXPECT_NE(text.substr(row, text.find('\n', row) - row).find(unit.name), std::string::npos)
            << name << " " << unit.name;
    }
}

/// The examples in the docs are complete scenes.
TEST(SceneSchema, TheExamplesInTheDocsAreValid) {
    std::ifstream in(std::string(SCREE_SOURCE_DIR) + "/docs/scene.md");
    std::string line, example;
    bool inside = false;
    int examples = 0;
    while (std::getline(in, line)) {
        if (line == "```yaml") {
            inside = true;
            example.clear();
        } else if (line == "```" && inside) {
            inside = false;
            ++examples;
            EXPECT_NO_THROW(samples::parse(example)) << example;
            EXPECT_TRUE(schema_accepts(example)) << example;
        } else if (inside) {
            example += line + "\n";
        }
    }
    EXPECT_GT(examples, 0);
}

}  // namespace
}  // namespace scree::scene
