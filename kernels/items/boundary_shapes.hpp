// SPDX-License-Identifier: BSD-3-Clause
// Distance from a sphere's centre to the parts of boundaries, in double precision and in one frame.
//
// A boundary is a list of parts. `nearest` gives the closest surface point as the vector from the centre to it, a unit
// normal pointing from the sphere into the wall, and the signed distance of the centre (negative behind the surface).
//  plane     half-space: everything behind it is solid.
//  rectangle thin wall; faces its normal; closest point may lie on its rim.
//  box       solid block.
//  meridian  thin surface of revolution of one segment (r0, z0)-(r1, z1): cylinder, cone, disc, annulus.
// Thin walls act on spheres whose centre is at most one radius behind them: a sphere beyond the wall is not theirs.
#pragma once

#include "kernels/items/vector3.hpp"

namespace scree::kernels {

using Vector3d = Vector3<double>;

enum class PartKind : std::int32_t { plane, rectangle, box, meridian, mesh };

/// One part in the boundary's frame: origin, an orthonormal frame (e1, e2, e3) and five lengths.
///  plane      e3 = normal.       rectangle  e3 = normal, a, b = half sides along e1, e2.
///  box        a, b, c = half sides.
///  meridian   e3 = axis, (a, b) = (r0, z0), (c, d) = (r1, z1); the wall faces the left of the segment when `side` > 0:
///             the normal into the free side is side * (-(z1 - z0), r1 - r0) / length.
struct BoundaryPart {
    PartKind kind = PartKind::plane;
    std::int32_t boundary = 0;
    std::int32_t mesh = -1;  ///< Index of the mesh.
    double side = 1.0;
    Vector3d origin{0, 0, 0}, e1{1, 0, 0}, e2{0, 1, 0}, e3{0, 0, 1};
    double a = 0, b = 0, c = 0, d = 0;
};

struct NearestPoint {
    bool found = false;
    double distance = 0.0;     ///< Signed distance of the centre to the surface [m].
    Vector3d normal{0, 0, 1};  ///< Unit, from the centre into the wall.
};

SCREE_HD inline double clamped(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

/// A closest point at `offset` from the centre, on a wall whose free side is along `free_normal` there.
/// `on_face` is false on rims, which push radially.
SCREE_HD inline NearestPoint thin_wall_contact(Vector3d offset, Vector3d free_normal, bool on_face, double radius) {
    NearestPoint result;
    const double length = norm(offset);
    const double height = -dot(offset, free_normal);  // of the centre above the wall
    if (on_face) {
        if (height < -radius) return result;
        result = {true, height, Vector3d{0, 0, 0} - free_normal};
        return result;
    }
    if (length <= 0.0) return {true, 0.0, Vector3d{0, 0, 0} - free_normal};
    return {true, length, (1.0 / length) * offset};
}

SCREE_HD inline NearestPoint nearest_on_plane(const BoundaryPart& part, Vector3d center) {
    return {true, dot(center - part.origin, part.e3), Vector3d{0, 0, 0} - part.e3};
}

SCREE_HD inline NearestPoint nearest_on_rectangle(const BoundaryPart& part, Vector3d center, double radius) {
    const Vector3d r = center - part.origin;
    const double u = dot(r, part.e1), v = dot(r, part.e2);
    const double cu = clamped(u, -part.a, part.a), cv = clamped(v, -part.b, part.b);
    const Vector3d closest = part.origin + cu * part.e1 + cv * part.e2;
    return thin_wall_contact(closest - center, part.e3, cu == u && cv == v, radius);
}

SCREE_HD inline NearestPoint nearest_on_box(const BoundaryPart& part, Vector3d center) {
    const Vector3d r = center - part.origin;
    const double u = dot(r, part.e1), v = dot(r, part.e2), w = dot(r, part.e3);
    const double cu = clamped(u, -part.a, part.a), cv = clamped(v, -part.b, part.b), cw = clamped(w, -part.c, part.c);
    if (cu == u && cv == v && cw == w) {
        // Centre inside the block: out through the nearest face.
        const double du = part.a - (u < 0 ? -u : u), dv = part.b - (v < 0 ? -v : v), dw = part.c - (w < 0 ? -w : w);
        if (du <= dv && du <= dw) return {true, -du, (u < 0 ? 1.0 : -1.0) * part.e1};
        if (dv <= dw) return {true, -dv, (v < 0 ? 1.0 : -1.0) * part.e2};
        return {true, -dw, (w < 0 ? 1.0 : -1.0) * part.e3};
    }
    const Vector3d offset = (cu - u) * part.e1 + (cv - v) * part.e2 + (cw - w) * part.e3;
    const double length = norm(offset);
    return {true, length, (1.0 / length) * offset};
}

SCREE_HD inline NearestPoint nearest_on_meridian(const BoundaryPart& part, Vector3d center, double radius) {
    const Vector3d r = center - part.origin;
    const double z = dot(r, part.e3);
    const Vector3d radial = r - z * part.e3;
    const double rho = norm(radial);
    const Vector3d outward = rho > 0.0 ? (1.0 / rho) * radial : part.e1;
    const double dr = part.c - part.a, dz = part.d - part.b;
    const double squared = dr * dr + dz * dz;
    const double s = ((rho - part.a) * dr + (z - part.b) * dz) / squared;
    const double t = clamped(s, 0.0, 1.0);
    const Vector3d closest = (part.a + t * dr) * outward + (part.b + t * dz) * part.e3;
    const double length = square_root(squared);
    const Vector3d free_normal = (part.side * -dz / length) * outward + (part.side * dr / length) * part.e3;
    // A disc's centre is no rim, even where rounding puts it outside the segment; the tip of a cone is one.
    constexpr double rounding = 1e-12;
    const bool at_axis =
        (s < 0.0 && s > -rounding && part.a <= 0.0) || (s > 1.0 && s < 1.0 + rounding && part.c <= 0.0);
    return thin_wall_contact(closest - (rho * outward + z * part.e3), free_normal, s == t || at_axis, radius);
}

/// Whether a flat part is farther away than `reach`, at a glance: most parts are, for most spheres.
SCREE_HD_INLINE bool lies_beyond(const BoundaryPart& part, Vector3d center, double reach) {
    if (part.kind != PartKind::plane && part.kind != PartKind::rectangle) return false;
    const double height = dot(center - part.origin, part.e3);
    return height > reach || (part.kind == PartKind::rectangle && height < -reach);
}

SCREE_HD inline NearestPoint nearest_on_part(const BoundaryPart& part, Vector3d center, double radius) {
    switch (part.kind) {
        case PartKind::plane:
            return nearest_on_plane(part, center);
        case PartKind::rectangle:
            return nearest_on_rectangle(part, center, radius);
        case PartKind::box:
            return nearest_on_box(part, center);
        case PartKind::meridian:
            return nearest_on_meridian(part, center, radius);
        case PartKind::mesh:
            break;
    }
    return {};
}

}  // namespace scree::kernels
