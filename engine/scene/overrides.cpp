// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/overrides.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/key.hpp"
#include "engine/scene/nearest.hpp"

#include <charconv>
#include <span>
#include <utility>

namespace scree::scene {
namespace {

using Path = std::span<const std::string>;

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> out;
    for (std::size_t start = 0;;) {
        const auto dot = text.find('.', start);
        out.emplace_back(text.substr(start, dot - start));
        if (dot == std::string_view::npos) return out;
        start = dot + 1;
    }
}

void move_to(Node& node, Position at) {
    node.at = at;
    for (auto& key : node.keys) key.at = at;
    for (auto& item : node.items) move_to(item, at);
}

bool is_named(const Node& item, std::string_view name) {
    if (item_name(item) == name) return true;
    const Node* pair = item.find("between");
    return pair != nullptr && pair->items.size() == 2 && pair->items[1].text + "-" + pair->items[0].text == name;
}

/// One override on its way down the tree, beside the table of keys.
class Walk {
public:
    Walk(const Context& context, Position at, Node value) : context_(context), at_(at), value_(std::move(value)) {}

    void in_object(Node& node, const ObjectInfo& object, Path path) {
        if (!node.is_map()) fail("there is no map here to hold the key " + in_quotes(path[0]));
        const KeyInfo* key = object.find(path[0]);
        Node* child = node.find(path[0]);
        if (child == nullptr && pass_through(node, object, path, key != nullptr)) return;
        if (key == nullptr) fail("unknown key " + in_quotes(path[0]), suggestion(path[0], object.names(), "keys"));
        if (child == nullptr) child = &create(node, *key, path);
        at_key(*child, *key, path.subspan(1));
    }

private:
    [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
        context_.fail(at_, what, hint);
    }

    /// Goes through the object that tells the kind (rotation, sphere, ...) when it knows the key; when the outer object
    /// knows it too, only if the inner one holds it already.
    bool pass_through(Node& node, const ObjectInfo& object, Path path, bool outer_knows) {
        for (const auto& key : object.keys) {
            if (key.group.empty() || key.object == nullptr) continue;
            Node* inner = node.find(key.name);
            if (inner == nullptr || !inner->is_map()) continue;
            if (outer_knows ? inner->find(path[0]) == nullptr : key.object->find(path[0]) == nullptr) continue;
            in_object(*inner, *key.object, path);
            return true;
        }
        return false;
    }

    Node& create(Node& node, const KeyInfo& key, Path path) const {
        const bool can_grow = key.type == ValueType::object || key.type == ValueType::object_or_list;
        if (path.size() > 1 && !can_grow)
            fail("the file gives no " + in_quotes(path[0]), "set it as a whole: " + path[0] + "=...");
        Node value = map_node();
        value.at = at_;
        return node.add(path[0], std::move(value), at_);
    }

    void at_key(Node& node, const KeyInfo& key, Path path) {
        if (path.empty()) {
            node = value_;
            return;
        }
        switch (key.type) {
            case ValueType::object:
                return in_object(node, *key.object, path);
            case ValueType::object_or_list:
                if (!node.is_sequence()) return in_object(node, *key.object, path);
                return in_object_list(node, *key.object, path);
            case ValueType::object_list:
                return in_object_list(node, *key.object, path);
            case ValueType::object_map:
                return in_object_map(node, *key.object, path);
            case ValueType::orientation:
                if (node.is_map()) return in_object(node, orientation_keys(), path);
                return in_list(node, key, path);
            case ValueType::quantities:
            case ValueType::directions:
            case ValueType::texts:
            case ValueType::rows:
                return in_list(node, key, path);
            default:
                fail(in_quotes(key.name) + " is a single value; it has no key " + in_quotes(path[0]));
        }
    }

    void in_object_list(Node& node, const ObjectInfo& object, Path path) {
        Node* item = nullptr;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const std::string name = item_name(node.items[i]);
            names.push_back(name.empty() ? std::to_string(i) : name);
            if (item == nullptr && is_named(node.items[i], path[0])) item = &node.items[i];
        }
        if (item == nullptr) item = by_index(node, path[0]);
        if (item == nullptr) fail("no " + object.noun + " " + in_quotes(path[0]), suggestion(path[0], names, "names"));
        at_item(*item, object, path.subspan(1));
    }

    void in_object_map(Node& node, const ObjectInfo& object, Path path) {
        Node* item = node.find(path[0]);
        std::vector<std::string> names;
        for (const auto& key : node.keys) names.push_back(key.text);
        if (item == nullptr) fail("no " + object.noun + " " + in_quotes(path[0]), suggestion(path[0], names, "names"));
        at_item(*item, object, path.subspan(1));
    }

    void at_item(Node& item, const ObjectInfo& object, Path path) {
        if (path.empty()) {
            item = value_;
        } else {
            in_object(item, object, path);
        }
    }

    void in_list(Node& node, const KeyInfo& key, Path path) {
        Node* item = by_index(node, path[0]);
        const auto axis = std::string_view("xyz").find(path[0]);
        const bool is_axis = path[0].size() == 1 && key.length == 3 && axis != std::string_view::npos;
        if (is_axis && key.type != ValueType::rows && axis < node.items.size()) item = &node.items[axis];
        if (item == nullptr)
            fail(in_quotes(key.name) + " has no element " + in_quotes(path[0]),
                 "it is a list of " + std::to_string(node.items.size()) + ", counted from 0");
        if (path.size() == 1) {
            *item = value_;
        } else if (item->is_sequence()) {
            in_list(*item, key, path.subspan(1));
        } else {
            fail(in_quotes(path[0]) + " is a single value; it has no element " + in_quotes(path[1]));
        }
    }

    static Node* by_index(Node& node, std::string_view text) {
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
        const bool is_number = error == std::errc{} && end == text.data() + text.size();
        return is_number && node.is_sequence() && index < node.items.size() ? &node.items[index] : nullptr;
    }

    const Context& context_;
    Position at_;
    Node value_;
};

Node read_value(const Context& context, Position at, std::string_view text) {
    Node value;
    try {
        value = parse_document(text, "--set");
    } catch (const model::Error& error) {
        context.fail(at, error.message(), error.hint());
    }
    move_to(value, at);
    return value;
}

}  // namespace

void apply_overrides(Node& root, const Context& context) {
    for (std::size_t i = 0; i < context.overrides.size(); ++i) {
        const std::string& text = context.overrides[i];
        const Position at{0, 0, static_cast<std::uint32_t>(i + 1)};
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            context.fail(at, "an override is KEY=VALUE", "for example time.step=0.5ms");
        if (equals + 1 == text.size()) context.fail(at, "there is no value after '='");
        const auto path = split(std::string_view(text).substr(0, equals));
        Walk(context, at, read_value(context, at, std::string_view(text).substr(equals + 1)))
            .in_object(root, scene_keys(), path);
    }
}

}  // namespace scree::scene
