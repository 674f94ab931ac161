// SPDX-License-Identifier: BSD-3-Clause
// Gaps of pairs of bodies for the geometrically implicit stepper: which pairs may meet within a step, which overlap at
// its end, and whether one body went through another on the way.
#pragma once

#include "engine/reference/collision.hpp"
#include "engine/reference/ncp_guess.hpp"
#include "engine/reference/world.hpp"

#include <vector>

namespace scree::reference {

/// Nearest points and signed gap of a pair, as separation.hpp has them for any two bodies (bowls included).
struct PairGap {
    Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< Unit, from the first body to the second, world axes
    Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();
    double gap = 0.0;  ///< [m], negative when overlapping
};
[[nodiscard]] PairGap pair_gap(const World& world, const BodyPair& pair, double time, const Eigen::VectorXd& q);

/// Gap of the spheres around the bodies, a lower bound of theirs; minus infinity for bodies without such a sphere.
[[nodiscard]] double bounding_gap(const World& world, const BodyPair& pair, double time, const Eigen::VectorXd& q);

/// All pairs with a free body, in order, whose gap may be below `reach`.
[[nodiscard]] std::vector<BodyPair> pairs_within(const World& world, double time, const Eigen::VectorXd& q,
                                                 double reach);

/// The points of a pair where it may touch (near_points of collision.hpp; of a bowl one).
[[nodiscard]] std::vector<NearPoint> touching_points(const World& world, const BodyPair& pair, double time,
                                                     const Eigen::VectorXd& q, double reach);

/// Half the thickness of a body: the radius of a sphere in it about the centre of mass; infinity for half-spaces.
[[nodiscard]] double thickness(const Shape& shape);

/// A bound of the way on which two points of the bodies can approach each other when they move with v for h.
[[nodiscard]] double way_of(const World& world, const BodyPair& pair, const Eigen::VectorXd& v, double h);

/// The deepest overlap [m] on the way from q along v for h, looked for at as many places as the way is in quarters of
/// the thinner body's thickness (at most 64); zero when the way is shorter than one.
[[nodiscard]] double overlap_on_way(const World& world, const BodyPair& pair, const State& from,
                                    const Eigen::VectorXd& v, double h);

}  // namespace scree::reference
