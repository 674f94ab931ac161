// SPDX-License-Identifier: BSD-3-Clause
// The alternating direction method of multipliers: r in the quadratic, z in the cone, one factorisation of W + rho D
// for all iterations. De Saxce's term enters as a linear one that follows the velocity (Acary, Bourrier and Viano,
// "ADMM for frictional contact", 2023).
#include "engine/complementarity/friction_problem.hpp"

#include <Eigen/SparseLU>

#include <cmath>

namespace scree::complementarity {

FrictionResult solve_admm(const FrictionProblem& problem, const FrictionSettings& settings) {
    using Eigen::Index;
    using Eigen::VectorXd;
    BestIterate best(problem, settings);
    const int d = problem.dimension;
    const Index n = problem.q.size();
    VectorXd z = best.r();
    if (best.look(z, problem.W * z + problem.q)) return best.finish(FrictionStatus::stalled);
    VectorXd weight(n);
    const double penalty = 0.3;
    for (Index c = 0; c < problem.contacts(); ++c) weight.segment(d * c, d).setConstant(penalty * best.scales()[c]);
    Eigen::SparseMatrix<double> shifted = problem.W;
    for (Index i = 0; i < n; ++i) shifted.coeffRef(i, i) += weight[i];
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(shifted);
    if (lu.info() != Eigen::Success) return best.finish(FrictionStatus::stalled);
    VectorXd dual = VectorXd::Zero(n), shift = VectorXd::Zero(n);
    const std::size_t limit = settings.max_iterations > 0 ? settings.max_iterations : 20000;
    constexpr double relaxation = 1.6;
    for (std::size_t k = 0; k < limit; ++k) {
        const VectorXd r = lu.solve(weight.cwiseProduct(z - dual) - problem.q - shift);
        const VectorXd relaxed = relaxation * r + (1.0 - relaxation) * z;
        z = relaxed + dual;
        project(problem, z);
        dual += relaxed - z;
        const VectorXd u = problem.W * z + problem.q;
        best.count(1, 1);
        if (best.look(z, u)) break;
        if (!std::isfinite(best.last())) return best.finish(FrictionStatus::stalled);
        if (settings.friction == Friction::coulomb)
            for (Index c = 0; c < problem.contacts(); ++c)  // u^ = -weight dual at the solution
                shift[d * c] = problem.mu[c] * weight[d * c] * dual.segment(d * c + 1, d - 1).norm();
    }
    return best.finish(FrictionStatus::iteration_limit);
}

}  // namespace scree::complementarity
