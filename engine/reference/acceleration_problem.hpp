// SPDX-License-Identifier: BSD-3-Clause
// The matrices of the acceleration-level contact problem (papers/003, eq. 20 to 22).
#pragma once

#include "engine/reference/acceleration.hpp"

#include <Eigen/Cholesky>

#include <vector>

namespace scree::reference {

/// A contact that rolls or slides, in a frame of its own: where it slides the first tangent is along the slip, so that
/// friction is (-mu c_n, 0). Anisotropy is in the second row, scaled by the aspect: cones are round everywhere below.
struct ActiveContact {
    bool sliding = false;
    double mu = 0.0;
    double slip_speed = 0.0;  ///< [m/s]
    double weight = 1.0;      ///< Mean diagonal entry of A [1/kg]: acceleration per force.
    Eigen::MatrixXd frame;    ///< rows of the problem = frame * tangents of the contact.
};

/// a = A c + b per contact [n, t(, o)], contact-major.
struct AccelerationProblem {
    int dimension = 3;  ///< 2 or 3
    std::vector<ActiveContact> contacts;
    Eigen::MatrixXd rows;  ///< W^T [d nc x nv]
    Eigen::LLT<Eigen::MatrixXd> mass;
    Eigen::VectorXd free_acceleration;  ///< M^-1 k [nv]
    Eigen::MatrixXd A;
    Eigen::VectorXd b;
    Eigen::VectorXd curvature;  ///< Rates of the rows times the velocity: the part of b that is not M^-1 k.
    double scale = 1.0;         ///< Largest entry of b [m/s^2]; 1 where b = 0.

    [[nodiscard]] Eigen::Index size() const { return b.size(); }
    [[nodiscard]] Eigen::Index count() const { return Eigen::Index(contacts.size()); }
    /// c_n at which the contact's own weight in A gives `scale` [N].
    [[nodiscard]] double force_unit(Eigen::Index contact) const {
        return scale / contacts[std::size_t(contact)].weight;
    }
    [[nodiscard]] Eigen::VectorXd motion(const Eigen::VectorXd& c) const {
        return free_acceleration + mass.solve(rows.transpose() * c);
    }
};

/// State of each contact with gap <= tolerance.
[[nodiscard]] std::vector<ContactReport> classify(const System& system, const State& state,
                                                  const AnalysisSettings& settings);

/// The problem of the rolling and sliding ones, and which these are. Throws model::Error (input) when contacts differ
/// in their number of tangents; appends to `notes` what the model leaves out.
[[nodiscard]] AccelerationProblem acceleration_problem(const System& system, const State& state,
                                                       const std::vector<ContactReport>& contacts,
                                                       std::vector<std::size_t>& active,
                                                       std::vector<std::string>& notes);

}  // namespace scree::reference
