// SPDX-License-Identifier: BSD-3-Clause
// The conditions of nearest points of two bodies given by inequalities (papers/002, eq. 9 and 20 to 22) with the normal
// and the signed gap as unknowns of their own:
//
//   a2 - a1 = d n,   n = sum_k l_k grad f_k(a1),   -n = sum_k m_k grad g_k(a2),   |n| = 1,
//   0 <= l_k  _|_  -f_k(a1) >= 0,   0 <= m_k  _|_  -g_k(a2) >= 0
//
// n is the unit normal out of body 1, so that touching and crossing surfaces differ as in eq. 9, and d < 0 measures the
// overlap along it. A body of one inequality has f(a1) = 0 with l free instead, as in eq. 9; l > 0 is checked at the
// end. Points and normal are in world axes; planar worlds keep the coordinates x and z.
#pragma once

#include "engine/complementarity/mixed_problem.hpp"
#include "engine/reference/implicit_surface.hpp"
#include "engine/reference/world.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace scree::reference {

/// The place of one body, and how it depends on the unknown velocities.
struct Placement {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Index column = -1;     ///< Of the body's first velocity in the unknowns; -1: does not depend on them.
    Eigen::MatrixXd by_velocity;  ///< [6 x 3 or 6]: displacement and small turn (world axes) per velocity [s].
};

/// Where the unknowns of a pair stand in z; each equation stands in the row of the unknown named.
struct PairPlaces {
    Eigen::Index point_a = 0;       ///< a1 [D]; rows: a2 - a1 - d n
    Eigen::Index point_b = 0;       ///< a2 [D]; rows: n - sum l grad f
    Eigen::Index normal = 0;        ///< n [D]; rows: n + sum m grad g
    Eigen::Index gap = 0;           ///< d; row: (|n|^2 - 1) / 2
    Eigen::Index multiplier_a = 0;  ///< l [faces]; rows: -f_k, or f for a body of one inequality
    Eigen::Index multiplier_b = 0;  ///< m [faces]
};

/// The inequalities of each body that take part.
struct PairFaces {
    std::vector<Eigen::Index> a, b;
};

/// One solution.
struct NearestPair {
    Eigen::Vector3d on_a, on_b, normal;  ///< World [m]
    double gap = 0.0;                    ///< [m]
    PairFaces faces;
    Eigen::VectorXd multipliers_a, multipliers_b;  ///< Of the faces.
};

/// [w] with [w] x = w x x.
[[nodiscard]] Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& w);

/// Coordinates of the plane (x, z) or all three: [3 x D].
[[nodiscard]] Eigen::MatrixXd coordinate_basis(bool planar);

/// Writes the rows above and, unless null, their derivatives for all unknowns (velocities of placed bodies included).
void nearest_rows(const Shape& shape_a, const Shape& shape_b, bool planar, const PairFaces& faces,
                  const PairPlaces& places, const Placement& a, const Placement& b, const Eigen::VectorXd& z,
                  Eigen::VectorXd& value, Eigen::MatrixXd* jacobian);

/// Nearest points of two placed bodies, begun from the direction that separates them most (separation.hpp) or from
/// `guess`, a normal from body 1 to 2 (of an earlier step, say), where that leads to bodies apart or overlapping
/// little. Empty where the conditions are not met to 1e-10 of the size of the bodies. At most 16 faces of a body, 8 in
/// the plane, take part: those nearest to the first guess.
[[nodiscard]] std::optional<NearestPair> nearest_pair(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b,
                                                      const Pose& pose_b, bool planar,
                                                      const std::optional<Eigen::Vector3d>& guess = {});

/// Points and multipliers to begin with where no nearest points are found: the farthest points along `direction`, from
/// body 1 to 2.
[[nodiscard]] NearestPair guessed_pair(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b,
                                       const Pose& pose_b, bool planar, const Eigen::Vector3d& direction);

/// A length of the shape: its bounding radius, or the radius of a bowl; infinity for a half-space.
[[nodiscard]] double size_of(const Shape& shape);

}  // namespace scree::reference
