// SPDX-License-Identifier: BSD-3-Clause
// Friction problems with the cone replaced by a pyramid, as linear complementarity problems (Stewart and Trinkle, "An
// implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction", 1996).
//
// Per contact, m directions d_k = (cos, sin)(a + 2 pi k / m) in the tangent plane (two, +-1, in two dimensions), and
//   r_n = c >= 0, r_t = sum beta_k d_k, beta >= 0,
//   0 <= c _|_ u_n,   0 <= beta_k _|_ lambda + d_k . u_t,   0 <= lambda _|_ mu c - sum beta_k.
// The pyramid lies inside the cone, with edges on it: |r_t| = mu r_n along the directions and cos(pi / m) of that
// between.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "engine/complementarity/linear_problem.hpp"

namespace scree::complementarity {

/// z = (c [nc], beta [m nc], contact-major, lambda [nc]). `angles` [nc]: a per contact [rad]; empty: zero. `directions`
/// m >= 3; without meaning in two dimensions. Throws std::invalid_argument.
[[nodiscard]] LinearProblem polyhedral_problem(const FrictionProblem& problem, Eigen::Index directions,
                                               const Eigen::VectorXd& angles = {});

/// r of a solution z.
[[nodiscard]] Eigen::VectorXd polyhedral_impulses(const FrictionProblem& problem, Eigen::Index directions,
                                                  const Eigen::VectorXd& angles, const Eigen::VectorXd& z);

}  // namespace scree::complementarity
