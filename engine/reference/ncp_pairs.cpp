// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_pairs.hpp"

#include "engine/reference/placed.hpp"
#include "engine/reference/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// A body against the half-space under `plane`.
PairGap over_plane(const Placed& body, const Pose& plane) {
    const Vector3d up = plane.orientation * Vector3d::UnitZ();
    const Vector3d lowest = body.support(-up);
    const double gap = up.dot(lowest - plane.position);
    return {-up, lowest, lowest - gap * up, gap};
}

PairGap flipped(PairGap pair) {
    std::swap(pair.on_a, pair.on_b);
    pair.direction = -pair.direction;
    return pair;
}

struct Thickness {
    double operator()(const Sphere& s) const { return s.radius; }
    double operator()(const Box& s) const { return s.half.minCoeff(); }
    double operator()(const Ellipsoid& s) const { return s.semi_axes.minCoeff(); }
    // With an exponent above one the surface lies within the ellipsoid: an octahedron's faces at 1 / sqrt(3).
    double operator()(const Superquadric& s) const {
        return s.semi_axes.minCoeff() * (s.e1 > 1.0 || s.e2 > 1.0 ? std::sqrt(1.0 / 3.0) : 1.0);
    }
    double operator()(const Cylinder& s) const { return std::min(s.radius, s.half_length); }
    double operator()(const HalfSpace&) const { return std::numeric_limits<double>::infinity(); }
    double operator()(const Polytope& s) const { return *std::min_element(s.offsets.begin(), s.offsets.end()); }
    double operator()(const Hollow& s) const { return s.radius; }
};

}  // namespace

PairGap pair_gap(const World& world, const BodyPair& pair, double time, const VectorXd& q) {
    const Shape &a = world.bodies[pair.first].shape, &b = world.bodies[pair.second].shape;
    const Pose at_a = world.pose(pair.first, time, q), at_b = world.pose(pair.second, time, q);
    if (std::holds_alternative<Hollow>(a) || std::holds_alternative<Hollow>(b)) {
        const auto near = nearest_pair(a, at_a, b, at_b, world.planar);
        // A bowl's nearest points are not always found far from it, where it does not matter.
        if (!near) return {Vector3d::UnitZ(), at_a.position, at_b.position, std::numeric_limits<double>::infinity()};
        return {near->normal, near->on_a, near->on_b, near->gap};
    }
    const Placed first{a, at_a, world.planar}, second{b, at_b, world.planar};
    if (std::holds_alternative<HalfSpace>(b)) return over_plane(first, at_b);
    if (std::holds_alternative<HalfSpace>(a)) return flipped(over_plane(second, at_a));
    const Separation widest = world.planar ? planar_separation(first, second) : separation(first, second);
    return {widest.direction, widest.on_a, widest.on_b, widest.gap};
}

double bounding_gap(const World& world, const BodyPair& pair, double time, const VectorXd& q) {
    const auto [a, b] = pair;
    return (world.pose(b, time, q).position - world.pose(a, time, q).position).norm() -
           bounding_radius(world.bodies[a].shape) - bounding_radius(world.bodies[b].shape);
}

std::vector<BodyPair> pairs_within(const World& world, double time, const VectorXd& q, double reach) {
    std::vector<BodyPair> pairs;
    for (std::size_t a = 0; a < world.bodies.size(); ++a)
        for (std::size_t b = a + 1; b < world.bodies.size(); ++b) {
            if (world.bodies[a].fixed && world.bodies[b].fixed) continue;
            if (bounding_gap(world, {a, b}, time, q) <= reach) pairs.emplace_back(a, b);
        }
    return pairs;
}

std::vector<NearPoint> touching_points(const World& world, const BodyPair& pair, double time, const VectorXd& q,
                                       double reach) {
    const Shape &a = world.bodies[pair.first].shape, &b = world.bodies[pair.second].shape;
    const bool bowl = std::holds_alternative<Hollow>(a) || std::holds_alternative<Hollow>(b);
    if (!bowl && (is_flat(a) || is_flat(b))) {
        auto points =
            near_points(a, world.pose(pair.first, time, q), b, world.pose(pair.second, time, q), reach, world.planar);
        if (!points.empty()) return points;
    }
    const PairGap one = pair_gap(world, pair, time, q);
    if (!(one.gap < reach)) return {};
    return {{one.on_a, one.on_b, one.direction, one.gap, 0}};
}

double thickness(const Shape& shape) { return std::visit(Thickness{}, shape); }

double way_of(const World& world, const BodyPair& pair, const VectorXd& v, double h) {
    const auto a = world.twist(pair.first, v), b = world.twist(pair.second, v);
    const auto turned = [&](std::size_t body, const Vector3d& spin) {
        const double size = size_of(world.bodies[body].shape);
        return spin.isZero(0.0) || !std::isfinite(size) ? 0.0 : size * spin.norm();
    };
    return h * ((b - a).head<3>().norm() + turned(pair.first, a.tail<3>()) + turned(pair.second, b.tail<3>()));
}

double overlap_on_way(const World& world, const BodyPair& pair, const State& from, const VectorXd& v, double h) {
    constexpr int most = 64;
    const double piece =
        0.25 * std::min(thickness(world.bodies[pair.first].shape), thickness(world.bodies[pair.second].shape));
    const double way = way_of(world, pair, v, h);
    if (!(way > piece)) return 0.0;
    const int places = int(std::min(double(most), std::ceil(way / piece)));
    double deepest = 0.0;
    for (int k = 1; k < places; ++k) {
        const double part = h * double(k) / double(places);
        const VectorXd q = world.moved(from.q, v, part);
        if (bounding_gap(world, pair, from.time + part, q) > 0.0) continue;
        deepest = std::max(deepest, -pair_gap(world, pair, from.time + part, q).gap);
    }
    return deepest;
}

}  // namespace scree::reference
