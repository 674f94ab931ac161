// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/newton.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// F and, per contact, its generalised derivatives for r and u.
struct Function {
    VectorXd value;
    std::vector<ConeValue> contacts;
};

class Linearisation {
public:
    Linearisation(const FrictionProblem& problem, const VectorXd& scales, const VectorXd& anchor,
                  const NewtonSettings& settings)
        : problem_(problem),
          anchor_(anchor),
          function_(settings.function),
          scales_(scales),
          diagonal_(problem.q.size()) {
        const int d = problem.dimension;
        for (Index c = 0; c < problem.contacts(); ++c) diagonal_.segment(d * c, d).setConstant(scales[c]);
        shift_ = settings.weight * diagonal_;
    }

    [[nodiscard]] VectorXd velocity(const VectorXd& r) const {
        return problem_.W * r + problem_.q + shift_.cwiseProduct(r - anchor_);
    }
    /// |F| in velocity units over |q|.
    [[nodiscard]] double merit(const VectorXd& f) const {
        const double size = problem_.q.norm();
        return diagonal_.cwiseProduct(f).norm() / (size > 0.0 ? size : 1.0);
    }

    [[nodiscard]] Function at(const VectorXd& r, const VectorXd& u, bool derivatives) const {
        const int d = problem_.dimension;
        Function f;
        f.value.resize(r.size());
        for (Index c = 0; c < problem_.contacts(); ++c) {
            ConeValue one = cone_value(function_, r.segment(d * c, d), u.segment(d * c, d), problem_.mu[c], scales_[c],
                                       derivatives);
            f.value.segment(d * c, d) = one.value;
            if (derivatives) f.contacts.push_back(std::move(one));
        }
        return f;
    }

    /// Solves (dF/dr + dF/du (W + a D)) step = -F; empty where that has no usable solution.
    [[nodiscard]] std::optional<VectorXd> step(const Function& f) const {
        const int d = problem_.dimension;
        const Index n = problem_.q.size();
        std::vector<Eigen::Triplet<double>> entries;
        entries.reserve(std::size_t(problem_.W.nonZeros()) * std::size_t(d));
        for (Index c = 0; c < problem_.contacts(); ++c) {
            const ContactMatrix &by_r = f.contacts[std::size_t(c)].by_r, &by_u = f.contacts[std::size_t(c)].by_u;
            for (Index i = 0; i < d; ++i)
                for (Index j = 0; j < d; ++j) {
                    const double own = by_r(i, j) + by_u(i, j) * shift_[d * c + j];
                    if (own != 0.0) entries.emplace_back(int(d * c + i), int(d * c + j), own);
                    if (by_u(i, j) == 0.0) continue;
                    for (Operator::InnerIterator w(problem_.W, d * c + j); w; ++w)
                        if (w.value() != 0.0)
                            entries.emplace_back(int(d * c + i), int(w.col()), by_u(i, j) * w.value());
                }
        }
        VectorXd step;
        if (n <= dense_limit) {
            MatrixXd dense = MatrixXd::Zero(n, n);
            for (const auto& e : entries) dense(e.row(), e.col()) += e.value();
            step = dense.partialPivLu().solve(-f.value);
        } else {
            Eigen::SparseMatrix<double> sparse(n, n);
            sparse.setFromTriplets(entries.begin(), entries.end());
            Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(sparse);
            if (lu.info() != Eigen::Success) return std::nullopt;
            step = lu.solve(-f.value);
        }
        if (!step.allFinite()) return std::nullopt;
        return step;
    }

private:
    static constexpr Index dense_limit = 300;  // below, a dense LU is faster than ordering a sparse one

    const FrictionProblem& problem_;
    const VectorXd& anchor_;
    ConeFunction function_;
    const VectorXd& scales_;
    VectorXd diagonal_, shift_;
};

void expect_coulomb(const FrictionSettings& settings) {
    if (settings.friction != Friction::coulomb)
        throw std::invalid_argument("friction problem: Newton's method is for Coulomb's law only");
}

}  // namespace

NewtonResult newton(const FrictionProblem& problem, const VectorXd& scales, const VectorXd& anchor, VectorXd start,
                    const NewtonSettings& settings) {
    const Linearisation line(problem, scales, anchor, settings);
    NewtonResult result;
    result.r = std::move(start);
    VectorXd u = line.velocity(result.r);
    Function f = line.at(result.r, u, true);
    result.merit = line.merit(f.value);
    ++result.products;
    while (result.merit > settings.tolerance && result.iterations < settings.max_iterations) {
        const auto step = line.step(f);
        if (!step) {
            result.singular = true;
            return result;
        }
        double length = 1.0;
        VectorXd next, next_u;
        double merit = 0.0;
        for (int k = 0; k < 12; ++k, length *= 0.5) {
            next = result.r + length * *step;
            next_u = line.velocity(next);
            ++result.products;
            merit = line.merit(line.at(next, next_u, false).value);
            if (merit < (1.0 - 1e-4 * length) * result.merit) break;
        }
        ++result.iterations;
        if (!std::isfinite(merit) || merit > 10.0 * result.merit) return result;  // no descent at any length
        result.r = next;
        u = next_u;
        f = line.at(result.r, u, true);
        result.merit = merit;
    }
    result.converged = result.merit <= settings.tolerance;
    return result;
}

namespace {

FrictionResult plain(const FrictionProblem& problem, const FrictionSettings& settings, ConeFunction function) {
    expect_coulomb(settings);
    BestIterate best(problem, settings);
    const std::size_t limit = settings.max_iterations > 0 ? settings.max_iterations : 1000;
    VectorXd r = best.r();
    std::size_t done = 0;
    // One iteration at a time, so that the certified residual and not the function decides.
    while (done < limit) {
        // Iterates may lie outside of the cone; the result does not.
        VectorXd inside = r;
        project(problem, inside);
        if (best.look(inside, problem.W * inside + problem.q)) break;
        if (!std::isfinite(best.last())) return best.finish(FrictionStatus::stalled);
        NewtonResult now = newton(problem, best.scales(), r, r, {0.0, 0.0, 1, function});
        best.count(now.iterations, now.products + 1);
        if (now.singular || now.iterations == 0) return best.finish(FrictionStatus::stalled);
        r = std::move(now.r);
        ++done;
    }
    return best.finish(FrictionStatus::iteration_limit);
}

FrictionResult proximal(const FrictionProblem& problem, const FrictionSettings& settings, ConeFunction function) {
    expect_coulomb(settings);
    BestIterate best(problem, settings);
    const std::size_t limit = settings.max_iterations > 0 ? settings.max_iterations : 200;
    VectorXd r = best.r();
    double weight = 1e-2;
    if (best.look(r, problem.W * r + problem.q)) return best.finish(FrictionStatus::stalled);
    for (std::size_t k = 0; k < limit; ++k) {
        const double wanted = std::max(1e-14, std::min(0.1 * settings.tolerance, 0.1 * best.residual()));
        NewtonResult inner = newton(problem, best.scales(), r, r, {weight, wanted, 30, function});
        best.count(1, inner.products + 1);
        VectorXd next = inner.r;
        project(problem, next);
        const double before = best.residual();
        if (!inner.singular && next.allFinite()) {
            if (best.look(next, problem.W * next + problem.q)) break;
            if (inner.converged || best.last() < before) r = next;
        }
        // Easy inner problems may be less convex, hard ones must be more.
        weight = inner.converged ? std::max(1e-12, weight * (inner.iterations <= 8 ? 0.1 : 0.5)) : weight * 8.0;
        if (weight > 1e6) return best.finish(FrictionStatus::stalled);
    }
    return best.finish(FrictionStatus::iteration_limit);
}

}  // namespace

FrictionResult solve_newton(const FrictionProblem& problem, const FrictionSettings& settings) {
    return plain(problem, settings, ConeFunction::alart_curnier);
}

FrictionResult solve_newton_fb(const FrictionProblem& problem, const FrictionSettings& settings) {
    return plain(problem, settings, ConeFunction::fischer_burmeister);
}

FrictionResult solve_proximal(const FrictionProblem& problem, const FrictionSettings& settings) {
    return proximal(problem, settings, ConeFunction::alart_curnier);
}

FrictionResult solve_proximal_fb(const FrictionProblem& problem, const FrictionSettings& settings) {
    return proximal(problem, settings, ConeFunction::fischer_burmeister);
}

}  // namespace scree::complementarity
