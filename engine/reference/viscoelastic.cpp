// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/viscoelastic.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/step_input.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <string>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, what, hint);
}

}  // namespace

Viscoelastic::Viscoelastic(const MatrixXd& compliance, double damping) {
    if (compliance.rows() != compliance.cols() || compliance.size() == 0 || !compliance.allFinite())
        refuse("the compliance of a patch must be a square matrix of finite numbers", {});
    if (!(damping >= 0.0) || !std::isfinite(damping))
        refuse("patch damping " + in_digits(damping), "zero or more, and finite");
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(compliance);
    if (!(eigen.eigenvalues().minCoeff() > 1e-12 * eigen.eigenvalues().maxCoeff()))
        refuse("the compliance of a patch is not positive definite", "fewer elements, or another spacing");
    modes_ = eigen.eigenvectors();
    stiffness_ = eigen.eigenvalues().cwiseInverse();
    damping_ = 2.0 * damping * stiffness_.cwiseSqrt();
}

Viscoelastic::Viscoelastic(const VectorXd& stiffness, const VectorXd& damping)
    : modes_(MatrixXd::Identity(stiffness.size(), stiffness.size())), stiffness_(stiffness), damping_(damping) {
    if (stiffness.size() == 0 || damping.size() != stiffness.size())
        refuse("springs and dashpots of a contact differ in number", {});
    if (!stiffness.allFinite() || !(stiffness.minCoeff() > 0.0))
        refuse("contact stiffness " + in_digits(stiffness.minCoeff()) + " N/m", "positive and finite");
    if (!damping.allFinite() || !(damping.minCoeff() >= 0.0))
        refuse("contact damping " + in_digits(damping.minCoeff()) + " N s/m", "zero or more, and finite");
}

MatrixXd Viscoelastic::stiffness() const { return modes_ * stiffness_.asDiagonal() * modes_.transpose(); }

MatrixXd Viscoelastic::damping() const { return modes_ * damping_.asDiagonal() * modes_.transpose(); }

MatrixXd Viscoelastic::mobility(double h) const {
    return modes_ * (h * stiffness_ + damping_).cwiseInverse().asDiagonal() * modes_.transpose();
}

VectorXd Viscoelastic::recovery(const VectorXd& deflection, double h) const {
    const VectorXd rate = stiffness_.cwiseQuotient(h * stiffness_ + damping_);
    return modes_ * rate.cwiseProduct(modes_.transpose() * deflection);
}

VectorXd Viscoelastic::deflected(const VectorXd& deflection, const VectorXd& force, double h) const {
    const VectorXd pushed = h * (modes_.transpose() * force) + damping_.cwiseProduct(modes_.transpose() * deflection);
    return modes_ * pushed.cwiseQuotient(h * stiffness_ + damping_);
}

double Viscoelastic::energy(const VectorXd& deflection) const {
    const VectorXd modal = modes_.transpose() * deflection;
    return 0.5 * modal.dot(stiffness_.cwiseProduct(modal));
}

}  // namespace scree::reference
