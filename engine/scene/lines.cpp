// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/lines.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/document.hpp"

#include <fstream>
#include <iterator>

namespace scree::scene {

std::size_t line_of(const std::string& file, const std::string& list, std::size_t index) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return 0;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
        const Node root = parse_document(text, file);
        const Node* node = root.find(list);
        if (node == nullptr) return 0;
        if (node->is_map() && index < node->keys.size()) return node->keys[index].at.line;
        if (!node->is_sequence()) return node->at.line;
        return index < node->items.size() ? node->items[index].at.line : 0;
    } catch (const model::Error&) {
        return 0;  // it has changed since
    }
}

}  // namespace scree::scene
