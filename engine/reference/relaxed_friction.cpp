// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/relaxed_friction.hpp"

#include "engine/complementarity/nonnegative_least_squares.hpp"
#include "engine/reference/mode_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// D c: the terms whose squares add up to f.
MatrixXd residual_rows(const AccelerationProblem& p) {
    MatrixXd D = MatrixXd::Zero(p.size(), p.size());
    for (Index k = 0; k < p.count(); ++k) {
        const ActiveContact& contact = p.contacts[std::size_t(k)];
        if (!contact.sliding) continue;
        const Index n = k * p.dimension;
        for (Index r = 1; r < p.dimension; ++r) D(n + r, n + r) = contact.slip_speed;
        D(n + 1, n) = contact.slip_speed * contact.mu;
    }
    return D;
}

}  // namespace

RelaxedModel relaxed_friction(const AccelerationProblem& p, std::size_t max_boxes) {
    const MatrixXd rows = residual_rows(p);
    double force = 0.0;
    for (Index k = 0; k < p.count(); ++k) force = std::max(force, p.force_unit(k));
    RelaxedModel best;
    best.objective = std::numeric_limits<double>::infinity();
    VectorXd forces;
    const SearchOutcome walk = walk_modes(p, ModeLaw::relaxed, max_boxes, [&](const FeasibleBox& at) {
        const auto x = complementarity::solve_constrained_least_squares(rows * at.system.forces / force, at.system.E,
                                                                        at.system.f, least_acceleration);
        if (!x) return false;
        const VectorXd c = at.system.forces * *x;
        const double objective = (rows * c).squaredNorm();
        if (objective < best.objective) {
            best.objective = objective;
            forces = c;
        }
        return true;
    });
    best.complete = walk.complete;
    best.solved = forces.size() > 0;
    if (!best.solved) {
        best.objective = 0.0;
        return best;
    }
    best.solution = solution_of(p, RollingLaw::pyramid, forces);
    return best;
}

}  // namespace scree::reference
