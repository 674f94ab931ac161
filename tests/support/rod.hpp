// SPDX-License-Identifier: BSD-3-Clause
// Painleve's rod: a thin rod whose lower end slides on a table, as a mechanism of its own.
#pragma once

#include "engine/reference/system.hpp"

#include <cmath>
#include <vector>

namespace scree::reference {

/// A slender rod over the plane y = 0: q = (x, y, theta) of its centre and its angle to the horizontal,
/// counterclockwise, one contact at the lower end (x - l cos, y - l sin) of half-length l, tangent +x (papers/004,
/// section 1.3; validation.md, B22).
class PainleveRod final : public System {
public:
    double half_length = 1.0, mass_ = 1.0, inertia = 1.0 / 3.0, gravity = 9.81;
    ContactLaw law;

    [[nodiscard]] Index coordinates() const override { return 3; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& /*q*/) const override {
        return Eigen::Vector3d(mass_, mass_, inertia).asDiagonal();
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& /*q*/,
                                        const Eigen::VectorXd& /*v*/) const override {
        return Eigen::Vector3d(0.0, -mass_ * gravity, 0.0);
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        const double c = half_length * std::cos(q[2]), s = half_length * std::sin(q[2]);
        Contact contact;
        contact.gap = q[1] - s;
        contact.normal = Eigen::RowVector3d(0.0, 1.0, -c);
        contact.tangent = Eigen::RowVector3d(1.0, 0.0, s);
        contact.law = law;
        if (contact.gap < reach) return {contact};
        return {};
    }
    [[nodiscard]] double potential_energy(double /*time*/, const Eigen::VectorXd& q) const override {
        return mass_ * gravity * q[1];
    }
    /// The end touches the table at x = 0 and moves along it at `slip`; the rod turns at `spin`.
    [[nodiscard]] State touching(double angle, double slip, double spin) const {
        const double c = half_length * std::cos(angle), s = half_length * std::sin(angle);
        return {0.0, Eigen::Vector3d(c, s, angle), Eigen::Vector3d(slip - s * spin, c * spin, spin)};
    }
};

}  // namespace scree::reference
