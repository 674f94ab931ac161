// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/mixed_problem.hpp"

#include "engine/model/interrupt.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double residual_of(const VectorXd& value, const VectorXd& z, Index free) {
    double worst = 0.0;
    for (Index i = 0; i < z.size(); ++i) {
        const double entry = std::abs(i < free ? value[i] : std::min(z[i], value[i]));
        if (!std::isfinite(entry) || !std::isfinite(value[i])) return std::numeric_limits<double>::infinity();
        worst = std::max(worst, entry);
    }
    return worst;
}

/// Phi at one point, what the problem says there, and a generalised Jacobian on demand.
struct Point {
    VectorXd z, value, phi;
    double merit = std::numeric_limits<double>::infinity();  ///< |Phi|^2 / 2
    double residual = std::numeric_limits<double>::infinity();
};

class Function {
public:
    Function(const MixedProblem& problem, MixedFunction kind) : problem_(problem), kind_(kind) {}

    [[nodiscard]] Point at(VectorXd z, MatrixXd* jacobian = nullptr) const {
        Point p;
        p.z = std::move(z);
        problem_.evaluate(p.z, p.value, jacobian);
        p.phi = p.value;
        for (Index i = problem_.free(); i < p.z.size(); ++i) {
            const double a = p.z[i], b = p.value[i], size = std::hypot(a, b);
            double by_a = 0.0, by_b = 0.0;
            if (kind_ == MixedFunction::minimum) {
                p.phi[i] = -std::min(a, b);
                (a < b ? by_a : by_b) = -1.0;
            } else {
                // Without cancellation where both are positive: phi = -2 a b / (a + b + size).
                p.phi[i] = a + b > 0.0 ? -2.0 * a * b / (a + b + size) : size - a - b;
                by_a = size > 0.0 ? a / size - 1.0 : std::sqrt(0.5) - 1.0;
                by_b = size > 0.0 ? b / size - 1.0 : std::sqrt(0.5) - 1.0;
            }
            if (jacobian == nullptr) continue;
            jacobian->row(i) *= by_b;
            (*jacobian)(i, i) += by_a;
        }
        const double merit = 0.5 * p.phi.squaredNorm();
        if (std::isfinite(merit)) {
            p.merit = merit;
            p.residual = residual_of(p.value, p.z, problem_.free());
        }
        return p;
    }

private:
    const MixedProblem& problem_;
    MixedFunction kind_;
};

/// -V^-1 Phi, or the basic least-squares solution where V is singular to working precision.
VectorXd newton_direction(const MatrixXd& v, const VectorXd& phi) {
    VectorXd step = v.partialPivLu().solve(-phi);
    const double size = v.cwiseAbs().maxCoeff() * step.cwiseAbs().maxCoeff() + phi.cwiseAbs().maxCoeff();
    if (step.allFinite() && step.cwiseAbs().maxCoeff() < 1e8 * (1.0 + phi.cwiseAbs().maxCoeff()) &&
        (v * step + phi).cwiseAbs().maxCoeff() <= 1e-8 * size)
        return step;
    Eigen::ColPivHouseholderQR<MatrixXd> qr(v);
    qr.setThreshold(1e-11);
    return qr.solve(-phi);
}

VectorXd levenberg_direction(const MatrixXd& v, const VectorXd& gradient, double lambda) {
    MatrixXd normal = v.transpose() * v;
    normal.diagonal().array() += lambda;
    return normal.ldlt().solve(-gradient);
}

struct Run {
    Point best;
    std::size_t iterations = 0, levenberg = 0;
    bool stationary = false;
};

class Solver {
public:
    Solver(const MixedProblem& problem, const MixedSettings& settings) : problem_(problem), settings_(settings) {}

    [[nodiscard]] Run from(VectorXd start, MixedFunction kind, std::vector<double>& history) const {
        const Function function(problem_, kind);
        Run run;
        MatrixXd v;
        Point now = function.at(std::move(start), &v);
        run.best = now;
        history.push_back(now.residual);
        std::deque<double> recent{now.merit};
        bool polished = false;
        while (run.iterations < settings_.max_iterations && std::isfinite(now.merit)) {
            model::stop_if(settings_.interrupt);
            // One step more than asked for is cheap, and near a regular solution it gives all digits.
            if (run.best.residual <= settings_.tolerance && std::exchange(polished, true)) break;
            const double reference = *std::max_element(recent.begin(), recent.end());
            const VectorXd gradient = v.transpose() * now.phi;
            Point next = search(function, now, gradient, newton_direction(v, now.phi), reference, 1e-6);
            double lambda = 1e-6 * std::max(1.0, v.squaredNorm() / double(v.rows())) * std::min(1.0, now.phi.norm());
            for (int k = 0; !std::isfinite(next.merit) && k < 8; ++k, lambda *= 30.0) {
                if (k == 0) ++run.levenberg;
                next = search(function, now, gradient, levenberg_direction(v, gradient, lambda), reference, 1e-2);
            }
            ++run.iterations;
            if (!std::isfinite(next.merit)) {
                run.stationary = true;
                break;
            }
            now = function.at(std::move(next.z), &v);
            history.push_back(now.residual);
            if (now.residual < run.best.residual) run.best = now;
            recent.push_back(now.merit);
            if (recent.size() > 4) recent.pop_front();
        }
        return run;
    }

private:
    /// Backtracking along `step`; a point of infinite merit when no length descends enough.
    [[nodiscard]] static Point search(const Function& function, const Point& now, const VectorXd& gradient,
                                      const VectorXd& step, double reference, double shortest) {
        const double slope = gradient.dot(step);
        if (!step.allFinite() || !(slope < 0.0)) return {};
        for (double length = 1.0; length >= shortest; length *= 0.5) {
            Point next = function.at(now.z + length * step);
            // On the reference of the last few merits, yet never a step that leaves the merit where it was.
            if (next.merit <= reference + 1e-4 * length * slope && next.merit != now.merit) return next;
        }
        return {};
    }

    const MixedProblem& problem_;
    const MixedSettings& settings_;
};

}  // namespace

double natural_residual(const MixedProblem& problem, const VectorXd& z) {
    VectorXd value;
    problem.evaluate(z, value, nullptr);
    return residual_of(value, z, problem.free());
}

std::string_view name_of(MixedStatus status) {
    switch (status) {
        case MixedStatus::solved:
            return "solved";
        case MixedStatus::iteration_limit:
            return "iteration_limit";
        case MixedStatus::stationary:
            return "stationary";
    }
    return "";
}

MixedResult solve_mixed_nonlinear(const MixedProblem& problem, const VectorXd& start, const MixedSettings& settings) {
    if (start.size() != problem.size()) throw std::invalid_argument("mixed problem: the start has the wrong size");
    if (!start.allFinite()) throw std::invalid_argument("mixed problem: the start is not finite");
    if (!(settings.tolerance > 0.0)) throw std::invalid_argument("mixed problem: the tolerance must be positive");
    if (problem.size() == 0) {
        MixedResult empty;
        empty.status = MixedStatus::solved;
        empty.z = start;
        return empty;
    }
    std::mt19937 random(settings.seed);
    const Solver solver(problem, settings);
    const auto other =
        settings.function == MixedFunction::minimum ? MixedFunction::fischer_burmeister : MixedFunction::minimum;
    MixedResult result;
    result.z = start;
    result.residual = natural_residual(problem, start);
    bool cut = false;
    while (result.starts < std::max<std::size_t>(settings.starts, 1)) {
        VectorXd from = start;
        if (result.starts >= 2)
            for (Index i = 0; i < from.size(); ++i) {
                // From the engine's bits, not a distribution: the same numbers with every library.
                const double unit = 2.0 * double(random()) / double(std::mt19937::max()) - 1.0;
                from[i] += settings.spread * unit * (1.0 + std::abs(from[i]));
                if (i >= problem.free()) from[i] = std::abs(from[i]);
            }
        const bool swapped = result.starts % 2 == 1;
        const Run run = solver.from(std::move(from), swapped ? other : settings.function, result.history);
        ++result.starts;
        result.iterations += run.iterations;
        result.levenberg += run.levenberg;
        if (run.best.residual < result.residual) {
            result.residual = run.best.residual;
            result.z = run.best.z;
        }
        if (result.residual <= settings.tolerance) break;
        cut = cut || !run.stationary;
    }
    if (result.residual <= settings.tolerance)
        result.status = MixedStatus::solved;
    else
        result.status = cut ? MixedStatus::iteration_limit : MixedStatus::stationary;
    return result;
}

}  // namespace scree::complementarity
