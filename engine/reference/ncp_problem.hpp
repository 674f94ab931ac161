// SPDX-License-Identifier: BSD-3-Clause
// One geometrically implicit step as a mixed complementarity problem (papers/002, eq. 10 and 11). Unknowns: the
// velocities v at the end of the step; per pair of bodies the nearest points a1, a2 there, with their normal n, signed
// gap d and multipliers (nearest_pair.hpp); the impulses p_n, p_t, p_o and p_r; the slip speed sigma.
//
//   M (v - v_0) = h k(t_0, q_0, v_0) + sum W_n p_n + W_t p_t + W_o p_o + W_r p_r
//   mu p_n e_j u_j + y_j sigma = 0,   u_j = W_j^T v,   p_j = e_j y_j      (j = t, o, r: eq. 10 divided by e_j)
//   0 <= p_n  _|_  d >= 0,   0 <= sigma  _|_  mu^2 p_n^2 - |y|^2 >= 0
//
// The rows of friction are divided by (mu^2 p_n^2 + |y|^2)^(1/2) (plus next to nothing), so that they tell a slip speed
// and an impulse. A contact without load is entered without friction: eq. 10 leaves its sigma open.
// The gap d stands for the paper's f(a2): zero at the same points and a length. W is taken at the end of the step as in
// eq. 10, where impulses act at a1 on body 1 and at a2 on body 2, or at its start. There a flat contact has no one
// point: along its face or edge the point is that of the end, carried back with the bodies, so that it is the centre of
// pressure in both forms.
// Bodies that overlap at the start may end as deep as `floor` says: d - floor stands for d.
// Unknowns and rows are divided by units of length, velocity and mass, and by the way of one step for gaps.
#pragma once

#include "engine/complementarity/mixed_problem.hpp"
#include "engine/reference/nearest_pair.hpp"
#include "engine/reference/world.hpp"

#include <optional>
#include <vector>

namespace scree::reference {

/// Normal, tangents and arms of a contact.
struct ContactFrame {
    Eigen::Vector3d normal, tangent_1, tangent_2, arm_a, arm_b;
};

/// W of the start of the step.
struct FrozenContact {
    ContactFrame frame;
    /// [3 x 0, 1 or 2] unit directions of the edge or face that the contact lies on, across the normal; none: a point.
    Eigen::MatrixXd open = Eigen::MatrixXd::Zero(3, 0);
    double weight_a = 0.5;  ///< Share of body 1 in carrying the point back; the rest is body 2's.
};

struct NcpContact {
    std::size_t body_a = 0, body_b = 0;
    NearestPair start;  ///< Where the iteration begins; its faces are those that take part.
    double mu = 0.0;
    /// e_t, and in space e_o and, with torsion, e_r [m]. Empty without friction.
    Eigen::VectorXd extents;
    Eigen::Index axis = 0;                ///< The world axis that the first tangent is made from.
    std::optional<FrozenContact> frozen;  ///< W at the start of the step; empty: at its end.
    double floor = 0.0;                   ///< Gap at which the bodies may end [m], <= 0.
};

/// Where a contact's unknowns stand.
struct NcpPlaces {
    PairPlaces pair;
    Eigen::Index friction = 0, normal_impulse = 0, slip = 0;
};

struct NcpUnits {
    double length = 1.0, velocity = 1.0, mass = 1.0, gap = 1.0;
};

class NcpProblem final : public complementarity::MixedProblem {
public:
    /// `world`, `start` are kept by reference. `creep` [m/s, >= 0] smooths the friction: sigma + creep stands for sigma
    /// in eq. 10, so that contacts creep where they would stick, mu p_n e u = -y creep.
    NcpProblem(const World& world, const State& start, double h, std::vector<NcpContact> contacts,
               const NcpUnits& units, double creep = 0.0);

    [[nodiscard]] Eigen::Index free() const override { return free_; }
    [[nodiscard]] Eigen::Index bounded() const override { return unit_.size() - free_; }
    void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& value, Eigen::MatrixXd* jacobian) const override;

    /// z in units from velocities and, per contact, (p_n, y); points, normals and multipliers are the contacts' own.
    [[nodiscard]] Eigen::VectorXd start_from(const Eigen::VectorXd& v,
                                             const std::vector<Eigen::VectorXd>& impulses) const;
    [[nodiscard]] Eigen::VectorXd physical(const Eigen::VectorXd& z) const { return unit_.cwiseProduct(z); }
    [[nodiscard]] const std::vector<NcpContact>& contacts() const { return contacts_; }
    [[nodiscard]] const std::vector<NcpPlaces>& places() const { return places_; }
    /// Normal, tangents and arms in which the impulses of a contact act at z (in units).
    [[nodiscard]] ContactFrame frame_of(std::size_t contact, const Eigen::VectorXd& z) const;
    /// The contact whose rows hold number `row`; empty for those of the bodies' momenta.
    [[nodiscard]] std::optional<std::size_t> contact_of(Eigen::Index row) const;
    /// Velocities that move without contact: v_0 + h M^-1 k.
    [[nodiscard]] const Eigen::VectorXd& free_velocities() const { return free_velocities_; }

private:
    [[nodiscard]] Placement placed(std::size_t body, const Eigen::VectorXd& v) const;

    const World& world_;
    const State& start_;
    double h_;
    std::vector<NcpContact> contacts_;
    std::vector<NcpPlaces> places_;
    Eigen::MatrixXd mass_;
    Eigen::VectorXd free_velocities_, unit_, row_unit_;
    Eigen::Index free_ = 0;
    double least_impulse_ = 0.0, creep_ = 0.0;
};

/// Frame of a pair, with the first tangent made from the world axis `axis` (not used in planar worlds).
[[nodiscard]] ContactFrame contact_frame(const NearestPair& pair, const Eigen::Vector3d& centre_a,
                                         const Eigen::Vector3d& centre_b, Eigen::Index axis, bool planar);

}  // namespace scree::reference
