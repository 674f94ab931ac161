// SPDX-License-Identifier: BSD-3-Clause
// The flat part of a box, cylinder or polytope that faces a direction: what meets another shape as a patch.
#pragma once

#include "engine/reference/placed.hpp"

#include <optional>
#include <vector>

namespace scree::reference {

/// How far a face or an edge may be turned from square to the direction and still be taken: cos and sin of 18 degrees.
/// Its points are offered with their own gaps, so a larger angle only offers more points that are out of reach.
inline constexpr double facing = 0.951, crossing = 0.309;

/// One corner (a vertex), two (an edge) or more (a face, counter-clockwise seen from outside), world axes. Corner k and
/// the edge from it to the next share `number`, which stays with the body.
struct SupportingFace {
    struct Corner {
        Eigen::Vector3d at;
        unsigned number;
    };
    std::vector<Corner> corners;
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Of a face [unit, outward]
};

/// The face within 18 degrees of `direction` [unit], else the edge within 18 degrees of square to it, else the farthest
/// vertex. A cylinder's cap is a polygon of 32 points at fixed angles of the body and its lowest point; its edge is the
/// line on its side. In planar worlds: an edge of the section, else a vertex.
/// Numbers: a box's corner has bit 0, 1, 2 set for x, y, z > 0; a polytope's is the vertex number; a cylinder's are 0
/// to 31 on the cap -z, 64 to 95 on +z, +32 for the lowest point of that cap.
[[nodiscard]] SupportingFace supporting_face(const Placed& placed, const Eigen::Vector3d& direction);

/// The outward normal [world] nearest `direction` among the flat faces; of a cylinder the cap's or the side's, of a
/// superquadric the nearest axis, where it is all but flat for small exponents. None for other round shapes.
[[nodiscard]] std::optional<Eigen::Vector3d> nearest_normal(const Placed& placed, const Eigen::Vector3d& direction);

/// The straight edge at the farthest vertex that is nearest to square to `direction` [unit, world]; of a cylinder its
/// axis. None for round shapes.
[[nodiscard]] std::optional<Eigen::Vector3d> nearest_edge(const Placed& placed, const Eigen::Vector3d& direction);

/// How far a point [world] is outside a flat shape: the largest distance in front of a face; negative inside [m].
[[nodiscard]] double outside(const Placed& placed, const Eigen::Vector3d& point);

/// The lowest point of a cylinder's cap at z = side half_length along -d [body axes]; none when d is within 1e-9 rad of
/// the axis, where all of its rim is equally low to rounding.
[[nodiscard]] std::optional<Eigen::Vector3d> rim_point(const Cylinder& cylinder, double side, const Eigen::Vector3d& d);

}  // namespace scree::reference
