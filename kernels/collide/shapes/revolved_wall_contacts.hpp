// SPDX-License-Identifier: BSD-3-Clause
// A convex shape on a thin wall of revolution: a cylinder, cone, disc or annulus, whose free side may be either.
//
// Seen from the side that curves towards the shape (the inside of a drum or a hopper) the height of a point above the
// wall is a concave function, so it is lowest at extreme points of the shape: its corners, or where a rim or a round
// surface comes nearest. Each pushes along the wall's normal there. Seen from the other side the wall is a convex
// solid, the frustum, but for its ends, which are open. Discs and annuli are flat: plates.
//
// A wall reaches a twentieth of the shape's size beyond its ends, so that corners with other parts are closed
// (plate_contacts.hpp says why). Where the shape's centre lies beyond an end, or behind the wall, the wall does not
// push from deep behind. Beyond an end the shape lies on the rim, which pushes at the place nearest to the centre and
// at one to either side.
//
// Limit: the inner rim of an annulus acts on spheres only (boundary_shapes.hpp).
#pragma once

#include "kernels/collide/shapes/find_manifold.hpp"
#include "kernels/collide/shapes/plane_contacts.hpp"
#include "kernels/collide/shapes/plate_contacts.hpp"

namespace scree::kernels {

/// The wall as a height over (rho, z): height = normal_rho (rho - r0) + normal_z (z - z0), into the free side.
struct RevolvedWall {
    Vector3d origin, axis, sideways;
    double r0, z0, dr, dz, length, normal_rho, normal_z;

    SCREE_HD explicit RevolvedWall(const BoundaryPart& part)
        : origin(part.origin),
          axis(part.e3),
          sideways(part.e1),
          r0(part.a),
          z0(part.b),
          dr(part.c - part.a),
          dz(part.d - part.b) {
        length = square_root(dr * dr + dz * dz);
        normal_rho = -part.side * dz / length;
        normal_z = part.side * dr / length;
    }
    /// Unit normal into the free side nearest to p, the height of p, and whether its foot lies on the wall.
    SCREE_HD Vector3d normal_at(Vector3d p, double& height, bool& on_wall, double tolerance) const {
        const Vector3d r = p - origin;
        const double z = dot(r, axis);
        const Vector3d radial = r - z * axis;
        const double rho = norm(radial);
        const Vector3d outward = rho > 0.0 ? (1.0 / rho) * radial : sideways;
        height = normal_rho * (rho - r0) + normal_z * (z - z0);
        const double along = ((rho - r0) * dr + (z - z0) * dz) / length;
        on_wall = along >= -tolerance && along <= length + tolerance;
        return normal_rho * outward + normal_z * axis;
    }
};

/// Calls touch(core point in body axes at unit scale, number) for the points of a shape that may be lowest over a wall
/// that curves towards it.
template <class Touch>
SCREE_HD void for_each_lowest_point(const ShapeView& view, const PlacedShape& placed, const RevolvedWall& wall,
                                    const Touch& touch) {
    const ConvexShape& s = *placed.shape;
    const auto downwards = [&](Vector3d p, double& height) {
        bool on_wall;
        const Vector3d up =
            wall.normal_at(placed.position + placed.scale * placed.to_world_axes(p), height, on_wall, 0.0);
        return placed.to_body(negative(up));
    };
    double height;
    if (is_polyhedral(s.kind)) {
        const TouchingPoints points(view, s, {0, 0, 1});
        for (int k = 0; k < points.count; ++k) touch(points.at(k), points.number(k));
        return;
    }
    if (is_frustum(s.kind)) {
        // Each rim: four fixed points, and from eight starts around it the ways down, which end in one or two places.
        const Frustum f = frustum_of(s);
        for (int end = 0; end < 2; ++end) {
            const double r = end == 0 ? f.r0 : f.r1, z = end == 0 ? f.z0 : f.z1;
            if (r <= 0.0) {
                touch({0, 0, z}, 64 * end + 32);
                continue;
            }
            for (int k = 0; k < 4; ++k) {
                double cosine, sine;
                sixteenth(4 * k, cosine, sine);
                touch({r * cosine, r * sine, z}, 64 * end + 8 * k);
            }
            for (int start = 0; start < 8; ++start) {
                double cosine, sine;
                sixteenth(2 * start, cosine, sine);
                Vector3d p{r * cosine, r * sine, z};
                constexpr int most = 200;
                for (int k = 0; k < most; ++k) {
                    const Vector3d d = downwards(p, height);
                    const double rho = square_root(d.x * d.x + d.y * d.y);
                    if (!(rho > 1e-9)) break;
                    const Vector3d next{r / rho * d.x, r / rho * d.y, z};
                    const bool there = norm(next - p) < 1e-12 * r;
                    p = next;
                    if (there) break;
                }
                touch(p, 64 * end + 32 + start);
            }
        }
        return;
    }
    // Round: from six starts the ways down.
    for (int start = 0; start < 6; ++start) {
        std::int32_t corner;
        Vector3d p = core_support(view, s, unit_along(start >> 1, (start & 1) == 0 ? 1.0 : -1.0), corner);
        constexpr int most = 200;
        for (int k = 0; k < most; ++k) {
            const Vector3d next = core_support(view, s, downwards(p, height), corner);
            const bool there = norm(next - p) < 1e-12 * s.bounding_radius;
            p = next;
            if (there) break;
        }
        touch(p, start);
    }
}

/// Share of the shape's size to which walls push where its centre is beyond.
inline constexpr double shallow = 0.05;
/// Spheres are pushed back from behind as long as they touch the wall (boundary_shapes.hpp).
SCREE_HD inline bool is_behind(const PlacedShape& placed, double height_of_centre) {
    return height_of_centre < 0.0 && placed.shape->kind != ShapeKind::sphere;
}

/// Adds the rim at the end that the shape's centre lies beyond; false where it lies over the wall.
SCREE_HD_CALL inline bool add_rim_contacts(const ShapeView& view, const PlacedShape& placed, const RevolvedWall& wall,
                                           double reach, WallContacts& contacts) {
    const Vector3d r = placed.position - wall.origin;
    const double z = dot(r, wall.axis);
    const Vector3d radial = r - z * wall.axis;
    const double rho = norm(radial), along = ((rho - wall.r0) * wall.dr + (z - wall.z0) * wall.dz) / wall.length;
    if (along >= 0.0 && along <= wall.length) return false;
    const bool first = along < 0.0;
    const double rim = wall.r0 + (first ? 0.0 : wall.dr), height = wall.z0 + (first ? 0.0 : wall.dz);
    if (!(rim > 0.0)) return true;
    const Vector3d outward = rho > 0.0 ? (1.0 / rho) * radial : wall.sideways, across = cross(wall.axis, outward);
    ConvexShape point;
    PlacedShape at;
    at.shape = &point;
    // To either side where the rim leaves the sphere around the shape, about.
    const double half = smaller(0.7 * placed.bounding_radius() / rim, 1.0);
    for (int k = -1; k <= 1; ++k) {
        const double sine = half * k, cosine = square_root(1.0 - sine * sine);
        at.position = wall.origin + rim * (cosine * outward + sine * across) + height * wall.axis;
        Manifold found;
        Vector3d axis{0, 0, 0};
        find_manifold(view, placed, at, reach, axis, found);
        for (int n = 0; n < found.count && contacts.count < WallContacts::capacity; ++n) {
            contacts.normal[contacts.count] = found.normal;
            contacts.point[contacts.count] = found.point[n];
            contacts.point[contacts.count++].feature = contact_feature(0, 4 + 3 * int(first) + k, 0);
        }
    }
    return true;
}

/// The concave side.
SCREE_HD_CALL inline void add_hollow_contacts(const ShapeView& view, const PlacedShape& placed,
                                              const RevolvedWall& wall, double reach, WallContacts& contacts) {
    const double radius = placed.bounding_radius(), rounding = placed.rounding();
    double height;
    bool on_wall;
    wall.normal_at(placed.position, height, on_wall, 0.0);
    if (height < -radius || height - radius > reach) return;
    const bool beyond = add_rim_contacts(view, placed, wall, reach, contacts) || is_behind(placed, height);
    constexpr int most = 24;
    int count = 0;
    Vector3d point[most], normal[most];
    double gap[most];
    std::int32_t number[most];
    // A polyhedron of more corners is seen through those that are lowest.
    const auto touch = [&](Vector3d p, std::int32_t its_number) {
        const Vector3d at = placed.position + placed.scale * placed.to_world_axes(p);
        const Vector3d up = wall.normal_at(at, height, on_wall, larger(wall_margin(placed, 0.05), 1e-9 * radius));
        const double its_gap = height - rounding;
        if (!on_wall || its_gap > reach || (beyond && its_gap < -shallow * radius)) return;
        for (int k = 0; k < count; ++k)
            if (norm(point[k] - at) < 1e-3 * radius) return;
        int place = count;
        if (count == most) {
            place = 0;
            for (int k = 1; k < most; ++k)
                if (gap[k] > gap[place]) place = k;
            if (gap[place] <= its_gap) return;
        } else {
            ++count;
        }
        point[place] = at;
        normal[place] = up;
        gap[place] = its_gap;
        number[place] = its_number;
    };
    for_each_lowest_point(view, placed, wall, touch);
    int kept[Manifold::capacity];
    const int few = spread(
        count, Manifold::capacity, [](int) { return true; }, [&](int k) { return gap[k]; },
        [&](int i, int k) {
            const Vector3d r = point[i] - point[k];
            return dot(r, r);
        },
        kept);
    for (int k = 0; k < few && contacts.count < WallContacts::capacity; ++k) {
        const int i = kept[k];
        contacts.normal[contacts.count] = negative(normal[i]);
        contacts.point[contacts.count++] = {point[i] - (rounding + 0.5 * gap[i]) * normal[i], gap[i],
                                            contact_feature(1, number[i], 0)};
    }
}

/// The solid of revolution behind a wall seen from outside, axis up; of a disc the disc, its axis into the free side.
/// `longer`: added at both ends along the slope [m].
struct WallSolid {
    ConvexShape shape;
    PlacedShape placed;
    SCREE_HD WallSolid(const BoundaryPart& part, const RevolvedWall& wall, bool flat, double longer) {
        const double rise = size_of(wall.dz), slope = flat ? 0.0 : wall.dr / rise;
        const double z0 = larger(longer, 0.0), z1 = rise + z0;
        // A cone ends at its tip.
        const double from = slope > 0.0 ? smaller(z0, part.a / slope) : z0;
        const double to = slope < 0.0 ? smaller(z1, -part.a / slope) : z1;
        shape.kind = ShapeKind::frustum;
        shape.a = flat ? larger(part.a, part.c) : larger(part.a - slope * from, 0.0);
        shape.b = flat ? shape.a : larger(part.a + slope * to, 0.0);
        shape.c = flat ? 0.0 : 0.5 * (from + to);
        const double widest = larger(shape.a, shape.b);
        shape.bounding_radius = square_root(widest * widest + shape.c * shape.c);
        const double up = (flat ? wall.normal_z : wall.dz) < 0.0 ? -1.0 : 1.0;
        placed.position = part.origin + (part.b + (flat ? 0.0 : up * 0.5 * (to - from))) * part.e3;
        placed.axis[0] = part.e1;
        placed.axis[1] = up * cross(part.e3, part.e1);
        placed.axis[2] = up * part.e3;
    }
};

/// Contacts with a meridian part, added to `contacts`. `axis` as in find_manifold().
SCREE_HD inline void add_revolved_wall_contacts(const ShapeView& view, const PlacedShape& placed,
                                                const BoundaryPart& part, double reach, Vector3d& axis,
                                                WallContacts& contacts) {
    const RevolvedWall wall(part);
    const bool flat = size_of(wall.dz) <= 1e-12 * wall.length;
    if (!flat && wall.normal_rho < 0.0) return add_hollow_contacts(view, placed, wall, reach, contacts);
    double height;
    bool on_wall;
    wall.normal_at(placed.position, height, on_wall, 0.0);
    if (!flat && height < -placed.bounding_radius()) return;
    Manifold found;
    const double radius = placed.bounding_radius();
    const bool beyond = !flat && (add_rim_contacts(view, placed, wall, reach, contacts) || is_behind(placed, height));
    const auto add = [&](double hole, bool side_alone) {
        const int before = contacts.count;
        for (int k = 0; k < found.count && contacts.count < WallContacts::capacity; ++k) {
            const Vector3d foot = found.point[k].point + 0.5 * found.point[k].gap * found.normal;
            const Vector3d r = foot - part.origin;
            const double z = dot(r, part.e3), rho = norm(r - z * part.e3), near = 1e-6 * wall.length;
            if (rho < hole - near) continue;
            // The ends of a pipe are open: only their rims push.
            if (!flat && size_of(dot(found.normal, part.e3)) > 1.0 - 1e-9 &&
                rho < (size_of(z - part.b) < size_of(z - part.d) ? part.a : part.c) - near)
                continue;
            if (side_alone && (z - part.b) * (z - part.d) > near * near) continue;
            if (beyond && found.point[k].gap < -shallow * radius) continue;
            contacts.normal[contacts.count] = found.normal;
            contacts.point[contacts.count++] = found.point[k];
        }
        return contacts.count > before;
    };
    WallSolid solid(part, wall, flat, 0.0);
    solid.placed.shape = &solid.shape;
    if (flat) {
        find_plate_manifold(view, placed, solid.placed, reach, axis, found);
        add(smaller(part.a, part.c), false);
        return;
    }
    find_manifold(view, placed, solid.placed, reach, axis, found);
    if (found.count == 0 || add(0.0, false)) return;
    // Nearest to come out at an open end, which holds nothing: the side alone.
    WallSolid endless(part, wall, flat, wall.length + placed.bounding_radius());
    endless.placed.shape = &endless.shape;
    axis = {0, 0, 0};
    find_manifold(view, placed, endless.placed, reach, axis, found);
    add(0.0, true);
}

}  // namespace scree::kernels
