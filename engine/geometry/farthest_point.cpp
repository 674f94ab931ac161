// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/farthest_point.hpp"

#include "engine/reference/collision.hpp"
#include "engine/reference/solid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::geometry {
namespace {

using Eigen::Vector3d;

/// Of a body that is its own mirror image in all three planes of its axes: the farthest point lies in the octant
/// opposite to `from`. The distance is the largest value over all directions d of max x . d - from . d; x -> support(x
/// - from) never comes nearer.
double search(const reference::Shape& shape, model::Vec3 from) {
    const Vector3d back(std::abs(from.x), std::abs(from.y), std::abs(from.z));
    constexpr int steps = 60;
    std::vector<std::pair<double, Vector3d>> found;
    double best = 0.0;
    for (int i = 0; i <= steps; ++i)
        for (int k = 0; k <= steps; ++k) {
            const double polar = 0.5 * std::numbers::pi * i / steps, azimuth = 0.5 * std::numbers::pi * k / steps;
            const Vector3d d(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar));
            const Vector3d x = reference::support(shape, d);
            found.emplace_back((x + back).dot(d), x);
            best = std::max(best, (x + back).norm());
        }
    for (auto& [value, x] : found) {
        if (value < 0.9996 * best) continue;
        for (int round = 0; round < 200; ++round) {
            const Vector3d next = reference::support(shape, x + back);
            const double gain = (next + back).norm() - (x + back).norm();
            x = next;
            if (!(gain > 1e-15 * best)) break;
        }
        best = std::max(best, (x + back).norm());
    }
    return best;
}

struct Farthest {
    model::Vec3 from;

    double operator()(const model::SolidSphere& s) const { return norm(from) + s.radius; }
    double operator()(const model::SolidBox& s) const {
        const double r = s.rounding;
        const model::Vec3 corner{std::abs(from.x) + s.half_extents.x - r, std::abs(from.y) + s.half_extents.y - r,
                                 std::abs(from.z) + s.half_extents.z - r};
        return norm(corner) + r;
    }
    double operator()(const model::SolidCylinder& s) const {
        return std::hypot(beside() + s.radius - s.rounding, std::abs(from.z) + s.half_length - s.rounding) + s.rounding;
    }
    double operator()(const model::SolidCapsule& s) const {
        return std::hypot(beside(), std::abs(from.z) + s.half_length) + s.radius;
    }
    double operator()(const model::SolidCone& s) const {
        return std::max(std::hypot(beside() + s.radius, from.z + 0.25 * s.height),
                        std::hypot(beside(), from.z - 0.75 * s.height));
    }
    double operator()(const model::SolidPolytope& s) const {
        const Vector3d centre = reference::make_solid(s, false).centre;
        double largest = 0.0;
        for (const model::Vec3& v : s.vertices)
            largest = std::max(largest, norm(v - model::Vec3{centre.x(), centre.y(), centre.z()} - from));
        return largest;
    }
    double operator()(const model::SolidEllipsoid& s) const {
        return search(reference::make_solid(s, false).shape, from);
    }
    double operator()(const model::SolidSuperquadric& s) const {
        return search(reference::make_solid(s, false).shape, from);
    }

private:
    /// Distance from the axis z.
    [[nodiscard]] double beside() const { return std::hypot(from.x, from.y); }
};

}  // namespace

double farthest_distance(const model::ConvexSolid& solid, model::Vec3 from) {
    return std::visit(Farthest{from}, solid);
}

}  // namespace scree::geometry
