// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/boundary_queries.hpp"

#include "engine/query/tree_walk.hpp"
#include "engine/simulation/world_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace scree::query {
namespace {

using kernels::BoundaryPart;
using kernels::Vector3d;

constexpr double overlap = 1e-12;  ///< Of neighbouring faces, relative to their size.

/// A thin wall's normal, turned towards where the line comes from.
Touch thin(double distance, Vector3d normal, const Line& line) {
    const double length = norm(normal), sign = dot(normal, line.along) > 0.0 ? -1.0 : 1.0;
    return {true, false, distance, (sign / length) * normal};
}

Touch touch_plane(const BoundaryPart& part, const Line& line, double limit) {
    const double height = dot(line.from - part.origin, part.e3), climb = dot(line.along, part.e3);
    if (height < 0.0) return {true, true, 0.0, against(line.along)};
    if (!(climb < 0.0) || height / -climb > limit) return {};
    return {true, false, height / -climb, part.e3};
}

Touch touch_rectangle(const BoundaryPart& part, const Line& line, double limit) {
    const double climb = dot(line.along, part.e3);
    if (climb == 0.0) return {};
    const double distance = dot(part.origin - line.from, part.e3) / climb;
    if (!(distance >= 0.0 && distance <= limit)) return {};
    const Vector3d at = line.at(distance) - part.origin;
    const double slack = overlap * (part.a + part.b);
    if (std::abs(dot(at, part.e1)) > part.a + slack || std::abs(dot(at, part.e2)) > part.b + slack) return {};
    return thin(distance, part.e3, line);
}

Touch touch_box(const BoundaryPart& part, const Line& line, double limit) {
    const Vector3d axes[3] = {part.e1, part.e2, part.e3};
    const double half[3] = {part.a, part.b, part.c};
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double enter = -infinity, leave = infinity;
    Vector3d normal{0, 0, 1};
    for (int k = 0; k < 3; ++k) {
        const double x = dot(line.from - part.origin, axes[k]), climb = dot(line.along, axes[k]);
        if (climb == 0.0) {
            if (std::abs(x) > half[k]) return {};
            continue;
        }
        const double side = climb > 0.0 ? -1.0 : 1.0;  // of the face by which it enters
        const double near = (side * half[k] - x) / climb;
        leave = std::min(leave, (-side * half[k] - x) / climb);
        if (near > enter) {
            enter = near;
            normal = side * axes[k];
        }
    }
    if (enter > leave || leave <= 0.0 || enter > limit) return {};
    if (enter < 0.0) return {true, true, 0.0, against(line.along)};
    return {true, false, enter, normal};
}

/// A disc or a ring square to the axis.
Touch touch_flat_ring(const BoundaryPart& part, const Line& line, double limit) {
    const double climb = dot(line.along, part.e3);
    if (climb == 0.0) return {};
    const double distance = (part.b - dot(line.from - part.origin, part.e3)) / climb;
    if (!(distance >= 0.0 && distance <= limit)) return {};
    const Vector3d at = line.at(distance) - part.origin;
    const double radius = norm(at - dot(at, part.e3) * part.e3);
    const double inner = std::min(part.a, part.c), outer = std::max(part.a, part.c);
    if (radius < inner - overlap * outer || radius > (1.0 + overlap) * outer) return {};
    return thin(distance, part.e3, line);
}

/// The surface of revolution of one segment: where the distance rho from the axis is that of the segment's line,
/// k rho = w with k = |dz| / length and w linear in the height. With r and d the radial parts of the line's begin and
/// direction, (k |r + t d|)^2 = (w + t w')^2 is a quadratic equation, whose discriminant is
/// k^2 (|w d - w' r|^2 - (k |r x d|)^2). In this form it loses no digits at the tip, where all of it vanishes.
Touch touch_meridian(const BoundaryPart& part, const Line& line, double limit) {
    const double dr = part.c - part.a, dz = part.d - part.b, length = std::hypot(dr, dz);
    if (std::abs(dz) <= overlap * length) return touch_flat_ring(part, line, limit);
    const double size = length + std::max(part.a, part.c);
    const double slack = 0.25 * overlap * size;  // size is up to three times the largest measure
    const double k = std::abs(dz) / length, slope = std::copysign(dr / length, dr * dz);
    const double climb = dot(line.along, part.e3);
    const Vector3d along = line.along - climb * part.e3;
    const double steepness = dot(along, along);
    // From the point nearest the middle of the surface, and on to the one nearest the axis, if that is not far.
    double offset = line.nearest_to(part.origin + (0.5 * (part.b + part.d)) * part.e3);
    const auto radial_at = [&](double distance) {
        const Vector3d at = line.at(distance) - part.origin;
        return at - dot(at, part.e3) * part.e3;
    };
    if (steepness > 0.0) offset += std::clamp(-dot(radial_at(offset), along) / steepness, -size, size);
    const Vector3d from = line.at(offset) - part.origin, radial = radial_at(offset);
    const double rho = norm(radial), speed = norm(along);
    const double w = k * part.a + slope * (dot(from, part.e3) - part.b), w_along = slope * climb;
    const double square = (k * speed - std::abs(w_along)) * (k * speed + std::abs(w_along));
    const double middle = k * k * dot(radial, along) - w * w_along;
    const double rest = (k * rho - std::abs(w)) * (k * rho + std::abs(w));
    const double reach = norm(w * along - w_along * radial), miss = k * norm(cross(radial, along));
    // A line that misses by no more than rounding touches: tangents, and lines through the tip.
    if (reach - miss < -slack * speed) return {};
    const double root = k * std::sqrt(std::max(0.0, reach - miss) * (reach + miss));
    const double stable = -(middle + std::copysign(root, middle));
    double roots[2];
    int count = 0;
    if (square != 0.0) roots[count++] = stable / square;
    if (stable != 0.0) roots[count++] = rest / stable;
    Touch best;
    for (int r = 0; r < count; ++r) {
        const double distance = offset + roots[r];
        if (!(distance >= 0.0 && distance <= limit)) continue;
        const Vector3d at = from + roots[r] * line.along;
        const double height = dot(at, part.e3);
        const Vector3d outward = at - height * part.e3;
        const double from_axis = norm(outward);
        // The other nappe solves the equation, too, and a tangent must touch within the ends.
        if (std::abs(k * from_axis - (k * part.a + slope * (height - part.b))) > slack) continue;
        const double share = ((from_axis - part.a) * dr + (height - part.b) * dz) / length;
        if (!(share >= -slack && share <= length + slack)) continue;
        // At the tip of a cone the normal is along the axis.
        const Vector3d normal = from_axis > slack ? (dz / from_axis) * outward - dr * part.e3 : part.e3;
        take_nearer(best, thin(distance, normal, line));
    }
    return best;
}

/// Barycentric coordinates of the crossing with the triangle's plane (Moeller and Trumbore), from the point of the line
/// nearest the first corner.
Touch touch_triangle(const double* nine, const Line& line, double limit) {
    const Vector3d a = kernels::triangle_vertex(nine, 0);
    const Vector3d ab = kernels::triangle_vertex(nine, 1) - a, ac = kernels::triangle_vertex(nine, 2) - a;
    const double offset = line.nearest_to(a);
    const Vector3d from = line.at(offset) - a;
    const Vector3d p = cross(line.along, ac), q = cross(from, ab);
    const double determinant = dot(ab, p);
    const double size = norm(ab) * norm(ac);
    if (!(std::abs(determinant) > 1e-14 * size)) return {};
    const double u = dot(from, p) / determinant, v = dot(line.along, q) / determinant;
    if (!(u >= -overlap && v >= -overlap && u + v <= 1.0 + overlap)) return {};
    const double distance = offset + dot(ac, q) / determinant;
    if (!(distance >= 0.0 && distance <= limit)) return {};
    return thin(distance, cross(ab, ac), line);
}

Touch touch_mesh(const kernels::MeshData& mesh, const Line& line, double limit) {
    Touch best;
    walk_along(std::span<const kernels::MeshNode>(mesh.nodes), line, limit, [&](std::size_t triangle) {
        take_nearer(best, touch_triangle(mesh.triangles.data() + 9 * triangle, line, limit));
        if (best.found) limit = best.distance;
    });
    return best;
}

}  // namespace

BoundarySurface::BoundarySurface(const model::BoundaryShape& shape)
    : parts_(simulation::boundary_parts(shape, 0, meshes_)) {}

Touch BoundarySurface::touch(const Line& line, double limit) const {
    Touch best;
    for (const BoundaryPart& part : parts_) {
        switch (part.kind) {
            case kernels::PartKind::plane:
                take_nearer(best, touch_plane(part, line, limit));
                break;
            case kernels::PartKind::rectangle:
                take_nearer(best, touch_rectangle(part, line, limit));
                break;
            case kernels::PartKind::box:
                take_nearer(best, touch_box(part, line, limit));
                break;
            case kernels::PartKind::meridian:
                take_nearer(best, touch_meridian(part, line, limit));
                break;
            case kernels::PartKind::mesh:
                take_nearer(best, touch_mesh(meshes_[std::size_t(part.mesh)], line, limit));
                break;
        }
    }
    return best;
}

}  // namespace scree::query
