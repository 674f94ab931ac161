// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/polyhedral.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// d_k as columns [(d - 1) x m].
MatrixXd directions_of(const FrictionProblem& problem, Index directions, const VectorXd& angles, Index contact) {
    if (problem.dimension == 2) return Eigen::RowVector2d(1.0, -1.0);
    const double first = angles.size() > 0 ? angles[contact] : 0.0;
    MatrixXd d(2, directions);
    for (Index k = 0; k < directions; ++k) {
        const double angle = first + 2.0 * std::numbers::pi * double(k) / double(directions);
        d.col(k) << std::cos(angle), std::sin(angle);
    }
    return d;
}

/// S: r = S (c, beta).
Operator generators(const FrictionProblem& problem, Index directions, const VectorXd& angles) {
    const int d = problem.dimension;
    const Index contacts = problem.contacts(), m = d == 2 ? 2 : directions;
    std::vector<Eigen::Triplet<double>> entries;
    for (Index c = 0; c < contacts; ++c) {
        entries.emplace_back(int(d * c), int(c), 1.0);
        const MatrixXd own = directions_of(problem, directions, angles, c);
        for (Index k = 0; k < m; ++k)
            for (Index i = 0; i < d - 1; ++i)
                entries.emplace_back(int(d * c + 1 + i), int(contacts + m * c + k), own(i, k));
    }
    Operator s(d * contacts, contacts * (1 + m));
    s.setFromTriplets(entries.begin(), entries.end());
    return s;
}

}  // namespace

LinearProblem polyhedral_problem(const FrictionProblem& problem, Index directions, const VectorXd& angles) {
    check(problem, {});
    if (problem.dimension == 3 && directions < 3)
        throw std::invalid_argument("friction problem: a pyramid has three sides or more");
    if (angles.size() != 0 && angles.size() != problem.contacts())
        throw std::invalid_argument("friction problem: one angle per contact is wanted");
    const Index contacts = problem.contacts(), m = problem.dimension == 2 ? 2 : directions,
                impulses = contacts * (1 + m);
    const Operator s = generators(problem, directions, angles);
    LinearProblem linear;
    linear.matrix = MatrixXd::Zero(impulses + contacts, impulses + contacts);
    linear.vector = VectorXd::Zero(impulses + contacts);
    linear.matrix.topLeftCorner(impulses, impulses) = MatrixXd(Operator(s.transpose()) * problem.W * s);
    linear.vector.head(impulses) = s.transpose() * problem.q;
    for (Index c = 0; c < contacts; ++c) {
        linear.matrix.block(contacts + m * c, impulses + c, m, 1).setOnes();
        linear.matrix(impulses + c, c) = problem.mu[c];
        linear.matrix.block(impulses + c, contacts + m * c, 1, m).setConstant(-1.0);
    }
    return linear;
}

VectorXd polyhedral_impulses(const FrictionProblem& problem, Index directions, const VectorXd& angles,
                             const VectorXd& z) {
    const Operator s = generators(problem, directions, angles);
    return s * z.head(s.cols());
}

}  // namespace scree::complementarity
