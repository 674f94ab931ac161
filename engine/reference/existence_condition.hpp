// SPDX-License-Identifier: BSD-3-Clause
// The condition under which the acceleration-level problem must have a solution (papers/003, eq. 35; eq. 49 where
// contacts slide):  b . c >= 0  for all c in the friction cone F with W c = 0.
//
// Decided by   feasibility of  W c = 0, b . c = -1, c in F,  a second-order cone problem, between two linear ones: the
//              polyhedral cone around F has no such c: the condition holds (Farkas vector); the one inside F has: it
//              fails (witness). Polygons of 16, 64 and 256 sides, until one decides. For pyramids and in the plane both
//              are exact.
#pragma once

#include "engine/reference/acceleration_law.hpp"

namespace scree::reference {

/// `law`: F is made of discs or squares. More than `max_contacts` of them: undecided, unless the rank decides.
[[nodiscard]] ExistenceCondition existence_condition(const AccelerationProblem& problem, RollingLaw law,
                                                     Eigen::Index max_contacts = 40);

}  // namespace scree::reference
