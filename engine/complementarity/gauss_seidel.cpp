// SPDX-License-Identifier: BSD-3-Clause
// Block Gauss-Seidel: each contact is solved exactly against the present impulses of the others, in order.
//
// One contact, u = W_ii r + b. Coulomb: r = 0 if b_n >= 0; else sticking, r = -W_ii^-1 b, if that lies in K; else
// sliding: u_n = 0 and u_t = -a r_t with a > 0 such that |r_t| = mu r_n, a root in one unknown (Bonnefon-Bertails and
// Daviet, "Quartic formulation of Coulomb 3D frictional contact", 2011), found by bisection, which needs no quartic.
#include "engine/complementarity/friction_problem.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Sliding impulse for a given a: tangential (S + a I) r_t = -c, normal from u_n = 0.
VectorXd sliding(const MatrixXd& w, const VectorXd& b, double a) {
    const Index t = b.size() - 1;
    const double wnn = w(0, 0);
    const MatrixXd schur = w.bottomRightCorner(t, t) - w.bottomLeftCorner(t, 1) * w.topRightCorner(1, t) / wnn;
    const VectorXd c = b.tail(t) - w.bottomLeftCorner(t, 1).col(0) * (b[0] / wnn);
    VectorXd r(b.size());
    r.tail(t) = -(schur + a * MatrixXd::Identity(t, t)).partialPivLu().solve(c);
    r[0] = -(b[0] + w.topRightCorner(1, t).row(0).dot(r.tail(t))) / wnn;
    return r;
}

VectorXd coulomb_contact(const MatrixXd& w, const VectorXd& b, double mu) {
    const Index d = b.size();
    if (b[0] >= 0.0) return VectorXd::Zero(d);
    const double size = w.trace() / double(d);
    const Eigen::FullPivLU<MatrixXd> lu(w);
    if (lu.isInvertible()) {
        VectorXd r = -lu.solve(b);
        if (r.tail(d - 1).norm() <= mu * r[0]) return r;
    }
    if (!(w(0, 0) > 0.0)) return VectorXd::Zero(d);
    if (mu == 0.0) {
        VectorXd r = VectorXd::Zero(d);
        r[0] = -b[0] / w(0, 0);
        return r;
    }
    const auto outside = [&](const VectorXd& r) { return r.tail(d - 1).norm() > mu * r[0]; };
    // a = 0 sticks and lies outside of the cone; a -> infinity leaves r_t = 0, inside.
    double low = 0.0, high = size;
    for (int k = 0; k < 200 && outside(sliding(w, b, high)); ++k) {
        low = high;
        high *= 4.0;
    }
    for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
        const double middle = 0.5 * (low + high);
        (outside(sliding(w, b, middle)) ? low : high) = middle;
    }
    return sliding(w, b, high);
}

/// The convex relaxation of one contact: projected gradient in d unknowns.
VectorXd associated_contact(const MatrixXd& w, const VectorXd& b, double mu, VectorXd r) {
    FrictionProblem one;
    one.dimension = int(b.size());
    one.W = w.sparseView();
    one.q = b;
    one.mu = VectorXd::Constant(1, mu);
    FrictionSettings settings;
    settings.friction = Friction::associated;
    settings.tolerance = 1e-14;
    settings.max_iterations = 200;
    settings.start = std::move(r);
    return solve_apgd(one, settings).r;
}

}  // namespace

FrictionResult solve_gauss_seidel(const FrictionProblem& problem, const FrictionSettings& settings) {
    BestIterate best(problem, settings);
    const int d = problem.dimension;
    VectorXd r = best.r();
    std::vector<MatrixXd> blocks;
    for (Index c = 0; c < problem.contacts(); ++c)
        blocks.emplace_back(problem.W.block(Index(d) * c, Index(d) * c, d, d));
    const std::size_t limit = settings.max_iterations > 0 ? settings.max_iterations : 10000;
    for (std::size_t sweep = 0; sweep < limit; ++sweep) {
        for (Index c = 0; c < problem.contacts(); ++c) {
            const MatrixXd& w = blocks[std::size_t(c)];
            const VectorXd own = r.segment(d * c, d);
            const VectorXd b = problem.W.middleRows(Index(d) * c, d) * r + problem.q.segment(d * c, d) - w * own;
            r.segment(d * c, d) = settings.friction == Friction::coulomb ? coulomb_contact(w, b, problem.mu[c])
                                                                         : associated_contact(w, b, problem.mu[c], own);
        }
        best.count(1, 1);
        // A look costs a product: not after every sweep of a long run.
        if (sweep < 20 || sweep % 10 == 9 || sweep + 1 == limit) {
            best.count(0, 1);
            if (best.look(r, problem.W * r + problem.q)) break;
            if (!std::isfinite(best.last())) return best.finish(FrictionStatus::stalled);
        }
    }
    return best.finish(FrictionStatus::iteration_limit);
}

}  // namespace scree::complementarity
