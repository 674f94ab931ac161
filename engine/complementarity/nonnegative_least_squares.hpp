// SPDX-License-Identifier: BSD-3-Clause
// Nonnegative least squares, small and dense (Lawson and Hanson, "Solving Least Squares Problems", chapter 23).
//
// Problem     minimise |E x - f|  over x >= 0.
// Iteration   the column that lowers the distance most joins the passive set; its least squares solution is taken as
//             far as x stays nonnegative. The distance falls at each change of the set, so that none returns.
// Use         it decides whether E x = f, x >= 0 has a solution, with a certificate either way: x when the distance is
//             zero, else the residual r = f - E x, for which E^T r <= 0 and f . r = |r|^2 > 0 (Farkas).
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <optional>

namespace scree::complementarity {

struct NonnegativeSolution {
    Eigen::VectorXd x;         ///< [columns], >= 0
    Eigen::VectorXd residual;  ///< f - E x
    double distance = 0.0;     ///< |residual|
    /// Largest cosine of the residual with a column of E; the residual is a Farkas vector up to this (<= 0: exactly).
    double farkas_error = 0.0;
    std::size_t iterations = 0;
    bool converged =
        false;  ///< False where the iteration limit (3 times the number of columns, at least 30) came first.
};

/// Throws std::invalid_argument when sizes differ or an entry is not finite.
[[nodiscard]] NonnegativeSolution solve_nonnegative_least_squares(const Eigen::MatrixXd& E, const Eigen::VectorXd& f);

/// min |D x| over E x = f, x >= 0, by the method of multipliers over the problem above; E x = f to 1e-12 of max(|f|,
/// `least`). Nothing where it does not get there, as for systems without a solution.
[[nodiscard]] std::optional<Eigen::VectorXd> solve_constrained_least_squares(const Eigen::MatrixXd& D,
                                                                             const Eigen::MatrixXd& E,
                                                                             const Eigen::VectorXd& f, double least);

}  // namespace scree::complementarity
