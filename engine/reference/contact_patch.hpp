// SPDX-License-Identifier: BSD-3-Clause
// A patch of contact: the elements that share one near point of two bodies, their rows and what they remember.
#pragma once

#include "engine/reference/influence.hpp"
#include "engine/reference/world.hpp"

#include <array>

namespace scree::reference {

/// Forces and deflections of the elements of one contact, in the order n of all elements, t of all, (o of all); they
/// act on body b, and body a bears the opposite. Kept from step to step by the contact's identity: element k stays at
/// its place about the point of contact, not with the material.
struct PatchState {
    Eigen::VectorXd deflection;  ///< delta [m]
    Eigen::VectorXd force;       ///< lambda [N]
    Eigen::VectorXd slip;        ///< s [m/s]: speed at which surfaces part (n) and slip (t, o), with their deflection.
    Eigen::VectorXd separation;  ///< Psi [m, per element] of the undeformed surfaces at the start of the last step.
    std::array<Eigen::Vector3d, 2> tangents{};  ///< World axes (t, o); zero where the system gives none.

    [[nodiscard]] Index elements() const { return separation.size(); }
};

/// The rows of all elements of a contact at one instant.
struct PatchRows {
    Contact contact;             ///< As the system gave it.
    Eigen::MatrixXd rows;        ///< W [(2 or 3) elements x nv]
    Eigen::VectorXd drift;       ///< [m/s], of prescribed parts
    Eigen::VectorXd separation;  ///< Psi [m] per element; infinity where a surface has no point over the element.
    std::vector<Eigen::Vector2d> centres;       ///< (t, o) of the elements about the point of contact [m]
    std::array<Eigen::Vector3d, 2> tangents{};  ///< World axes; zero where the system gives none.
    Eigen::MatrixXd turn;                       ///< These tangents in the contact's own [1 or 2]^2.

    [[nodiscard]] Index elements() const { return separation.size(); }
};

/// One element at the point of contact itself; any system.
[[nodiscard]] PatchRows single_element(const Contact& contact);

/// The grid of elements laid into the tangent plane; `before`: the tangents of the last step, which are carried along
/// without a turn about the normal, or null for the contact's own.
[[nodiscard]] PatchRows grid_elements(const World& world, const Contact& contact, const PatchGrid& grid, double time,
                                      const Eigen::VectorXd& q, const std::array<Eigen::Vector3d, 2>* before);

/// The sum over a patch in the contact's own components: forces, and their moments about the point of contact as twist
/// and rolling impulses. `impulse` [N s] is ordered like the rows.
[[nodiscard]] ContactOutcome sum_of(const PatchRows& patch, const Eigen::VectorXd& impulse);

}  // namespace scree::reference
