// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/print.hpp"

#include <algorithm>
#include <string_view>

namespace scree::scene {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_plain_character(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("+-./ ^%").find(c) != std::string_view::npos;
}

/// Text that every YAML reader takes as it stands. Numbers, with or without unit, may start with a digit, sign or
/// point.
bool can_be_plain(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ' || text == "-" || text == "." || text == "/")
        return false;
    if (text.starts_with("- ") || text.starts_with("--") || text.starts_with("..") || text.front() == '%') return false;
    for (const std::string_view word : {"null", "Null", "NULL"}) {
        if (text == word) return false;
    }
    return std::all_of(text.begin(), text.end(), is_plain_character);
}

std::string text_of(std::string_view text, bool quoted) {
    if (!quoted && can_be_plain(text)) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xFU]};
        } else {
            out += c;
        }
    }
    return out + "\"";
}

void append_inline(std::string& out, const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            out += "~";
            return;
        case Node::Kind::scalar:
            out += text_of(node.text, node.is_quoted);
            return;
        case Node::Kind::sequence:
            out += '[';
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                if (i > 0) out += ", ";
                append_inline(out, node.items[i]);
            }
            out += ']';
            return;
        case Node::Kind::map:
            out += '{';
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                if (i > 0) out += ", ";
                out += text_of(node.keys[i].text, false) + ": ";
                append_inline(out, node.items[i]);
            }
            out += '}';
            return;
    }
}

bool holds_maps(const Node& node) {
    return !node.items.empty() &&
           std::all_of(node.items.begin(), node.items.end(), [](const Node& item) { return item.is_map(); });
}

}  // namespace

std::string print_inline(const Node& node) {
    std::string out;
    append_inline(out, node);
    return out;
}

std::string print_document(const Node& root) {
    if (!root.is_map() || root.items.empty()) return print_inline(root) + "\n";
    std::string out;
    for (std::size_t i = 0; i < root.items.size(); ++i) {
        const Node& value = root.items[i];
        out += text_of(root.keys[i].text, false) + ":";
        if (value.is_sequence() && holds_maps(value)) {
            for (const auto& item : value.items) {
                out += "\n  - ";
                append_inline(out, item);
            }
        } else if (value.is_map() && holds_maps(value)) {
            for (std::size_t k = 0; k < value.items.size(); ++k) {
                out += "\n  " + text_of(value.keys[k].text, false) + ": ";
                append_inline(out, value.items[k]);
            }
        } else {
            out += ' ';
            append_inline(out, value);
        }
        out += '\n';
    }
    return out;
}

}  // namespace scree::scene
