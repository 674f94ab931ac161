// SPDX-License-Identifier: BSD-3-Clause
// Lemke's algorithm on a sequence of regularised problems: for redundant contacts, where the basis of a true solution
// is singular to working precision and a path of pivots over such bases loses its way.
//
// Iteration   z_{k+1} solves LCP(M + a I, q - a z_k), z_0 = 0 (the proximal point iteration; M scaled, entries near 1).
//             The diagonal a > 0 makes every basis regular. Within one basis the iteration is linear and costs one
//             triangular solve: it is repeated there, and the path is followed anew only where it leaves that basis.
//             A fixed point solves LCP(M, q) exactly: nothing of a is left in it.
// a           1e-4, then 1e-5, 1e-6, 1e-3 until one answers. Larger ones need more steps, smaller ones lose what they
//             are for: of 41 steps of stacks of boxes that plain paths lost, 1e-2 solves 16, 1e-4 and 1e-5 all, 1e-6
//             30, 1e-8 two.
// Stop        the caller's certificate of the problem without a is at most the tolerance, and falls no more.
#pragma once

#include <Eigen/Core>

#include <atomic>
#include <cstddef>
#include <functional>

namespace scree::complementarity {

struct RegularisedSettings {
    double tolerance = 1e-9;  ///< Of the certificate.
    std::size_t refactor_interval = 50;
    std::size_t max_pivots = 0;                    ///< Of one path.
    const std::atomic<bool>* interrupt = nullptr;  ///< See model::stop_if.
};

struct RegularisedPoint {
    Eigen::VectorXd z;       ///< The best point seen.
    std::size_t pivots = 0;  ///< Of all paths.
};

/// `d` is the covering vector. `certificate` judges z by the problem that is to be solved.
[[nodiscard]] RegularisedPoint solve_regularised(const Eigen::MatrixXd& m, const Eigen::VectorXd& q,
                                                 const Eigen::VectorXd& d, const RegularisedSettings& settings,
                                                 const std::function<double(const Eigen::VectorXd&)>& certificate);

}  // namespace scree::complementarity
