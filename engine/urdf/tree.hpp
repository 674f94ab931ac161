// SPDX-License-Identifier: BSD-3-Clause
// The tree that the joints of a robot make of its links.
#pragma once

#include "engine/urdf/robot.hpp"

#include <limits>
#include <vector>

namespace scree::urdf {

inline constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

struct Tree {
    std::size_t root = 0;
    std::vector<std::size_t> order;        ///< All links, parents first.
    std::vector<std::size_t> joint_above;  ///< By link: the joint that carries it; none: the root.
    std::vector<std::size_t> parent;       ///< By joint: the link.
    std::vector<std::size_t> child;        ///< By joint: the link.
};

/// Throws model::Error (input) for joints of links that are not there, links with two parents, loops, and two roots.
[[nodiscard]] Tree make_tree(const Robot& robot);

}  // namespace scree::urdf
