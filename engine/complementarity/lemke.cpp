// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/lemke.hpp"

#include "engine/complementarity/lemke_path.hpp"
#include "engine/complementarity/regularised.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;

/// Powers of two s with s_i |M_ij| s_j near 1 in the largest entry of each row and column.
Eigen::VectorXd scales_of(const Eigen::MatrixXd& m) {
    const Index n = m.rows();
    Eigen::VectorXd s = Eigen::VectorXd::Ones(n);
    for (int sweep = 0; sweep < 4; ++sweep)
        for (Index i = 0; i < n; ++i) {
            double largest = 0.0;
            for (Index j = 0; j < n; ++j)
                largest = std::max({largest, std::abs(m(i, j)) * s[j], std::abs(m(j, i)) * s[j]});
            if (largest <= 0.0) continue;
            // The diagonal carries s_i twice: meet in the middle, and stay far from the ends of the exponent.
            const double wanted = 0.5 * (std::log2(s[i]) - std::log2(largest));
            s[i] = std::exp2(std::clamp(std::round(wanted), -200.0, 200.0));
        }
    return s;
}

void check(const LinearProblem& problem, const LemkeSettings& settings) {
    const Index n = problem.size();
    const auto fail = [](const std::string& what) { throw std::invalid_argument("LCP: " + what); };
    if (problem.matrix.rows() != n || problem.matrix.cols() != n)
        fail("the matrix is " + std::to_string(problem.matrix.rows()) + " x " + std::to_string(problem.matrix.cols()) +
             ", the vector has " + std::to_string(n) + " entries");
    if (!problem.matrix.allFinite() || !problem.vector.allFinite()) fail("an entry is not a finite number");
    if (settings.covering.size() == 0) return;
    if (settings.covering.size() != n) fail("the covering vector has another size than q");
    if (!settings.covering.allFinite() || !(settings.covering.minCoeff() > 0.0))
        fail("the covering vector must be positive");
}

std::size_t pivot_limit(Index n, std::size_t wanted) {
    if (wanted > 0) return wanted;
    return n <= 12 ? std::size_t(1) << (n + 1) : std::size_t(200 + 50 * n);
}

/// Paths that lead somewhere take about n pivots; beyond this most have lost their way.
std::size_t short_limit(Index n, std::size_t limit) {
    return n <= 12 ? limit : std::min(limit, std::size_t(200 + 4 * n));
}

class Ladder {
public:
    Ladder(const LinearProblem& problem, const LemkeSettings& settings)
        : problem_(problem), settings_(settings), limit_(pivot_limit(problem.size(), settings.max_pivots)) {
        const Index n = problem.size();
        scale_ = settings.scale ? scales_of(problem.matrix) : Eigen::VectorXd::Ones(n);
        m_ = scale_.asDiagonal() * problem.matrix * scale_.asDiagonal();
        q_ = scale_.asDiagonal() * problem.vector;
        d_ = settings.covering.size() > 0 ? Eigen::VectorXd(scale_.asDiagonal() * settings.covering)
                                          : Eigen::VectorXd::Ones(n);
    }

    LemkeResult climb() {
        const Index n = problem_.size();
        const std::size_t brief = short_limit(n, limit_),
                          interval = std::max<std::size_t>(1, settings_.refactor_interval);
        if (step(0, [&] { return run<double>({1e-6, interval, brief, settings_.interrupt}); })) return best_;
        if (settings_.regularise && step(1, [&] { return regularised(brief); })) return best_;
        constexpr std::array finer{1e-8, 1e-10, 1e-12};
        for (std::size_t k = 0; k < finer.size(); ++k)
            if (step(2 + k, [&] { return run<double>({finer[k], interval, limit_, settings_.interrupt}); }))
                return best_;
        // The slowest arithmetic: fresh inverses at each pivot where that is cheap, and no long wanderings.
        const auto sparing = std::max<std::size_t>(1, std::size_t(n * n / 5000));
        step(5, [&] { return run<long double>({1e-14, sparing, brief, settings_.interrupt}); });
        return best_;
    }

private:
    /// Keeps the better result; true where it answers.
    template <class Rung>
    bool step(std::size_t rung, const Rung& run) {
        LemkeResult now = run();
        now.rung = rung;
        const bool answers =
            now.status == LinearStatus::solved || (now.status == LinearStatus::ray && !settings_.ray_is_failure);
        if (!answers && now.status == LinearStatus::ray) now.status = LinearStatus::ill_conditioned;
        if (answers || rung == 0 || now.certificate.worst() < best_.certificate.worst()) best_ = std::move(now);
        return answers;
    }

    template <class Real>
    LemkeResult run(const PathSettings& settings) {
        const typename LemkePath<Real>::Matrix m = m_.cast<Real>();
        const typename LemkePath<Real>::Vector q = q_.cast<Real>(), d = d_.cast<Real>();
        LemkePath<Real> path(m, q, d, settings);
        const PathEnd end = path.follow();
        LemkeResult result = judged(path.polished());
        result.pivots = end.pivots;
        // Also where the path was cut: z0 may be in the basis at zero.
        if (result.status == LinearStatus::solved) return result;
        if (end.at_ray && !end.doubtful) {
            result.status = LinearStatus::ray;
            result.ray = scale_.cwiseProduct(path.ray().template cast<double>());
        } else if (end.at_limit) {
            result.status = LinearStatus::iteration_limit;
        }
        return result;
    }

    LemkeResult regularised(std::size_t max_pivots) {
        const auto certificate = [this](const Eigen::VectorXd& z) {
            return certify(problem_, scale_.cwiseProduct(z)).worst();
        };
        const RegularisedPoint point = solve_regularised(
            m_, q_, d_, {settings_.tolerance, settings_.refactor_interval, max_pivots, settings_.interrupt},
            certificate);
        LemkeResult result = judged(point.z);
        result.pivots = point.pivots;
        return result;
    }

    /// z of the scaled problem, solved or not.
    [[nodiscard]] LemkeResult judged(const Eigen::VectorXd& z) const {
        LemkeResult result;
        result.z = scale_.cwiseProduct(z);
        result.w = problem_.matrix * result.z + problem_.vector;
        result.certificate = certify(problem_, result.z);
        if (result.certificate.worst() <= settings_.tolerance) result.status = LinearStatus::solved;
        return result;
    }

    const LinearProblem& problem_;
    const LemkeSettings& settings_;
    std::size_t limit_;
    Eigen::VectorXd scale_, q_, d_;
    Eigen::MatrixXd m_;
    LemkeResult best_;
};

}  // namespace

LemkeResult solve_lemke(const LinearProblem& problem, const LemkeSettings& settings) {
    check(problem, settings);
    if (problem.size() == 0 || problem.vector.minCoeff() >= 0.0) {
        LemkeResult trivial;
        trivial.status = LinearStatus::solved;
        trivial.z = Eigen::VectorXd::Zero(problem.size());
        trivial.w = problem.vector;
        return trivial;
    }
    return Ladder(problem, settings).climb();
}

MixedLinearResult solve_mixed(const MixedLinearProblem& problem, const LemkeSettings& settings) {
    MixedLinearResult result;
    const Index free = problem.a.size(), bounded = problem.b.size();
    const auto is = [](const Eigen::MatrixXd& m, Index rows, Index columns) {
        return m.rows() == rows && m.cols() == columns;
    };
    if (!is(problem.A, free, free) || !is(problem.C, free, bounded) || !is(problem.D, bounded, free) ||
        !is(problem.B, bounded, bounded))
        throw std::invalid_argument("mixed LCP: the blocks do not fit together");
    if (!problem.A.allFinite() || !problem.a.allFinite())
        throw std::invalid_argument("mixed LCP: an entry is not a finite number");
    if (free == 0) {
        result.reduced = solve_lemke({problem.B, problem.b}, settings);
        result.v = result.reduced.z;
        return result;
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(problem.A);
    if (!lu.isInvertible()) return result;
    const Eigen::MatrixXd reach = lu.solve(problem.C);
    const Eigen::VectorXd rest = lu.solve(problem.a);
    result.reduced = solve_lemke({problem.B - problem.D * reach, problem.b - problem.D * rest}, settings);
    result.v = result.reduced.z;
    result.u = -(reach * result.v + rest);
    return result;
}

}  // namespace scree::complementarity
