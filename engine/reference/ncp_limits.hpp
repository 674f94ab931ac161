// SPDX-License-Identifier: BSD-3-Clause
// What the geometrically implicit stepper steps, and the units in which it judges a step.
#pragma once

#include "engine/reference/ncp_problem.hpp"
#include "engine/reference/world.hpp"

#include <Eigen/Cholesky>

#include <string>

namespace scree::reference {

/// Throws model::Error (input): "NcpStepper: ..." .
[[noreturn]] void refuse_step(const std::string& what, const std::string& hint = {});

/// Throws as above for free bodies without mass or size, and where the state is not one of this world.
void check_steppable(const World& world, const State& state, double h);

/// Throws as above for a law that is not of the paper: restitution, two coefficients, sizes out of range.
void check_law(const World& world, std::size_t a, std::size_t b);

/// Velocities without contact, v_0 + h M^-1 k(t_0, q_0, v_0) as in eq. 10, but for one thing: where the gyroscopic
/// torque of the start would raise a body's energy of rotation by more than 1e-4 of it (spins near 0.02 rad per step
/// and above, at which the explicit torque soon takes bodies off), its spin is scaled back to the energy it had: these
/// forces do no work. `mass`: of M(q_0).
[[nodiscard]] Eigen::VectorXd free_velocities(const World& world, const State& state, double h,
                                              const Eigen::LLT<Eigen::MatrixXd>& mass);

/// Units of a step. Velocity: of the fastest point of a body, now, without contact, or gained in the step. Length: the
/// smallest body. Mass: the geometric mean. Gap: the way of a step, between a thousandth and one of the length.
[[nodiscard]] NcpUnits units_of_step(const World& world, const State& state, double h,
                                     const Eigen::VectorXd& free_velocities);

/// The rounding of positions in units of the gap: no residual can be asked to be smaller.
[[nodiscard]] double rounding_of_step(const World& world, const State& state, const NcpUnits& units);

}  // namespace scree::reference
