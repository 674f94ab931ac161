// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/parse_robot.hpp"

#include "engine/geometry/text_input.hpp"
#include "engine/urdf/attributes.hpp"
#include "engine/urdf/mass.hpp"
#include "engine/urdf/xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace scree::urdf {
namespace {

using model::Quat;
using model::Vec3;

/// Turns by r about x, then p about y, then y about z, all of them fixed axes.
Quat of_roll_pitch_yaw(Vec3 rpy) {
    return model::from_axis_angle({0, 0, 1}, rpy.z) * model::from_axis_angle({0, 1, 0}, rpy.y) *
           model::from_axis_angle({1, 0, 0}, rpy.x);
}

class Parser {
public:
    Parser(const XmlFile& file, Notes& notes) : file_(file), notes_(notes) {}

    Robot robot() {
        const pugi::xml_node root = file_.document().child("robot");
        if (!root) {
            const pugi::xml_node other = file_.document().first_child();
            file_.fail(other, fmt::format("the file has no <robot> but <{}>", other.name()),
                       std::string_view(other.name()) == "sdf" ? "this is SDF, another format" : "");
        }
        Robot made;
        if (root.attribute("name") && *root.attribute("name").value() != '\0') made.name = file_.name_in(root, "name");
        made.path = file_.name();
        for (const pugi::xml_node node : root.children()) {
            if (node.type() != pugi::node_element) continue;
            const std::string_view name = node.name();
            if (name.starts_with("xacro:"))
                file_.fail(node, fmt::format("<{}> is a macro of xacro", name),
                           "let xacro expand the file first: xacro FILE > robot.urdf");
            if (name == "link") {
                made.links.push_back(link(node));
            } else if (name == "joint") {
                made.joints.push_back(joint(node));
            } else if (name != "material") {  // colours
                ignore(node);
            }
        }
        if (made.links.empty()) file_.fail(root, "the robot has no links");
        note_unknown_attributes(file_, root, notes_);
        return made;
    }

private:
    void note(pugi::xml_node node, std::string text) { notes_.push_back({file_.line(node), std::move(text)}); }
    void ignore(pugi::xml_node node) {
        note(node, fmt::format("<{}> of <{}> is ignored", node.name(), node.parent().name()));
    }
    void ignore_all_but(pugi::xml_node node, std::initializer_list<std::string_view> known) {
        for (const pugi::xml_node child : node.children())
            if (child.type() == pugi::node_element &&
                std::find(known.begin(), known.end(), std::string_view(child.name())) == known.end())
                ignore(child);
    }
    [[nodiscard]] pugi::xml_node needed(pugi::xml_node node, const char* name) const {
        const pugi::xml_node child = file_.child(node, name);
        if (!child) file_.fail(node, fmt::format("<{}> lacks <{}>", node.name(), name));
        return child;
    }
    std::string unique_name(pugi::xml_node node, std::set<std::string>& taken) const {
        std::string name = file_.name_in(node, "name");
        if (!taken.insert(name).second)
            file_.fail(node, fmt::format("the name of {} '{}' is taken by an earlier one", node.name(), name));
        return name;
    }
    [[nodiscard]] Frame origin(pugi::xml_node node) const {
        const pugi::xml_node at = file_.child(node, "origin");
        if (!at) return {};
        const Vec3 position = file_.vector(at, "xyz", {});
        if (!at.attribute("quat_xyzw")) return {position, of_roll_pitch_yaw(file_.vector(at, "rpy", {}))};
        if (at.attribute("rpy")) file_.fail(at, "<origin> has both rpy and quat_xyzw", "leave out one of them");
        return {position, file_.rotation(at, "quat_xyzw")};
    }

    Link link(pugi::xml_node node) {
        Link made;
        made.line = file_.line(node);
        made.name = unique_name(node, link_names_);
        ignore_all_but(node, {"inertial", "collision"});
        if (const pugi::xml_node child = file_.child(node, "inertial")) made.inertial = inertial(child, made.name);
        for (const pugi::xml_node child : node.children("collision")) {
            ignore_all_but(child, {"origin", "geometry"});
            made.collisions.push_back(collision(child));
        }
        return made;
    }

    Inertial inertial(pugi::xml_node node, const std::string& link) {
        ignore_all_but(node, {"origin", "mass", "inertia"});
        Inertial made;
        made.line = file_.line(node);
        made.origin = origin(node);
        const pugi::xml_node mass = needed(node, "mass"), inertia = needed(node, "inertia");
        made.mass = file_.number(mass, "value");
        if (!(made.mass > 0.0))
            file_.fail(mass, fmt::format("link '{}': the mass is {:g} kg (allowed: > 0)", link, made.mass),
                       "a link without mass has no <inertial>, and a fixed joint");
        constexpr std::array<const char*, 6> keys{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
        for (std::size_t k = 0; k < 6; ++k)
            made.inertia.at(k) = k < 3 ? file_.number(inertia, keys.at(k)) : file_.number(inertia, keys.at(k), 0.0);
        if (const std::string fault = fault_of_inertia(made.inertia); !fault.empty())
            file_.fail(inertia, fmt::format("link '{}': {}", link, fault),
                       "no body has such moments: check units and signs");
        return made;
    }

    [[nodiscard]] Collision collision(pugi::xml_node node) const {
        Collision made;
        made.line = file_.line(node);
        made.origin = origin(node);
        const pugi::xml_node geometry = needed(node, "geometry");
        pugi::xml_node shape;
        for (const pugi::xml_node child : geometry.children()) {
            if (child.type() != pugi::node_element) continue;
            if (shape) file_.fail(child, "<geometry> has two shapes", "give each its own <collision>");
            shape = child;
        }
        if (!shape) file_.fail(geometry, "<geometry> is empty");
        made.geometry = shape_of(shape);
        return made;
    }

    [[nodiscard]] Geometry shape_of(pugi::xml_node node) const {
        const std::string_view name = node.name();
        if (name == "box") {
            const Vec3 size = file_.vector(node, "size");
            if (!(std::min({size.x, size.y, size.z}) > 0.0))
                file_.fail(node, fmt::format("<box>: size = {:g} {:g} {:g} (allowed: > 0)", size.x, size.y, size.z));
            return model::SolidBox{0.5 * size};
        }
        if (name == "sphere") return model::SolidSphere{file_.positive(node, "radius")};
        if (name == "cylinder")
            return model::SolidCylinder{file_.positive(node, "radius"), 0.5 * file_.positive(node, "length")};
        if (name == "capsule")
            return model::SolidCapsule{file_.positive(node, "radius"), 0.5 * file_.positive(node, "length")};
        if (name != "mesh")
            file_.fail(node, fmt::format("<{}> is a shape that is not known", name),
                       "known: box, cylinder, sphere, capsule, mesh");
        MeshGeometry mesh{file_.text(node, "filename"), file_.vector(node, "scale", {1, 1, 1})};
        if (mesh.scale.x == 0.0 || mesh.scale.y == 0.0 || mesh.scale.z == 0.0) file_.fail(node, "<mesh>: a scale is 0");
        return mesh;
    }

    [[nodiscard]] JointType type_of(pugi::xml_node node) const {
        constexpr std::array<std::string_view, 6> words{"revolute", "continuous", "prismatic",
                                                        "fixed",    "planar",     "floating"};
        const std::string type = file_.text(node, "type");
        const auto* const found = std::find(words.begin(), words.end(), type);
        if (found == words.end())
            file_.fail(node,
                       fmt::format("joint '{}': its type {} is not known", node.attribute("name").value(),
                                   geometry::in_quotes(type)),
                       "known: revolute, continuous, prismatic, fixed, planar, floating");
        return JointType(found - words.begin());
    }

    RobotJoint joint(pugi::xml_node node) {
        RobotJoint made;
        made.line = file_.line(node);
        made.name = unique_name(node, joint_names_);
        made.type = type_of(node);
        ignore_all_but(node, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
        made.parent = file_.text(needed(node, "parent"), "link");
        made.child = file_.text(needed(node, "child"), "link");
        made.origin = origin(node);
        if (made.type == JointType::fixed || made.type == JointType::floating) {
            for (const char* key : {"limit", "dynamics", "mimic"})
                if (const pugi::xml_node child = node.child(key))
                    note(child, fmt::format("<{}> of a {} joint is ignored", key,
                                            made.type == JointType::fixed ? "fixed" : "floating"));
            return made;
        }
        if (const pugi::xml_node axis = file_.child(node, "axis")) {
            const Vec3 given = file_.vector(axis, "xyz", {1, 0, 0});
            const double length = std::hypot(given.x, given.y, given.z);
            if (!(length > 1e-9) || !std::isfinite(length))
                file_.fail(axis, fmt::format("joint '{}': the axis {:g} {:g} {:g} has no direction", made.name, given.x,
                                             given.y, given.z));
            made.axis = (1.0 / length) * given;
        }
        if (made.type == JointType::planar) {
            for (const char* key : {"limit", "dynamics", "mimic"})
                if (const pugi::xml_node child = node.child(key))
                    note(child, fmt::format("<{}> of a planar joint is ignored", key));
            return made;
        }
        limits(node, made);
        if (const pugi::xml_node dynamics = file_.child(node, "dynamics")) {
            made.damping = file_.number(dynamics, "damping", 0.0);
            made.friction = file_.number(dynamics, "friction", 0.0);
            if (made.damping < 0.0 || made.friction < 0.0)
                file_.fail(dynamics, fmt::format("joint '{}': damping {:g}, friction {:g} (allowed: >= 0)", made.name,
                                                 made.damping, made.friction));
        }
        if (const pugi::xml_node mimic = file_.child(node, "mimic"))
            made.mimic = Mimic{file_.text(mimic, "joint"), file_.number(mimic, "multiplier", 1.0),
                               file_.number(mimic, "offset", 0.0), file_.line(mimic)};
        return made;
    }

    void limits(pugi::xml_node node, RobotJoint& made) {
        const pugi::xml_node limit = file_.child(node, "limit");
        if (made.type != JointType::continuous) {
            if (!limit)
                file_.fail(node, fmt::format("joint '{}' lacks <limit>", made.name),
                           made.type == JointType::revolute ? "a joint without limits is of type continuous"
                                                            : "lower and upper, as far as it may slide");
            made.lower = file_.number(limit, "lower", 0.0);
            made.upper = file_.number(limit, "upper", 0.0);
            if (made.lower > made.upper)
                file_.fail(limit, fmt::format("joint '{}': lower = {:g} is above upper = {:g}", made.name, made.lower,
                                              made.upper));
        } else if (limit && (limit.attribute("lower") || limit.attribute("upper"))) {
            note(limit, "lower and upper of a continuous joint are ignored");
        }
        if (!limit) return;
        if (file_.number(limit, "velocity", 0.0) > 0.0) note(limit, "velocity of <limit> is not used");
        if (file_.number(limit, "effort", 0.0) > 0.0)
            note(limit, "effort of <limit> is not used: joints have no motors until the scene gives them some");
    }

    const XmlFile& file_;
    Notes& notes_;
    std::set<std::string> link_names_, joint_names_;
};

}  // namespace

Robot parse_robot(const std::filesystem::path& file, Notes& notes) {
    const XmlFile xml(file);
    return Parser(xml, notes).robot();
}

}  // namespace scree::urdf
