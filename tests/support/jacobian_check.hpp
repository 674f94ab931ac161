// SPDX-License-Identifier: BSD-3-Clause
// An analytic Jacobian beside central differences.
#pragma once

#include "engine/complementarity/mixed_problem.hpp"

#include <algorithm>

namespace scree::test {

/// Largest difference of an entry, relative to 1 + the largest entry of its row. Central differences of step `step`
/// leave an error of its square and of rounding over it: about 1e-9 for functions of order one at 1e-5.
inline double jacobian_error(const complementarity::MixedProblem& problem, const Eigen::VectorXd& z,
                             double step = 1e-5) {
    Eigen::VectorXd value, ahead, behind;
    Eigen::MatrixXd jacobian;
    problem.evaluate(z, value, &jacobian);
    const Eigen::VectorXd size = jacobian.cwiseAbs().rowwise().maxCoeff().array() + 1.0;
    double worst = 0.0;
    for (Eigen::Index j = 0; j < z.size(); ++j) {
        Eigen::VectorXd moved = z;
        moved[j] = z[j] + step;
        problem.evaluate(moved, ahead, nullptr);
        moved[j] = z[j] - step;
        problem.evaluate(moved, behind, nullptr);
        const Eigen::VectorXd error = ((ahead - behind) / (2.0 * step) - jacobian.col(j)).cwiseQuotient(size);
        worst = std::max(worst, error.cwiseAbs().maxCoeff());
    }
    return worst;
}

}  // namespace scree::test
