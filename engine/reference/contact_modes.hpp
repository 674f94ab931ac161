// SPDX-License-Identifier: BSD-3-Clause
// Boxes of contact modes: for each contact a mode, or a set of modes, whose laws become linear constraints with a
// polyhedral cone of forces. A box whose constraints have no solution holds no solution of the contact problem.
//
// 1. The modes of a contact do not overlap: open means a_n >= least, sliding means |a_t| >= least, for the
//    least_acceleration of acceleration_law.hpp. What lies between counts as closed or as rolling.
// 2. The constraints of a box admit every solution in it: cones are replaced by polyhedral ones around them.
// 3. The boxes of split() cover the box that was split.
#pragma once

#include "engine/reference/acceleration_law.hpp"

#include <vector>

namespace scree::reference {

/// `relaxed`: friction of sliding contacts in the half of the pyramid that resists slip (papers/003, eq. 47); rolling
/// contacts as in the pyramid law.
enum class ModeLaw : std::uint8_t { cone, pyramid, relaxed };

/// The modes that one contact may be in.
struct ModeCell {
    enum class Kind : std::uint8_t {
        any,
        open,    ///< c = 0, a_n >= least
        closed,  ///< a_n = 0, any friction that the cone allows
        stick,   ///< closed, a_t = 0; to > from: friction with direction in [from, to]
        slide,   ///< closed, |a_t| >= least: direction in [from, to] (cone), or signs per tangent (pyramid)
    };
    Kind kind = Kind::any;
    double from = 0.0, to = 0.0;  ///< Of a_t, or of the force where it sticks, in the contact's frame [rad]
    int sign[2] = {0, 0};         ///< Of each component of a_t; 0: it is zero.
};
using ModeBox = std::vector<ModeCell>;

/// E x = f, x >= 0 of a box, in units of force_unit() and problem.scale; c = forces * x.
struct BoxSystem {
    Eigen::MatrixXd E;
    Eigen::VectorXd f;
    Eigen::MatrixXd forces;  ///< [size x columns]; columns of slacks are zero.
};
[[nodiscard]] BoxSystem box_system(const AccelerationProblem& problem, ModeLaw law, const ModeBox& box);

/// Generators of the friction forces per unit c_n, one a column [1 + tangents x any], first row one.
/// `around`: of a polygon around the disc with this many sides, else inside it.
[[nodiscard]] Eigen::MatrixXd cone_generators(double mu, int tangents, int sides, bool around);

/// Frictionless contacts and those that slide have one closed mode: their friction is known.
[[nodiscard]] bool friction_is_known(const ActiveContact& contact, ModeLaw law);

/// Widest interval of directions in the box [rad]: those of slides, and of friction at sticking contacts of round cones
/// (2 pi before it is split). 0: the constraints are exact.
[[nodiscard]] double widest_interval(const AccelerationProblem& problem, ModeLaw law, const ModeBox& box);

/// True when each contact has one mode (and an interval of directions, for the cone).
[[nodiscard]] bool is_final(const AccelerationProblem& problem, ModeLaw law, const ModeBox& box);

/// Parts of a box by its first contact without a mode; for a final box, by its widest interval.
[[nodiscard]] std::vector<ModeBox> split(const AccelerationProblem& problem, ModeLaw law, const ModeBox& box);

/// True when forces c, a solution, lie in the box (slide directions to `slack` [rad]).
[[nodiscard]] bool holds(const AccelerationProblem& problem, const ModeBox& box, const Eigen::VectorXd& c,
                         double slack);

}  // namespace scree::reference
