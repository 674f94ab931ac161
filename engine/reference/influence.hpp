// SPDX-License-Identifier: BSD-3-Clause
// Compliance of a small patch of contact between two elastic half-spaces: how far each element's surfaces give way
// under forces on all elements (papers/000, appendix A; Boussinesq's and Cerruti's point loads).
//
// Ordering   n of all elements, then t, then (in space) o. Forces act on body b along (n, t, o), n from a to b, and
//            on body a against them; displacement is that of b's surface less a's. Xi is symmetric [m/N].
// Elements   are squares of side rho with one force each; two elements feel each other as point loads. An element's own
//            compliance is the mean displacement of a uniformly pressed square, 0.95 (1 - nu^2) / (E rho), and the
//            displacement in the middle of a disc of the same area under uniform shear.
//
// Two entries of appendix A cannot be meant as printed. xi_nn(i,i) has pi in its denominator too: smaller than its
// neighbour's entry, so that Xi of two adjacent elements is indefinite, against the appendix's own claim. xi_to lacks
// the factor nu that Cerruti's solution has and without which Xi changes when the tangents are turned.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace scree::reference {

/// An isotropic, linearly elastic body.
struct Elastic {
    double young =
        1e9;  ///< Young's modulus [Pa], > 0; infinity: rigid. Too low: bodies sink in; too high: small steps.
    double poisson = 0.3;  ///< [-], in [0, 1/2]. At 1/2 pressure and shear do not feel each other.
};

/// Square elements in rows: `along_t` x `along_o` of side `spacing` [m], about the point of contact.
struct PatchGrid {
    int along_t = 3, along_o = 3;
    double spacing = 1e-3;

    [[nodiscard]] Eigen::Index elements() const { return Eigen::Index(along_t) * along_o; }
    /// Centres (t, o) [m]; t runs fastest.
    [[nodiscard]] std::vector<Eigen::Vector2d> centres() const;
};

/// Xi [m/N], [2 or 3 elements]^2; `planar`: n and t alone. Throws model::Error (input) for constants out of range, two
/// rigid bodies or an empty grid.
[[nodiscard]] Eigen::MatrixXd influence_matrix(const PatchGrid& grid, const Elastic& a, const Elastic& b, bool planar);

}  // namespace scree::reference
