// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/tessellate.hpp"

#include "engine/model/error.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

namespace scree::geometry {
namespace {

using model::MeshShape;
using model::Vec3;

constexpr std::uint32_t segments = 64;

[[noreturn]] void fail(const std::string& what) { throw model::Error(model::ErrorKind::input, "boundary: " + what); }

Vec3 direction(Vec3 v, const char* name) {
    const Vec3 u = normalized(v);
    if (!(norm(u) > 0.5)) fail(std::string(name) + " has no direction");
    return u;
}

/// A unit vector normal to the unit vector `u`.
Vec3 across(Vec3 u) { return normalized(cross(u, std::abs(u.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})); }

std::uint32_t add_vertex(MeshShape& mesh, Vec3 v) {
    mesh.vertices.push_back(v);
    return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

/// A quadrilateral a b c d, counter-clockwise; the other way round when `flip`.
void add_quad(MeshShape& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, bool flip) {
    if (flip) std::swap(b, d);
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

MeshShape triangles_of(const model::PlaneShape& plane, double size, Vec3 centre) {
    const Vec3 n = direction(plane.normal, "normal"), u = across(n), v = cross(n, u);
    const Vec3 foot = centre - dot(centre - plane.point, n) * n;
    MeshShape mesh;
    mesh.vertices = {foot - size * u - size * v, foot + size * u - size * v, foot + size * u + size * v,
                     foot - size * u + size * v};
    add_quad(mesh, 0, 1, 2, 3, false);
    return mesh;
}

MeshShape triangles_of(const model::BoxShape& box, double, Vec3) {
    const Vec3 h = box.half_extents;
    if (!(h.x > 0.0 && h.y > 0.0 && h.z > 0.0)) fail("a half extent of the box is not positive");
    MeshShape mesh;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vec3 local{(corner & 1U) != 0 ? h.x : -h.x, (corner & 2U) != 0 ? h.y : -h.y,
                         (corner & 4U) != 0 ? h.z : -h.z};
        mesh.vertices.push_back(box.center + rotate(box.orientation, local));
    }
    // Corners of the faces -x, +x, -y, +y, -z, +z, counter-clockwise from outside.
    constexpr std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (std::size_t f = 0; f < 6; ++f) {
        if (box.container && box.open[f]) continue;
        add_quad(mesh, faces[f][0], faces[f][1], faces[f][2], faces[f][3], box.container);
    }
    return mesh;
}

/// A circle of vertices, counter-clockwise about `axis`; a single vertex when the radius is zero.
std::uint32_t add_ring(MeshShape& mesh, Vec3 center, Vec3 axis, double radius) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const Vec3 u = across(axis), v = cross(axis, u);
    for (std::uint32_t k = 0; k < (radius > 0.0 ? segments : 1); ++k) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(segments);
        add_vertex(mesh, center + radius * std::cos(angle) * u + radius * std::sin(angle) * v);
    }
    return first;
}

/// A disc over a ring, seen counter-clockwise from the side that `axis` points to, or from the other when `flip`.
void add_cap(MeshShape& mesh, std::uint32_t ring, Vec3 center, bool flip) {
    const std::uint32_t middle = add_vertex(mesh, center);
    for (std::uint32_t k = 0; k < segments; ++k) {
        std::uint32_t a = ring + k, b = ring + (k + 1) % segments;
        if (flip) std::swap(a, b);
        mesh.triangles.push_back({middle, a, b});
    }
}

MeshShape triangles_of(const model::RevolutionShape& shape, double, Vec3) {
    const Vec3 axis = direction(shape.axis, "axis");
    const double r0 = shape.radius_start, r1 = shape.radius_end;
    if (!(shape.length > 0.0)) fail("length is not positive");
    if (!(r0 >= 0.0 && r1 >= 0.0 && r0 + r1 > 0.0)) fail("the radii are negative or both zero");
    const Vec3 end = shape.start + shape.length * axis;
    const bool inside = shape.side == model::Side::inside;
    MeshShape mesh;
    const std::uint32_t first = add_ring(mesh, shape.start, axis, r0), second = add_ring(mesh, end, axis, r1);
    for (std::uint32_t k = 0; k < segments; ++k) {
        const std::uint32_t next = (k + 1) % segments;
        if (r0 > 0.0 && r1 > 0.0) {
            add_quad(mesh, first + k, first + next, second + next, second + k, inside);
            continue;
        }
        std::uint32_t a = r0 > 0.0 ? first + k : second + next, b = r0 > 0.0 ? first + next : second + k;
        if (inside) std::swap(a, b);
        mesh.triangles.push_back({r0 > 0.0 ? second : first, a, b});
    }
    if (shape.cap_start && r0 > 0.0) add_cap(mesh, first, shape.start, !inside);
    if (shape.cap_end && r1 > 0.0) add_cap(mesh, second, end, inside);
    return mesh;
}

MeshShape triangles_of(const MeshShape& mesh, double, Vec3) { return mesh; }

}  // namespace

MeshShape tessellate(const model::BoundaryShape& shape, double size_hint, Vec3 centre) {
    if (!(size_hint > 0.0) || !std::isfinite(size_hint)) fail("size hint is not positive");
    return std::visit([&](const auto& s) { return triangles_of(s, size_hint, centre); }, shape);
}

}  // namespace scree::geometry
