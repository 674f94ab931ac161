// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/implicit_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

Inequality plane(const Vector3d& normal, double offset, const Vector3d& y) {
    return {normal.dot(y) - offset, normal, Matrix3d::Zero()};
}

/// Value and the first two derivatives of a function of one variable.
struct Jet {
    double value, first, second;
};

/// (t^2 + epsilon^2)^(p/2)
Jet smooth_power(double t, double p) {
    constexpr double epsilon2 = 1e-18;
    const double square = t * t + epsilon2, top = std::pow(square, 0.5 * p);
    const double first = p * t * top / square;
    return {top, first, p * top / square * (1.0 + (p - 2.0) * t * t / square)};
}

/// x^p, x > 0
Jet power(double x, double p) {
    const double top = std::pow(x, p);
    return {top, p * top / x, p * (p - 1.0) * top / (x * x)};
}

/// The chain rule for outer(inner(y)).
Inequality composed(const Jet& outer, const Inequality& inner) {
    return {outer.value, outer.first * inner.gradient,
            outer.second * inner.gradient * inner.gradient.transpose() + outer.first * inner.hessian};
}

Inequality along_axis(const Vector3d& y, Index axis, double half, double p) {
    const Jet jet = smooth_power(y[axis] / half, p);
    Inequality f{jet.value, Vector3d::Zero(), Matrix3d::Zero()};
    f.gradient[axis] = jet.first / half;
    f.hessian(axis, axis) = jet.second / (half * half);
    return f;
}

Inequality sum(const Inequality& a, const Inequality& b) {
    return {a.value + b.value, a.gradient + b.gradient, a.hessian + b.hessian};
}

Inequality quadric(const Vector3d& semi_axes, const Vector3d& y) {
    const Vector3d weight = semi_axes.cwiseProduct(semi_axes).cwiseInverse();
    const double scale = semi_axes.minCoeff();
    return {0.5 * scale * (y.dot(weight.cwiseProduct(y)) - 1.0), scale * weight.cwiseProduct(y),
            (scale * weight).asDiagonal()};
}

Inequality round_side(double radius, const Vector3d& y) {
    return {(y.x() * y.x() + y.y() * y.y() - radius * radius) / (2.0 * radius),
            {y.x() / radius, y.y() / radius, 0.0},
            Vector3d(1.0 / radius, 1.0 / radius, 0.0).asDiagonal()};
}

struct Evaluate {
    Index k;
    const Vector3d& y;

    Inequality operator()(const Sphere& s) const { return quadric(Vector3d::Constant(s.radius), y); }
    Inequality operator()(const Ellipsoid& s) const { return quadric(s.semi_axes, y); }
    Inequality operator()(const Superquadric& s) const {
        const double p1 = 2.0 / s.e1, p2 = 2.0 / s.e2;
        const Inequality ring = sum(along_axis(y, 0, s.semi_axes.x(), p2), along_axis(y, 1, s.semi_axes.y(), p2));
        const Inequality all = sum(composed(power(ring.value, p1 / p2), ring), along_axis(y, 2, s.semi_axes.z(), p1));
        Inequality gauge = composed(power(all.value, 1.0 / p1), all);
        const double scale = s.semi_axes.minCoeff();
        return {scale * (gauge.value - 1.0), scale * gauge.gradient, scale * gauge.hessian};
    }
    Inequality operator()(const Box& s) const {
        constexpr Index order[3] = {0, 2, 1};  // the y planes last: planar worlds stop before them
        const Index axis = order[k / 2];
        return plane((k % 2 == 0 ? 1.0 : -1.0) * Vector3d::Unit(axis), s.half[axis], y);
    }
    Inequality operator()(const Cylinder& s) const {
        if (k == 0) return round_side(s.radius, y);
        return plane((k == 1 ? 1.0 : -1.0) * Vector3d::UnitZ(), s.half_length, y);
    }
    Inequality operator()(const HalfSpace&) const { return plane(Vector3d::UnitZ(), 0.0, y); }
    Inequality operator()(const Polytope& s) const {
        return plane(s.normals[std::size_t(k)], s.offsets[std::size_t(k)], y);
    }
    Inequality operator()(const Hollow& s) const {
        Inequality ball = quadric(Vector3d::Constant(s.radius), y);
        return {-ball.value, -ball.gradient, -ball.hessian};
    }
};

}  // namespace

Index inequality_count(const Shape& shape, bool planar) {
    if (std::holds_alternative<Box>(shape)) return planar ? 4 : 6;
    if (std::holds_alternative<Cylinder>(shape)) return 3;
    if (const auto* p = std::get_if<Polytope>(&shape)) return Index(p->normals.size());
    return 1;
}

Inequality inequality(const Shape& shape, Index k, const Vector3d& y) { return std::visit(Evaluate{k, y}, shape); }

std::vector<Index> nearest_inequalities(const Shape& shape, const Vector3d& y, bool planar, Index most) {
    const Index count = inequality_count(shape, planar);
    std::vector<Index> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), Index(0));
    if (count <= most) return list;
    std::vector<double> values;
    values.reserve(list.size());
    for (const Index k : list) values.push_back(inequality(shape, k, y).value);
    const auto larger = [&](Index a, Index b) {
        const double at_a = values[std::size_t(a)], at_b = values[std::size_t(b)];
        return at_a != at_b ? at_a > at_b : a < b;
    };
    std::partial_sort(list.begin(), list.begin() + most, list.end(), larger);
    list.resize(std::size_t(most));
    std::sort(list.begin(), list.end());
    return list;
}

double outside(const Shape& shape, const Vector3d& y, bool planar) {
    double largest = -std::numeric_limits<double>::infinity();
    for (Index k = 0; k < inequality_count(shape, planar); ++k)
        largest = std::max(largest, inequality(shape, k, y).value);
    return largest;
}

}  // namespace scree::reference
