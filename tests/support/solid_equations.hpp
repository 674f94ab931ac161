// SPDX-License-Identifier: BSD-3-Clause
// Equations of solids, written out once more: independent of support functions and of the narrow phase.
#pragma once

#include "engine/geometry/random_stream.hpp"
#include "engine/model/solid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace scree::test {

/// Negative inside, 0 on the surface, positive outside, at a point in axes of the solid about its centre of mass; near
/// the surface about a distance [m]. Polytopes must be symmetric about the origin and triangulated by `faces`.
struct SolidEquation {
    model::Vec3 p;
    const std::vector<std::pair<model::Vec3, double>>* planes = nullptr;  ///< Of a polytope: n . x <= offset.

    double operator()(const model::SolidSphere& s) const { return norm(p) - s.radius; }
    double operator()(const model::SolidBox& s) const {
        const double r = s.rounding;
        const model::Vec3 q{std::abs(p.x) - s.half_extents.x + r, std::abs(p.y) - s.half_extents.y + r,
                            std::abs(p.z) - s.half_extents.z + r};
        const model::Vec3 beyond{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
        return norm(beyond) + std::min(std::max({q.x, q.y, q.z}), 0.0) - r;
    }
    double operator()(const model::SolidEllipsoid& s) const {
        const model::Vec3 a = s.semi_axes;
        return (norm(model::Vec3{p.x / a.x, p.y / a.y, p.z / a.z}) - 1.0) * std::min({a.x, a.y, a.z});
    }
    double operator()(const model::SolidSuperquadric& s) const {
        const model::Vec3 a = s.semi_axes, q{std::abs(p.x) / a.x, std::abs(p.y) / a.y, std::abs(p.z) / a.z};
        const double ring = std::pow(std::pow(q.x, 2 / s.e2) + std::pow(q.y, 2 / s.e2), s.e2 / s.e1);
        const double whole = std::pow(ring + std::pow(q.z, 2 / s.e1), s.e1 / 2);
        return (whole - 1.0) * std::min({a.x, a.y, a.z});
    }
    double operator()(const model::SolidCylinder& s) const {
        const double r = s.rounding, u = std::hypot(p.x, p.y) - s.radius + r, v = std::abs(p.z) - s.half_length + r;
        return std::hypot(std::max(u, 0.0), std::max(v, 0.0)) + std::min(std::max(u, v), 0.0) - r;
    }
    double operator()(const model::SolidCapsule& s) const {
        const double beyond = std::max(std::abs(p.z) - s.half_length, 0.0);
        return norm(model::Vec3{p.x, p.y, beyond}) - s.radius;
    }
    double operator()(const model::SolidCone& s) const {
        const double flank =
            (std::hypot(p.x, p.y) * s.height + (p.z - 0.75 * s.height) * s.radius) / std::hypot(s.height, s.radius);
        return std::max(flank, -0.25 * s.height - p.z);
    }
    double operator()(const model::SolidPolytope&) const {
        double largest = -1e300;
        for (const auto& [normal, offset] : *planes) largest = std::max(largest, dot(normal, p) - offset);
        return largest;
    }
    double operator()(const model::SolidCompound&) const { return 0.0; }
};

/// A solid with what its equation needs.
struct KnownSolid {
    model::Solid solid;
    std::vector<std::pair<model::Vec3, double>> planes;

    [[nodiscard]] double at(model::Vec3 p) const { return std::visit(SolidEquation{p, &planes}, solid); }
};

inline constexpr int solid_kinds = 10;

/// One of ten kinds of random sizes, up to 1 m.
inline KnownSolid random_solid(int kind, geometry::RandomStream& random) {
    const auto size = [&] { return random.between(0.3, 1.0); };
    const auto sizes = [&] {
        const double x = size(), y = size(), z = size();
        return model::Vec3{x, y, z};
    };
    switch (kind) {
        case 0:
            return {model::SolidSphere{size()}, {}};
        case 1:
            return {model::SolidBox{sizes()}, {}};
        case 2:
            return {model::SolidBox{sizes(), random.between(0.05, 0.25)}, {}};
        case 3:
            return {model::SolidEllipsoid{sizes()}, {}};
        case 4:
            return {model::SolidSuperquadric{sizes(), random.between(0.2, 1.8), random.between(0.2, 1.8)}, {}};
        case 5:
            return {model::SolidCylinder{size(), size()}, {}};
        case 6:
            return {model::SolidCylinder{size(), size(), random.between(0.05, 0.25)}, {}};
        case 7:
            return {model::SolidCapsule{size(), size()}, {}};
        case 8:
            return {model::SolidCone{size(), 2.0 * size()}, {}};
        default: {
            // A skew octahedron: the hull of three vectors and their opposites.
            std::array<model::Vec3, 3> v{};
            for (std::size_t k = 0; k < 3; ++k) {
                v[k] = model::Vec3{random.between(-0.2, 0.2), random.between(-0.2, 0.2), random.between(-0.2, 0.2)};
                (k == 0 ? v[k].x : k == 1 ? v[k].y : v[k].z) += size();
            }
            KnownSolid known;
            model::SolidPolytope hull;
            for (const double sign : {1.0, -1.0})
                for (const model::Vec3 corner : v) hull.vertices.push_back(sign * corner);
            for (int signs = 0; signs < 8; ++signs) {
                const auto of = [&](int k) { return ((signs >> k) & 1) != 0 ? v[std::size_t(k)] : -v[std::size_t(k)]; };
                const model::Vec3 normal = normalized(cross(of(1) - of(0), of(2) - of(0)));
                const double offset = dot(normal, of(0));
                known.planes.emplace_back(offset < 0.0 ? -normal : normal, std::abs(offset));
            }
            known.solid = hull;
            return known;
        }
    }
}

}  // namespace scree::test
