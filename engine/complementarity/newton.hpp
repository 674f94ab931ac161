// SPDX-License-Identifier: BSD-3-Clause
// Nonsmooth Newton for friction problems, regularised by a proximal term:
//
//   u = W r + q + a D (r - anchor),   F(r, u) = 0 contact by contact (cone_function.hpp)
//
// whose zeros are those of the Coulomb problem of W + a D. Iteration: (dF/dr + dF/du (W + a D)) step = -F by a sparse
// or a dense LU, backtracking on |F|_D.
#pragma once

#include "engine/complementarity/cone_function.hpp"
#include "engine/complementarity/friction_problem.hpp"

namespace scree::complementarity {

struct NewtonSettings {
    double weight = 0.0;      ///< a, relative to w: 0 is the plain problem. Too high: slow outer iterations.
    double tolerance = 1e-9;  ///< |F|_D over |q|.
    std::size_t max_iterations = 50;
    ConeFunction function = ConeFunction::alart_curnier;
};

struct NewtonResult {
    Eigen::VectorXd r;
    double merit = 0.0;  ///< |F|_D / |q| at r.
    std::size_t iterations = 0, products = 0;
    bool converged = false;
    bool singular = false;  ///< A linear system had no usable solution.
};

/// Coulomb friction only. `scales`: contact_scales(problem).
[[nodiscard]] NewtonResult newton(const FrictionProblem& problem, const Eigen::VectorXd& scales,
                                  const Eigen::VectorXd& anchor, Eigen::VectorXd start, const NewtonSettings& settings);

}  // namespace scree::complementarity
