// SPDX-License-Identifier: BSD-3-Clause
// An XML file whose faults and numbers have lines.
#pragma once

#include "engine/model/math.hpp"

#include <pugixml.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace scree::urdf {

class XmlFile {
public:
    /// Throws model::Error: environment when the file cannot be read; input when it is no well-formed XML (twins among
    /// attributes, unknown entities and second roots included) or larger than 64 MiB.
    explicit XmlFile(const std::filesystem::path& file);

    [[nodiscard]] pugi::xml_node document() const { return document_.root(); }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::size_t line(pugi::xml_node node) const;
    [[noreturn]] void fail(pugi::xml_node node, const std::string& what, const std::string& hint = {}) const;

    /// The attribute's text; an error without it, when it is empty or no text.
    [[nodiscard]] std::string text(pugi::xml_node node, const char* attribute) const;
    /// The same, on one line: what a scene can have as a name.
    [[nodiscard]] std::string name_in(pugi::xml_node node, const char* attribute) const;
    /// A finite number that fills the attribute.
    [[nodiscard]] double number(pugi::xml_node node, const char* attribute) const;
    [[nodiscard]] double number(pugi::xml_node node, const char* attribute, double fallback) const;
    [[nodiscard]] double positive(pugi::xml_node node, const char* attribute) const;
    /// Three numbers, white space between them.
    [[nodiscard]] model::Vec3 vector(pugi::xml_node node, const char* attribute) const;
    [[nodiscard]] model::Vec3 vector(pugi::xml_node node, const char* attribute, model::Vec3 fallback) const;
    /// Four numbers x y z w, of any length but 0.
    [[nodiscard]] model::Quat rotation(pugi::xml_node node, const char* attribute) const;
    /// The only child of this name, or none; two are an error.
    [[nodiscard]] pugi::xml_node child(pugi::xml_node node, const char* name) const;

private:
    template <std::size_t count>
    [[nodiscard]] std::array<double, count> numbers(pugi::xml_node node, const char* attribute) const;
    [[nodiscard]] std::size_t line_at(std::size_t offset) const;

    std::string name_;
    pugi::xml_document document_;
    std::vector<std::size_t> line_starts_;
};

}  // namespace scree::urdf
