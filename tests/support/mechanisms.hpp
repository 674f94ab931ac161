// SPDX-License-Identifier: BSD-3-Clause
// Small mechanisms in generalised coordinates of their own, for the reference steppers.
#pragma once

#include "engine/reference/system.hpp"
#include "tests/support/rod.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::reference {

/// A mass on a spring that rests on a plane: q = (x, y).
class FrictionOscillator final : public System {
public:
    double stiffness = 1.0, gravity = 1.0;  // mass 1
    ContactLaw law;

    [[nodiscard]] Index coordinates() const override { return 2; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& /*q*/) const override {
        return Eigen::Matrix2d::Identity();
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& /*v*/) const override {
        return Eigen::Vector2d(-stiffness * q[0], -gravity);
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        Contact contact;
        contact.gap = q[1];
        contact.normal = Eigen::RowVector2d(0.0, 1.0);
        contact.tangent = Eigen::RowVector2d(1.0, 0.0);
        contact.law = law;
        if (contact.gap < reach) return {contact};
        return {};
    }
};

/// Beads on a line: bead i may touch bead i + 1, and the first a floor at zero when there is one. Contacts are rigid,
/// or springs of given stiffness that only push.
class BeadLine final : public System {
public:
    std::vector<double> masses;
    double radius = 0.0, gravity = 0.0;
    bool floor = false;
    double restitution = 0.0;
    std::vector<double> stiffness;  ///< Between neighbours [N/m]; empty: rigid.

    [[nodiscard]] Index coordinates() const override { return Index(masses.size()); }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& /*q*/) const override {
        return Eigen::Map<const Eigen::VectorXd>(masses.data(), coordinates()).asDiagonal();
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& /*v*/) const override {
        Eigen::VectorXd f = -gravity * Eigen::Map<const Eigen::VectorXd>(masses.data(), coordinates());
        for (std::size_t i = 0; i < stiffness.size(); ++i) {
            const double push = stiffness[i] * std::max(0.0, -gap(q, Index(i)));
            f[Index(i)] -= push;
            f[Index(i) + 1] += push;
        }
        return f;
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        std::vector<Contact> found;
        for (Index i = floor ? -1 : 0; i + 1 < coordinates() && stiffness.empty(); ++i) {
            if (gap(q, i) >= reach) continue;
            Contact contact;
            contact.identity = std::uint64_t(i + 1);
            contact.gap = gap(q, i);
            contact.normal = Eigen::RowVectorXd::Zero(coordinates());
            contact.normal[i + 1] = 1.0;
            if (i >= 0) contact.normal[i] = -1.0;
            contact.tangent = Eigen::MatrixXd::Zero(0, coordinates());
            contact.law.restitution = restitution;
            found.push_back(contact);
        }
        return found;
    }
    [[nodiscard]] double potential_energy(double /*time*/, const Eigen::VectorXd& q) const override {
        return gravity * Eigen::Map<const Eigen::VectorXd>(masses.data(), coordinates()).dot(q);
    }

private:
    /// Above bead i; i = -1: above the floor.
    [[nodiscard]] double gap(const Eigen::VectorXd& q, Index i) const {
        return i < 0 ? q[0] - radius : q[i + 1] - q[i] - 2.0 * radius;
    }
};

/// A disc of radius 1/2, mass 1 and inertia .4 m R^2 over the plane y = 0: q = (x, y, theta). Its contact is the lowest
/// point of the disc, at any height.
class BouncingDisc final : public System {
public:
    double radius = 0.5, inertia = 0.1, gravity = 9.81;
    ContactLaw law;

    [[nodiscard]] Index coordinates() const override { return 3; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& /*q*/) const override {
        return Eigen::Vector3d(1.0, 1.0, inertia).asDiagonal();
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& /*q*/,
                                        const Eigen::VectorXd& /*v*/) const override {
        return Eigen::Vector3d(0.0, -gravity, 0.0);
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        Contact contact;
        contact.gap = q[1] - radius;
        contact.normal = Eigen::RowVector3d(0.0, 1.0, 0.0);
        contact.tangent = Eigen::RowVector3d(1.0, 0.0, radius);
        contact.law = law;
        if (contact.gap < reach) return {contact};
        return {};
    }
};

/// A stick over the plane y = 0 with both ends in contact: q = (x, y, theta), theta from the vertical (validation.md,
/// B18).
class ImpactingStick final : public System {
public:
    double length = 1.0, inertia = 1.0 / 12.0, gravity = 10.0;  // mass 1
    ContactLaw law;

    [[nodiscard]] Index coordinates() const override { return 3; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& /*q*/) const override {
        return Eigen::Vector3d(1.0, 1.0, inertia).asDiagonal();
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& /*q*/,
                                        const Eigen::VectorXd& /*v*/) const override {
        return Eigen::Vector3d(0.0, -gravity, 0.0);
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        std::vector<Contact> found;
        for (const double end : {-0.5 * length, 0.5 * length}) {
            // The end (x - end sin, y + end cos).
            Contact contact;
            contact.identity = end < 0.0 ? 0 : 1;
            contact.gap = q[1] + end * std::cos(q[2]);
            contact.normal = Eigen::RowVector3d(0.0, 1.0, -end * std::sin(q[2]));
            contact.tangent = Eigen::RowVector3d(1.0, 0.0, -end * std::cos(q[2]));
            contact.law = law;
            if (contact.gap < reach) found.push_back(contact);
        }
        return found;
    }
    [[nodiscard]] double potential_energy(double /*time*/, const Eigen::VectorXd& q) const override {
        return gravity * q[1];
    }
};

}  // namespace scree::reference
