// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/polyhedral_cone.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;

/// Generators of a disc [directions x 2], or of a segment [2 x 1]. Cosines of opposite angles are exact opposites.
MatrixXd circle(Index tangents, int directions) {
    if (tangents == 1) return Eigen::Vector2d(1.0, -1.0);
    MatrixXd points(directions, 2);
    const int half = directions / 2;
    for (int j = 0; j < half; ++j) {
        const double angle = std::numbers::pi * j / half;
        points.row(j) << std::cos(angle), std::sin(angle);
        points.row(half + j) = -points.row(j);
    }
    return points;
}

/// The ellipsoid (f_1)^2 + (f_2 / aspect)^2 + (m / radius)^2 <= 1: rings at the equator and at 45 degrees, two poles.
MatrixXd with_torsion(const MatrixXd& ring, double radius) {
    const Index k = ring.rows(), c = ring.cols();
    MatrixXd points = MatrixXd::Zero(3 * k + 2, c + 1);
    const double up = std::numbers::sqrt2 / 2.0;
    points.topLeftCorner(k, c) = ring;
    points.block(k, 0, 2 * k, c) = up * ring.replicate(2, 1);
    points.block(k, c, k, 1).setConstant(up * radius);
    points.block(2 * k, c, k, 1).setConstant(-up * radius);
    points(3 * k, c) = radius;
    points(3 * k + 1, c) = -radius;
    return points;
}

PolyhedralCone sliding_cone(const Contact& contact, int directions) {
    const FrictionLaw& law = contact.law.friction;
    const Index tangents = contact.tangent.rows();
    PolyhedralCone cone;
    MatrixXd ring = circle(tangents, directions);
    if (tangents == 2) ring.col(1) *= law.aspect;
    MatrixXd rows = contact.tangent;
    if (law.torsion_radius > 0.0 && contact.twist.size() > 0) {
        cone.weights = with_torsion(ring, law.torsion_radius);
        rows.conservativeResize(tangents + 1, Eigen::NoChange);
        rows.row(tangents) = contact.twist;
    } else {
        cone.weights = ring;
    }
    cone.rows = cone.weights * rows;
    cone.drift = contact.drift_tangent.size() == 0
                     ? Eigen::VectorXd(Eigen::VectorXd::Zero(cone.weights.rows()))
                     : Eigen::VectorXd(cone.weights.leftCols(tangents) * contact.drift_tangent);
    return cone;
}

}  // namespace

std::vector<PolyhedralCone> cones_of(const Contact& contact, int directions) {
    const FrictionLaw& law = contact.law.friction;
    std::vector<PolyhedralCone> cones;
    if (std::max(law.sliding, law.sticking) > 0.0 && contact.tangent.rows() > 0)
        cones.push_back(sliding_cone(contact, directions));
    if (law.rolling > 0.0 && contact.rolling.rows() > 0) {
        PolyhedralCone cone;
        cone.weights = circle(contact.rolling.rows(), directions);
        cone.rows = cone.weights * contact.rolling;
        cone.drift = Eigen::VectorXd::Zero(cone.weights.rows());
        cone.rolls = true;
        cones.push_back(std::move(cone));
    }
    return cones;
}

}  // namespace scree::reference
