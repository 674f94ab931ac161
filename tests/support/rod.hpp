// SPDX-License-Identifier: BSD-3-Clause
// Painleve's rod: a thin rod whose lower end slides on a table (papers/004, section 1.3), as a mechanism of its own.
#pragma once

#include "engine/reference/system.hpp"

#include <cmath>

namespace scree::test {

/// q = (x, y, angle to the table) of the centre, counterclockwise; the end at `half_length` times (-cos, -sin) from it
/// is over the table y = 0. The tangent is +x.
class Rod final : public reference::System {
public:
    double half_length = 1.0, mass_ = 1.0, inertia = 1.0 / 3.0, gravity = 9.81;
    reference::ContactLaw law;

    [[nodiscard]] Eigen::Index coordinates() const override { return 3; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd&) const override {
        return Eigen::Vector3d(mass_, mass_, inertia).asDiagonal();
    }
    [[nodiscard]] Eigen::VectorXd force(double, const Eigen::VectorXd&, const Eigen::VectorXd&) const override {
        return Eigen::Vector3d(0.0, -mass_ * gravity, 0.0);
    }
    [[nodiscard]] std::vector<reference::Contact> contacts(double, const Eigen::VectorXd& q,
                                                           double reach) const override {
        const double c = half_length * std::cos(q[2]), s = half_length * std::sin(q[2]);
        reference::Contact contact;
        contact.gap = q[1] - s;
        if (!(contact.gap < reach)) return {};
        contact.normal = Eigen::RowVector3d(0.0, 1.0, -c);
        contact.tangent = Eigen::RowVector3d(1.0, 0.0, s);
        contact.law = law;
        return {contact};
    }

    /// The end touches the table and moves along it at `slip`; the rod turns at `spin`.
    [[nodiscard]] reference::State touching(double angle, double slip, double spin) const {
        const double c = half_length * std::cos(angle), s = half_length * std::sin(angle);
        return {0.0, Eigen::Vector3d(0.0, s, angle), Eigen::Vector3d(slip - s * spin, c * spin, spin)};
    }
};

}  // namespace scree::test
