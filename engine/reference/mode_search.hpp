// SPDX-License-Identifier: BSD-3-Clause
// All solutions of the acceleration-level problem, by branch and bound over contact modes.
//
// Problem     find every solution of the laws of acceleration.hpp, or prove that there is none.
// Iteration   a box of modes (contact_modes.hpp) is refuted by nonnegative least squares, or split. A final box gives a
//             candidate: by itself where its constraints are exact (pyramid, plane), else the start of Gauss-Newton.
// Stop        every box is refuted, or holds a solution that passes residual_of(); boxes of the cone narrower than
//             0.7 degrees that are neither are counted as undecided. Of each final box one solution is kept,
//             and where its contacts slide also the one with the least forces (it may hold a family of motions).
#pragma once

#include "engine/reference/contact_modes.hpp"

#include <functional>
#include <vector>

namespace scree::reference {

struct SearchOutcome {
    std::vector<Eigen::VectorXd> forces;  ///< Solutions with different motions, in the problem's rows.
    bool complete = false;                ///< All boxes were looked at, and none is undecided.
    std::size_t boxes = 0, refuted = 0, undecided = 0;
    double weakest_refutation = 0.0;  ///< Smallest distance of a refuted system over |f|; 0: none was refuted.
};
[[nodiscard]] SearchOutcome search_modes(const AccelerationProblem& problem, RollingLaw law, std::size_t max_boxes);

/// The same walk for other uses: final boxes with a feasible system go to `take`, which says whether the box is done
/// (else it is split further).
struct FeasibleBox {
    const ModeBox& box;
    const BoxSystem& system;
    const Eigen::VectorXd& x;
};
[[nodiscard]] SearchOutcome walk_modes(const AccelerationProblem& problem, ModeLaw law, std::size_t max_boxes,
                                       const std::function<bool(const FeasibleBox&)>& take);

/// True when two sets of forces move the bodies alike.
[[nodiscard]] bool same_motion(const AccelerationProblem& problem, const Eigen::VectorXd& c,
                               const Eigen::VectorXd& other);

}  // namespace scree::reference
