// SPDX-License-Identifier: BSD-3-Clause
// The cone problem of one step in contact space, as complementarity solvers and their files take it.
//
// Contact c has the axes T_c = [n, t1, t2], r_c = T_c^T gamma_c [N s], and
//   W = T^T (D^T M^-1 D + E) T   [1/kg],   q = T^T (D^T v* + walls + impact offsets) + b n   [m/s]   (NST eq. 7, 10,
//   11)
// so that W r + q is the velocity, with bias and compliance, that the step's cone condition is about.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::simulation {

/// Blocks of 3 x 3 that W may have at most: 1.1 GB, or 2 GB as text.
inline constexpr Eigen::Index largest_blocks = 10'000'000;

/// Moving walls, fixed bodies and impacts are in q. Throws model::Error (usage) when contacts resist rolling, which six
/// rows a contact describe, and when W has more than largest_blocks (a body that touches thousands of others).
[[nodiscard]] complementarity::FrictionProblem contact_problem(const kernels::ProblemDownload& step);

/// The step's own solution r [3 nc] in the axes of contact_problem().
[[nodiscard]] Eigen::VectorXd contact_impulses(const kernels::ProblemDownload& step);

}  // namespace scree::simulation
