// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/surface_height.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Part of a line inside half-spaces n . x <= b.
struct Interval {
    // Elements over the rim of a flat face: a line that runs along a side face to within `grazing` is inside or outside
    // of it as a whole, and inside while it is no more than `rim` of the face's distance away. Else a body that
    // trembles by 1e-6 of its size gains and loses whole rows of elements in turn.
    static constexpr double grazing = 1e-2, rim = 1e-3;

    double low = -infinity, high = infinity;

    void cut(const Vector3d& o, const Vector3d& d, const Vector3d& n, double b) {
        const double speed = n.dot(d), left = b - n.dot(o);
        if (std::abs(speed) < grazing) {
            if (left < -rim * b) high = -infinity;
        } else if (speed > 0.0) {
            high = std::min(high, left / speed);
        } else {
            low = std::max(low, left / speed);
        }
    }
    [[nodiscard]] double top() const { return low <= high ? high : -infinity; }
};

/// The larger root of |o + s d|^2 = 1 without cancellation near s = 0.
double leaves_unit_ball(const Vector3d& o, const Vector3d& d) {
    const double a = d.squaredNorm(), b = o.dot(d), c = o.squaredNorm() - 1.0;
    const double root = b * b - a * c;
    if (root < 0.0) return -infinity;
    return b > 0.0 ? -c / (b + std::sqrt(root)) : (std::sqrt(root) - b) / a;
}

/// A convex gauge that is 1 on the surface.
double gauge(const Superquadric& s, const Vector3d& p) {
    const Vector3d x = p.cwiseQuotient(s.semi_axes).cwiseAbs();
    const double ring = std::pow(x.x(), 2.0 / s.e2) + std::pow(x.y(), 2.0 / s.e2);
    return std::pow(std::pow(ring, s.e2 / s.e1) + std::pow(x.z(), 2.0 / s.e1), 0.5 * s.e1);
}

struct Height {
    Vector3d o, d;  // body axes

    double operator()(const Sphere& s) const { return s.radius * leaves_unit_ball(o / s.radius, d); }
    double operator()(const Ellipsoid& s) const {
        return leaves_unit_ball(o.cwiseQuotient(s.semi_axes), d.cwiseQuotient(s.semi_axes));
    }
    /// Solid outside the ball: seen from within it, the line against `d` enters the solid.
    double operator()(const Hollow& s) const { return -s.radius * leaves_unit_ball(o / s.radius, -d); }
    double operator()(const HalfSpace&) const {
        Interval inside;
        inside.cut(o, d, Vector3d::UnitZ(), 0.0);
        return inside.top();
    }
    double operator()(const Box& s) const {
        Interval inside;
        for (int k = 0; k < 3; ++k) {
            inside.cut(o, d, Vector3d::Unit(k), s.half[k]);
            inside.cut(o, d, -Vector3d::Unit(k), s.half[k]);
        }
        return inside.top();
    }
    double operator()(const Polytope& s) const {
        Interval inside;
        for (std::size_t k = 0; k < s.normals.size(); ++k) inside.cut(o, d, s.normals[k], s.offsets[k]);
        return inside.top();
    }
    double operator()(const Cylinder& s) const {
        Interval inside;
        inside.cut(o, d, Vector3d::UnitZ(), s.half_length);
        inside.cut(o, d, -Vector3d::UnitZ(), s.half_length);
        const Vector3d across{o.x() / s.radius, o.y() / s.radius, 0.0};
        const Vector3d along{d.x() / s.radius, d.y() / s.radius, 0.0};
        if (along.squaredNorm() > 0.0) {
            inside.high = std::min(inside.high, leaves_unit_ball(across, along));
            inside.low = std::max(inside.low, -leaves_unit_ball(across, -along));
        } else if (across.squaredNorm() > 1.0) {
            return -infinity;
        }
        return inside.top();
    }
    double operator()(const Superquadric& s) const {
        // The gauge is convex along the line: its minimum by ternary search, then the outer crossing by bisection.
        const double reach = o.norm() + s.semi_axes.norm();
        double low = -reach, high = reach;
        for (int k = 0; k < 100; ++k) {
            const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
            if (gauge(s, o + left * d) < gauge(s, o + right * d))
                high = right;
            else
                low = left;
        }
        double inside = 0.5 * (low + high), outside = reach;
        if (gauge(s, o + inside * d) > 1.0) return -infinity;
        for (int k = 0; k < 60; ++k) {
            const double middle = 0.5 * (inside + outside);
            (gauge(s, o + middle * d) <= 1.0 ? inside : outside) = middle;
        }
        return inside;
    }
};

}  // namespace

double height_along(const Shape& shape, const Pose& pose, const Vector3d& origin, const Vector3d& direction) {
    return std::visit(Height{pose.to_body(origin), pose.orientation.conjugate() * direction}, shape);
}

double separation_along(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vector3d& point,
                        const Vector3d& normal) {
    return -height_along(b, pose_b, point, -normal) - height_along(a, pose_a, point, normal);
}

}  // namespace scree::reference
