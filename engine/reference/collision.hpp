// SPDX-License-Identifier: BSD-3-Clause
// Closest points of two convex shapes, the same way for every pair: the direction that separates most (separation.hpp),
// then the points where the faces that look along it lie opposite each other (patch.hpp).
#pragma once

#include "engine/reference/world.hpp"

#include <vector>

namespace scree::reference {

/// One pair of nearest points.
struct NearPoint {
    Eigen::Vector3d on_a, on_b;  ///< World [m]
    Eigen::Vector3d normal;      ///< Unit, from a to b
    double gap = 0.0;            ///< normal . (on_b - on_a) [m], negative when overlapping
    unsigned feature = 0;        ///< Tells points of one pair apart; the same from step to step (vertex number, ...).
};

/// The points of contact with a gap below `reach`, for any two shapes but two half-spaces: one for pairs with a sphere,
/// an ellipsoid or a superquadric; a patch of at most 9 for boxes, cylinders and polytopes (patch.hpp); each corner
/// against a half-space. Bowls meet spheres only. The smallest gap is the signed distance (separation.hpp has the
/// accuracy), and all points of a pair have one normal. In planar worlds shapes are their sections with y = 0, and so
/// are the points. Throws model::Error (input) for two half-spaces, sizes or poses out of range, and polytopes without
/// faces.
[[nodiscard]] std::vector<NearPoint> near_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                                 double reach, bool planar);

/// Farthest point of the shape along `direction`, body axes (throws model::Error (input) for half-spaces and bowls,
/// which have none).
[[nodiscard]] Eigen::Vector3d support(const Shape& shape, const Eigen::Vector3d& direction);

/// Radius of the smallest sphere about the centre that holds a superquadric (model::SolidSuperquadric), exact.
[[nodiscard]] double superquadric_radius(const Eigen::Vector3d& semi_axes, double e1, double e2);

/// Radius of the smallest sphere about the centre of mass that holds the shape; infinity for a half-space or
/// a bowl.
[[nodiscard]] double bounding_radius(const Shape& shape);

}  // namespace scree::reference
