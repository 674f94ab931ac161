// SPDX-License-Identifier: BSD-3-Clause
// Free and fixed rigid bodies as a System: q = (position, quaternion w x y z) of each free body, v = (velocity, angular
// velocity), both in world axes. In planar worlds bodies move in the x-z plane: v = (v_x, v_z, w_y) of each free body.
#pragma once

#include "engine/reference/shape.hpp"
#include "engine/reference/system.hpp"

#include <Eigen/Geometry>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace scree::reference {

struct Pose {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();

    [[nodiscard]] Eigen::Vector3d to_world(const Eigen::Vector3d& p) const { return position + orientation * p; }
    [[nodiscard]] Eigen::Vector3d to_body(const Eigen::Vector3d& p) const {
        return orientation.conjugate() * (p - position);
    }
};

struct Body {
    std::string name;
    Shape shape = Sphere{};
    double mass = 1.0;                       ///< [kg]; ignored when fixed
    Eigen::Vector3d inertia{1.0, 1.0, 1.0};  ///< Principal [kg m^2], body axes
    bool fixed = false;                      ///< Infinite mass: moves with its velocities alone.
    std::size_t material = 0;
    // At the start.
    Pose pose;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< [m/s]
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s], world axes
};

/// Force [N] and torque about the centre of mass [N m], world axes.
struct Wrench {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

/// Two unit vectors that make a right-handed frame (n, t1, t2) with the unit vector n: t1 is the world axis least along
/// n, made orthogonal to it. In planar worlds t1 = (n_z, 0, -n_x) and t2 = e_y.
[[nodiscard]] std::pair<Eigen::Vector3d, Eigen::Vector3d> tangents_of(const Eigen::Vector3d& n, bool planar);

class World final : public System {
public:
    std::vector<Body> bodies;
    bool planar = false;
    Eigen::Vector3d gravity{0.0, 0.0, -9.81};
    std::size_t materials = 1;
    std::vector<ContactLaw> laws{ContactLaw{}};  ///< [materials x materials]
    /// Outer wrench on a body, beside gravity; may be empty.
    std::function<Wrench(double time, std::size_t body, const Pose& pose, const Eigen::Vector3d& velocity,
                         const Eigen::Vector3d& angular_velocity)>
        wrench;

    [[nodiscard]] Index free_bodies() const;
    /// Place of body `index` in the free bodies' order; -1 when it is fixed.
    [[nodiscard]] Index slot(std::size_t index) const;
    [[nodiscard]] State start() const;
    [[nodiscard]] Pose pose(std::size_t body, double time, const Eigen::VectorXd& q) const;
    /// (velocity, angular velocity) [6] of a body, free or fixed.
    [[nodiscard]] Eigen::Matrix<double, 6, 1> twist(std::size_t body, const Eigen::VectorXd& v) const;
    [[nodiscard]] const ContactLaw& law(std::size_t body_a, std::size_t body_b) const {
        return laws[bodies[body_a].material * materials + bodies[body_b].material];
    }
    /// The contact rows of one point: `normal` from a to b [unit]; identity and gap are the caller's.
    [[nodiscard]] Contact contact_at(std::size_t a, std::size_t b, const Eigen::Vector3d& point,
                                     const Eigen::Vector3d& normal, double gap, double time,
                                     const Eigen::VectorXd& q) const;

    [[nodiscard]] Index coordinates() const override { return 7 * free_bodies(); }
    [[nodiscard]] Index velocities() const override { return (planar ? 3 : 6) * free_bodies(); }
    [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& q) const override;
    [[nodiscard]] Eigen::VectorXd force(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const override;
    [[nodiscard]] Eigen::VectorXd moved(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h) const override;
    [[nodiscard]] std::vector<Contact> contacts(double time, const Eigen::VectorXd& q, double reach) const override;
    [[nodiscard]] double potential_energy(double time, const Eigen::VectorXd& q) const override;
};

}  // namespace scree::reference
