// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/nonnegative_least_squares.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class PassiveSet {
public:
    PassiveSet(const MatrixXd& E, const VectorXd& f)
        : E_(E), f_(f), x_(VectorXd::Zero(E.cols())), passive_(E.cols(), false) {}

    [[nodiscard]] bool has(Index column) const { return passive_[std::size_t(column)]; }
    [[nodiscard]] const VectorXd& x() const { return x_; }

    /// False, with nothing changed, where the column would enter with a coefficient that is not positive.
    bool enter(Index column) {
        columns_.push_back(column);
        passive_[std::size_t(column)] = true;
        if (unbounded()[Index(columns_.size()) - 1] > 0.0) return true;
        columns_.pop_back();
        passive_[std::size_t(column)] = false;
        return false;
    }

    /// To the least squares solution of the set, dropping the columns that reach zero on the way.
    void settle() {
        while (!columns_.empty()) {
            const VectorXd aim = unbounded();
            double step = 1.0;
            for (Index k = 0; k < aim.size(); ++k) {
                const double now = x_[columns_[std::size_t(k)]];
                if (aim[k] <= 0.0) step = std::min(step, now / (now - aim[k]));
            }
            bool dropped = false;
            for (Index k = 0; k < aim.size(); ++k) {
                const Index column = columns_[std::size_t(k)];
                const double now = x_[column];
                const bool binds = aim[k] <= 0.0 && now / (now - aim[k]) <= step * (1.0 + 1e-12);
                x_[column] = binds ? 0.0 : std::max(0.0, now + step * (aim[k] - now));
                passive_[std::size_t(column)] = !binds;
                dropped = dropped || binds;
            }
            std::erase_if(columns_, [&](Index column) { return !has(column); });
            if (!dropped) return;
        }
    }

private:
    [[nodiscard]] VectorXd unbounded() const {
        MatrixXd part(E_.rows(), Index(columns_.size()));
        for (std::size_t k = 0; k < columns_.size(); ++k) part.col(Index(k)) = E_.col(columns_[k]);
        return part.colPivHouseholderQr().solve(f_);
    }

    const MatrixXd& E_;
    const VectorXd& f_;
    VectorXd x_;
    std::vector<bool> passive_;
    std::vector<Index> columns_;
};

}  // namespace

NonnegativeSolution solve_nonnegative_least_squares(const MatrixXd& E, const VectorXd& f) {
    if (E.rows() != f.size()) throw std::invalid_argument("nonnegative least squares: E and f have different rows");
    if (!E.allFinite() || !f.allFinite())
        throw std::invalid_argument("nonnegative least squares: an entry is not a finite number");
    const Index n = E.cols();
    // Columns of unit length: the choice of the entering one then does not depend on units.
    VectorXd length = E.colwise().norm();
    for (double& l : length)
        if (l <= 0.0) l = 1.0;
    const MatrixXd unit = E * length.cwiseInverse().asDiagonal();
    PassiveSet set(unit, f);
    NonnegativeSolution result;
    result.residual = f;
    const double rounding = 8.0 * double(E.rows() + 1) * std::numeric_limits<double>::epsilon() * f.norm();
    const std::size_t limit = std::max<std::size_t>(30, 3 * std::size_t(n));
    std::vector<bool> refused(std::size_t(n), false);
    while (result.iterations < limit) {
        result.distance = result.residual.norm();
        const VectorXd pull = unit.transpose() * result.residual;
        Index best = -1;
        for (Index j = 0; j < n; ++j)
            if (!set.has(j) && !refused[std::size_t(j)] && (best < 0 || pull[j] > pull[best])) best = j;
        if (best < 0 || result.distance <= rounding || pull[best] <= std::max(1e-13 * result.distance, rounding)) {
            result.converged = true;
            break;
        }
        ++result.iterations;
        if (!set.enter(best)) {
            refused[std::size_t(best)] = true;
            continue;
        }
        std::fill(refused.begin(), refused.end(), false);
        set.settle();
        result.residual = f - unit * set.x();
    }
    result.distance = result.residual.norm();
    if (n > 0 && result.distance > 0.0)
        result.farkas_error = (unit.transpose() * result.residual).maxCoeff() / result.distance;
    result.x = set.x().cwiseQuotient(length);
    return result;
}

std::optional<VectorXd> solve_constrained_least_squares(const MatrixXd& D, const MatrixXd& E, const VectorXd& f,
                                                        double least) {
    const double weight = 1e3 * std::max(D.norm(), 1e-300) / std::max(E.norm(), 1e-300);
    MatrixXd all(D.rows() + E.rows(), E.cols());
    all << D, weight * E;
    VectorXd aim = f, right = VectorXd::Zero(all.rows());
    const double size = std::max(f.norm(), least);
    for (int round = 0; round < 40; ++round) {
        right.tail(E.rows()) = weight * aim;
        VectorXd x = solve_nonnegative_least_squares(all, right).x;
        const VectorXd missing = f - E * x;
        if (missing.norm() <= 1e-12 * size) return x;
        aim += missing;
    }
    return std::nullopt;
}

}  // namespace scree::complementarity
