// SPDX-License-Identifier: BSD-3-Clause
// Materials and the explicit table of material pairs.
#pragma once

#include <cstddef>
#include <string>

namespace scree::model {

/// What a body or boundary is made of.
struct Material {
    std::string name;
    /// Mass density [kg/m^3], > 0. Used for the mass of free bodies; boundaries ignore it.
    double density = 2500.0;
    /// Young's modulus [Pa] and Poisson's ratio [-] for the stepper compliant; negative: those of its settings.
    double young = -1.0, poisson = -1.0;
};

/// The contact law between two materials (order does not matter). Every pair that can meet must be listed once.
struct MaterialPair {
    std::size_t first = 0, second = 0;  ///< Indices into Scene::materials.
    /// Coulomb friction coefficient [-], >= 0.
    double friction = 0.5;
    /// Coefficient of normal restitution [-], in [0, 1]: ratio of separation to approach speed.
    double restitution = 0.0;
    /// Coefficient of tangential restitution e_t [-], in [0, 1): a contact that sticks in an impact rebounds at e_t
    /// times its tangential speed. 0 is the rigid law. A spring-dashpot code with k_t = 2/7 k_n and gamma_t = gamma_n /
    /// 2 has e_t = e^1.75. Too high: impacts keep spinning.
    double tangential_restitution = 0.0;
    /// Rolling resistance mu_r [m], >= 0: the moment about tangent axes is at most mu_r times the normal force.
    double rolling_resistance = 0.0;
    /// Spinning resistance mu_s [m], >= 0: the moment about the normal is at most mu_s times the normal force.
    double spinning_resistance = 0.0;
    /// Cohesion [N], >= 0: the pull that a closed contact bears before it opens.
    double cohesion = 0.0;
    /// Contact stiffness k [N/m] of the implicit compliance; 0 takes Settings::contact.stiffness.
    /// Too low: visible overlap. Too high: more solver iterations, towards the rigid limit.
    double stiffness = 0.0;
    // Laws of the reference steppers (model/stepper.hpp); the production step has none of them.
    /// Friction coefficient of a contact that sticks [-], >= friction; negative: the same as friction.
    double static_friction = -1.0;
    /// Slip speed [m/s] over which the coefficient falls from static_friction to friction, exponentially; 0: it jumps
    /// when the contact breaks away.
    double fall_speed = 0.0;
    /// Anisotropic friction: the coefficient along the second tangent over that along the first, > 0. 1: isotropic.
    double friction_aspect = 1.0;
    /// Torsional friction: the moment about the normal is at most friction times this times the normal force, and
    /// shares the cone with the friction force [m].
    double torsion_radius = 0.0;
};

}  // namespace scree::model
