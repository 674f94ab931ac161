// SPDX-License-Identifier: BSD-3-Clause
// The relaxed friction model where Coulomb's law allows no finite acceleration (papers/003, eq. 46 and 47): at sliding
// contacts friction may have any direction that takes energy and any size up to the limit, at the least sum of
//
//   f = sum over sliding contacts of |v_t|^2 |mu c_n v_t/|v_t| + c_t|^2.
//
// Friction pyramids, at sliding contacts with the first axis along the slip; in the plane these are the cones.
// The feasible set is a union of polyhedra, one per box of modes (theorem 7): the least of f is taken on each, by the
// method of multipliers over nonnegative least squares.
#pragma once

#include "engine/reference/acceleration_law.hpp"

namespace scree::reference {

[[nodiscard]] RelaxedModel relaxed_friction(const AccelerationProblem& problem, std::size_t max_boxes);

}  // namespace scree::reference
