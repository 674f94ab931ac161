// SPDX-License-Identifier: BSD-3-Clause
// The convex set of possible friction impulses of a contact as the hull of finitely many generators (papers/004, figure
// 2.2): FC_0 = { sum_j beta_j d_j : beta >= 0, sum_j beta_j <= 1 }, balanced (with d_j also -d_j), scaled by mu c_n.
//
// Generators lie on the true set: the hull is inside it. m directions in the plane of contact lose up to 1 - cos(pi/m)
// of the friction between two of them: 29 % for 4, 7.6 % for 8, 1.9 % for 16.
#pragma once

#include "engine/reference/system.hpp"

#include <vector>

namespace scree::reference {

struct PolyhedralCone {
    /// d_j in the contact's own components [k x c]: (tangents, twist), or (rolling).
    Eigen::MatrixXd weights;
    Eigen::MatrixXd rows;   ///< d_j^T in generalised velocities [k x nv]
    Eigen::VectorXd drift;  ///< d_j . drift_tangent [k, m/s]
    bool rolls = false;     ///< Bounded by the rolling coefficient [m], not by mu [-].
};

/// The cones of one contact: sliding (with torsion, if any), then rolling; none for a contact without friction.
/// `directions` generators in the plane of contact, even, >= 4; in planar systems always the two of the one tangent.
[[nodiscard]] std::vector<PolyhedralCone> cones_of(const Contact& contact, int directions);

}  // namespace scree::reference
