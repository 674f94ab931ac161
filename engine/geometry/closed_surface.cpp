// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/closed_surface.hpp"

#include "engine/geometry/extent.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace scree::geometry {
namespace {

using model::Vec3;

/// A convex polygon; six cuts of a triangle leave nine corners at most.
struct Polygon {
    std::array<Vec3, 10> corner;
    std::size_t count = 0;

    void add(Vec3 p) { corner[count++] = p; }
};

/// The part with sign * (coordinate - at) >= 0 (Sutherland and Hodgman, 1974).
Polygon cut(const Polygon& polygon, double Vec3::*axis, double at, double sign) {
    Polygon left;
    for (std::size_t k = 0; k < polygon.count; ++k) {
        const Vec3 p = polygon.corner[k], q = polygon.corner[k + 1 == polygon.count ? 0 : k + 1];
        const double inside_p = sign * (p.*axis - at), inside_q = sign * (q.*axis - at);
        if (inside_p >= 0.0) left.add(p);
        if ((inside_p >= 0.0) == (inside_q >= 0.0)) continue;
        // From the inner point, so that both triangles of an edge cut it in the same one.
        const bool from_p = inside_p >= 0.0;
        const Vec3 from = from_p ? p : q, to = from_p ? q : p;
        const double share = (from_p ? inside_p : inside_q) / (from_p ? inside_p - inside_q : inside_q - inside_p);
        Vec3 on = from + share * (to - from);
        on.*axis = at;
        left.add(on);
    }
    return left;
}

/// Twice the signed area of the shadow of a triangle on the floor.
double twice_shadow(Vec3 a, Vec3 b, Vec3 c) { return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y); }

double shadow(const Polygon& polygon) {
    double twice = 0.0;
    for (std::size_t k = 1; k + 1 < polygon.count; ++k)
        twice += twice_shadow(polygon.corner[0], polygon.corner[k], polygon.corner[k + 1]);
    return 0.5 * twice;
}

/// Between the polygon and the floor z = 0.
double column(const Polygon& polygon) {
    double six = 0.0;
    for (std::size_t k = 1; k + 1 < polygon.count; ++k) {
        const Vec3 a = polygon.corner[0], b = polygon.corner[k], c = polygon.corner[k + 1];
        six += twice_shadow(a, b, c) * (a.z + b.z + c.z);
    }
    return six / 6.0;
}

/// What the box from the origin to `size` holds of the column under a triangle.
double column_in_box(const Polygon& triangle, Vec3 size) {
    const auto [low_x, high_x] = std::minmax({triangle.corner[0].x, triangle.corner[1].x, triangle.corner[2].x});
    const auto [low_y, high_y] = std::minmax({triangle.corner[0].y, triangle.corner[1].y, triangle.corner[2].y});
    const auto [low_z, high_z] = std::minmax({triangle.corner[0].z, triangle.corner[1].z, triangle.corner[2].z});
    if (high_x <= 0.0 || low_x >= size.x || high_y <= 0.0 || low_y >= size.y || high_z <= 0.0) return 0.0;
    Polygon part = triangle;
    if (low_x < 0.0) part = cut(part, &Vec3::x, 0.0, 1.0);
    if (high_x > size.x) part = cut(part, &Vec3::x, size.x, -1.0);
    if (low_y < 0.0) part = cut(part, &Vec3::y, 0.0, 1.0);
    if (high_y > size.y) part = cut(part, &Vec3::y, size.y, -1.0);
    if (low_z < 0.0) part = cut(part, &Vec3::z, 0.0, 1.0);
    if (high_z <= size.z) return column(part);
    return column(cut(part, &Vec3::z, size.z, -1.0)) + size.z * shadow(cut(part, &Vec3::z, size.z, 1.0));
}

}  // namespace

double volume_in_box(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles, Vec3 lower,
                     Vec3 upper) {
    // A box no larger than the solid: sides may be infinite, and columns end just below it.
    Extent whole;
    for (const Vec3 p : points) whole.add(p);
    lower = {std::max(lower.x, whole.lower.x), std::max(lower.y, whole.lower.y), std::max(lower.z, whole.lower.z)};
    upper = {std::min(upper.x, whole.upper.x), std::min(upper.y, whole.upper.y), std::min(upper.z, whole.upper.z)};
    const Vec3 size = upper - lower;
    if (whole.empty || !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0)) return 0.0;
    double volume = 0.0;
    for (const auto& triangle : triangles) {
        Polygon polygon;
        for (const std::uint32_t corner : triangle) polygon.add(points[corner] - lower);
        volume += column_in_box(polygon, size);
    }
    return std::max(0.0, volume);
}

double volume_of(const ClosedSurface& surface) {
    constexpr double far = std::numeric_limits<double>::infinity();
    return volume_in_box(surface.points, surface.triangles, {-far, -far, -far}, {far, far, far});
}

}  // namespace scree::geometry
