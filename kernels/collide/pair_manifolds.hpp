// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of parts: what the pairs of a step touch with.
#pragma once

#include "kernels/collide/part_search.hpp"
#include "kernels/collide/shapes/find_manifold.hpp"
#include "kernels/collide/shapes/mesh_contacts.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"

namespace scree::kernels {

/// Thread k: the contacts of pair k.
template <class R>
struct ManifoldItem {
    PartSearch search;
    PairView<R> old;
    const Index* previous;
    const double* body_position;
    const Index* finder;
    const Index* partner;
    const Index* room;  ///< Start of the pair's room.
    float* axis;
    OldPair* old_pair;
    PairContact<R>* contacts;
    Index* count;
    Index* wall_count;  ///< Of these with moving walls; null when none moves.

    SCREE_HD void operator()(Index k) const {
        const Index p = finder[k], j = partner[k];
        const OldPair before = find_old_pair(old, previous, p, j);
        old_pair[k] = before;
        Vector3d direction{0, 0, 0};
        if (before.place >= 0) {
            const float* a = old.axis + std::int64_t(3) * before.place;
            direction = {double(a[0]), double(a[1]), double(a[2])};
        }
        count[k] = j < 0 ? of_wall(k, p, -1 - j, direction) : of_bodies(k, p, j, direction);
        float* a = axis + std::int64_t(3) * k;
        a[0] = float(direction.x);
        a[1] = float(direction.y);
        a[2] = float(direction.z);
        if (wall_count != nullptr) wall_count[k] = j < 0 && moves(-1 - j) ? count[k] : 0;
    }

private:
    [[nodiscard]] SCREE_HD const BoundaryPose& pose_of(Index part) const {
        const BoundaryView& boundaries = search.view.boundaries;
        return boundaries.poses[boundaries.parts[part].boundary];
    }
    [[nodiscard]] SCREE_HD bool moves(Index part) const { return pose_of(part).moving != 0; }

    SCREE_HD void put(Index at, Index p, Vector3d normal, const ManifoldPoint& point) const {
        const Vector3d from_part = point.point - search.placed[p].position;
        const Vector3d arm =
            from_part + search.view.periodic.nearest_image(search.placed[p].position -
                                                           center_of(body_position, search.parts[p].body));
        contacts[at] = {
            {R(normal.x), R(normal.y), R(normal.z)}, {R(arm.x), R(arm.y), R(arm.z)}, R(point.gap), point.feature};
    }

    /// Shapes are taken in the order of their bodies' ids, so that features do not depend on who found whom.
    SCREE_HD Index of_bodies(Index k, Index p, Index j, Vector3d& direction) const {
        const PlacedShape& a = search.placed[p];
        PlacedShape b = search.placed[j];
        b.position = a.position + search.view.periodic.nearest_image(b.position - a.position);
        const bool swapped = search.id[search.parts[p].body] > search.id[search.parts[j].body];
        Manifold found;
        find_manifold(search.shapes, swapped ? b : a, swapped ? a : b, search.reach(p, j), direction, found);
        for (int n = 0; n < found.count; ++n)
            put(room[k] + n, p, (swapped ? -1.0 : 1.0) * found.normal, found.point[n]);
        return found.count;
    }

    SCREE_HD Index of_wall(Index k, Index p, Index part, Vector3d& direction) const {
        const BoundaryView& boundaries = search.view.boundaries;
        const BoundaryPose& pose = pose_of(part);
        if (pose.active == 0) return 0;
        const PlacedShape& a = search.placed[p];
        const double reach = search.reach(p, -1 - part);
        const BoundaryPart& wall = boundaries.parts[part];
        WallContacts found;
        if (wall.kind != PartKind::mesh) {
            find_wall_contacts(search.shapes, a, wall, reach, direction, found);
        } else {
            // A mesh stays in its boundary's frame.
            PlacedShape local = a;
            local.position = to_boundary_frame(pose, a.position);
            for (auto& e : local.axis) e = rotated(pose.rotation, e, -1.0);
            find_mesh_contacts(search.shapes, local, boundaries.meshes[wall.mesh], reach, found);
            for (int n = 0; n < found.count; ++n) {
                found.normal[n] = to_world_axes(pose, found.normal[n]);
                found.point[n].point = a.position + to_world_axes(pose, found.point[n].point - local.position);
            }
        }
        // A wall's contacts lie on the wall, as those of spheres do.
        for (int n = 0; n < found.count; ++n) {
            found.point[n].point += 0.5 * found.point[n].gap * found.normal[n];
            put(room[k] + n, p, found.normal[n], found.point[n]);
        }
        return found.count;
    }
};

}  // namespace scree::kernels
