// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/regularised.hpp"

#include "engine/complementarity/lemke_path.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <limits>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double weights[] = {1e-4, 1e-5, 1e-6, 1e-3};
constexpr int paths = 8;            // per weight; those that answer take one to four
constexpr int steps_in_basis = 20;  // each gains two digits or more, or the basis is not the right one

class Iteration {
public:
    Iteration(const MatrixXd& m, const VectorXd& q, const VectorXd& d, const RegularisedSettings& settings,
              const std::function<double(const VectorXd&)>& certificate)
        : m_(m), q_(q), d_(d), settings_(settings), certificate_(certificate) {
        best_.z = VectorXd::Zero(q.size());
    }

    /// True where the tolerance is met.
    bool run(double weight) {
        MatrixXd m = m_;
        m.diagonal().array() += weight;
        VectorXd z = VectorXd::Zero(q_.size());
        for (int k = 0; k < paths; ++k) {
            const VectorXd q = q_ - weight * z;
            if (q.minCoeff() >= 0.0) return false;
            LemkePath<double> path(m, q, d_,
                                   {1e-10, std::max<std::size_t>(1, settings_.refactor_interval), settings_.max_pivots,
                                    settings_.interrupt});
            const PathEnd end = path.follow();
            best_.pivots += end.pivots;
            if (end.at_ray || end.at_limit || end.broken) return false;
            z = stay(m, weight, end.basis, z);
            if (smallest_ <= settings_.tolerance) return true;
        }
        return false;
    }

    [[nodiscard]] const RegularisedPoint& best() const { return best_; }

private:
    /// Steps within one basis from z; the last of them, or the first where a later one leaves the basis.
    VectorXd stay(const MatrixXd& m, double weight, const std::vector<Index>& basis, const VectorXd& z) {
        const Index n = q_.size();
        std::vector<Index> active;
        for (const Index variable : basis)
            if (variable >= n && variable < 2 * n) active.push_back(variable - n);
        std::sort(active.begin(), active.end());
        if (active.empty()) return VectorXd::Zero(n);
        const Eigen::PartialPivLU<MatrixXd> lu(m(active, active));
        const VectorXd q = q_(active);
        VectorXd x = z(active), last = z;
        double before = std::numeric_limits<double>::infinity();
        for (int k = 0; k < steps_in_basis; ++k) {
            x = lu.solve(VectorXd(weight * x - q));
            const double now = look(active, x);
            if (k > 0 && !(now < before)) break;
            last = scattered(active, x);
            if (now > 0.5 * before && smallest_ <= settings_.tolerance) break;
            before = now;
        }
        return last;
    }

    [[nodiscard]] VectorXd scattered(const std::vector<Index>& active, const VectorXd& x) const {
        VectorXd z = VectorXd::Zero(q_.size());
        z(active) = x.cwiseMax(0.0);
        return z;
    }

    /// The certificate of a point, which is kept where it is the best.
    double look(const std::vector<Index>& active, const VectorXd& x) {
        const VectorXd z = scattered(active, x);
        const double certificate = certificate_(z);
        if (certificate < smallest_) {
            smallest_ = certificate;
            best_.z = z;
        }
        return certificate;
    }

    const MatrixXd& m_;
    const VectorXd &q_, &d_;
    const RegularisedSettings& settings_;
    const std::function<double(const VectorXd&)>& certificate_;
    RegularisedPoint best_;
    double smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

RegularisedPoint solve_regularised(const MatrixXd& m, const VectorXd& q, const VectorXd& d,
                                   const RegularisedSettings& settings,
                                   const std::function<double(const VectorXd&)>& certificate) {
    Iteration iteration(m, q, d, settings, certificate);
    for (const double weight : weights)
        if (iteration.run(weight)) break;
    return iteration.best();
}

}  // namespace scree::complementarity
