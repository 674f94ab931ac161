// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/xml_file.hpp"

#include "engine/geometry/text_input.hpp"
#include "engine/model/error.hpp"
#include "engine/scene/utf8.hpp"
#include "engine/urdf/entities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace scree::urdf {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20U;

double finite_number(const XmlFile& file, pugi::xml_node node, const char* attribute, std::string_view field) {
    const auto value = geometry::parse_number(field);
    if (value && std::isfinite(*value)) return *value;
    file.fail(node,
              fmt::format("<{}>: {} = {} is not a finite number", node.name(), attribute, geometry::in_quotes(field)),
              field.find(',') != std::string_view::npos ? "decimal points are points, separators are spaces" : "");
}

/// Two attributes of one name: no well-formed XML, but the parser takes the first.
struct FindsTwins : pugi::xml_tree_walker {
    pugi::xml_node node;
    std::string name;

    bool for_each(pugi::xml_node& at) override {
        std::vector<std::string_view> names;
        for (const pugi::xml_attribute attribute : at.attributes()) names.emplace_back(attribute.name());
        std::sort(names.begin(), names.end());
        const auto twin = std::adjacent_find(names.begin(), names.end());
        if (twin == names.end()) return true;
        node = at;
        name = *twin;
        return false;
    }
};

}  // namespace

XmlFile::XmlFile(const std::filesystem::path& file) : name_(file.string()) {
    const std::string content = geometry::read_content(file, largest_file);
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < content.size(); ++i)
        if (content[i] == '\n') line_starts_.push_back(i + 1);
    const pugi::xml_parse_result result =
        document_.load_buffer(content.data(), content.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
        throw model::Error(model::ErrorKind::input, fmt::format("no well-formed XML: {}", result.description()), {},
                           name_, line_at(std::size_t(std::max<std::ptrdiff_t>(result.offset, 0))));
    if (const auto bad = find_bad_entity(content))
        throw model::Error(model::ErrorKind::input, "the entity " + geometry::in_quotes(bad->text) + " is not known",
                           "known: &lt; &gt; &amp; &quot; &apos; and characters by number", name_,
                           line_at(bad->offset));
    FindsTwins twins;
    document_.traverse(twins);
    if (twins.node) fail(twins.node, fmt::format("<{}> has two attributes '{}'", twins.node.name(), twins.name));
    pugi::xml_node root;
    for (const pugi::xml_node node : document_.children()) {
        if (node.type() != pugi::node_element) continue;
        if (root) fail(node, fmt::format("a second root element, <{}>", node.name()), "one robot, one file");
        root = node;
    }
}

std::size_t XmlFile::line_at(std::size_t offset) const {
    return std::size_t(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - line_starts_.begin());
}

std::size_t XmlFile::line(pugi::xml_node node) const {
    return line_at(std::size_t(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
}

void XmlFile::fail(pugi::xml_node node, const std::string& what, const std::string& hint) const {
    throw model::Error(model::ErrorKind::input, what, hint, name_, line(node));
}

std::string XmlFile::text(pugi::xml_node node, const char* attribute) const {
    const pugi::xml_attribute found = node.attribute(attribute);
    if (!found) fail(node, fmt::format("<{}> lacks the attribute '{}'", node.name(), attribute));
    if (*found.value() == '\0') fail(node, fmt::format("<{}>: the attribute '{}' is empty", node.name(), attribute));
    if (const auto bad = scene::find_bad_text(found.value()))
        fail(node, fmt::format("<{}>: the attribute '{}': {}", node.name(), attribute, bad->what), bad->hint);
    return found.value();
}

std::string XmlFile::name_in(pugi::xml_node node, const char* attribute) const {
    std::string name = text(node, attribute);
    if (name.find_first_of("\t\r\n") != std::string::npos)
        fail(node,
             fmt::format("<{}>: {} = {} holds a control character", node.name(), attribute, geometry::in_quotes(name)));
    return name;
}

double XmlFile::number(pugi::xml_node node, const char* attribute) const {
    const std::string field = text(node, attribute);
    return finite_number(*this, node, attribute, geometry::trimmed(field));
}

double XmlFile::number(pugi::xml_node node, const char* attribute, double fallback) const {
    return node.attribute(attribute) ? number(node, attribute) : fallback;
}

double XmlFile::positive(pugi::xml_node node, const char* attribute) const {
    const double value = number(node, attribute);
    if (!(value > 0.0)) fail(node, fmt::format("<{}>: {} = {:g} (allowed: > 0)", node.name(), attribute, value));
    return value;
}

template <std::size_t count>
std::array<double, count> XmlFile::numbers(pugi::xml_node node, const char* attribute) const {
    const std::string field = text(node, attribute);
    std::array<double, count> values{};
    std::size_t found = 0;
    constexpr const char* white = " \t\r\n";
    for (std::size_t at = field.find_first_not_of(white); at != std::string::npos; ++found) {
        const std::size_t end = std::min(field.find_first_of(white, at), field.size());
        const double value = finite_number(*this, node, attribute, std::string_view(field).substr(at, end - at));
        if (found < count) values.at(found) = value;
        at = field.find_first_not_of(white, end);
    }
    if (found != count)
        fail(node, fmt::format("<{}>: {} = {} has {} numbers (needed: {})", node.name(), attribute,
                               geometry::in_quotes(field), found, count));
    return values;
}

model::Vec3 XmlFile::vector(pugi::xml_node node, const char* attribute) const {
    const auto [x, y, z] = numbers<3>(node, attribute);
    return {x, y, z};
}

model::Quat XmlFile::rotation(pugi::xml_node node, const char* attribute) const {
    const auto [x, y, z, w] = numbers<4>(node, attribute);
    const double largest = std::max({std::abs(x), std::abs(y), std::abs(z), std::abs(w)});
    if (!(largest > 0.0)) fail(node, fmt::format("<{}>: {} = 0 0 0 0 is no rotation", node.name(), attribute));
    const model::Quat q{w / largest, x / largest, y / largest, z / largest};
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

model::Vec3 XmlFile::vector(pugi::xml_node node, const char* attribute, model::Vec3 fallback) const {
    return node.attribute(attribute) ? vector(node, attribute) : fallback;
}

pugi::xml_node XmlFile::child(pugi::xml_node node, const char* name) const {
    const pugi::xml_node found = node.child(name);
    if (const pugi::xml_node again = found.next_sibling(name))
        fail(again, fmt::format("<{}> has two <{}>", node.name(), name));
    return found;
}

}  // namespace scree::urdf
