// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/difference.hpp"

#include <Eigen/LU>

#include <limits>
#include <optional>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

/// Up to four points of the difference body and the weights of the point of their hull nearest the origin.
struct Simplex {
    std::vector<DifferencePoint> points;
    std::vector<double> weights;

    [[nodiscard]] Vector3d mean(Vector3d DifferencePoint::*part) const {
        Vector3d sum = Vector3d::Zero();
        for (std::size_t k = 0; k < points.size(); ++k) sum += weights[k] * (points[k].*part);
        return sum;
    }
};

/// Weights of the point nearest the origin of the flat through the points; none when they are dependent or it lies
/// outside their hull.
std::optional<std::vector<double>> inner_weights(const std::vector<DifferencePoint>& points) {
    const auto n = Eigen::Index(points.size()) - 1;
    std::vector<double> weights(points.size(), 1.0);
    if (n == 0) return weights;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, n);
    for (Eigen::Index k = 0; k < n; ++k) edges.col(k) = points[std::size_t(k) + 1].offset - points[0].offset;
    Eigen::VectorXd t;
    if (n == 3) {
        const Eigen::Matrix3d e = edges;
        const double volume = e.determinant();
        if (!(std::abs(volume) > 1e-15 * e.col(0).norm() * e.col(1).norm() * e.col(2).norm())) return std::nullopt;
        t = e.inverse() * -points[0].offset;
    } else if (n == 2) {
        // Through the normal, which keeps the accuracy that the normal equations would square away.
        const Vector3d e = edges.col(0), f = edges.col(1), normal = e.cross(f), o = points[0].offset;
        const double square = normal.squaredNorm();
        if (!(square > 1e-30 * e.squaredNorm() * f.squaredNorm())) return std::nullopt;
        t = Eigen::Vector2d(normal.dot(f.cross(o)), normal.dot(o.cross(e))) / square;
    } else {
        const Vector3d e = edges.col(0);
        if (!(e.squaredNorm() > 0.0)) return std::nullopt;
        t = Eigen::VectorXd::Constant(1, -e.dot(points[0].offset) / e.squaredNorm());
    }
    for (Eigen::Index k = 0; k < n; ++k) {
        weights[std::size_t(k) + 1] = t[k];
        weights[0] -= t[k];
    }
    for (const double w : weights)
        if (!(w >= 0.0)) return std::nullopt;
    if (n == 3) {
        // A tetrahedron that is all but flat may seem to hold the origin by rounding: its mean must be the origin.
        Vector3d mean = Vector3d::Zero();
        double size = 0.0;
        for (std::size_t k = 0; k < 4; ++k) {
            mean += weights[k] * points[k].offset;
            size = std::max(size, points[k].offset.norm());
        }
        if (!(mean.norm() <= 1e-12 * size)) return std::nullopt;
    }
    return weights;
}

/// The part of the simplex that holds the point nearest the origin: of all 15 parts the one that comes nearest, which
/// no rounding can mislead.
Simplex reduced(const std::vector<DifferencePoint>& points) {
    Simplex best;
    double nearest = std::numeric_limits<double>::infinity();
    for (unsigned part = 1; part < (1u << points.size()); ++part) {
        Simplex trial;
        for (std::size_t k = 0; k < points.size(); ++k)
            if ((part >> k & 1u) != 0) trial.points.push_back(points[k]);
        const auto weights = inner_weights(trial.points);
        if (!weights) continue;
        trial.weights = *weights;
        const double distance = trial.points.size() == 4 ? 0.0 : trial.mean(&DifferencePoint::offset).norm();
        if (distance < nearest) {
            nearest = distance;
            best = std::move(trial);
        }
    }
    return best;
}

}  // namespace

Found nearest(const Difference& difference, const Vector3d& start) {
    Found found;
    found.best = along(difference, start);
    Simplex simplex{{found.best.lowest}, {1.0}};
    double distance = std::numeric_limits<double>::infinity();
    const double enough = 1e-15 * difference.scale;
    for (int iteration = 0; iteration < 200; ++iteration) {
        const Vector3d v = simplex.mean(&DifferencePoint::offset);
        const double now = simplex.points.size() == 4 ? 0.0 : v.norm();
        if (!(now < distance)) break;  // rounding: it comes no nearer
        distance = now;
        found.on_a = simplex.mean(&DifferencePoint::on_a);
        found.on_b = simplex.mean(&DifferencePoint::on_b);
        if (distance <= enough) break;
        const Direction next = along(difference, v / distance);
        if (iteration == 0 || next.separation > found.best.separation) found.best = next;
        // s(d) is a lower bound of the distance, |v| an upper one.
        if (distance - found.best.separation <= enough) break;
        auto points = simplex.points;
        points.push_back(next.lowest);
        simplex = reduced(points);
    }
    found.distance = distance;
    return found;
}

}  // namespace scree::reference
