// SPDX-License-Identifier: BSD-3-Clause
// An analysis of the acceleration level, for people and for machines.
#pragma once

#include "engine/reference/acceleration.hpp"
#include "engine/reference/world.hpp"

#include <nlohmann/json.hpp>

namespace scree::app {

/// World axes: forces act on body b of each contact, accelerations are those of the free bodies.
[[nodiscard]] nlohmann::ordered_json analysis_json(const reference::World& world, const reference::Analysis& analysis);
void print_analysis(const reference::World& world, const reference::Analysis& analysis);

/// Acceleration and angular acceleration of a free body in world axes [6], also in planar worlds.
[[nodiscard]] Eigen::Matrix<double, 6, 1> world_acceleration(const reference::World& world, std::size_t body,
                                                             const Eigen::VectorXd& acceleration);

/// Tangents of a contact in world axes, one a column.
[[nodiscard]] Eigen::Matrix3Xd world_tangents(const reference::World& world, const reference::Contact& contact);

}  // namespace scree::app
