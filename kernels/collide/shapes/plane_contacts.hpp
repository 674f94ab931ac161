// SPDX-License-Identifier: BSD-3-Clause
// A convex shape on a half-space: by the points that can be lowest, each with its own gap.
#pragma once

#include "kernels/collide/shapes/patch.hpp"

namespace scree::kernels {

/// The points of a core that can touch a wall which is flat or curves towards it, looking along d [body axes, unit
/// scale]: corners; of a frustum that stands (axis within 45 degrees of d) four fixed points of the lower rim and its
/// lowest point, so that it neither tilts at rest nor rolls on a polygon; of one that lies the ends of its lowest line;
/// of round cores the farthest point.
struct TouchingPoints {
    const double* vertices = nullptr;
    int count = 0;
    Vector3d own[8];
    std::int16_t own_number[8];

    SCREE_HD TouchingPoints(const ShapeView& view, const ConvexShape& s, Vector3d d) {
        if (s.kind == ShapeKind::polyhedron) {
            vertices = view.vertices + std::int64_t(3) * s.first_vertex;
            count = s.vertex_count;
        } else if (s.kind == ShapeKind::box) {
            for (int k = 0; k < 8; ++k) add(box_corner(s, k), k);
        } else if (s.kind == ShapeKind::capsule) {
            add({0, 0, -s.c}, 0);
            add({0, 0, s.c}, 1);
        } else if (is_frustum(s.kind)) {
            of_frustum(frustum_of(s), d);
        } else {
            std::int32_t corner;
            add(core_support(view, s, d, corner), 0);
        }
    }
    [[nodiscard]] SCREE_HD Vector3d at(int k) const {
        return vertices != nullptr ? Vector3d{vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]} : own[k];
    }
    [[nodiscard]] SCREE_HD std::int32_t number(int k) const { return vertices != nullptr ? k : own_number[k]; }

private:
    SCREE_HD void add(Vector3d p, int number) {
        own[count] = p;
        own_number[count++] = std::int16_t(number);
    }
    SCREE_HD void of_frustum(const Frustum& f, Vector3d d) {
        const double rho = square_root(d.x * d.x + d.y * d.y);
        const bool stands = size_of(d.z) > rho;
        for (int end = 0; end < 2; ++end) {
            if (stands && (end == 0) == (d.z > 0.0)) continue;
            const double r = end == 0 ? f.r0 : f.r1, z = end == 0 ? f.z0 : f.z1;
            const Vector3d lowest = rho > 1e-9 ? Vector3d{r / rho * d.x, r / rho * d.y, z} : Vector3d{r, 0, z};
            bool fresh = true;
            for (int k = 0; stands && r > 0.0 && k < 4; ++k) {
                const Vector3d rim{k == 0 ? r : (k == 2 ? -r : 0.0), k == 1 ? r : (k == 3 ? -r : 0.0), z};
                add(rim, 64 * end + 8 * k);
                if (norm(rim - lowest) < 1e-6 * r) fresh = false;
            }
            if (fresh) add(lowest, 64 * end + 32);
        }
        // A cone that stands on its tip's side still has its base rim elsewhere: the line's other end.
        if (stands && (d.z > 0.0 ? f.r1 : f.r0) <= 0.0 && rho > 1e-9) {
            const double r = d.z > 0.0 ? f.r0 : f.r1, z = d.z > 0.0 ? f.z0 : f.z1;
            add({r / rho * d.x, r / rho * d.y, z}, d.z > 0.0 ? 32 : 96);
        }
    }
};

/// Contacts with the half-space behind the plane through `origin` with the unit normal `up` out of it, with gaps up to
/// `reach`: at most `most`, of more the deepest and those that lie farthest apart. They are added to `contacts`.
SCREE_HD_CALL inline void add_plane_contacts(const ShapeView& view, const PlacedShape& placed, Vector3d origin,
                                             Vector3d up, double reach, WallContacts& contacts) {
    const double height = dot(placed.position - origin, up), rounding = placed.rounding();
    if (height - placed.bounding_radius() > reach) return;
    const Vector3d up_in_body = placed.to_body(up);
    const TouchingPoints points(view, *placed.shape, negative(up_in_body));
    const auto gap = [&](int k) { return height + placed.scale * dot(points.at(k), up_in_body) - rounding; };
    constexpr int most = Manifold::capacity;
    int kept[most];
    const int count = spread(
        points.count, most, [&](int k) { return gap(k) <= reach; }, gap,
        [&](int i, int k) {
            const Vector3d r = points.at(i) - points.at(k);
            return dot(r, r);
        },
        kept);
    for (int k = 0; k < count && contacts.count < WallContacts::capacity; ++k) {
        const double its_gap = gap(kept[k]);
        const Vector3d core = placed.position + placed.scale * placed.to_world_axes(points.at(kept[k]));
        contacts.normal[contacts.count] = negative(up);
        contacts.point[contacts.count++] = {core - (rounding + 0.5 * its_gap) * up, its_gap,
                                            contact_feature(1, points.number(kept[k]), 0)};
    }
}

}  // namespace scree::kernels
