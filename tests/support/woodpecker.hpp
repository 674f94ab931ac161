// SPDX-License-Identifier: BSD-3-Clause
// Glocker's woodpecker toy: a sleeve M with play on a vertical pole, and a woodpecker S on a rotational spring fixed to
// the sleeve. q = (y, phi_M, phi_S): height of the sleeve's centre [m] and the two angles [rad], which are small enough
// to be kept to first order, as Glocker does ("Dynamik von Starrkörpersystemen mit Reibung und Stößen", 1995;
// validation.md, B15). All rows and the mass matrix are then constant.
#pragma once

#include "engine/reference/system.hpp"

#include <array>
#include <vector>

namespace scree::reference {

class WoodpeckerToy final : public System {
public:
    // Pole and sleeve radius, half height of the sleeve, sleeve's centre to the spring, spring to the centre of mass of
    // S, height and distance of the beak from the spring [m].
    double pole = 0.0025, sleeve = 0.0031, half_height = 0.0058, to_spring = 0.010, to_centre = 0.015,
           beak_height = 0.02, beak_length = 0.0201;
    double sleeve_mass = 3e-4, bird_mass = 4.5e-3;        // [kg]
    double sleeve_inertia = 5e-9, bird_inertia = 7e-7;    // [kg m^2]
    double stiffness = 0.0056, gravity = 9.81;            // [N m/rad], [m/s^2]
    double friction = 0.3;                                // of all three contacts
    std::array<double, 3> restitution = {0.5, 0.0, 0.0};  // beak, lower edge, upper edge

    [[nodiscard]] Index coordinates() const override { return 3; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& /*q*/) const override {
        // The centre of S rises at (1, l_M, l_G) v; M and S turn about their centres.
        const Eigen::Vector3d bird(1.0, to_spring, to_centre);
        Eigen::Matrix3d m = bird_mass * bird * bird.transpose();
        m.diagonal() += Eigen::Vector3d(sleeve_mass, sleeve_inertia, bird_inertia);
        return m;
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& /*v*/) const override {
        const double moment = stiffness * (q[1] - q[2]);
        return Eigen::Vector3d(-(sleeve_mass + bird_mass) * gravity, -moment - bird_mass * gravity * to_spring,
                               moment - bird_mass * gravity * to_centre);
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        const double play = sleeve - pole;
        std::vector<Contact> found;
        const auto add = [&](std::size_t identity, double gap, const Eigen::RowVector3d& normal,
                             const Eigen::RowVector3d& tangent) {
            if (gap >= reach) return;
            Contact contact;
            contact.identity = identity;
            contact.gap = gap;
            contact.normal = normal;
            contact.tangent = tangent;
            contact.law = {.friction = {.sliding = friction}, .restitution = restitution[identity]};
            found.push_back(contact);
        };
        add(0, to_spring + to_centre - beak_length - pole - beak_height * q[2], {0.0, 0.0, -beak_height},
            {1.0, to_spring, to_centre - beak_length});
        add(1, play + half_height * q[1], {0.0, half_height, 0.0}, {1.0, sleeve, 0.0});
        add(2, play - half_height * q[1], {0.0, -half_height, 0.0}, {1.0, sleeve, 0.0});
        return found;
    }
    /// Rows are far shorter than two, but for the tangents: only normals close gaps.
    [[nodiscard]] double closing_speed(const Eigen::VectorXd& v) const override { return beak_height * v.norm(); }
    [[nodiscard]] double potential_energy(double /*time*/, const Eigen::VectorXd& q) const override {
        const double bird = q[0] + to_spring * q[1] + to_centre * q[2], twist = q[1] - q[2];
        return gravity * (sleeve_mass * q[0] + bird_mass * bird) + 0.5 * stiffness * twist * twist;
    }
};

}  // namespace scree::reference
