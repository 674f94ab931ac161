// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/attributes.hpp"

#include "engine/geometry/text_input.hpp"
#include "engine/scene/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace scree::urdf {
namespace {

/// An element that the parser reads: its attributes, and those of its elements that are read.
struct Element {
    std::string_view name;
    std::vector<std::string> attributes;
    std::vector<Element> elements;
};

const Element& robot_element() {
    static const Element robot = [] {
        const Element origin{"origin", {"xyz", "rpy", "quat_xyzw"}, {}};
        const Element inertial{
            "inertial",
            {},
            {origin, {"mass", {"value"}, {}}, {"inertia", {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, {}}}};
        const Element geometry{"geometry",
                               {},
                               {{"box", {"size"}, {}},
                                {"sphere", {"radius"}, {}},
                                {"cylinder", {"radius", "length"}, {}},
                                {"capsule", {"radius", "length"}, {}},
                                {"mesh", {"filename", "scale"}, {}}}};
        const Element collision{"collision", {"name"}, {origin, geometry}};
        const Element joint{"joint",
                            {"name", "type"},
                            {origin,
                             {"parent", {"link"}, {}},
                             {"child", {"link"}, {}},
                             {"axis", {"xyz"}, {}},
                             {"limit", {"lower", "upper", "effort", "velocity"}, {}},
                             {"dynamics", {"damping", "friction"}, {}},
                             {"mimic", {"joint", "multiplier", "offset"}, {}}}};
        return Element{"robot", {"name", "version"}, {{"link", {"name"}, {inertial, collision}}, joint}};
    }();
    return robot;
}

/// As deep as the table, however deep the file.
void look(const XmlFile& file, pugi::xml_node node, const Element& element, Notes& notes) {
    for (const pugi::xml_attribute attribute : node.attributes()) {
        const std::string name = attribute.name();
        const auto& known = element.attributes;
        if (std::find(known.begin(), known.end(), name) != known.end() || name.starts_with("xmlns")) continue;
        notes.push_back({file.line(node),
                         fmt::format("not understood: the attribute {} of <{}>{}", geometry::in_quotes(name),
                                     element.name, known.empty() ? "" : " (known: " + scene::joined(known) + ")")});
    }
    for (const pugi::xml_node child : node.children())
        for (const Element& inner : element.elements)
            if (child.type() == pugi::node_element && inner.name == child.name()) look(file, child, inner, notes);
}

}  // namespace

void note_unknown_attributes(const XmlFile& file, pugi::xml_node robot, Notes& notes) {
    look(file, robot, robot_element(), notes);
}

}  // namespace scree::urdf
