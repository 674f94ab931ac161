// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/tree.hpp"

#include "engine/scene/nearest.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>

namespace scree::urdf {

Tree make_tree(const Robot& robot) {
    const std::size_t links = robot.links.size();
    std::unordered_map<std::string, std::size_t> link_of;
    for (std::size_t i = 0; i < links; ++i) link_of.emplace(robot.links[i].name, i);
    const auto find = [&](const RobotJoint& joint, const char* role, const std::string& name) {
        if (const auto found = link_of.find(name); found != link_of.end()) return found->second;
        std::vector<std::string> known;
        for (const Link& link : robot.links) known.push_back(link.name);
        robot.fail(joint.line, fmt::format("joint '{}': its {} '{}' is the name of no link", joint.name, role, name),
                   scene::suggestion(name, known, "links"));
    };

    Tree tree;
    tree.joint_above.assign(links, none);
    std::vector<std::vector<std::size_t>> below(links);
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
        const RobotJoint& joint = robot.joints[j];
        const std::size_t parent = find(joint, "parent", joint.parent), child = find(joint, "child", joint.child);
        if (tree.joint_above[child] != none)
            robot.fail(joint.line,
                       fmt::format("link '{}' has two parents, by the joints '{}' and '{}'", joint.child,
                                   robot.joints[tree.joint_above[child]].name, joint.name),
                       "a URDF is a tree: close loops by joints in the scene");
        tree.joint_above[child] = j;
        tree.parent.push_back(parent);
        tree.child.push_back(child);
        below[parent].push_back(j);
    }
    tree.root = none;
    for (std::size_t i = 0; i < links; ++i) {
        if (tree.joint_above[i] != none) continue;
        if (tree.root != none)
            robot.fail(robot.links[i].line,
                       fmt::format("the robot has two roots, the links '{}' and '{}'", robot.links[tree.root].name,
                                   robot.links[i].name),
                       "join them, or import two robots");
        tree.root = i;
    }
    if (tree.root != none) tree.order.push_back(tree.root);
    for (std::size_t at = 0; at < tree.order.size(); ++at)
        for (const std::size_t j : below[tree.order[at]]) tree.order.push_back(tree.child[j]);
    if (tree.order.size() == links) return tree;
    // Links that the root does not reach hang in a loop.
    std::vector<bool> reached(links, false);
    for (const std::size_t i : tree.order) reached[i] = true;
    for (std::size_t i = 0;; ++i)
        if (!reached[i])
            robot.fail(robot.links[i].line,
                       fmt::format("link '{}' hangs from a loop of joints, not from the root", robot.links[i].name),
                       "a URDF is a tree: close loops by joints in the scene");
}

}  // namespace scree::urdf
