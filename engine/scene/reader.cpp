// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/reader.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/key.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace scree::scene {
namespace {

constexpr std::size_t longest_override = 100;                 // in messages
constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

std::string with_article(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return "nothing";
        case Node::Kind::scalar:
            return in_quotes(node.text);
        case Node::Kind::sequence:
            return "a list of " + std::to_string(node.items.size());
        case Node::Kind::map:
            return "a map";
    }
    return {};
}

/// " (allowed: > 0 m or auto)"
std::string allowed(const Range& range, Dimension dimension, std::string_view word = {}) {
    std::string text = range.text(si_unit(dimension));
    if (!word.empty()) text += (text.empty() ? "a number or " : " or ") + std::string(word);
    return text.empty() ? std::string{} : " (allowed: " + text + ")";
}

}  // namespace

void Context::fail(Position at, const std::string& what, const std::string& hint) const {
    if (at.override == 0 || at.override > overrides.size())
        throw model::Error(model::ErrorKind::input, on_one_line(what), on_one_line(hint), file, at.line, at.column);
    const std::string text = overrides[at.override - 1];
    const std::string lead = text.size() <= longest_override ? text : text.substr(0, longest_override) + "...";
    throw model::Error(model::ErrorKind::input, on_one_line(lead + ": " + what), on_one_line(hint), "--set");
}

std::string Reader::name() const {
    if (label_.empty()) return path_.empty() ? "the scene" : path_;
    return path_.empty() ? label_ : label_ + ": " + path_;
}

void Reader::fail(const std::string& what, const std::string& hint) const {
    context_->fail(node_->at, name() + (what.starts_with(':') ? "" : " ") + what, hint);
}

std::optional<Reader> Reader::find(std::string_view key) const {
    const Node* child = node_->find(key);
    if (child == nullptr) return std::nullopt;
    return Reader(*child, *context_, label_, path_.empty() ? std::string(key) : path_ + "." + std::string(key));
}

std::vector<Reader> Reader::items() const {
    if (!node_->is_sequence()) fail("must be a list, not " + with_article(*node_), "write [a, b, c]");
    std::vector<Reader> out;
    out.reserve(node_->items.size());
    for (std::size_t i = 0; i < node_->items.size(); ++i)
        out.emplace_back(node_->items[i], *context_, label_, path_ + "[" + std::to_string(i) + "]");
    return out;
}

std::vector<Reader> Reader::items(std::size_t count) const {
    const std::string wanted = "a list of " + std::to_string(count);
    if (!node_->is_sequence() || node_->items.size() != count)
        fail("must be " + wanted + ", not " + with_article(*node_));
    return items();
}

std::vector<Reader> Reader::objects(std::string_view noun) const {
    auto out = items();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string name = item_name(node_->items[i]);
        if (!name.empty()) out[i] = out[i].labelled(std::string(noun) + " " + in_quotes(name));
    }
    return out;
}

void Reader::expect_keys(const ObjectInfo& object) const {
    if (!node_->is_map())
        fail("must be a map with keys, not " + with_article(*node_), "keys: " + joined(object.names()));
    for (std::size_t i = 0; i < node_->keys.size(); ++i) {
        const auto& key = node_->keys[i];
        if (object.find(key.text) != nullptr) continue;
        // {density: 1,5} holds the key "5" without a value.
        const bool is_comma =
            node_->items[i].kind == Node::Kind::null && key.text.find_first_not_of("0123456789") == std::string::npos;
        context_->fail(key.at, name() + ": unknown key " + in_quotes(key.text),
                       is_comma ? "write a decimal point, not a comma" : suggestion(key.text, object.names(), "keys"));
    }
    std::vector<std::string> groups;
    for (const auto& key : object.keys) {
        if (key.required && node_->find(key.name) == nullptr)
            fail("lacks the required key '" + key.name + "'", key.meaning);
        if (!key.group.empty() && std::find(groups.begin(), groups.end(), key.group) == groups.end())
            groups.push_back(key.group);
    }
    for (const auto& group : groups) {
        std::vector<std::string> members, present;
        for (const auto& key : object.keys) {
            if (key.group != group) continue;
            members.push_back(key.name);
            if (node_->find(key.name) != nullptr) present.push_back(key.name);
        }
        if (present.empty()) fail("lacks its " + group, "give one of: " + joined(members));
        if (present.size() > 1) fail("gives its " + group + " more than once: " + joined(present), "give one of them");
    }
}

const std::string& Reader::scalar(std::string_view wanted) const {
    if (node_->kind == Node::Kind::null) fail("has no value", "give " + std::string(wanted) + " or remove the key");
    if (!node_->is_scalar())
        fail("must be " + std::string(wanted) + ", not " + with_article(*node_),
             node_->is_map() && wanted == "a text"
                 ? R"(YAML takes '? :' and ': ' for a map: write a text that holds them in quotes, "t < 1 ? 2 : 3")"
                 : "");
    return node_->text;
}

double Reader::quantity(Dimension dimension, const Range& range, std::string_view word) const {
    const std::string& text = scalar(dimension == Dimension::none ? "a number" : "a number with or without unit");
    const auto found = read_quantity(text, dimension, range.infinite);
    if (!found.problem.empty())
        fail("= " + in_quotes(text) + " " + found.problem + allowed(range, dimension, word), found.hint);
    if (!range.holds(found.value)) fail("= " + in_quotes(text) + " is out of range" + allowed(range, dimension, word));
    return found.value;
}

std::uint64_t Reader::count(const Range& range) const {
    const std::string& text = scalar("a whole number");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) {
        if (!range.holds(static_cast<double>(value)))
            fail("= " + in_quotes(text) + " is out of range" + allowed(range, {}));
        return value;
    }
    const double number = quantity(Dimension::none, range);  // "1e5" is a whole number too
    if (number != std::floor(number) || number < 0.0 || number > largest_exact_integer)
        fail("= " + in_quotes(text) + " is not a whole number" + allowed(range, {}));
    return static_cast<std::uint64_t>(number);
}

bool Reader::flag() const {
    const std::string& text = scalar("true or false");
    if (text == "true" || text == "True" || text == "TRUE") return true;
    if (text == "false" || text == "False" || text == "FALSE") return false;
    fail("= " + in_quotes(text) + " must be true or false");
}

std::string Reader::text() const {
    const std::string& text = scalar("a text");
    if (text.empty()) fail("is an empty text");
    if (find_bad_text(text) || text.find_first_of("\t\r\n") != std::string::npos)
        fail("= " + in_quotes(text) + " holds a control character");
    return text;
}

std::size_t Reader::choice(std::span<const std::string> words) const {
    const std::string& text = scalar("one of: " + joined(words));
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) fail("= " + in_quotes(text) + " is unknown", suggestion(text, words, "values"));
    return static_cast<std::size_t>(found - words.begin());
}

bool Reader::is_word(std::string_view word) const { return node_->is_scalar() && node_->text == word; }

model::Vec3 Reader::vector(Dimension dimension, const Range& range) const {
    const auto parts = items(3);
    return {parts[0].quantity(dimension, range), parts[1].quantity(dimension, range),
            parts[2].quantity(dimension, range)};
}

model::Vec3 Reader::direction() const {
    const auto unit = unit_vector(vector(Dimension::none));
    if (unit == model::Vec3{}) fail("must not be the zero vector");
    return unit;
}

model::Quat Reader::orientation() const {
    if (node_->is_map()) {
        expect_keys(orientation_keys());
        return model::from_axis_angle(find("axis")->direction(), find("angle")->quantity(Dimension::angle, any_value));
    }
    const auto parts = items(4);
    std::array<double, 4> q{};
    double largest = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        q[i] = parts[i].quantity(Dimension::none, any_value);
        largest = std::max(largest, std::abs(q[i]));
    }
    if (largest == 0.0) fail("must not be the zero quaternion");
    double square = 0.0;
    for (const double part : q) square += (part / largest) * (part / largest);
    const double length = largest * std::sqrt(square);
    if (std::abs(length - 1.0) > 1e-14) {
        for (double& part : q) part = part / largest / std::sqrt(square);
    }
    return {q[0], q[1], q[2], q[3]};
}

std::size_t Reader::material() const {
    const std::string& text = scalar("the name of a material");
    const auto& known = context_->materials;
    const auto found = std::find(known.begin(), known.end(), text);
    if (found == known.end())
        fail("= " + in_quotes(text) + " is no material of the scene", suggestion(text, known, "materials"));
    return static_cast<std::size_t>(found - known.begin());
}

model::Vec3 unit_vector(model::Vec3 v) {
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (largest == 0.0 || !std::isfinite(largest)) return {};
    // A unit vector stays as it is, bit for bit, so that writing and reading a scene changes nothing.
    if (largest <= 1.0 && std::abs(model::dot(v, v) - 1.0) < 1e-14) return v;
    return model::normalized({v.x / largest, v.y / largest, v.z / largest});
}

std::string item_name(const Node& item) {
    if (!item.is_map()) return {};
    if (const Node* name = item.find("name"); name != nullptr && name->is_scalar()) return name->text;
    if (const Node* pair = item.find("between");
        pair != nullptr && pair->items.size() == 2 && pair->items[0].is_scalar() && pair->items[1].is_scalar())
        return pair->items[0].text + "-" + pair->items[1].text;
    for (const auto& value : item.items) {
        if (!value.is_map()) continue;
        if (const Node* name = value.find("name"); name != nullptr && name->is_scalar()) return name->text;
    }
    return {};
}

}  // namespace scree::scene
