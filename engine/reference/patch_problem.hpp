// SPDX-License-Identifier: BSD-3-Clause
// The complementarity problem of one step with compliant patches (papers/000, eq. 9 to 18). With the rows W of all
// elements, the free motion v*, and per patch the mobility (h K + C)^-1:
//
//   v+ = v* + h M^-1 W^T lambda
//   s  = J lambda + b,   J = h W M^-1 W^T + (h K + C)^-1,   b = W v* + drift - (h K + C)^-1 K delta
//   0 <= lambda_n _|_ s_n + (Psi + delta_n) / h >= 0
//   s_t = - sum_k u_k d_k,   0 <= u_k _|_ mu lambda_n - d_k . lambda_t >= 0
//
// J is the paper's H^-1 (eq. 13), symmetric positive definite; written as this sum it loses no digits when K is large
// and needs no inverse of H. The tangential forces are free and eliminated, as in eq. 18; Lemke's algorithm solves what
// is left for every load and every mu (theorem 3). The directions d_k are the normals of the sides of the friction
// polygon: it holds Coulomb's disc and exceeds it at its corners by 1 / cos(pi / m) - 1, 41 % for the four sides of the
// paper, 8 % for eight. The gap (Psi + delta_n) / h is zero for an element in contact, but for the error of the
// linearised rows, which it feeds back; the paper leaves it out.
#pragma once

#include "engine/complementarity/lemke.hpp"
#include "engine/reference/contact_patch.hpp"
#include "engine/reference/viscoelastic.hpp"

namespace scree::reference {

/// One patch of the problem; what it points to belongs to the caller.
struct PatchTerms {
    const PatchRows* patch = nullptr;
    const Viscoelastic* law = nullptr;
    const Eigen::VectorXd* deflection = nullptr;  ///< delta at the start of the step [m]
    /// (Psi + delta_n) / h or what stands for it [m/s, per element]; infinity: the element bears nothing.
    Eigen::VectorXd offset;
};

struct PatchSolution {
    std::vector<Eigen::VectorXd> forces;  ///< lambda of each patch [N]
    std::vector<Eigen::VectorXd> slips;   ///< s of each patch [m/s]
    Eigen::VectorXd velocity;             ///< v+ [nv]
    std::size_t pivots = 0;
    double certificate = 0.0;  ///< Worst entry of LinearCertificate.
    bool solved = false;
};

/// `mass` symmetric positive definite [nv x nv], `free` = v* [nv], `directions` sides of the friction polygon in space
/// (even, >= 4). Throws model::Error (numerics) when the mass is not positive definite.
[[nodiscard]] PatchSolution solve_patches(const Eigen::MatrixXd& mass, const Eigen::VectorXd& free, double h,
                                          const std::vector<PatchTerms>& patches, int directions,
                                          const complementarity::LemkeSettings& settings);

}  // namespace scree::reference
