// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/collision.hpp"

#include "engine/model/error.hpp"

#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

[[noreturn]] void unsupported(const char* what) { throw model::Error(model::ErrorKind::input, what); }

/// sign(x) |x|^p
double signed_power(double x, double p) { return std::copysign(std::pow(std::abs(x), p), x); }

struct Support {
    Vector3d d;
    Vector3d operator()(const Sphere& s) const { return s.radius * d.normalized(); }
    Vector3d operator()(const Box& s) const {
        return {std::copysign(s.half.x(), d.x()), std::copysign(s.half.y(), d.y()), std::copysign(s.half.z(), d.z())};
    }
    Vector3d operator()(const Ellipsoid& s) const {
        const Vector3d scaled = s.semi_axes.cwiseProduct(d);
        return s.semi_axes.cwiseProduct(scaled) / scaled.norm();
    }
    Vector3d operator()(const Superquadric& s) const {
        // The normal of (cos^e1 u cos^e2 v, cos^e1 u sin^e2 v, sin^e1 u) is along (cos^(2-e1) u cos^(2-e2) v / a, ...).
        const Vector3d g = s.semi_axes.cwiseProduct(d);
        const double v = std::atan2(signed_power(g.y(), 1.0 / (2.0 - s.e2)), signed_power(g.x(), 1.0 / (2.0 - s.e2)));
        const double c = std::pow(std::abs(std::cos(v)), 2.0 - s.e2), n = std::pow(std::abs(std::sin(v)), 2.0 - s.e2);
        const double across = c > n ? std::abs(g.x()) / c : std::abs(g.y()) / n;
        const double u = std::atan2(signed_power(g.z(), 1.0 / (2.0 - s.e1)), std::pow(across, 1.0 / (2.0 - s.e1)));
        const double ring = std::pow(std::cos(u), s.e1);
        return {s.semi_axes.x() * ring * signed_power(std::cos(v), s.e2),
                s.semi_axes.y() * ring * signed_power(std::sin(v), s.e2),
                s.semi_axes.z() * signed_power(std::sin(u), s.e1)};
    }
    Vector3d operator()(const Cylinder& s) const {
        const double across = std::hypot(d.x(), d.y());
        const double k = across > 0.0 ? s.radius / across : 0.0;
        return {k * d.x(), k * d.y(), std::copysign(s.half_length, d.z())};
    }
    Vector3d operator()(const HalfSpace&) const { unsupported("a half-space has no farthest point"); }
    Vector3d operator()(const Polytope& s) const {
        Vector3d best = s.vertices.front();
        for (const Vector3d& v : s.vertices)
            if (v.dot(d) > best.dot(d)) best = v;
        return best;
    }
    Vector3d operator()(const Hollow&) const { unsupported("a bowl has no farthest point"); }
};

/// The corners of flat-faced shapes; empty for round ones.
std::vector<Vector3d> corners(const Shape& shape, bool planar) {
    if (const auto* p = std::get_if<Polytope>(&shape)) return p->vertices;
    std::vector<Vector3d> list;
    if (const auto* b = std::get_if<Box>(&shape))
        for (int k = 0; k < 8; ++k)
            if (!planar || (k & 2) == 0)
                list.emplace_back((k & 1) != 0 ? b->half.x() : -b->half.x(),
                                  planar ? 0.0 : ((k & 2) != 0 ? b->half.y() : -b->half.y()),
                                  (k & 4) != 0 ? b->half.z() : -b->half.z());
    return list;
}

/// `shape` against the half-space under `plane`; normal from the shape into the solid side.
std::vector<NearPoint> against_half_space(const Shape& shape, const Pose& pose, const Pose& plane, double reach,
                                          bool planar) {
    const Vector3d up = plane.orientation * Vector3d::UnitZ();
    std::vector<NearPoint> found;
    const auto add = [&](const Vector3d& on_shape, unsigned feature) {
        const double gap = up.dot(on_shape - plane.position);
        if (gap < reach) found.push_back({on_shape, on_shape - gap * up, -up, gap, feature});
    };
    const auto list = corners(shape, planar);
    for (std::size_t k = 0; k < list.size(); ++k) add(pose.to_world(list[k]), unsigned(k));
    if (list.empty()) add(pose.to_world(support(shape, pose.orientation.conjugate() * -up)), 0);
    return found;
}

std::vector<NearPoint> flipped(std::vector<NearPoint> points) {
    for (NearPoint& p : points) {
        std::swap(p.on_a, p.on_b);
        p.normal = -p.normal;
    }
    return points;
}

/// A ball in a bowl; normal from the ball outward.
std::vector<NearPoint> in_bowl(const Sphere& sphere, const Pose& at, const Hollow& bowl, const Pose& bowl_at,
                               double reach) {
    const Vector3d d = at.position - bowl_at.position;
    const double distance = d.norm(), gap = bowl.radius - sphere.radius - distance;
    if (!(gap < reach)) return {};
    const Vector3d n = distance > 0.0 ? Vector3d(d / distance) : Vector3d(-Vector3d::UnitZ());
    return {{at.position + sphere.radius * n, bowl_at.position + bowl.radius * n, n, gap, 0}};
}

}  // namespace

Vector3d support(const Shape& shape, const Vector3d& direction) { return std::visit(Support{direction}, shape); }

double bounding_radius(const Shape& shape) {
    struct Radius {
        double operator()(const Sphere& s) const { return s.radius; }
        double operator()(const Box& s) const { return s.half.norm(); }
        double operator()(const Ellipsoid& s) const { return s.semi_axes.maxCoeff(); }
        double operator()(const Superquadric& s) const { return s.semi_axes.norm(); }
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

std::vector<NearPoint> near_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double reach,
                                   bool planar) {
    const bool half_a = std::holds_alternative<HalfSpace>(a), half_b = std::holds_alternative<HalfSpace>(b);
    if (half_a && half_b) unsupported("two half-spaces cannot be in contact");
    if (half_b) return against_half_space(a, pose_a, pose_b, reach, planar);
    if (half_a) return flipped(against_half_space(b, pose_b, pose_a, reach, planar));
    const auto* sphere_a = std::get_if<Sphere>(&a);
    const auto* sphere_b = std::get_if<Sphere>(&b);
    if (sphere_a != nullptr && sphere_b != nullptr) {
        const Vector3d d = pose_b.position - pose_a.position;
        const double distance = d.norm();
        const double gap = distance - sphere_a->radius - sphere_b->radius;
        if (!(gap < reach)) return {};
        const Vector3d n = distance > 0.0 ? Vector3d(d / distance) : Vector3d(Vector3d::UnitZ());
        return {{pose_a.position + sphere_a->radius * n, pose_b.position - sphere_b->radius * n, n, gap, 0}};
    }
    const auto* bowl_a = std::get_if<Hollow>(&a);
    const auto* bowl_b = std::get_if<Hollow>(&b);
    if (sphere_a != nullptr && bowl_b != nullptr) return in_bowl(*sphere_a, pose_a, *bowl_b, pose_b, reach);
    if (bowl_a != nullptr && sphere_b != nullptr) return flipped(in_bowl(*sphere_b, pose_b, *bowl_a, pose_a, reach));
    unsupported("this pair of shapes is not known yet");
}

}  // namespace scree::reference
