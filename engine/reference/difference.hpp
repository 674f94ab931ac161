// SPDX-License-Identifier: BSD-3-Clause
// The difference body of two convex shapes, {b - a}: all that distance algorithms ask of a pair.
#pragma once

#include "engine/reference/placed.hpp"

namespace scree::reference {

/// One point of the difference body, with the points of the shapes that it comes from.
struct DifferencePoint {
    Eigen::Vector3d offset, on_a, on_b;  ///< offset = on_b - on_a
};

/// Separating function of unit directions d: s(d) = min over b of d.b - max over a of d.a. The signed gap of the shapes
/// is its maximum over d. Spheres count as their centres; `margin` is the sum of their radii, to be taken from s.
struct Difference {
    Placed a, b;
    double margin = 0.0;
    double scale = 0.0;  ///< Sum of the bounding radii [m]: what tolerances are relative to.
    Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< b is moved by this first [m].

    Difference(const Placed& first, const Placed& second);
    /// The point of the difference body that is lowest along d: d . offset = s(d) + margin.
    [[nodiscard]] DifferencePoint lowest(const Eigen::Vector3d& d) const;
};

/// Radius of a sphere; 0 for other shapes, which are their own cores.
[[nodiscard]] double core_margin(const Shape& shape);

/// A direction of separation and what it separates by, without the margin.
struct Direction {
    Eigen::Vector3d d = Eigen::Vector3d::UnitZ();
    double separation = 0.0;
    DifferencePoint lowest;
};

[[nodiscard]] inline Direction along(const Difference& difference, const Eigen::Vector3d& d) {
    Direction direction{d, 0.0, difference.lowest(d)};
    direction.separation = d.dot(direction.lowest.offset);
    return direction;
}

/// What a search found: the best direction met, and a pair of points as a mean of farthest points, good also where
/// farthest points are not unique.
struct Found {
    Direction best;
    double distance = 0.0;  ///< Of the origin from the part of the difference body that was seen [m]; 0 inside
    Eigen::Vector3d on_a, on_b;
};

/// Nearest point of the difference body to the origin (Gilbert, Johnson and Keerthi 1988); distance 0 when it holds the
/// origin. The direction is known to about 1e-16 scale / distance.
[[nodiscard]] Found nearest(const Difference& difference, const Eigen::Vector3d& start);

/// Shallowest direction of two shapes that overlap, touch or nearly do, by growing a hull inside the difference body
/// towards its face nearest the origin (van den Bergen 2001). The best direction found is within 1e-7 scale of the best
/// there is, unless the search ended at its 300 points: near-equal depths in all directions (concentric round
/// shapes), where any direction found is as good as another to about 1e-3 scale.
[[nodiscard]] Direction shallowest(const Difference& difference, const Eigen::Vector3d& start);

}  // namespace scree::reference
