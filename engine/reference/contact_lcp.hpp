// SPDX-License-Identifier: BSD-3-Clause
// The linear complementarity problem of one step, for several contacts (papers/004, eq. 2.13 to 2.16, the block of one
// contact replicated). Per contact, with G the rows n^T and d_j^T and v+ = v + M^-1 G^T z:
//
//   0 <= c_n    _|_  n^T v+ + drift + offset          >= 0   [m/s]
//   0 <= beta_j _|_  lambda + d_j^T v+ + drift_j + d_j . slip_offset  >= 0   [m/s]
//   0 <= lambda _|_  mu (c_n + prior) - sum_j beta_j  >= 0   [N s]
//
// A contact may have two pairs (beta, lambda): sliding and rolling. lambda is the speed of slip. The conditions in beta
// and lambda say that friction dissipates as much as any impulse of its polyhedron could (eq. 1.2).
#pragma once

#include "engine/complementarity/lemke.hpp"
#include "engine/reference/polyhedral_cone.hpp"

#include <vector>

namespace scree::reference {

/// Right-hand sides of one contact.
struct ContactTerms {
    double offset = 0.0;          ///< [m/s]: gap / h, or restitution times the approach.
    Eigen::VectorXd slip_offset;  ///< [m/s], per tangent: tangential restitution times the slip before; empty: zero.
    double sliding = 0.0;         ///< mu [-]
    double prior = 0.0;  ///< Normal impulse [N s] that acts already and bounds friction too (Poisson's second phase).
};

struct ContactImpulses {
    Eigen::VectorXd z;         ///< All unknowns.
    Eigen::VectorXd velocity;  ///< v+ [nv]
    std::vector<double> slip;  ///< lambda of the sliding cone per contact [m/s]; 0 without friction.
    std::size_t pivots = 0;
    double certificate = 0.0;  ///< Worst entry of LinearCertificate.
    bool solved = false;
};

/// Mass and rows are fixed; right-hand sides may change from solve to solve.
class ContactLcp {
public:
    /// `mass` symmetric positive definite; throws model::Error (numerics) when its factorisation fails.
    ContactLcp(const Eigen::MatrixXd& mass, std::vector<Contact> contacts, int directions);

    [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
    [[nodiscard]] Index size() const { return rows_.rows(); }
    /// The problem as Lemke gets it; `velocity` is v without contact impulses [nv].
    [[nodiscard]] complementarity::LinearProblem problem(const Eigen::VectorXd& velocity,
                                                         const std::vector<ContactTerms>& terms) const;
    [[nodiscard]] ContactImpulses solve(const Eigen::VectorXd& velocity, const std::vector<ContactTerms>& terms,
                                        const complementarity::LemkeSettings& settings) const;

    [[nodiscard]] Eigen::VectorXd solve_mass(const Eigen::VectorXd& momentum) const;
    [[nodiscard]] double normal_impulse(std::size_t contact, const Eigen::VectorXd& z) const { return z[at_[contact]]; }
    /// Velocity change by normal impulses [one per contact] alone.
    [[nodiscard]] Eigen::VectorXd pushed(const std::vector<double>& normal_impulses) const;
    /// The least velocity u (in the metric of the mass) that lets no gap close further than allowed: n_i u + rate_i >=
    /// 0 for every contact, without friction. `rates` [m/s, one per contact]. Zero where it is not found.
    [[nodiscard]] Eigen::VectorXd parting(const std::vector<double>& rates,
                                          const complementarity::LemkeSettings& settings) const;
    /// z with these normal impulses [one per contact] and nothing else.
    [[nodiscard]] Eigen::VectorXd normal_only(const std::vector<double>& normal_impulses) const;
    /// Impulses of all kinds in the contact's own components.
    [[nodiscard]] ContactOutcome outcome(std::size_t contact, const Eigen::VectorXd& z) const;

private:
    std::vector<Contact> contacts_;
    std::vector<std::vector<PolyhedralCone>> cones_;
    std::vector<Index> at_;     ///< Place of c_n; the cones follow, each beta, then lambda.
    Eigen::MatrixXd rows_;      ///< G [n x nv]; rows of lambda are zero.
    Eigen::MatrixXd reach_;     ///< M^-1 G^T [nv x n]
    Eigen::MatrixXd inverse_;   ///< M^-1 [nv x nv]
    Eigen::MatrixXd delassus_;  ///< G M^-1 G^T with the couplings of beta and lambda, without mu.
    Eigen::VectorXd drift_;     ///< [n]
};

}  // namespace scree::reference
