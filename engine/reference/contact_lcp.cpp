// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/contact_lcp.hpp"

#include "engine/model/error.hpp"

#include <Eigen/Cholesky>

#include <utility>

namespace scree::reference {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactLcp::ContactLcp(const MatrixXd& mass, std::vector<Contact> contacts, int directions)
    : contacts_(std::move(contacts)) {
    Index n = 0;
    for (const Contact& contact : contacts_) {
        cones_.push_back(cones_of(contact, directions));
        at_.push_back(n++);
        for (const PolyhedralCone& cone : cones_.back()) n += cone.rows.rows() + 1;
    }
    rows_ = MatrixXd::Zero(n, mass.rows());
    drift_ = VectorXd::Zero(n);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Index at = at_[i];
        rows_.row(at) = contacts_[i].normal;
        drift_[at++] = contacts_[i].drift_normal;
        for (const PolyhedralCone& cone : cones_[i]) {
            rows_.middleRows(at, cone.rows.rows()) = cone.rows;
            drift_.segment(at, cone.rows.rows()) = cone.drift;
            at += cone.rows.rows() + 1;
        }
    }
    const Eigen::LLT<MatrixXd> factor(mass);
    if (factor.info() != Eigen::Success)
        throw model::Error(model::ErrorKind::numerics, "the mass matrix is not positive definite",
                           "check masses and inertias");
    inverse_ = factor.solve(MatrixXd::Identity(mass.rows(), mass.cols()));
    reach_ = inverse_ * rows_.transpose();
    delassus_ = rows_ * reach_;
    // Rounding of the product is not symmetric; the problem is.
    delassus_ = (0.5 * (delassus_ + delassus_.transpose())).eval();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Index at = at_[i] + 1;
        for (const PolyhedralCone& cone : cones_[i]) {
            const Index k = cone.rows.rows(), lambda = at + k;
            delassus_.block(at, lambda, k, 1).setOnes();
            delassus_.block(lambda, at, 1, k).setConstant(-1.0);
            at = lambda + 1;
        }
    }
}

VectorXd ContactLcp::solve_mass(const VectorXd& momentum) const { return inverse_ * momentum; }

complementarity::LinearProblem ContactLcp::problem(const VectorXd& velocity,
                                                   const std::vector<ContactTerms>& terms) const {
    complementarity::LinearProblem problem{delassus_, rows_ * velocity + drift_};
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        problem.vector[at_[i]] += terms[i].offset;
        Index at = at_[i] + 1;
        for (const PolyhedralCone& cone : cones_[i]) {
            const Index lambda = at + cone.rows.rows();
            if (!cone.rolls && terms[i].slip_offset.size() > 0)
                problem.vector.segment(at, cone.rows.rows()) +=
                    cone.weights.leftCols(terms[i].slip_offset.size()) * terms[i].slip_offset;
            const double bound = cone.rolls ? contacts_[i].law.friction.rolling : terms[i].sliding;
            problem.matrix(lambda, at_[i]) = bound;
            problem.vector[lambda] = bound * terms[i].prior;
            at = lambda + 1;
        }
    }
    return problem;
}

ContactImpulses ContactLcp::solve(const VectorXd& velocity, const std::vector<ContactTerms>& terms,
                                  const complementarity::LemkeSettings& settings) const {
    const complementarity::LemkeResult lemke = complementarity::solve_lemke(problem(velocity, terms), settings);
    ContactImpulses result;
    result.z = lemke.z;
    result.velocity = velocity + reach_ * lemke.z;
    result.pivots = lemke.pivots;
    result.certificate = lemke.certificate.worst();
    result.solved = lemke.status == complementarity::LinearStatus::solved;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const bool slides = !cones_[i].empty() && !cones_[i].front().rolls;
        result.slip.push_back(slides ? lemke.z[at_[i] + 1 + cones_[i].front().rows.rows()] : 0.0);
    }
    return result;
}

VectorXd ContactLcp::parting(const std::vector<double>& rates, const complementarity::LemkeSettings& settings) const {
    const auto n = Index(contacts_.size());
    complementarity::LinearProblem problem{MatrixXd(n, n), Eigen::Map<const VectorXd>(rates.data(), n)};
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) problem.matrix(i, j) = delassus_(at_[std::size_t(i)], at_[std::size_t(j)]);
    complementarity::LemkeSettings exact = settings;
    exact.ray_is_failure = false;
    complementarity::LemkeResult lemke = complementarity::solve_lemke(problem, exact);
    if (lemke.status != complementarity::LinearStatus::solved) {
        // Jammed bodies cannot part. With this there is always one solution: as far as they can.
        problem.matrix.diagonal() *= 1.0 + 1e-6;
        lemke = complementarity::solve_lemke(problem, settings);
    }
    if (lemke.status != complementarity::LinearStatus::solved) return VectorXd::Zero(reach_.rows());
    return pushed({lemke.z.begin(), lemke.z.end()});
}

VectorXd ContactLcp::normal_only(const std::vector<double>& normal_impulses) const {
    VectorXd z = VectorXd::Zero(size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) z[at_[i]] = normal_impulses[i];
    return z;
}

VectorXd ContactLcp::pushed(const std::vector<double>& normal_impulses) const {
    return reach_ * normal_only(normal_impulses);
}

ContactOutcome ContactLcp::outcome(std::size_t contact, const VectorXd& z) const {
    ContactOutcome outcome;
    outcome.contact = contacts_[contact];
    outcome.normal_impulse = z[at_[contact]];
    const Index tangents = contacts_[contact].tangent.rows();
    outcome.tangent_impulse = VectorXd::Zero(tangents);
    Index at = at_[contact] + 1;
    for (const PolyhedralCone& cone : cones_[contact]) {
        const VectorXd sum = cone.weights.transpose() * z.segment(at, cone.rows.rows());
        if (cone.rolls) {
            outcome.rolling_impulse = sum;
        } else {
            outcome.tangent_impulse = sum.head(tangents);
            if (sum.size() > tangents) outcome.twist_impulse = sum[tangents];
        }
        at += cone.rows.rows() + 1;
    }
    return outcome;
}

}  // namespace scree::reference
