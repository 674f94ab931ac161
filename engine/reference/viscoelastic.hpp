// SPDX-License-Identifier: BSD-3-Clause
// The linear viscoelastic law of one patch of contact, stepped implicitly (papers/000, eq. 6, 7 and 10):
//
//   lambda = K delta + C d(delta)/dt,   (h K + C) delta+ = h lambda+ + C delta,   K = Xi^-1,  C = 2 m^(1/2) K^(1/2)
//
// with forces lambda [N] and deflections delta [m] of all elements in all directions. Everything is computed in the
// eigenvectors of Xi, where K and C are diagonal: stiff patches lose no digits to differences.
#pragma once

#include <Eigen/Core>

namespace scree::reference {

class Viscoelastic {
public:
    /// `compliance` Xi [m/N], symmetric positive definite (else model::Error, input). `damping` [kg^(1/2)]: C = 2
    /// damping K^(1/2), >= 0; 1 is the paper's law.
    Viscoelastic(const Eigen::MatrixXd& compliance, double damping);
    /// Uncoupled springs [N/m, > 0] and dashpots [N s/m, >= 0].
    Viscoelastic(const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping);

    [[nodiscard]] Eigen::Index size() const { return stiffness_.size(); }
    [[nodiscard]] Eigen::MatrixXd stiffness() const;  ///< K [N/m]
    [[nodiscard]] Eigen::MatrixXd damping() const;    ///< C [N s/m]
    /// (h K + C)^-1: deflection rate per force [m/(N s)].
    [[nodiscard]] Eigen::MatrixXd mobility(double h) const;
    /// (h K + C)^-1 K delta: the rate at which unloaded deflections fade [m/s].
    [[nodiscard]] Eigen::VectorXd recovery(const Eigen::VectorXd& deflection, double h) const;
    /// delta+ after h under the forces lambda+.
    [[nodiscard]] Eigen::VectorXd deflected(const Eigen::VectorXd& deflection, const Eigen::VectorXd& force,
                                            double h) const;
    /// delta . K delta / 2 [J]
    [[nodiscard]] double energy(const Eigen::VectorXd& deflection) const;

private:
    Eigen::MatrixXd modes_;      ///< Orthonormal columns.
    Eigen::VectorXd stiffness_;  ///< Per mode [N/m]
    Eigen::VectorXd damping_;    ///< Per mode [N s/m]
};

}  // namespace scree::reference
