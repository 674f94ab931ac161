// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/placed.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"
#include "engine/reference/step_input.hpp"

#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

/// Dual of the norm |u|^(2/e) + |v|^(2/e) for u, v >= 0: (u^q + v^q)^(1/q), q = 2 / (2 - e), and its derivatives.
struct DualNorm {
    double value, along_u, along_v;
    DualNorm(double u, double v, double e) {
        const double largest = std::max(u, v);
        const bool first = u >= v;
        // e = 2 is the norm |u| + |v|, whose dual is the larger of the two: one corner is farthest.
        const double smaller = std::min(u, v) / largest;
        const double power = e < 2.0 ? std::pow(smaller, 2.0 / (2.0 - e)) : 0.0;
        const double root = std::pow(1.0 + power, e < 2.0 ? 1.0 - 0.5 * e : 0.0);
        value = largest * root;
        // (u / value)^(q-1), with q - 1 = e / (2 - e)
        const double of_largest = e < 2.0 ? std::pow(root, -e / (2.0 - e)) : 1.0;
        const double of_smaller = e < 2.0 ? of_largest * std::pow(smaller, e / (2.0 - e)) : 0.0;
        along_u = first ? of_largest : of_smaller;
        along_v = first ? of_smaller : of_largest;
    }
};

struct Support {
    Vector3d d;
    Vector3d operator()(const Sphere& s) const { return s.radius * d.normalized(); }
    Vector3d operator()(const Box& s) const {
        return {std::copysign(s.half.x(), d.x()), std::copysign(s.half.y(), d.y()), std::copysign(s.half.z(), d.z())};
    }
    Vector3d operator()(const Ellipsoid& s) const {
        const Vector3d scaled = s.semi_axes.cwiseProduct(d);
        return s.semi_axes.cwiseProduct(scaled / scaled.norm());
    }
    // The support function of a ball of a norm is the dual norm, and the farthest point is its gradient.
    Vector3d operator()(const Superquadric& s) const {
        const Vector3d g = s.semi_axes.cwiseProduct(d / d.cwiseAbs().maxCoeff());
        if (g.x() == 0.0 && g.y() == 0.0) return {0.0, 0.0, std::copysign(s.semi_axes.z(), d.z())};
        const DualNorm ring(std::abs(g.x()), std::abs(g.y()), s.e2);
        const DualNorm whole(ring.value, std::abs(g.z()), s.e1);
        return {std::copysign(s.semi_axes.x() * whole.along_u * ring.along_u, g.x()),
                std::copysign(s.semi_axes.y() * whole.along_u * ring.along_v, g.y()),
                std::copysign(s.semi_axes.z() * whole.along_v, g.z())};
    }
    Vector3d operator()(const Cylinder& s) const {
        const double beside = std::hypot(d.x(), d.y());
        const double k = beside > 0.0 ? s.radius / beside : 0.0;
        return {k * d.x(), k * d.y(), std::copysign(s.half_length, d.z())};
    }
    Vector3d operator()(const HalfSpace&) const {
        throw model::Error(model::ErrorKind::input, "a half-space has no farthest point");
    }
    Vector3d operator()(const Hollow&) const {
        throw model::Error(model::ErrorKind::input, "a bowl has no farthest point");
    }
    Vector3d operator()(const Polytope& s) const {
        const Vector3d* best = &s.vertices.front();
        double farthest = best->dot(d);
        for (const Vector3d& v : s.vertices) {
            const double reached = v.dot(d);
            if (reached > farthest) {
                farthest = reached;
                best = &v;
            }
        }
        return *best;
    }
};

struct Check {
    static void positive(double value, const char* what) {
        if (value > 0.0 && std::isfinite(value)) return;
        throw model::Error(model::ErrorKind::input,
                           std::string(what) + " is " + in_digits(value) + "; it must be positive and finite");
    }
    static void positive(const Vector3d& values, const char* what) {
        for (const double value : values) positive(value, what);
    }
    static void exponent(double value, const char* what) {
        if (value > 0.0 && value <= 2.0) return;
        throw model::Error(model::ErrorKind::input,
                           std::string(what) + " is " + in_digits(value) + "; it must be in (0, 2]");
    }
    void operator()(const Sphere& s) const { positive(s.radius, "sphere radius"); }
    void operator()(const Box& s) const { positive(s.half, "box half-length"); }
    void operator()(const Ellipsoid& s) const { positive(s.semi_axes, "ellipsoid semi-axis"); }
    void operator()(const Superquadric& s) const {
        positive(s.semi_axes, "superquadric semi-axis");
        exponent(s.e1, "superquadric exponent e1");
        exponent(s.e2, "superquadric exponent e2");
    }
    void operator()(const Cylinder& s) const {
        positive(s.radius, "cylinder radius");
        positive(s.half_length, "cylinder half-length");
    }
    void operator()(const HalfSpace&) const {}
    void operator()(const Hollow& s) const { positive(s.radius, "bowl radius"); }
    void operator()(const Polytope& s) const {
        if (s.vertices.empty()) throw model::Error(model::ErrorKind::input, "a polytope needs vertices");
        for (const Vector3d& v : s.vertices)
            if (!v.allFinite()) throw model::Error(model::ErrorKind::input, "a polytope's vertex is not finite");
    }
};

}  // namespace

Vector3d support(const Shape& shape, const Vector3d& direction) { return std::visit(Support{direction}, shape); }

double superquadric_radius(const Vector3d& semi_axes, double e1, double e2) {
    // Of |x/a|^p + |y/b|^p = 1 with p = 2 / e: by Hoelder's inequality (a^q + b^q)^(1/q) with q = 2 / (1 - e), for p
    // > 2.
    const auto of_curve = [](double a, double b, double e) {
        const double large = std::max(a, b), q = 2.0 / (1.0 - e);
        return e >= 1.0 ? large : large * std::pow(1.0 + std::pow(std::min(a, b) / large, q), 1.0 / q);
    };
    // Sections across z are copies of that at z = 0, as large as the curve of exponent e1 says.
    return of_curve(of_curve(semi_axes.x(), semi_axes.y(), e2), semi_axes.z(), e1);
}

double bounding_radius(const Shape& shape) {
    struct Radius {
        double operator()(const Sphere& s) const { return s.radius; }
        double operator()(const Box& s) const { return s.half.norm(); }
        double operator()(const Ellipsoid& s) const { return s.semi_axes.maxCoeff(); }
        double operator()(const Superquadric& s) const { return superquadric_radius(s.semi_axes, s.e1, s.e2); }
        double operator()(const Cylinder& s) const { return std::hypot(s.radius, s.half_length); }
        double operator()(const HalfSpace&) const { return std::numeric_limits<double>::infinity(); }
        double operator()(const Polytope& s) const {
            double largest = 0.0;
            for (const Vector3d& v : s.vertices) largest = std::max(largest, v.norm());
            return largest;
        }
        double operator()(const Hollow&) const { return std::numeric_limits<double>::infinity(); }
    };
    return std::visit(Radius{}, shape);
}

Vector3d Placed::support(const Vector3d& direction) const {
    Vector3d d = to_body(direction);
    if (planar) d.y() = 0.0;
    Vector3d p = reference::support(shape, d);
    if (planar) p.y() = 0.0;
    return pose.to_world(p);
}

Eigen::Matrix3d Placed::support_slope(const Vector3d& direction) const {
    Eigen::Matrix3d slope = Eigen::Matrix3d::Zero();
    if (std::holds_alternative<Box>(shape) || std::holds_alternative<Polytope>(shape)) return slope;
    // The farthest point is known to 1e-16, the next term of the expansion is of order step^2: both about 1e-11.
    const double step = 3e-6;
    const auto [t1, t2] = across(direction);
    for (const Vector3d& t : {t1, t2}) {
        const Vector3d rate = (support(direction + step * t) - support(direction - step * t)) / (2.0 * step);
        slope += rate * t.transpose();
    }
    return slope;
}

bool is_flat(const Shape& shape) {
    return std::holds_alternative<Box>(shape) || std::holds_alternative<Cylinder>(shape) ||
           std::holds_alternative<Polytope>(shape);
}

void check(const Shape& shape) { std::visit(Check{}, shape); }

std::pair<Vector3d, Vector3d> across(const Vector3d& d) {
    Eigen::Index least = 0;
    d.cwiseAbs().minCoeff(&least);
    const Vector3d first = (Vector3d::Unit(least) - d[least] * d).normalized();
    return {first, d.cross(first)};
}

}  // namespace scree::reference
