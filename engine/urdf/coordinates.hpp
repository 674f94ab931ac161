// SPDX-License-Identifier: BSD-3-Clause
// Coordinates of joints: which are free, within which limits, where they start, which follow others.
#pragma once

#include "engine/urdf/tree.hpp"

#include <string>
#include <utility>
#include <vector>

namespace scree::urdf {

struct Coordinate {
    /// Whether there is one: revolute, continuous and prismatic joints, unless their limits leave one value only or
    /// they mimic a joint that stands still.
    bool moves = false;
    double start = 0.0;
    double lower = 0.0, upper = 0.0;  ///< Of followers infinite: their limits act on the joint that leads.
    // coordinate = multiplier x that of the leader + offset
    std::size_t leader = none;  ///< none: it leads itself.
    double multiplier = 1.0;
};

/// Values that joints start at.
using Pose = std::vector<std::pair<std::string, double>>;

/// By joint. A coordinate starts at its value in `pose`, else at 0, or at the limit nearest to 0 (with a note). Throws
/// model::Error: input for mimics of joints that are not there, that run in a circle or whose limits contradict, usage
/// for poses of joints without a coordinate of their own or beyond its limits.
[[nodiscard]] std::vector<Coordinate> make_coordinates(const Robot& robot, const Pose& pose, Notes& notes);

/// By link: where its frame is, the root's at the origin.
[[nodiscard]] std::vector<Frame> place_links(const Robot& robot, const Tree& tree,
                                             const std::vector<Coordinate>& coordinates);

}  // namespace scree::urdf
