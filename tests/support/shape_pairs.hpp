// SPDX-License-Identifier: BSD-3-Clause
// Random convex shapes and poses, and an independent check of the gap, for tests of collision.
#pragma once

#include "engine/reference/collision.hpp"
#include "engine/reference/polytope.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace scree::reference::testing {

class ShapePairs {
public:
    explicit ShapePairs(unsigned seed, bool planar) : random_(seed), planar_(planar) {}

    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    Eigen::Vector3d direction() {
        std::normal_distribution<double> normal;
        for (;;) {
            const Eigen::Vector3d d(normal(random_), planar_ ? 0.0 : normal(random_), normal(random_));
            if (d.norm() > 1e-3) return d.normalized();
        }
    }
    Eigen::Quaterniond orientation() {
        if (planar_)
            return Eigen::Quaterniond(Eigen::AngleAxisd(uniform(-3.14, 3.14), Eigen::Vector3d::UnitY())).normalized();
        std::normal_distribution<double> normal;
        return Eigen::Quaterniond(normal(random_), normal(random_), normal(random_), normal(random_)).normalized();
    }
    Eigen::Vector3d sizes(double least) { return {uniform(least, 1), uniform(least, 1), uniform(least, 1)}; }
    Polytope polytope(std::size_t corners) {
        std::vector<Eigen::Vector3d> points;
        const Eigen::Vector3d stretch = sizes(0.3);
        for (std::size_t k = 0; k < corners; ++k) points.push_back(stretch.cwiseProduct(direction()));
        return planar_ ? make_polygon(points) : make_polytope(points);
    }
    /// One of six kinds: sphere, box, ellipsoid, superquadric, cylinder, polytope.
    Shape shape(std::size_t kind) {
        switch (kind) {
            case 0:
                return Sphere{uniform(0.2, 1.0)};
            case 1:
                return Box{sizes(0.2)};
            case 2:
                return Ellipsoid{sizes(0.2)};
            case 3:
                return Superquadric{sizes(0.3), uniform(0.1, 2.0), uniform(0.1, 2.0)};
            case 4:
                return Cylinder{uniform(0.2, 1.0), uniform(0.2, 1.0)};
            default:
                return polytope(std::size_t(uniform(6.0, 20.0)));
        }
    }

private:
    std::mt19937 random_;
    bool planar_;
};

/// s(d) of the pair, written out once more.
inline double separating(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Eigen::Vector3d d,
                         bool planar) {
    const auto reach = [&](const Shape& shape, const Pose& pose, const Eigen::Vector3d& way) {
        return way.dot(pose.position) +
               support(shape, pose.orientation.conjugate() * way).dot(pose.orientation.conjugate() * way);
    };
    if (planar) d.y() = 0.0;
    d.normalize();
    return -reach(b, pose_b, -d) - reach(a, pose_a, d);
}

/// Value of the shape's implicit function at a point [world], scaled to a distance near the surface: zero on it,
/// negative inside.
inline double implicit(const Shape& shape, const Pose& pose, const Eigen::Vector3d& point, bool planar) {
    Eigen::Vector3d p = pose.to_body(point);
    if (planar) p.y() = 0.0;
    struct Value {
        Eigen::Vector3d p;
        double operator()(const Sphere& s) const { return p.norm() - s.radius; }
        double operator()(const Box& s) const { return (p.cwiseAbs() - s.half).maxCoeff(); }
        double operator()(const Ellipsoid& s) const {
            const double r = p.cwiseQuotient(s.semi_axes).norm();
            return (r - 1.0) * s.semi_axes.minCoeff();
        }
        double operator()(const Superquadric& s) const {
            const Eigen::Vector3d q = p.cwiseQuotient(s.semi_axes).cwiseAbs();
            const double ring = std::pow(std::pow(q.x(), 2 / s.e2) + std::pow(q.y(), 2 / s.e2), s.e2 / 2);
            const double r = std::pow(std::pow(ring, 2 / s.e1) + std::pow(q.z(), 2 / s.e1), s.e1 / 2);
            return (r - 1.0) * s.semi_axes.minCoeff();
        }
        double operator()(const Cylinder& s) const {
            return std::max(std::hypot(p.x(), p.y()) - s.radius, std::abs(p.z()) - s.half_length);
        }
        double operator()(const HalfSpace&) const { return p.z(); }
        double operator()(const Polytope& s) const {
            double largest = -1e300;
            for (std::size_t k = 0; k < s.normals.size(); ++k)
                largest = std::max(largest, s.normals[k].dot(p) - s.offsets[k]);
            return largest;
        }
    };
    return std::visit(Value{p}, shape);
}

/// The largest s(d) over a grid of directions, finer and finer about the best; an independent, slow check of the gap,
/// from below: never above the true one.
inline double gap_by_scanning(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, bool planar) {
    const auto s = [&](const Eigen::Vector3d& d) { return separating(a, pose_a, b, pose_b, d, planar); };
    constexpr int count = 4000;
    std::vector<std::pair<double, Eigen::Vector3d>> tried;
    for (int k = 0; k < count; ++k) {  // Fibonacci points
        const double z = planar ? 0.0 : 1.0 - (2.0 * k + 1.0) / count;
        const double angle = planar ? 2.0 * std::numbers::pi * k / count : k * std::numbers::pi * (3 - std::sqrt(5.0));
        const double r = std::sqrt(1 - z * z);
        const Eigen::Vector3d d = planar ? Eigen::Vector3d(std::cos(angle), 0, std::sin(angle))
                                         : Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), z);
        tried.emplace_back(s(d), d);
    }
    std::sort(tried.begin(), tried.end(), [](const auto& l, const auto& r) { return l.first > r.first; });
    double best = -1e300;
    for (int start = 0; start < 6; ++start) {  // pattern search from the best six
        auto [value, d] = tried[std::size_t(start)];
        for (double step = 0.05; step > 1e-8; step *= 0.4) {
            bool better = true;
            for (int moves = 0; better && moves < 50; ++moves) {  // along a ridge it may creep for long
                better = false;
                const Eigen::Vector3d t1 = d.unitOrthogonal(), t2 = d.cross(t1);
                for (int k = 0; k < 12; ++k) {
                    const double angle = 2 * std::numbers::pi * k / 12;
                    Eigen::Vector3d next = d + step * (std::cos(angle) * t1 + std::sin(angle) * t2);
                    if (planar) next.y() = 0;
                    next.normalize();
                    const double there = s(next);
                    if (there > value + 1e-3 * step * step + 1e-15) {
                        value = there;
                        d = next;
                        better = true;
                    }
                }
            }
        }
        best = std::max(best, value);
    }
    return best;
}

}  // namespace scree::reference::testing
