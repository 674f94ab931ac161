// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/document.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/utf8.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace scree::scene {
namespace {

Position position_of(const YAML::Mark& mark) {
    if (mark.is_null()) return {};
    return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1), 0};
}

/// Line `number` of the text, from 1; empty where there is none.
std::string_view line_at(std::string_view text, std::uint32_t number) {
    for (; number > 1; --number) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return number == 0 ? std::string_view() : text.substr(0, text.find('\n'));
}

std::size_t size_of(const Node& node) {
    std::size_t n = 1;
    for (const auto& item : node.items) n += size_of(item);
    return n;
}

/// Builds the tree from the parser's events.
class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(const std::string& file, const DocumentLimits& limits) : file_(file), limits_(limits) {}

    /// The tree; throws when a key was a list or map.
    [[nodiscard]] Node take() {
        if (has_bad_key_) fail(bad_key_, "a list or map stands where a key is wanted", "keys are plain words");
        return std::move(root_);
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) fail(position_of(mark), "a second YAML document starts here", "a scene is one document");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        Node node;
        node.at = position_of(mark);
        finish(std::move(node), anchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        Node node = scalar_node(value, tag == "!");
        node.at = position_of(mark);
        check_tag(tag, node.at);
        finish(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) fail(position_of(mark), "an alias refers to a value that it is part of", {});
        alias_nodes_ += found->second.second;
        if (alias_nodes_ > limits_.alias_nodes)
            fail(position_of(mark), "aliases expand to more than " + std::to_string(limits_.alias_nodes) + " values",
                 "write the values out");
        if (open_.size() + depth_of(found->second.first) > limits_.depth) fail_depth(position_of(mark));
        finish(found->second.first, 0);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Node::Kind::sequence, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Node::Kind::map, mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        Node node;
        YAML::anchor_t anchor = 0;
        bool key_is_next = true;
        std::unordered_map<std::string, std::uint32_t> line_of_key;
    };

    [[noreturn]] void fail(Position at, const std::string& what, const std::string& hint) const {
        throw model::Error(model::ErrorKind::input, on_one_line(what), hint, file_, at.line, at.column);
    }
    [[noreturn]] void fail_depth(Position at) const {
        fail(at, "lists and maps are nested more than " + std::to_string(limits_.depth) + " deep", {});
    }

    static std::size_t depth_of(const Node& node) {
        std::size_t deepest = 0;
        for (const auto& item : node.items) deepest = std::max(deepest, depth_of(item));
        return deepest + 1;
    }

    void check_tag(const std::string& tag, Position at) const {
        if (!tag.empty() && tag != "?" && tag != "!")
            fail(at, "the YAML tag " + in_quotes(tag) + " is not supported in scenes", "remove it");
    }

    void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        Open item;
        item.node.kind = kind;
        item.node.at = position_of(mark);
        item.anchor = anchor;
        check_tag(tag, item.node.at);
        if (open_.size() >= limits_.depth) fail_depth(item.node.at);
        // The parser takes a list that is never closed for a key at first: let it find the open bracket itself.
        if (!open_.empty() && open_.back().node.is_map() && open_.back().key_is_next && !has_bad_key_) {
            has_bad_key_ = true;
            bad_key_ = item.node.at;
        }
        open_.push_back(std::move(item));
    }

    void close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        finish(std::move(done.node), done.anchor);
    }

    void finish(Node node, YAML::anchor_t anchor) {
        if (++nodes_ > limits_.nodes)
            fail(node.at, "the document has more than " + std::to_string(limits_.nodes) + " values", {});
        if (anchor != 0) anchors_[anchor] = {node, size_of(node)};
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (!parent.node.is_map()) {
            parent.node.items.push_back(std::move(node));
        } else if (!parent.key_is_next) {
            // The parser places a value that is not there at the next token.
            if (node.kind == Node::Kind::null) node.at = parent.node.keys.back().at;
            parent.node.items.push_back(std::move(node));
            parent.key_is_next = true;
        } else {
            if (node.kind == Node::Kind::null) fail(node.at, "a key is empty", "keys are plain words");
            const auto [found, is_new] = parent.line_of_key.emplace(node.text, node.at.line);
            if (!is_new && !has_bad_key_)
                fail(node.at, "duplicate key " + in_quotes(node.text),
                     "first given on line " + std::to_string(found->second));
            parent.node.keys.push_back({std::move(node.text), node.at});
            parent.key_is_next = false;
        }
    }

    const std::string& file_;
    const DocumentLimits& limits_;
    Node root_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, std::pair<Node, std::size_t>> anchors_;
    bool has_bad_key_ = false;
    Position bad_key_;
    std::size_t documents_ = 0, nodes_ = 0, alias_nodes_ = 0;
};

}  // namespace

const Node* Node::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].text == key) return &items[i];
    }
    return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node& Node::add(std::string key, Node value, Position at_key) {
    keys.push_back({std::move(key), at_key});
    items.push_back(std::move(value));
    return items.back();
}

Node scalar_node(std::string text, bool quoted) {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = std::move(text);
    node.is_quoted = quoted;
    return node;
}

Node sequence_node(std::vector<Node> items) {
    Node node;
    node.kind = Node::Kind::sequence;
    node.items = std::move(items);
    return node;
}

Node map_node() {
    Node node;
    node.kind = Node::Kind::map;
    return node;
}

Node parse_document(std::string_view text, const std::string& file, const DocumentLimits& limits) {
    if (text.size() > limits.bytes)
        throw model::Error(
            model::ErrorKind::input,
            "the file has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(limits.bytes),
            "put bulk data into particle and mesh files", file);
    if (const auto bad = find_bad_text(text))
        throw model::Error(model::ErrorKind::input, bad->what, bad->hint, file, bad->line, bad->column);
    // The parser takes an open quote for closed when a line break is the last thing that it sees.
    text = text.substr(0, text.find_last_not_of(" \r\n") + 1);
    TreeBuilder builder(file, limits);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        const Position at = position_of(error.mark);
        throw model::Error(model::ErrorKind::input, on_one_line("not valid YAML: " + error.msg),
                           line_at(text, at.line).find('?') != std::string_view::npos
                               ? R"(YAML takes '? :' for a map: write a text that holds it in quotes, "t < 1 ? 2 : 3")"
                               : "check indentation, brackets and quotes here and on the line before",
                           file, at.line, at.column);
    }
    return builder.take();
}

}  // namespace scree::scene
