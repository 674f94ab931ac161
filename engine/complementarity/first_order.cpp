// SPDX-License-Identifier: BSD-3-Clause
// Projected Jacobi, APGD and Anderson's acceleration on a given W: the production solvers' iterations (kernels/cone,
// numerics sections 5 and 6) where there are no bodies, only the operator. Metric D: w_i per contact.
#include "engine/complementarity/friction_problem.hpp"
#include "kernels/cone/nesterov.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <deque>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The projected step of all first-order methods: P_K(r - t D^-1 u^). K is the same for a metric that is isotropic per
/// contact.
class Step {
public:
    Step(const FrictionProblem& problem, const VectorXd& scales, Friction friction)
        : problem_(problem), friction_(friction), inverse_(problem.q.size()) {
        const int d = problem.dimension;
        for (Index c = 0; c < problem.contacts(); ++c) inverse_.segment(d * c, d).setConstant(1.0 / scales[c]);
    }
    [[nodiscard]] VectorXd operator()(const VectorXd& r, VectorXd u, double t) const {
        add_de_saxce(problem_, friction_, u);
        VectorXd next = r - t * inverse_.cwiseProduct(u);
        project(problem_, next);
        return next;
    }
    /// a . D b
    [[nodiscard]] double dot(const VectorXd& a, const VectorXd& b) const { return a.dot(b.cwiseQuotient(inverse_)); }
    /// Largest eigenvalue of D^-1 W by power iterations until it settles; a lower bound. Adds their number to
    /// `products`.
    [[nodiscard]] double lambda(std::size_t& products) const {
        VectorXd x(problem_.q.size());
        for (Index i = 0; i < x.size(); ++i) x[i] = 1.0 + 0.5 * std::sin(1.7 * double(i));
        double value = 1.0;
        for (int k = 0; k < 20; ++k) {
            const VectorXd y = inverse_.cwiseProduct(problem_.W * x);
            ++products;
            const double size = y.norm(), last = value;
            if (!(size > 0.0)) return 1.0;
            value = size / x.norm();
            x = y / size;
            if (k >= 4 && std::abs(value - last) < 1e-4 * value) break;
        }
        return std::max(value, 1e-12);
    }

private:
    const FrictionProblem& problem_;
    Friction friction_;
    VectorXd inverse_;
};

std::size_t limit_of(const FrictionSettings& settings, std::size_t own) {
    return settings.max_iterations > 0 ? settings.max_iterations : own;
}

/// Nesterov's momentum with the restarts of kernels/cone/projected_gradient.hpp, or none.
FrictionResult projected_gradient(const FrictionProblem& problem, const FrictionSettings& settings, bool momentum) {
    BestIterate best(problem, settings);
    const Step step(problem, best.scales(), settings.friction);
    VectorXd x = best.r(), u = problem.W * x + problem.q;
    best.count(0, 1);
    if (best.look(x, u)) return best.finish(FrictionStatus::stalled);
    std::size_t estimates = 0;
    double lambda = 1.05 * step.lambda(estimates), limit = 0.96, last_map = HUGE_VAL;
    best.count(0, estimates);
    kernels::NesterovSequence nesterov;
    std::size_t since_best = 0;
    VectorXd y = x, uy = u;
    const std::size_t limit_iterations = limit_of(settings, 20000);
    for (std::size_t k = 0; k < limit_iterations; ++k) {
        const VectorXd next = step(y, uy, 1.0 / lambda);
        const VectorXd product = problem.W * next + problem.q;
        best.count(1, 1);
        const VectorXd change = next - y;
        const double metric = step.dot(change, change),
                     quotient = metric > 0.0 ? change.dot(product - uy) / metric : 0.0;
        const double map = std::sqrt(metric);
        const bool restart = step.dot(y - next, next - x) > 0.0 || map > 1.1 * last_map;
        last_map = map;
        double beta = 0.0;
        if (momentum && !restart) {
            beta = std::min(limit, nesterov.next());
        } else {
            nesterov.restart();
        }
        if (quotient > lambda) {  // the step was too long: the guard against a low estimate
            lambda = 1.02 * quotient;
            beta = 0.0;
            nesterov.restart();
        }
        const double before = best.residual();
        y = next + beta * (next - x);
        uy = product + beta * (product - u);
        x = next;
        u = product;
        if (best.look(x, u)) break;
        // De Saxce's term makes the map non-monotone: where momentum circles, take it away bit by bit.
        since_best = best.residual() < 0.999 * before ? 0 : since_best + 1;
        if (since_best == 200) {
            since_best = 0;
            limit = std::max(0.0, 1.0 - 2.0 * (1.0 - limit));
            nesterov.restart();
        }
        if (!std::isfinite(best.last())) return best.finish(FrictionStatus::stalled);
    }
    return best.finish(FrictionStatus::iteration_limit);
}

}  // namespace

FrictionResult solve_projected_jacobi(const FrictionProblem& problem, const FrictionSettings& settings) {
    return projected_gradient(problem, settings, false);
}

FrictionResult solve_apgd(const FrictionProblem& problem, const FrictionSettings& settings) {
    return projected_gradient(problem, settings, true);
}

FrictionResult solve_anderson(const FrictionProblem& problem, const FrictionSettings& settings) {
    constexpr std::size_t depth = 10;
    BestIterate best(problem, settings);
    const Step step(problem, best.scales(), settings.friction);
    std::size_t estimates = 0;
    const double t = 1.0 / (1.05 * step.lambda(estimates));
    VectorXd x = best.r();
    std::deque<VectorXd> points, maps;  // x_k and g(x_k)
    double last = HUGE_VAL;
    const std::size_t limit = limit_of(settings, 20000);
    best.count(0, estimates);
    for (std::size_t k = 0; k < limit; ++k) {
        const VectorXd u = problem.W * x + problem.q;
        best.count(1, 1);
        if (best.look(x, u)) break;
        if (!std::isfinite(best.last())) return best.finish(FrictionStatus::stalled);
        const VectorXd g = step(x, u, t);
        // An extrapolation that went wrong: forget, and take the plain step.
        if ((g - x).norm() > 2.0 * last) {
            points.clear();
            maps.clear();
        }
        last = (g - x).norm();
        points.push_back(x);
        maps.push_back(g);
        if (points.size() > depth + 1) {
            points.pop_front();
            maps.pop_front();
        }
        const auto m = Index(points.size()) - 1;
        if (m == 0) {
            x = g;
            continue;
        }
        Eigen::MatrixXd residuals(x.size(), m), images(x.size(), m);
        for (Index j = 0; j < m; ++j) {
            const auto a = std::size_t(j);
            images.col(j) = maps[a + 1] - maps[a];
            residuals.col(j) = images.col(j) - (points[a + 1] - points[a]);
        }
        const VectorXd weights = residuals.colPivHouseholderQr().solve(g - x);
        x = g - images * weights;
        project(problem, x);
        if (!x.allFinite()) x = g;
    }
    return best.finish(FrictionStatus::iteration_limit);
}

}  // namespace scree::complementarity
