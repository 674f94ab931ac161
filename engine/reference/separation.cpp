// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/separation.hpp"

#include "engine/reference/difference.hpp"
#include "engine/reference/supporting_face.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

/// Part of the offset across the direction: what Newton's method brings to zero.
Vector3d slip(const Direction& at) { return at.lowest.offset - at.separation * at.d; }

/// Newton's method for the maximum of s on the unit sphere, or on its great circle across `edge` if it is not zero. The
/// Hessian on the sphere is minus (support slopes + s I); where it is not negative definite there is a kink nearby
/// rather than a smooth maximum, and the search stops.
Direction climbed(const Difference& difference, Direction at, const Vector3d& edge) {
    const double rounding = 1e-15 * difference.scale;
    const bool circle = edge.squaredNorm() > 0.5;
    const bool round_a = !std::holds_alternative<Sphere>(difference.a.shape);
    const bool round_b = !std::holds_alternative<Sphere>(difference.b.shape);
    for (int iteration = 0; iteration < 30; ++iteration) {
        Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 2> basis(3, circle ? 1 : 2);
        if (circle) {
            basis.col(0) = edge.cross(at.d).normalized();
        } else {
            const auto [t1, t2] = across(at.d);
            basis << t1, t2;
        }
        const Eigen::VectorXd slope = basis.transpose() * at.lowest.offset;
        if (slope.norm() <= rounding) break;
        Eigen::Matrix3d curvature = at.separation * Eigen::Matrix3d::Identity();
        if (round_a) curvature += difference.a.support_slope(at.d);
        if (round_b) curvature += difference.b.support_slope(-at.d);
        Eigen::MatrixXd hessian = basis.transpose() * curvature * basis;
        hessian = (0.5 * (hessian + hessian.transpose())).eval();
        const Eigen::LLT<Eigen::MatrixXd> factor(hessian);
        if (factor.info() != Eigen::Success) break;
        const Vector3d step = basis * factor.solve(slope);
        if (!step.allFinite()) break;
        bool moved = false;
        for (double part = 1.0; part > 1e-3 && !moved; part *= 0.25) {
            const Direction next = along(difference, (at.d + part * step).normalized());
            const double gain = next.separation - at.separation;
            const double slope_then = (basis.transpose() * next.lowest.offset).norm();
            if (gain > rounding || (gain > -rounding && slope_then < 0.9 * slope.norm())) {
                at = next;
                moved = true;
            }
        }
        if (!moved) break;
    }
    return at;
}

/// The best of what Newton's method and the faces and edges nearby offer. Exact normals win ties.
Direction refined(const Difference& difference, const Direction& found) {
    Direction best = climbed(difference, found, Vector3d::Zero());
    const double tie = 1e-14 * difference.scale;
    const auto offer = [&](const Direction& candidate) {
        if (candidate.separation >= best.separation - tie) best = candidate;
    };
    const auto edge_a = nearest_edge(difference.a, found.d), edge_b = nearest_edge(difference.b, -found.d);
    for (const auto& edge : {edge_a, edge_b}) {
        if (!edge) continue;
        const Vector3d square = found.d - found.d.dot(*edge) * *edge;
        if (square.squaredNorm() > 0.25) offer(climbed(difference, along(difference, square.normalized()), *edge));
    }
    if (edge_a && edge_b) {
        const Vector3d cross = edge_a->cross(*edge_b);
        const double size = cross.norm() * (cross.dot(found.d) < 0.0 ? -1.0 : 1.0);
        // Nearly parallel edges have no cross product worth trusting, and faces that serve as well.
        if (std::abs(size) > 1e-7) offer(along(difference, cross / size));
    }
    if (const auto normal = nearest_normal(difference.b, -found.d)) offer(along(difference, -*normal));
    if (const auto normal = nearest_normal(difference.a, found.d)) offer(along(difference, *normal));
    return best;
}

/// Moves b away along the best direction until the shapes are a little apart. That direction, if it is the best one,
/// stays the best, is then the only one, and comes with a nearest pair: distance is a convex problem, depth is not.
/// Corrects the direction where the kinks of curved edges stopped Newton's method. The nearer the shapes, the more a
/// pair that is not opposite costs in distance: 1/200 of the sizes gives pairs opposite to 1e-7 of them.
Found parted(const Difference& difference, Direction& best, double exact) {
    Found pair;
    for (int round = 0; round < 5; ++round) {
        Difference moved = difference;
        moved.shift = (0.005 * difference.scale - best.separation) * best.d;
        pair = nearest(moved, best.d);
        pair.on_b -= moved.shift;
        const Direction next = along(difference, pair.best.d);
        if (!(next.separation > best.separation + 1e-15 * difference.scale)) break;
        best = next;
        if (slip(best).norm() <= exact) break;
    }
    return pair;
}

bool strictly_round(const Shape& shape) {
    if (const auto* s = std::get_if<Superquadric>(&shape)) return s->e1 < 2.0 && s->e2 < 2.0;
    return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape);
}

/// A nearest pair for the best direction: the farthest points where they are opposite each other; a round shape's and
/// its image where the other is flat there; else the mean of farthest points of shapes moved apart.
void set_witnesses(const Difference& difference, Direction& best, Separation& result) {
    const double exact = 1e-10 * difference.scale;
    Found pair;
    if (slip(best).norm() > exact) pair = parted(difference, best, exact);
    Vector3d on_a = best.lowest.on_a, on_b = best.lowest.on_b;
    if (slip(best).norm() > exact) {
        const Vector3d apart = best.separation * best.d;
        if (strictly_round(difference.a.shape) && is_flat(difference.b.shape) &&
            std::abs(outside(difference.b, on_a + apart)) <= 0.1 * exact) {
            on_b = on_a + apart;
        } else if (strictly_round(difference.b.shape) && is_flat(difference.a.shape) &&
                   std::abs(outside(difference.a, on_b - apart)) <= 0.1 * exact) {
            on_a = on_b - apart;
        } else if ((pair.on_b - pair.on_a - apart).norm() < slip(best).norm()) {
            on_a = pair.on_a;
            on_b = pair.on_b;
            const Vector3d amiss = on_b - on_a - apart;
            if (amiss.norm() > 1e-7 * difference.scale) {
                // Only where surfaces are too flat to tell; along them a shift to opposite stays on them.
                on_a += 0.5 * amiss;
                on_b -= 0.5 * amiss;
            }
        }
    }
    result.direction = best.d;
    result.gap = best.separation - difference.margin;
    result.on_a = on_a + core_margin(difference.a.shape) * best.d;
    result.on_b = on_b - core_margin(difference.b.shape) * best.d;
}

}  // namespace

Separation separation(const Placed& a, const Placed& b) {
    const Difference difference(a, b);
    Vector3d start = b.pose.position - a.pose.position;
    start = start.norm() > 1e-12 * difference.scale ? start.normalized() : Vector3d(Vector3d::UnitZ());

    Separation result;
    if (std::holds_alternative<Sphere>(a.shape) && std::holds_alternative<Sphere>(b.shape)) {
        Direction best = along(difference, start);
        set_witnesses(difference, best, result);
        return result;
    }
    const Found found = nearest(difference, start);
    Direction best = refined(difference, found.best);
    // Too near for the direction of a distance to mean much: look from the inside as well.
    if (found.distance <= 1e-6 * difference.scale) {
        const Direction inner = refined(difference, shallowest(difference, start));
        if (inner.separation >= best.separation - 1e-14 * difference.scale) best = inner;
    }
    set_witnesses(difference, best, result);
    return result;
}

}  // namespace scree::reference
