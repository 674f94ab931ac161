// SPDX-License-Identifier: BSD-3-Clause
// Most shapes are stacks of rings, closed at both ends by flat polygons.
#include "engine/geometry/shape_surface.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <stdexcept>

namespace scree::geometry {
namespace {

using kernels::ShapeKind;
using model::Vec3;
using Ring = std::vector<Vec3>;  ///< Counter-clockwise seen from +z.

constexpr double pi = std::numbers::pi;

struct Fineness {
    std::size_t around;   ///< Points of a circle, a multiple of 4.
    std::size_t quarter;  ///< Pieces of a quarter of a circle from pole to equator.
};
constexpr Fineness of_volumes{64, 24}, of_pictures{16, 4};

/// From the lowest ring to the highest, all of as many points.
ClosedSurface stacked(const std::vector<Ring>& rings) {
    ClosedSurface surface;
    const auto n = std::uint32_t(rings.front().size());
    for (const Ring& ring : rings) surface.points.insert(surface.points.end(), ring.begin(), ring.end());
    const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        surface.triangles.push_back({a, b, c});
    };
    for (std::uint32_t r = 0; r + 1 < rings.size(); ++r)
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t here = r * n + k, next = r * n + (k + 1) % n;
            triangle(here, next, next + n);
            triangle(here, next + n, here + n);
        }
    const auto top = std::uint32_t(rings.size() - 1) * n;
    for (std::uint32_t k = 1; k + 1 < n; ++k) {
        triangle(0, k + 1, k);
        triangle(top, top + k, top + k + 1);
    }
    return surface;
}

/// A polygon of the circle's area.
Ring circle(double radius, double z, std::size_t around) {
    const double step = 2.0 * pi / double(around), equal = std::sqrt(step / std::sin(step));
    Ring ring;
    for (std::size_t k = 0; k < around; ++k)
        ring.push_back({equal * radius * std::cos(double(k) * step), equal * radius * std::sin(double(k) * step), z});
    return ring;
}

/// Rings of the arc about (radius, z) of a meridian, from one angle over the horizontal to another.
void add_arc(std::vector<Ring>& rings, double radius, double z, double rounding, double from, double to,
             Fineness fine) {
    if (rounding <= 0.0) {
        rings.push_back(circle(radius, z, fine.around));
        return;
    }
    for (std::size_t k = 0; k <= fine.quarter; ++k) {
        const double angle = from + (to - from) * double(k) / double(fine.quarter);
        rings.push_back(circle(radius + rounding * std::cos(angle), z + rounding * std::sin(angle), fine.around));
    }
}

/// The hull of two discs square to z, with a rounding.
ClosedSurface rounded_frustum(const kernels::Frustum& f, double rounding, Fineness fine) {
    std::vector<Ring> rings;
    const double side = std::atan2(f.r0 - f.r1, f.z1 - f.z0);  // of the normal of the mantle over the horizontal
    add_arc(rings, f.r0, f.z0, rounding, -0.5 * pi, side, fine);
    add_arc(rings, f.r1, f.z1, rounding, side, 0.5 * pi, fine);
    return stacked(rings);
}

double signed_power(double x, double exponent) { return std::copysign(std::pow(std::abs(x), exponent), x); }

/// Points of (|x|^(2/e) + |y|^(2/e))^(e/2) = 1, scaled so that their polygon has the curve's area (Dirichlet's
/// integral).
Ring unit_ring(double e, std::size_t around) {
    Ring ring;
    double polygon = 0.0;
    for (std::size_t k = 0; k < around; ++k) {
        const double longitude = 2.0 * pi * double(k) / double(around);
        ring.push_back({signed_power(std::cos(longitude), e), signed_power(std::sin(longitude), e), 0.0});
        if (k > 0) polygon += 0.5 * cross(ring[k - 1], ring[k]).z;
    }
    polygon += 0.5 * cross(ring.back(), ring.front()).z;
    const double root = std::tgamma(1.0 + 0.5 * e), area = 4.0 * root * root / std::tgamma(1.0 + e);
    for (Vec3& point : ring) point = std::sqrt(area / polygon) * point;
    return ring;
}

ClosedSurface superquadric(const kernels::ConvexShape& s, Fineness fine) {
    const Ring unit = unit_ring(s.e2, fine.around);
    const std::size_t quarter = fine.quarter;
    std::vector<Ring> rings;
    for (std::size_t k = 0; k <= 2 * quarter; ++k) {
        const double latitude = pi * (double(k) / double(2 * quarter) - 0.5);
        const bool pole = k == 0 || k == 2 * quarter;
        const double width = pole ? 0.0 : std::pow(std::cos(latitude), s.e1);
        Ring ring;
        for (const Vec3 p : unit)
            ring.push_back({s.a * width * p.x, s.b * width * p.y, s.c * signed_power(std::sin(latitude), s.e1)});
        rings.push_back(ring);
    }
    return stacked(rings);
}

/// Eighths of a ball at the corners: rings and longitudes between them come twice, at both ends of a face or edge.
ClosedSurface rounded_box(const kernels::ConvexShape& s, Fineness fine) {
    const auto [around, quarter] = fine;
    const double r = s.rounding;
    std::vector<Ring> rings;
    for (const double side : {-1.0, 1.0})
        for (std::size_t k = 0; k <= (r > 0.0 ? quarter : 0); ++k) {
            const double share = double(k) / double(quarter);
            const double latitude = 0.5 * pi * (side < 0.0 ? share - 1.0 : share);
            Ring ring;
            for (int q = 0; q < 4; ++q)
                for (std::size_t j = 0; j <= (r > 0.0 ? around / 4 : 0); ++j) {
                    const double longitude = 0.5 * pi * (double(q) + 4.0 * double(j) / double(around));
                    const double across = r * std::cos(latitude);
                    ring.push_back({(q == 1 || q == 2 ? -s.a : s.a) + across * std::cos(longitude),
                                    (q < 2 ? s.b : -s.b) + across * std::sin(longitude),
                                    side * s.c + r * std::sin(latitude)});
                }
            rings.push_back(ring);
        }
    return stacked(rings);
}

ClosedSurface polyhedron(const kernels::ShapeView& view, const kernels::ConvexShape& s) {
    ClosedSurface surface;
    for (std::int32_t k = 0; k < s.vertex_count; ++k) {
        const double* v = view.vertices + std::int64_t(3) * (s.first_vertex + k);
        surface.points.push_back({v[0], v[1], v[2]});
    }
    for (std::int32_t f = s.first_face; f < s.first_face + s.face_count; ++f) {
        const std::int32_t *begin = view.corners + view.first_corner[f], *end = view.corners + view.first_corner[f + 1];
        for (const std::int32_t* c = begin + 1; c + 1 < end; ++c)
            surface.triangles.push_back({std::uint32_t(*begin), std::uint32_t(c[0]), std::uint32_t(c[1])});
    }
    return surface;
}

ClosedSurface sampled(const kernels::ConvexShape& s, Fineness fine) {
    switch (s.kind) {
        case ShapeKind::capsule:
            return rounded_frustum({0.0, -s.c, 0.0, s.c}, s.rounding, fine);
        case ShapeKind::cylinder:
        case ShapeKind::cone:
            return rounded_frustum(kernels::frustum_of(s), s.rounding, fine);
        case ShapeKind::ellipsoid:
        case ShapeKind::superquadric:
            return superquadric(s, fine);
        case ShapeKind::box:
            return rounded_box(s, fine);
        default:
            throw std::logic_error("this shape has no surface of triangles");
    }
}

/// Points that coincide made one, and without the triangles that this leaves no area.
ClosedSurface welded(const ClosedSurface& surface) {
    ClosedSurface whole;
    std::map<std::array<double, 3>, std::uint32_t> known;
    std::vector<std::uint32_t> number;
    for (const Vec3 p : surface.points) {
        const auto [at, is_new] = known.try_emplace({p.x, p.y, p.z}, std::uint32_t(whole.points.size()));
        if (is_new) whole.points.push_back(p);
        number.push_back(at->second);
    }
    for (const auto& t : surface.triangles) {
        const std::uint32_t a = number[t[0]], b = number[t[1]], c = number[t[2]];
        if (a != b && b != c && c != a) whole.triangles.push_back({a, b, c});
    }
    return whole;
}

}  // namespace

ClosedSurface surface_of(const kernels::ShapeView& view, const kernels::ConvexShape& shape, double volume) {
    if (shape.kind == ShapeKind::polyhedron && shape.rounding == 0.0) return polyhedron(view, shape);
    ClosedSurface surface = sampled(shape, of_volumes);
    if (shape.kind == ShapeKind::box && shape.rounding == 0.0) return surface;
    const double scale = std::cbrt(volume / volume_of(surface));
    for (Vec3& point : surface.points) point = scale * point;
    return surface;
}

ClosedSurface picture_of(const kernels::ShapeView& view, const kernels::ConvexShape& shape) {
    if (shape.kind == ShapeKind::polyhedron && shape.rounding == 0.0) return polyhedron(view, shape);
    if (shape.kind != ShapeKind::sphere) return welded(sampled(shape, of_pictures));
    kernels::ConvexShape ball;
    ball.kind = ShapeKind::ellipsoid;
    ball.a = ball.b = ball.c = shape.rounding;
    return welded(sampled(ball, of_pictures));
}

}  // namespace scree::geometry
