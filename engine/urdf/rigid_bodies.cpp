// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/rigid_bodies.hpp"

#include <fmt/format.h>

namespace scree::urdf {

RigidBodies make_rigid_bodies(const Robot& robot, const Tree& tree, const std::vector<Coordinate>& coordinates,
                              const std::vector<Frame>& frames, Notes& notes) {
    RigidBodies made;
    made.of_link.assign(robot.links.size(), none);
    for (const std::size_t link : tree.order) {
        const std::size_t j = tree.joint_above[link];
        const bool free = j != none && (robot.joints[j].type == JointType::planar ||
                                        robot.joints[j].type == JointType::floating || coordinates[j].moves);
        if (j == none || free) {
            made.of_link[link] = made.bodies.size();
            made.bodies.push_back({link, {link}, {}});
            continue;
        }
        made.of_link[link] = made.of_link[tree.parent[j]];
        RigidBody& body = made.bodies[made.of_link[link]];
        body.links.push_back(link);
        notes.push_back({robot.joints[j].line,
                         fmt::format("link '{}' is a part of the body '{}', to which the joint '{}' fixes it",
                                     robot.links[link].name, robot.links[body.top].name, robot.joints[j].name)});
    }
    for (RigidBody& body : made.bodies) {
        std::vector<PlacedInertial> inertials;
        for (const std::size_t link : body.links)
            if (const auto& inertial = robot.links[link].inertial)
                inertials.push_back({place_in(frames, body.top, link), *inertial});
        if (!inertials.empty()) body.mass = sum_of(inertials);
    }
    return made;
}

}  // namespace scree::urdf
