// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/lemke.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
template <class Real>
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

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

/// Index of a variable: w_i is i, z_i is n + i, z0 is 2 n.
struct Path {
    std::vector<Index> basis;  ///< Variable per row.
    std::size_t pivots = 0;
    bool at_ray = false;
    bool doubtful = false;  ///< The ray may be the work of pivots that were refused.
    bool at_limit = false;
    bool broken = false;  ///< A fresh inverse showed that the basis is singular.
    Index entering = -1;  ///< Of the ray.
};

/// A basis without its columns of w, which are unit vectors: those rows follow from the others. Of a contact problem
/// most z are zero, so that the block is a fraction of the basis.
template <class Real>
class ReducedBasis {
public:
    template <class Column>
    ReducedBasis(const std::vector<Index>& basis, const Column& column_of) : n_(Index(basis.size())) {
        std::vector<bool> covered(basis.size(), false);
        for (Index i = 0; i < n_; ++i) {
            const Index variable = basis[std::size_t(i)];
            if (variable < n_) {
                covered[std::size_t(variable)] = true;
                unit_places_.push_back(i);
                unit_rows_.push_back(variable);
            } else {
                places_.push_back(i);
            }
        }
        for (Index i = 0; i < n_; ++i)
            if (!covered[std::size_t(i)]) rows_.push_back(i);
        const Index k = Index(places_.size());
        Matrix<Real> block(k, k);
        coupling_.resize(n_ - k, k);
        for (Index c = 0; c < k; ++c) {
            const Vector<Real> column = column_of(basis[std::size_t(places_[std::size_t(c)])]);
            block.col(c) = column(rows_);
            coupling_.col(c) = column(unit_rows_);
        }
        if (k > 0) lu_.compute(block);
    }

    /// B^-1 r
    [[nodiscard]] Vector<Real> solve(const Vector<Real>& r) const {
        Vector<Real> x(n_);
        Vector<Real> rest = r(unit_rows_);
        if (!places_.empty()) {
            const Vector<Real> inner = lu_.solve(Vector<Real>(r(rows_)));
            x(places_) = inner;
            rest -= coupling_ * inner;
        }
        x(unit_places_) = rest;
        return x;
    }
    /// B^-1
    template <class Target>
    void invert(Target& inverse) const {
        inverse.setZero(n_, n_);
        for (std::size_t i = 0; i < unit_rows_.size(); ++i) inverse(unit_places_[i], unit_rows_[i]) = Real(1);
        if (places_.empty()) return;
        const Matrix<Real> inner = lu_.inverse();
        inverse(places_, rows_) = inner;
        inverse(unit_places_, rows_) = -coupling_ * inner;
    }

private:
    Index n_;
    std::vector<Index> places_, rows_;            // of the block: positions in the basis, rows of the problem
    std::vector<Index> unit_places_, unit_rows_;  // of the columns of w
    Matrix<Real> coupling_;                       // the other columns in the rows of those
    Eigen::PartialPivLU<Matrix<Real>> lu_;
};

/// One run of the algorithm in one precision, on the scaled problem.
template <class Real>
class Run {
public:
    Run(const Matrix<Real>& m, const Vector<Real>& q, const Vector<Real>& d, double pivot_tolerance,
        std::size_t refactor_interval, std::size_t max_pivots)
        : m_(m),
          q_(q),
          d_(d),
          n_(q.size()),
          pivot_tolerance_(Real(pivot_tolerance)),
          refactor_interval_(refactor_interval),
          max_pivots_(max_pivots) {}

    /// q has a negative entry.
    Path follow() {
        path_.basis.resize(std::size_t(n_));
        for (Index i = 0; i < n_; ++i) path_.basis[std::size_t(i)] = i;
        inverse_ = Matrix<Real>::Identity(n_, n_);
        x_ = q_;
        // z0 enters as far as the most negative row asks; rows tie by [q | I] / d.
        Index row = 0;
        for (Index i = 1; i < n_; ++i)
            if (q_[i] / d_[i] < q_[row] / d_[row] || (q_[i] / d_[i] == q_[row] / d_[row] && i > row)) row = i;
        Index entering = 2 * n_;
        column_ = -d_;
        for (;;) {
            const Index leaving = pivot(row, entering);
            if (path_.broken || leaving == 2 * n_) break;
            if (path_.pivots >= max_pivots_) {
                path_.at_limit = true;
                break;
            }
            entering = leaving < n_ ? leaving + n_ : leaving - n_;
            column_ = inverse_ * column_of(entering);
            row = leaving_row();
            if (row < 0) {
                path_.at_ray = true;
                path_.doubtful = is_doubtful();
                path_.entering = entering;
                break;
            }
        }
        return path_;
    }

    /// z of the final basis, by a fresh LU of it in long double: degenerate bases are ill-conditioned.
    [[nodiscard]] Eigen::VectorXd polished() const {
        const auto column = [this](Index variable) -> Vector<long double> {
            return column_of(variable).template cast<long double>();
        };
        const Vector<long double> x =
            ReducedBasis<long double>(path_.basis, column).solve(q_.template cast<long double>());
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
        for (Index i = 0; i < n_; ++i) {
            const Index v = path_.basis[std::size_t(i)];
            if (v >= n_ && v < 2 * n_) z[v - n_] = double(std::max(x[i], 0.0L));
        }
        return z;
    }

    /// Direction of z on the ray: the entering variable grows by one.
    [[nodiscard]] Vector<Real> ray() const {
        Vector<Real> z = Vector<Real>::Zero(n_);
        const auto add = [&](Index variable, Real rate) {
            if (variable >= n_ && variable < 2 * n_) z[variable - n_] += rate;
        };
        add(path_.entering, Real(1));
        for (Index i = 0; i < n_; ++i) add(path_.basis[std::size_t(i)], -column_[i]);
        return z;
    }

private:
    [[nodiscard]] Vector<Real> column_of(Index variable) const {
        if (variable == 2 * n_) return -d_;
        if (variable >= n_) return -m_.col(variable - n_);
        return Vector<Real>::Unit(n_, variable);
    }

    /// Exchanges the variable of `row` for `entering`, whose column is in column_; returns the one that left.
    Index pivot(Index row, Index entering) {
        const Real pivot = column_[row];
        inverse_.row(row) /= pivot;
        x_[row] /= pivot;
        for (Index i = 0; i < n_; ++i) {
            if (i == row || column_[i] == Real(0)) continue;
            inverse_.row(i) -= column_[i] * inverse_.row(row);
            x_[i] -= column_[i] * x_[row];
        }
        const Index leaving = std::exchange(path_.basis[std::size_t(row)], entering);
        if (++path_.pivots % refactor_interval_ == 0 && leaving != 2 * n_) refactor();
        return leaving;
    }

    void refactor() {
        const ReducedBasis<Real> fresh(path_.basis, [this](Index variable) { return column_of(variable); });
        fresh.invert(inverse_);
        x_ = inverse_ * q_;
        path_.broken = !inverse_.allFinite() || !x_.allFinite();
    }

    /// A refused pivot above rounding would have ended this ray, or one before it has left an x negative.
    [[nodiscard]] bool is_doubtful() {
        refactor();
        return path_.broken || column_.maxCoeff() > Real(rounding) * column_.cwiseAbs().maxCoeff() ||
               x_.minCoeff() < -Real(rounding) * x_.cwiseAbs().maxCoeff();
    }

    /// Lexicographic minimum of [x | B^-1]_i / column_i over positive entries; -1: none, a ray.
    [[nodiscard]] Index leaving_row() const {
        const Real threshold = pivot_tolerance_ * column_.cwiseAbs().maxCoeff();
        std::vector<Index> candidates;
        for (Index i = 0; i < n_; ++i)
            if (column_[i] > threshold) candidates.push_back(i);
        // Column -1 is x itself.
        for (Index k = -1; k < n_ && candidates.size() > 1; ++k) {
            const auto value = [&](Index i) { return (k < 0 ? x_[i] : inverse_(i, k)) / column_[i]; };
            Real smallest = std::numeric_limits<Real>::max(), scale = Real(0);
            for (const Index i : candidates) {
                smallest = std::min(smallest, value(i));
                scale = std::max(scale, std::abs(k < 0 ? x_[i] : inverse_(i, k)) / column_[i]);
            }
            // Ties are relative to what entered the quotient: the largest x of the basis for the first column.
            const Real unit = k < 0
                                  ? tie_tolerance * std::max(std::abs(smallest), x_.cwiseAbs().maxCoeff() * Real(1e-3))
                                  : tie_tolerance * scale;
            std::erase_if(candidates, [&](Index i) { return value(i) > smallest + unit; });
            if (k < 0)
                for (const Index i : candidates)
                    if (path_.basis[std::size_t(i)] == 2 * n_) return i;
        }
        return candidates.empty() ? -1 : candidates.front();
    }

    static constexpr double rounding = 1e-10;  // relative to the column, of bases as ill-conditioned as they come
    static constexpr Real tie_tolerance = Real(64) * std::numeric_limits<Real>::epsilon();

    const Matrix<Real>& m_;
    const Vector<Real>& q_;
    const Vector<Real>& d_;
    Index n_;
    Real pivot_tolerance_;
    std::size_t refactor_interval_, max_pivots_;
    Path path_;
    Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> inverse_;  // updated row by row
    Vector<Real> x_, column_;
};

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

class Ladder {
public:
    Ladder(const LinearProblem& problem, const LemkeSettings& settings) : problem_(problem), settings_(settings) {
        const Index n = problem.size();
        scale_ = settings.scale ? scales_of(problem.matrix) : Eigen::VectorXd::Ones(n);
        m_ = scale_.asDiagonal() * problem.matrix * scale_.asDiagonal();
        q_ = scale_.asDiagonal() * problem.vector;
        d_ = settings.covering.size() > 0 ? Eigen::VectorXd(scale_.asDiagonal() * settings.covering)
                                          : Eigen::VectorXd::Ones(n);
    }

    LemkeResult climb() {
        LemkeResult best;
        constexpr double pivot_tolerances[] = {1e-6, 1e-8, 1e-10, 1e-12, 1e-14};
        for (std::size_t rung = 0; rung < std::size(pivot_tolerances); ++rung) {
            const bool last = rung + 1 == std::size(pivot_tolerances);
            LemkeResult now = last ? run<long double>(pivot_tolerances[rung], 1)
                                   : run<double>(pivot_tolerances[rung], settings_.refactor_interval);
            now.rung = rung;
            const bool answers =
                now.status == LinearStatus::solved || (now.status == LinearStatus::ray && !settings_.ray_is_failure);
            if (answers) return now;
            if (now.status == LinearStatus::ray) now.status = LinearStatus::ill_conditioned;
            if (rung == 0 || now.certificate.worst() < best.certificate.worst()) best = std::move(now);
        }
        return best;
    }

private:
    template <class Real>
    LemkeResult run(double pivot_tolerance, std::size_t interval) {
        const Matrix<Real> m = m_.cast<Real>();
        const Vector<Real> q = q_.cast<Real>(), d = d_.cast<Real>();
        Run<Real> run(m, q, d, pivot_tolerance, std::max<std::size_t>(1, interval),
                      pivot_limit(problem_.size(), settings_.max_pivots));
        const Path path = run.follow();
        LemkeResult result;
        result.pivots = path.pivots;
        result.z = scale_.cwiseProduct(run.polished());
        result.w = problem_.matrix * result.z + problem_.vector;
        result.certificate = certify(problem_, result.z);
        // Also where the path was cut: z0 may be in the basis at zero.
        if (result.certificate.worst() <= settings_.tolerance) {
            result.status = LinearStatus::solved;
        } else if (path.at_ray && !path.doubtful) {
            result.status = LinearStatus::ray;
            result.ray = scale_.cwiseProduct(run.ray().template cast<double>());
        } else if (path.at_limit) {
            result.status = LinearStatus::iteration_limit;
        }
        return result;
    }

    const LinearProblem& problem_;
    const LemkeSettings& settings_;
    Eigen::VectorXd scale_, q_, d_;
    Eigen::MatrixXd m_;
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
