// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/patch_problem.hpp"

#include "engine/model/error.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// d_k of the sides of a friction polygon [tangents x sides], for a bound mu along t and mu aspect along o.
MatrixXd sides_of(Index tangents, int directions, double aspect) {
    if (tangents == 1) return (MatrixXd(1, 2) << 1.0, -1.0).finished();
    MatrixXd sides(2, directions);
    for (int k = 0; k < directions; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / directions;
        sides.col(k) << std::cos(angle), std::sin(angle) / aspect;
    }
    return sides;
}

/// Which rows of J take part, and the friction polygons among them.
struct Unknowns {
    std::vector<Index> normals;        ///< Rows of s_n that may bear force.
    std::vector<Index> tangents;       ///< Rows of s_t of those with friction.
    std::vector<double> friction;      ///< mu per normal
    std::vector<MatrixXd> sides;       ///< Per normal; no columns without friction.
    std::vector<Index> first_tangent;  ///< Per normal: place of its first row in `tangents`.
    Index sides_in_all = 0;

    void add(const PatchTerms& terms, Index at, int directions) {
        const PatchRows& patch = *terms.patch;
        const Index n = patch.elements(), count = patch.rows.rows() / n - 1;
        const FrictionLaw& law = patch.contact.law.friction;
        for (Index i = 0; i < n; ++i) {
            if (!std::isfinite(terms.offset[i])) continue;
            normals.push_back(at + i);
            friction.push_back(law.sliding);
            first_tangent.push_back(Index(tangents.size()));
            const bool rough = law.sliding > 0.0 && count > 0;
            sides.push_back(rough ? sides_of(count, directions, law.aspect) : MatrixXd(0, 0));
            sides_in_all += sides.back().cols();
            for (Index k = 0; rough && k < count; ++k) tangents.push_back(at + (1 + k) * n + i);
        }
    }
};

complementarity::MixedLinearProblem mixed(const MatrixXd& j, const VectorXd& b, const VectorXd& offset,
                                          const Unknowns& unknowns) {
    const auto& n = unknowns.normals;
    const auto& t = unknowns.tangents;
    const Index normals = Index(n.size()), tangents = Index(t.size()), bounded = normals + unknowns.sides_in_all;
    complementarity::MixedLinearProblem problem;
    problem.A = j(t, t);
    problem.a = b(t);
    problem.C = MatrixXd::Zero(tangents, bounded);
    problem.C.leftCols(normals) = j(t, n);
    problem.D = MatrixXd::Zero(bounded, tangents);
    problem.D.topRows(normals) = j(n, t);
    problem.B = MatrixXd::Zero(bounded, bounded);
    problem.B.topLeftCorner(normals, normals) = j(n, n);
    problem.b = VectorXd::Zero(bounded);
    problem.b.head(normals) = b(n) + offset(n);
    Index side = normals;
    for (std::size_t i = 0; i < n.size(); ++i) {
        const MatrixXd& d = unknowns.sides[i];
        problem.C.block(unknowns.first_tangent[i], side, d.rows(), d.cols()) = d;
        problem.D.block(side, unknowns.first_tangent[i], d.cols(), d.rows()) = -d.transpose();
        problem.B.block(side, Index(i), d.cols(), 1).setConstant(unknowns.friction[i]);
        side += d.cols();
    }
    return problem;
}

}  // namespace

PatchSolution solve_patches(const MatrixXd& mass, const VectorXd& free, double h,
                            const std::vector<PatchTerms>& patches, int directions,
                            const complementarity::LemkeSettings& settings) {
    const Eigen::LLT<MatrixXd> factor(mass);
    if (factor.info() != Eigen::Success || !mass.allFinite())
        throw model::Error(model::ErrorKind::numerics, "the mass matrix is not positive definite");
    Index size = 0;
    for (const PatchTerms& terms : patches) size += terms.patch->rows.rows();
    MatrixXd w(size, free.size());
    VectorXd b(size), offset = VectorXd::Zero(size);
    Unknowns unknowns;
    Index at = 0;
    for (const PatchTerms& terms : patches) {
        const Index rows = terms.patch->rows.rows();
        w.middleRows(at, rows) = terms.patch->rows;
        b.segment(at, rows) = terms.patch->drift - terms.law->recovery(*terms.deflection, h);
        offset.segment(at, terms.patch->elements()) = terms.offset;
        unknowns.add(terms, at, directions);
        at += rows;
    }
    b += w * free;
    MatrixXd reach(free.size(), w.rows());
    if (w.rows() > 0) reach = factor.solve(w.transpose());
    MatrixXd j = h * (w * reach);
    at = 0;
    for (const PatchTerms& terms : patches) {
        const Index rows = terms.patch->rows.rows();
        j.block(at, at, rows, rows) += terms.law->mobility(h);
        at += rows;
    }

    PatchSolution solution;
    const auto result = complementarity::solve_mixed(mixed(j, b, offset, unknowns), settings);
    solution.pivots = result.reduced.pivots;
    solution.certificate = result.reduced.certificate.worst();
    solution.solved = result.reduced.status == complementarity::LinearStatus::solved;
    if (!solution.solved) return solution;
    VectorXd force = VectorXd::Zero(size);
    for (std::size_t i = 0; i < unknowns.normals.size(); ++i) force[unknowns.normals[i]] = result.v[Index(i)];
    for (std::size_t i = 0; i < unknowns.tangents.size(); ++i) force[unknowns.tangents[i]] = result.u[Index(i)];
    const VectorXd slip = j * force + b;
    solution.velocity = free + h * (reach * force);
    at = 0;
    for (const PatchTerms& terms : patches) {
        const Index rows = terms.patch->rows.rows();
        solution.forces.emplace_back(force.segment(at, rows));
        solution.slips.emplace_back(slip.segment(at, rows));
        at += rows;
    }
    return solution;
}

}  // namespace scree::reference
