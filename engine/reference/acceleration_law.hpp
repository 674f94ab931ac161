// SPDX-License-Identifier: BSD-3-Clause
// What solves the acceleration-level problem, by one residual for both laws; and the solvers that work on it as a
// whole.
#pragma once

#include "engine/complementarity/lemke.hpp"
#include "engine/reference/acceleration_problem.hpp"

#include <optional>

namespace scree::reference {

/// Friction at rolling contacts: discs |c_t| <= mu c_n (papers/003, eq. 7 and 10) or squares (eq. 18 and 19).
enum class RollingLaw : std::uint8_t { cone, pyramid };

/// Natural map of (6), (8), (9), (12) and the rolling law, in accelerations: w c_n - max(0, w c_n - a_n) and
/// w c_t - P(w c_t - a_t), P onto the disc or square of mu w max(0, c_n); for sliding contacts w (c_t + mu c_n, c_o).
/// Zero exactly at solutions.
[[nodiscard]] Eigen::VectorXd natural_map(const AccelerationProblem& problem, RollingLaw law, const Eigen::VectorXd& c);

/// Largest entry of the natural map over problem.scale: the certificate of a solution.
[[nodiscard]] double residual_of(const AccelerationProblem& problem, RollingLaw law, const Eigen::VectorXd& c);

/// Accelerations below this count as zero when modes are told apart, relative to problem.scale: far above the rounding
/// of the systems that are solved, far below what anyone measures.
inline constexpr double least_acceleration = 1e-5;

/// Largest residual of what counts as a solution.
inline constexpr double solution_tolerance = 1e-8;

/// A solution near `start` by damped Gauss-Newton steps on the natural map (the cone system (33) as nonsmooth
/// equations); the last iterate where it does not get there: look at residual_of().
[[nodiscard]] Eigen::VectorXd polished(const AccelerationProblem& problem, RollingLaw law, Eigen::VectorXd start);

/// The LCP (30), (31), with unknowns (c_Sn, c_Rn, s_t+, s_o+, a_t-, a_o-) in units of problem.scale and force_unit().
struct PyramidProblem {
    complementarity::LinearProblem lcp;
    Eigen::MatrixXd forces;  ///< c = forces * z
};
[[nodiscard]] PyramidProblem pyramid_problem(const AccelerationProblem& problem);

/// The caller's view of forces c: rows of the problem turned back to the contacts' tangents.
[[nodiscard]] AccelerationSolution solution_of(const AccelerationProblem& problem, RollingLaw law,
                                               const Eigen::VectorXd& c);

}  // namespace scree::reference
