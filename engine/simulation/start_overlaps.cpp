// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/start_overlaps.hpp"

#include "engine/geometry/overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace scree::simulation {
namespace {

using namespace reference;

struct HalfThickness {
    double operator()(const Sphere& s) const { return s.radius; }
    double operator()(const Box& s) const { return s.half.minCoeff(); }
    double operator()(const Ellipsoid& s) const { return s.semi_axes.minCoeff(); }
    double operator()(const Superquadric& s) const {
        // It holds the ellipsoid of its semi-axes, or, between that and it, at least their octahedron.
        if (std::max(s.e1, s.e2) <= 1.0) return s.semi_axes.minCoeff();
        return 1.0 / s.semi_axes.cwiseInverse().norm();
    }
    double operator()(const Cylinder& s) const { return std::min(s.radius, s.half_length); }
    double operator()(const HalfSpace&) const { return std::numeric_limits<double>::infinity(); }
    double operator()(const Hollow&) const { return std::numeric_limits<double>::infinity(); }
    double operator()(const Polytope& s) const {
        return s.offsets.empty() ? 0.0 : *std::min_element(s.offsets.begin(), s.offsets.end());
    }
};

}  // namespace

double half_thickness(const Shape& shape) { return std::visit(HalfThickness{}, shape); }

StartOverlaps start_overlaps(const World& world) {
    const State state = world.start();
    std::map<std::pair<Index, Index>, double> depths;
    for (const Contact& contact : world.contacts(state.time, state.q, 0.0)) {
        double& depth = depths[{contact.body_a, contact.body_b}];
        depth = std::max(depth, -contact.gap);
    }
    StartOverlaps found;
    for (const auto& [pair, depth] : depths) {
        const Body &a = world.bodies[std::size_t(pair.first)], &b = world.bodies[std::size_t(pair.second)];
        const double share = depth / std::min(half_thickness(a.shape), half_thickness(b.shape));
        if (!(share > geometry::deep_overlap)) continue;
        ++found.count;
        if (share > found.share) found = {found.count, a.name, b.name, depth, share};
    }
    return found;
}

}  // namespace scree::simulation
