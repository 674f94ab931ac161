// SPDX-License-Identifier: BSD-3-Clause
// Random systems of contacts for the acceleration-level model.
#pragma once

#include "engine/reference/acceleration_problem.hpp"

#include <random>

namespace scree::test {

/// A system whose contact rows are given, with rates of their own along the motion: W(q) = W0 + (q - q0)[0] W1 where
/// q0 = 0 and the state has v = (1, 0, ...): the curvature terms are W1 v + rate of drift, as set.
class GivenRows final : public reference::System {
public:
    Eigen::MatrixXd M;
    Eigen::VectorXd k;
    std::vector<reference::Contact> rows;
    Eigen::VectorXd curvature;  ///< Wanted, [n, t(, o)] per contact.
    double speed = 0.0;         ///< Of the last coordinate, which no row touches and no force moves.

    [[nodiscard]] Eigen::Index coordinates() const override { return M.rows() + 1; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd&) const override {
        Eigen::MatrixXd all = Eigen::MatrixXd::Identity(M.rows() + 1, M.rows() + 1);
        all.topLeftCorner(M.rows(), M.rows()) = M;
        return all;
    }
    [[nodiscard]] Eigen::VectorXd force(double, const Eigen::VectorXd&, const Eigen::VectorXd&) const override {
        Eigen::VectorXd all = Eigen::VectorXd::Zero(k.size() + 1);
        all.head(k.size()) = k;
        return all;
    }
    [[nodiscard]] std::vector<reference::Contact> contacts(double, const Eigen::VectorXd& q, double) const override {
        std::vector<reference::Contact> list = rows;
        const double along = q[q.size() - 1];
        const Eigen::Index d = rows.empty() ? 3 : 1 + rows[0].tangent.rows();
        for (std::size_t i = 0; i < list.size(); ++i) {
            // The last coordinate moves at `speed`: this adds `curvature` to the rates of the rows' velocities.
            const auto extra = [&](Eigen::Index r) {
                return speed != 0.0 ? along / (speed * speed) * curvature[Eigen::Index(i) * d + r] : 0.0;
            };
            const auto widened = [&](const Eigen::RowVectorXd& row, double last) {
                Eigen::RowVectorXd all(row.size() + 1);
                all << row, last;
                return all;
            };
            list[i].identity = i;
            list[i].normal = widened(rows[i].normal, extra(0));
            Eigen::MatrixXd tangent(d - 1, M.rows() + 1);
            for (Eigen::Index r = 1; r < d; ++r) tangent.row(r - 1) = widened(rows[i].tangent.row(r - 1), extra(r));
            list[i].tangent = tangent;
        }
        return list;
    }
    [[nodiscard]] reference::State state() const {
        reference::State s{0.0, Eigen::VectorXd::Zero(M.rows() + 1), Eigen::VectorXd::Zero(M.rows() + 1)};
        s.v[M.rows()] = speed;
        return s;
    }
};

/// `contacts` contacts of `bodies` unconnected rigid bodies with the ground and each other; all roll. With
/// `curvature` > 0 the rows turn along the motion.
inline GivenRows random_rolling(std::mt19937& random, int bodies, int contacts, int dimension, double friction,
                                double curvature) {
    std::normal_distribution<double> normal;
    const int dofs = dimension == 3 ? 6 : 3;
    GivenRows system;
    const Eigen::Index nv = bodies * dofs;
    Eigen::VectorXd masses(nv);
    for (double& m : masses) m = std::exp(0.5 * normal(random));
    system.M = masses.asDiagonal();
    system.k.resize(nv);
    for (double& f : system.k) f = normal(random);
    std::uniform_int_distribution<int> any(0, bodies - 1);
    for (int i = 0; i < contacts; ++i) {
        reference::Contact c;
        c.normal = Eigen::RowVectorXd::Zero(nv);
        c.tangent = Eigen::MatrixXd::Zero(dimension - 1, nv);
        const int b = any(random), a = any(random);
        const auto fill = [&](int body, double sign) {
            for (int j = 0; j < dofs; ++j) {
                c.normal[body * dofs + j] += sign * normal(random);
                for (int r = 0; r < dimension - 1; ++r) c.tangent(r, body * dofs + j) += sign * normal(random);
            }
        };
        fill(b, 1.0);
        if (a != b) fill(a, -1.0);
        c.law.friction.sliding = friction * std::exp(0.3 * normal(random));
        system.rows.push_back(c);
    }
    system.speed = curvature > 0.0 ? 1.0 : 0.0;
    system.curvature.resize(contacts * dimension);
    for (double& r : system.curvature) r = curvature * normal(random);
    return system;
}

}  // namespace scree::test
