// SPDX-License-Identifier: BSD-3-Clause
// Robots in a few lines, and the scenes that they become.
#pragma once

#include "engine/urdf/read_urdf.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <algorithm>
#include <string>

namespace scree::test {

/// Line 1 opens the robot; `content` begins in line 2.
inline std::string robot_text(const std::string& content) { return "<robot name=\"r\">\n" + content + "\n</robot>\n"; }

/// A link on one line, with mass and a ball to touch.
inline std::string link_text(const std::string& name, const std::string& more = "") {
    return "<link name=\"" + name +
           "\"><inertial><mass value=\"2\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\"/></inertial>"
           "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>" +
           more + "</link>\n";
}
/// A joint on one line; `more` are its other elements.
inline std::string joint_text(const std::string& name, const std::string& type, const std::string& parent,
                              const std::string& child, const std::string& more = "") {
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" +
           child + "\"/>" + more + "</joint>\n";
}

inline urdf::Import import_text(const std::string& content, const urdf::ImportOptions& options = {}) {
    const ScratchFile file(robot_text(content), ".urdf");
    return urdf::read_urdf(file.path(), options);
}

inline std::filesystem::path robot_file(const std::string& name) {
    return std::filesystem::path(SCREE_SOURCE_DIR) / "tests" / "data" / "urdf" / name;
}

inline bool has_note(const urdf::Import& import, const std::string& words, std::size_t line = 0) {
    return std::any_of(import.notes.begin(), import.notes.end(), [&](const urdf::Note& note) {
        return note.text.find(words) != std::string::npos && (line == 0 || note.line == line);
    });
}

inline const model::Source& source_named(const model::Scene& scene, const std::string& name) {
    return *std::find_if(scene.sources.begin(), scene.sources.end(),
                         [&](const model::Source& source) { return source.name == name; });
}
inline const model::BodySource& body_named(const model::Scene& scene, const std::string& name) {
    return std::get<model::BodySource>(source_named(scene, name).what);
}
inline const model::Joint& joint_named(const model::Scene& scene, const std::string& name) {
    return *std::find_if(scene.joints.begin(), scene.joints.end(),
                         [&](const model::Joint& joint) { return joint.name == name; });
}

}  // namespace scree::test
