// SPDX-License-Identifier: BSD-3-Clause
// Linear complementarity problems: find z with  0 <= z  _|_  w = M z + q >= 0  (componentwise).
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <string_view>

namespace scree::complementarity {

/// LCP(M, q); `matrix` is n x n, `vector` has n entries. Units are the caller's.
struct LinearProblem {
    Eigen::MatrixXd matrix;
    Eigen::VectorXd vector;

    [[nodiscard]] Eigen::Index size() const { return vector.size(); }
};

enum class LinearStatus : std::uint8_t {
    solved,           ///< The certificate holds.
    ray,              ///< Lemke's path ends on a secondary ray: there may be no solution.
    iteration_limit,  ///< The pivot limit was reached on every rung of the precision ladder.
    ill_conditioned,  ///< No rung gave a basis whose solution passes the certificate.
};
[[nodiscard]] std::string_view name_of(LinearStatus status);

/// What z is worth, computed from the problem as it was given. Each figure is relative: rows of w to (|M| |z| + |q|) of
/// that row, at least 1e-6 of its largest entry times the largest z (rows of nothing but rounding); z to its largest
/// entry.
struct LinearCertificate {
    double negative_z = 0.0;       ///< Largest max(0, -z_i).
    double negative_w = 0.0;       ///< Largest max(0, -w_i).
    double complementarity = 0.0;  ///< Largest min(z_i, w_i).

    [[nodiscard]] double worst() const;
};

/// z may be any vector of the problem's size.
[[nodiscard]] LinearCertificate certify(const LinearProblem& problem, const Eigen::VectorXd& z);

/// |min(z, w)|_inf / max(1e-300, |q|_inf): the natural residual that `scree solve` prints.
[[nodiscard]] double natural_residual(const LinearProblem& problem, const Eigen::VectorXd& z);

}  // namespace scree::complementarity
