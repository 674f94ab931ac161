// SPDX-License-Identifier: BSD-3-Clause
// Slider-crank with a translational clearance joint: q = (theta_1, theta_2, theta_3), the angles of crank, rod and
// slider to the horizontal. The slider, 2 a long and 2 b high, hangs on the end of the rod by its centre and may touch
// two parallel guides with its four corners; between them it has the clearance c on either side. Model of Flores,
// Leine and Glocker (2010), "Modeling and analysis of planar rigid multibody systems with translational clearance
// joints based on the non-smooth dynamics approach", Multibody System Dynamics 23 (validation.md, B24).
#pragma once

#include "engine/reference/system.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace scree::reference {

class SliderCrank final : public System {
public:
    // The publication's table 1, as Siconos' example SliderCrank lists it.
    double crank = 0.153, rod = 0.306, half_length = 0.05, half_height = 0.025, clearance = 0.001;  // [m]
    double crank_mass = 0.038, rod_mass = 0.038, slider_mass = 0.076;                               // [kg]
    double crank_inertia = 7.4e-5, rod_inertia = 5.9e-4, slider_inertia = 2.7e-6;                   // [kg m^2]
    double gravity = 9.81;
    ContactLaw law;

    [[nodiscard]] Index coordinates() const override { return 3; }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& q) const override {
        const double mixed = coupling() * std::cos(q[1] - q[0]);
        Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
        m(0, 0) = crank_inertia + (0.25 * crank_mass + rod_mass + slider_mass) * crank * crank;
        m(1, 1) = rod_inertia + (0.25 * rod_mass + slider_mass) * rod * rod;
        m(2, 2) = slider_inertia;
        m(0, 1) = m(1, 0) = mixed;
        return m;
    }
    [[nodiscard]] Eigen::VectorXd force(double /*time*/, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v) const override {
        const double centrifugal = coupling() * std::sin(q[1] - q[0]);
        return Eigen::Vector3d(
            centrifugal * v[1] * v[1] - (0.5 * crank_mass + rod_mass + slider_mass) * gravity * crank * std::cos(q[0]),
            -centrifugal * v[0] * v[0] - (0.5 * rod_mass + slider_mass) * gravity * rod * std::cos(q[1]), 0.0);
    }
    [[nodiscard]] std::vector<Contact> contacts(double /*time*/, const Eigen::VectorXd& q,
                                                double reach) const override {
        const double c = std::cos(q[2]), s = std::sin(q[2]);
        const double centre = crank * std::sin(q[0]) + rod * std::sin(q[1]);
        std::vector<Contact> found;
        std::uint64_t identity = 0;
        for (const double side : {1.0, -1.0})  // upper guide, lower guide
            for (const double end : {-half_length, half_length}) {
                const double along = end * c - side * half_height * s, across = end * s + side * half_height * c;
                Contact contact;
                contact.identity = identity++;
                contact.gap = half_height + clearance - side * (centre + across);
                contact.normal = -side * Eigen::RowVector3d(crank * std::cos(q[0]), rod * std::cos(q[1]), along);
                contact.tangent = Eigen::RowVector3d(-crank * std::sin(q[0]), -rod * std::sin(q[1]), -across);
                contact.law = law;
                if (contact.gap < reach) found.push_back(contact);
            }
        return found;
    }
    /// No row of a normal is longer than crank, rod and the slider's half diagonal.
    [[nodiscard]] double closing_speed(const Eigen::VectorXd& v) const override {
        return crank * std::abs(v[0]) + rod * std::abs(v[1]) + std::hypot(half_length, half_height) * std::abs(v[2]);
    }
    [[nodiscard]] double potential_energy(double /*time*/, const Eigen::VectorXd& q) const override {
        return gravity * ((0.5 * crank_mass + rod_mass + slider_mass) * crank * std::sin(q[0]) +
                          (0.5 * rod_mass + slider_mass) * rod * std::sin(q[1]));
    }

private:
    [[nodiscard]] double coupling() const { return (0.5 * rod_mass + slider_mass) * crank * rod; }
};

}  // namespace scree::reference
