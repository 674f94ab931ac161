// SPDX-License-Identifier: BSD-3-Clause
// What the reference steppers step: a mechanical system in generalised coordinates with unilateral contacts and Coulomb
// friction, small and in double precision (papers/004, eq. 2.1 to 2.6).
//
//   M(q) dv/dt = k(t, q, v) + sum_i (n_i^T p_i + D_i^T f_i),   q moves along v
//
// World (world.hpp) is the system of free rigid bodies; mechanisms are systems of their own.
#pragma once

#include <Eigen/Core>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace scree::reference {

using Eigen::Index;

/// Dry friction at a contact. The bound of the friction force is mu times the normal force.
struct FrictionLaw {
    double sliding = 0.0;    ///< mu_d [-] of a contact that slides, >= 0
    double sticking = -1.0;  ///< mu_s [-] of a contact that sticks, >= sliding; negative: the same as sliding
    /// Velocity-dependent: mu(|u_t|) falls from sticking to sliding as exp(-|u_t| / fall_speed) [m/s]. 0: it jumps when
    /// the contact breaks away, and jumps back when it comes to rest (hysteresis).
    double fall_speed = 0.0;
    /// Anisotropic (elliptic) cone: mu along the second tangent is `aspect` times mu along the first, > 0.
    double aspect = 1.0;
    /// Torsional friction: the moment about the normal is at most mu torsion_radius p_n in the elliptic law
    /// (f_t / mu)^2 + (f_o / (mu aspect))^2 + (m_r / (mu torsion_radius))^2 <= p_n^2 [m]; 0: none.
    double torsion_radius = 0.0;
    /// Rolling resistance: the moment about the tangents is at most rolling p_n [m]; 0: none.
    double rolling = 0.0;
};

struct ContactLaw {
    FrictionLaw friction{};
    double restitution = 0.0;  ///< e [-], in [0, 1]
    /// e_t [-], in [0, 1]: in an impact friction aims at a slip of minus e_t times the one before (superballs), not at
    /// rest. 0: plain Coulomb friction.
    double tangential_restitution = 0.0;
};

/// One contact point, or one that may close within the step.
struct Contact {
    /// The same from step to step for the same pair and feature.
    std::uint64_t identity = 0;
    double gap = 0.0;           ///< [m], negative when overlapping
    Eigen::RowVectorXd normal;  ///< [nv]: rate of the gap = normal v + drift_normal
    Eigen::MatrixXd tangent;    ///< [1 or 2 x nv]: slip velocity = tangent v + drift_tangent; orthonormal directions
    Eigen::RowVectorXd twist;   ///< [nv]: relative spin about the normal [rad/s]; empty in the plane
    /// [1 or 2 x nv]: relative spin about the tangents (in the plane: within it) [rad/s]; empty: no rolling resistance.
    Eigen::MatrixXd rolling;
    double drift_normal = 0.0;      ///< [m/s], motion of prescribed parts
    Eigen::VectorXd drift_tangent;  ///< [m/s], as many as tangents; empty: zero
    ContactLaw law;
    // For reports: in world axes, from body a to body b (indices of the system's own; -1 where there is none).
    Index body_a = -1, body_b = -1;
    Eigen::Vector3d point = Eigen::Vector3d::Zero(), direction = Eigen::Vector3d::UnitZ();
};

struct State {
    double time = 0.0;  ///< [s]
    Eigen::VectorXd q;  ///< Generalised coordinates [nq]
    Eigen::VectorXd v;  ///< Generalised velocities [nv]
};

class System {
public:
    virtual ~System() = default;
    [[nodiscard]] virtual Index coordinates() const = 0;
    [[nodiscard]] virtual Index velocities() const { return coordinates(); }
    /// M(q) [nv x nv], symmetric positive definite.
    [[nodiscard]] virtual Eigen::MatrixXd mass(const Eigen::VectorXd& q) const = 0;
    /// k(t, q, v) [nv]: applied, elastic, Coriolis and gyroscopic forces; all but contact.
    [[nodiscard]] virtual Eigen::VectorXd force(double time, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& v) const = 0;
    /// The coordinates after moving along v for h.
    [[nodiscard]] virtual Eigen::VectorXd moved(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h) const {
        return q + h * v;
    }
    /// An upper bound of the speed at which any gap closes when the system moves with v [m/s]: how far steppers look
    /// for contacts. The default suits coordinates whose contact rows are no longer than two.
    [[nodiscard]] virtual double closing_speed(const Eigen::VectorXd& v) const { return 2.0 * v.norm(); }
    /// All contacts whose gap is below `reach` [m], in a fixed order.
    [[nodiscard]] virtual std::vector<Contact> contacts(double time, const Eigen::VectorXd& q, double reach) const = 0;
    /// Potential energy [J] of applied and elastic forces, for balances; 0 where it has none.
    [[nodiscard]] virtual double potential_energy(double /*time*/, const Eigen::VectorXd& /*q*/) const { return 0.0; }
};

/// v . M(q) v / 2 [J].
[[nodiscard]] inline double kinetic_energy(const System& system, const State& state) {
    return 0.5 * state.v.dot(system.mass(state.q) * state.v);
}

/// What one step did.
struct ContactOutcome {
    Contact contact;                  ///< As it was found at the start of the step (or where the stepper says).
    double normal_impulse = 0.0;      ///< [N s]
    Eigen::VectorXd tangent_impulse;  ///< [N s], along the contact's tangents
    double twist_impulse = 0.0;       ///< [N m s]
    Eigen::VectorXd rolling_impulse;  ///< [N m s], along the contact's rolling rows; empty where there is none.
};
struct StepOutcome {
    std::vector<ContactOutcome> contacts;
    std::size_t iterations = 0;  ///< Of the stepper's own kind (pivots, Newton iterations).
    double residual = 0.0;  ///< Certificate of the complementarity problem solved, relative; the stepper says which.
    bool converged = false;
    std::size_t substeps = 1;  ///< Parts in which the step was solved; impulses are their sums.
};

/// One way of stepping. Steppers may keep memory of contacts between steps (hysteresis, warm starts).
class Stepper {
public:
    virtual ~Stepper() = default;
    /// Advances `state` by h. Throws model::Error (numerics) with the time and contacts when the step has no solution
    /// that passes its certificate.
    virtual StepOutcome step(const System& system, State& state, double h) = 0;
    /// A flag that ends a step half way when it becomes true: step() then throws model::Interrupted and leaves the
    /// state as it was. It must outlive the stepper; steppers whose steps are short may ignore it.
    virtual void watch(const std::atomic<bool>* /*interrupt*/) {}
    /// All that the stepper remembers between steps: another stepper of the same settings that takes it continues bit
    /// for bit. Empty for steppers that remember nothing.
    [[nodiscard]] virtual std::vector<double> memory() const { return {}; }
    /// Throws std::invalid_argument when it is no memory of such a stepper.
    virtual void restore(const std::vector<double>& memory) {
        if (!memory.empty()) throw std::invalid_argument("this stepper remembers nothing between steps");
    }
};

}  // namespace scree::reference
