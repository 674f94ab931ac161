// SPDX-License-Identifier: BSD-3-Clause
// The disc of papers/002, figure 1, as a regular polygon that starts to roll at 3 m/s.
#pragma once

#include "tests/support/floor_world.hpp"

#include <cmath>
#include <numbers>

namespace scree::test {

/// Regular, with corners on the unit circle, resting on an edge.
inline reference::Polytope polygon(int edges) {
    reference::Polytope p;
    const double half = std::numbers::pi / edges;
    for (int k = 0; k < edges; ++k) {
        const double at = (2 * k + 1) * half - 0.5 * std::numbers::pi;
        p.vertices.emplace_back(std::cos(at), 0.0, std::sin(at));
        p.normals.emplace_back(std::cos(at + half), 0.0, std::sin(at + half));
        p.offsets.push_back(std::cos(half));
    }
    return p;
}

inline reference::World rolling(const reference::Shape& shape, double height) {
    reference::World world = one_on_fixed(shape, Eigen::Vector3d::Constant(0.5), reference::HalfSpace{}, 0.4, true);
    world.bodies[0].pose.position.z() = height;
    world.bodies[0].velocity = {-3, 0, 0};
    world.bodies[0].angular_velocity = {0, -3, 0};  // v_x - w_y R = 0: the paper's 3 rad/s
    return world;
}

inline reference::World rolling_polygon(int edges) {
    return rolling(polygon(edges), std::cos(std::numbers::pi / edges));
}

}  // namespace scree::test
