// SPDX-License-Identifier: BSD-3-Clause
// The reference solvers for a step of the production engine that its own solver did not finish.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::simulation {

/// Solves the step's problem in contact space: complementarity::solve_best in double from the step's own impulses;
/// where that stalls, from the solution that Lemke's algorithm finds for cones of eight sides (Coulomb, to 60
/// contacts). Puts the result into problem.impulse and returns true when its natural residual is below that of the
/// step's own impulses. False, and nothing changed, otherwise.
[[nodiscard]] bool solve_again(kernels::ProblemDownload& problem, complementarity::Friction friction);

/// r of the friction problem with pyramids of `directions` sides for cones (complementarity/polyhedral.hpp); empty when
/// Lemke's algorithm finds none.
[[nodiscard]] Eigen::VectorXd solve_pyramids(const complementarity::FrictionProblem& problem, int directions);

}  // namespace scree::simulation
