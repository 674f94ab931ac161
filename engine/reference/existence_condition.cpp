// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/existence_condition.hpp"

#include "engine/complementarity/nonnegative_least_squares.hpp"
#include "engine/reference/contact_modes.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Generators of one contact's cone; those of a sliding contact keep to the half that resists slip (eq. 46).
MatrixXd generators(const AccelerationProblem& p, RollingLaw law, const ActiveContact& contact, int sides,
                    bool around) {
    const int t = p.dimension - 1;
    MatrixXd g;
    if (law == RollingLaw::pyramid && t == 2) {
        // A square is a polygon of four sides, turned by 45 degrees and scaled to its corners.
        g = MatrixXd::Ones(3, 4);
        g.row(1) << -1, -1, 1, 1;
        g.row(2) << -1, 1, -1, 1;
        g.bottomRows(2) *= contact.mu;
    } else {
        g = cone_generators(contact.mu, t, sides, around);
    }
    if (!contact.sliding) return g;
    // The half plane cuts the polygon along its first axis: what lies beyond is moved onto the cut, which is the cut
    // polygon itself for polygons that are symmetric about the cut.
    g.row(1) = g.row(1).cwiseMin(0.0);
    return g;
}

/// W c = 0, b . c = -1 over the generated cone.
complementarity::NonnegativeSolution nearest(const AccelerationProblem& p, RollingLaw law, int sides, bool around,
                                             MatrixXd& forces) {
    std::vector<MatrixXd> parts;
    Index columns = 0;
    for (const ActiveContact& contact : p.contacts) {
        parts.push_back(generators(p, law, contact, sides, around));
        columns += parts.back().cols();
    }
    forces = MatrixXd::Zero(p.size(), columns);
    columns = 0;
    for (Index k = 0; k < p.count(); ++k) {
        forces.block(k * p.dimension, columns, p.dimension, parts[std::size_t(k)].cols()) =
            p.force_unit(k) * parts[std::size_t(k)];
        columns += parts[std::size_t(k)].cols();
    }
    // M^-1/2 W: momenta in units in which the kinetic energy is their square.
    const MatrixXd reach = p.mass.matrixL().solve(p.rows.transpose() * forces);
    MatrixXd E(reach.rows() + 1, columns);
    const double size = std::max(reach.cwiseAbs().maxCoeff(), 1e-300);
    // Where W c = 0, b . c is the work of the curvature terms alone.
    const VectorXd work = forces.transpose() * p.curvature;
    const double work_size = std::max(work.cwiseAbs().maxCoeff(), 1e-300);
    E << reach / size, work.transpose() / work_size;
    VectorXd f = VectorXd::Zero(E.rows());
    f[E.rows() - 1] = -1.0;
    return complementarity::solve_nonnegative_least_squares(E, f);
}

bool in_range_of_rows(const AccelerationProblem& p) {
    const double size = p.curvature.cwiseAbs().maxCoeff();
    if (size <= 1e-12 * p.scale) return true;
    VectorXd unit(p.size());
    for (Index i = 0; i < p.size(); ++i) unit[i] = p.force_unit(i / p.dimension);
    // Rows weighted by force units: the null space that matters is that of bounded forces.
    const MatrixXd weighted = unit.asDiagonal() * p.rows;
    const VectorXd target = unit.cwiseProduct(p.curvature);
    const VectorXd fit = weighted.completeOrthogonalDecomposition().solve(target);
    return (weighted * fit - target).norm() <= 1e-9 * target.norm();
}

}  // namespace

ExistenceCondition existence_condition(const AccelerationProblem& p, RollingLaw law, Index max_contacts) {
    ExistenceCondition result;
    result.all_rolling = std::none_of(p.contacts.begin(), p.contacts.end(), [](const auto& c) { return c.sliding; });
    if (p.count() == 0 || in_range_of_rows(p)) {
        result.status = Condition::holds_by_rank;
        return result;
    }
    if (p.count() > max_contacts) return result;
    const bool exact = p.dimension == 2 || law == RollingLaw::pyramid;
    for (const int sides : {16, 64, 256}) {
        result.sides = exact ? 2 * (p.dimension - 1) : sides;
        MatrixXd forces;
        const auto outer = nearest(p, law, sides, true, forces);
        if (outer.distance >= 1e-7 && outer.farkas_error <= 1e-3 * outer.distance) {
            result.status = Condition::holds;
            result.margin = outer.distance;
            return result;
        }
        const auto inner = nearest(p, law, sides, false, forces);
        if (inner.distance <= 1e-10) {
            result.status = Condition::fails;
            const VectorXd c = forces * inner.x;
            result.witness.resize(c.size());
            const Index t = p.dimension - 1;
            for (Index k = 0; k < p.count(); ++k) {
                const Index n = k * p.dimension;
                result.witness[n] = c[n];
                result.witness.segment(n + 1, t) = p.contacts[std::size_t(k)].frame.transpose() * c.segment(n + 1, t);
            }
            return result;
        }
        if (exact) break;
    }
    return result;
}

}  // namespace scree::reference
