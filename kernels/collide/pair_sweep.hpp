// SPDX-License-Identifier: BSD-3-Clause
// A pair of parts, or a part and a wall, on its way through a step.
#pragma once

#include "kernels/collide/part_search.hpp"
#include "kernels/collide/shapes/find_manifold.hpp"
#include "kernels/collide/shapes/mesh_contacts.hpp"
#include "kernels/collide/shapes/sweep.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"

namespace scree::kernels {

/// The contacts of shape `a` with a boundary's part that stands at its pose, with gaps up to `reach`. Points lie half
/// way between the surfaces.
SCREE_HD_CALL inline void find_part_contacts(const PartSearch& search, Index part, const PlacedShape& a, double reach,
                                             Vector3d& direction, WallContacts& found) {
    const BoundaryView& boundaries = search.view.boundaries;
    const BoundaryPart& wall = boundaries.parts[part];
    if (wall.kind != PartKind::mesh) {
        find_wall_contacts(search.shapes, a, wall, reach, direction, found);
        return;
    }
    // A mesh stays in its boundary's frame.
    const BoundaryPose& pose = boundaries.poses[wall.boundary];
    PlacedShape local = a;
    local.position = to_boundary_frame(pose, a.position);
    for (auto& e : local.axis) e = rotated(pose.rotation, e, -1.0);
    find_mesh_contacts(search.shapes, local, boundaries.meshes[wall.mesh], reach, found);
    for (int n = 0; n < found.count; ++n) {
        found.normal[n] = to_world_axes(pose, found.normal[n]);
        found.point[n].point = a.position + to_world_axes(pose, found.point[n].point - local.position);
    }
}

/// What is thin about a pair: the smaller of the balls inside its shapes [m]. Planes and other one-sided walls have
/// none.
SCREE_HD inline double thinness_of(const PartSearch& search, Index p, Index j) {
    double thinness = search.placed[p].inner_radius();
    if (j >= 0) {
        thinness = smaller(thinness, search.placed[j].inner_radius());
    } else {
        const BoundaryPart& wall = search.view.boundaries.parts[-1 - j];
        if (wall.kind == PartKind::box) thinness = smaller(thinness, smaller(wall.a, smaller(wall.b, wall.c)));
    }
    return thinness > 0.0 ? thinness : 1e-3 * search.placed[p].bounding_radius();
}

/// Part `p` and its partner `j` (a part, or -1 - boundary part) with the motions of both. A wall moves about its
/// reference point.
struct PairSweep {
    PartSearch search;
    Index p, j;
    PlacedShape a, b;
    RigidMotion motion, other;
    double reach;
    bool swapped;     ///< Shapes are looked at in the order of their bodies' ids.
    double thinness;  ///< See thinness_of().

    SCREE_HD_CALL PairSweep(const PartSearch& parts, Index own, Index partner, const double* body_position)
        : search(parts),
          p(own),
          j(partner),
          a(parts.placed[own]),
          reach(parts.reach(own, partner)),
          swapped(false),
          thinness(thinness_of(parts, own, partner)) {
        const Periodic& periodic = search.view.periodic;
        const auto center_of_body = [&](const PlacedShape& shape, Index body) {
            return shape.position - periodic.nearest_image(shape.position - center_of(body_position, body));
        };
        motion.center = center_of_body(a, search.parts[p].body);
        motion.arm = norm(a.position - motion.center);
        if (j >= 0) {
            b = search.placed[j];
            const Vector3d place = a.position + periodic.nearest_image(b.position - a.position);
            other.center = center_of_body(b, search.parts[j].body) + (place - b.position);
            b.position = place;
            other.arm = norm(b.position - other.center);
            swapped = search.id[search.parts[p].body] > search.id[search.parts[j].body];
        } else {
            other.center = vector_of(pose().reference);
        }
    }

    /// Sets the motions of the bodies over the step [m, rad]; of a wall, over `step` [s].
    SCREE_HD void move(Vector3d way, Vector3d turn) {
        motion.way = way;
        motion.turn = turn;
    }
    SCREE_HD void move_other(Vector3d way, Vector3d turn) {
        other.way = way;
        other.turn = turn;
    }
    SCREE_HD void move_wall(double step) {
        if (pose().moving != 0)
            move_other(step * vector_of(pose().velocity), step * vector_of(pose().angular_velocity));
    }
    [[nodiscard]] SCREE_HD const BoundaryPart& wall() const { return search.view.boundaries.parts[-1 - j]; }
    [[nodiscard]] SCREE_HD const BoundaryPose& pose() const { return search.view.boundaries.poses[wall().boundary]; }

    /// Bound on how much nearer the surfaces may come over the whole step [m]; by turning alone where a plane that
    /// stands makes straight ways exact.
    [[nodiscard]] SCREE_HD double closing() const {
        const double turning = swing();
        if (j < 0 && wall().kind == PartKind::plane && norm(other.turn) == 0.0) return turning;
        return norm(way_towards(0.0)) + turning + curving(0.0);
    }

    /// The contacts at this share of the step, normals from p to j, in the world.
    SCREE_HD_CALL void contacts_at(double share, Vector3d& direction, WallContacts& found) const {
        found.count = 0;
        const PlacedShape own = motion.shape_at(a, share);
        if (j < 0) {
            find_part_contacts(search, -1 - j, other.seen_from(own, share), reach, direction, found);
            if (pose().moving == 0) return;
            for (int n = 0; n < found.count; ++n) {
                found.point[n].point = other.carried(found.point[n].point, share);
                found.normal[n] = turned(found.normal[n], share * other.turn);
            }
            return;
        }
        const PlacedShape its = other.shape_at(b, share);
        Manifold manifold;
        find_manifold(search.shapes, swapped ? its : own, swapped ? own : its, reach, direction, manifold);
        if (swapped) manifold.normal = negative(manifold.normal);
        add_manifold(manifold, found);
    }

    /// How deep the pair overlaps before it moves [m], 0 where it does not; `found` are its contacts then.
    [[nodiscard]] SCREE_HD double depth_at_start(Vector3d& direction, WallContacts& found) const {
        contacts_at(0.0, direction, found);
        double depth = 0.0;
        for (int n = 0; n < found.count; ++n) depth = larger(depth, -found.point[n].gap);
        return depth;
    }

    /// A look for advance_to_touch() at contacts_at(share): gaps may go to -allowance before they count as gone.
    [[nodiscard]] SCREE_HD_CALL SweepLook look(const WallContacts& found, double share, double allowance) const {
        const Vector3d way = way_towards(share);
        const double curve = curving(share), any_way = norm(way) + swing() + curve;
        SweepLook here{reach, any_way > 0.0 ? (reach + allowance) / any_way : 1.0};
        // The normal of a wall that curves towards the shape separates nothing.
        const bool curved = j < 0 && wall().kind == PartKind::meridian;
        for (int k = 0; k < found.count; ++k) {
            const Vector3d n = found.normal[k];
            const double gap = found.point[k].gap;
            const double approach = curved ? any_way : larger(0.0, dot(way, n)) + swing(n) + curve;
            here.gap = smaller(here.gap, gap);
            if (approach > 0.0) here.earliest = smaller(here.earliest, (gap + allowance) / approach);
        }
        return here;
    }

private:
    /// Way of the body's centre over a step, seen from its partner: from its axes where that is a wall, which may be
    /// far larger than the body.
    [[nodiscard]] SCREE_HD Vector3d way_towards(double share) const {
        const Vector3d way = motion.way - other.way;
        if (j >= 0) return way;
        return way - cross(other.turn, motion.center_at(share) - other.center_at(share));
    }
    /// Bound on what a turning wall's axes change about that way in the rest of the step [m].
    [[nodiscard]] SCREE_HD double curving(double share) const {
        if (j >= 0) return 0.0;
        const double turn = norm(other.turn);
        if (turn == 0.0) return 0.0;
        const double distance = norm(motion.center_at(share) - other.center_at(share));
        return (1.0 - share) * turn * (2.0 * norm(way_towards(share)) + turn * distance);
    }
    /// Bound on what turning carries the surfaces along n, or along any direction [m].
    [[nodiscard]] SCREE_HD double swing(Vector3d n) const {
        const double of_other =
            j >= 0 ? other.swing(b, n) : norm(cross(n, other.turn)) * (motion.arm + a.bounding_radius());
        return motion.swing(a, n) + of_other;
    }
    [[nodiscard]] SCREE_HD double swing() const {
        const double of_other = j >= 0 ? other.swing(b) : norm(other.turn) * (motion.arm + a.bounding_radius());
        return motion.swing(a) + of_other;
    }
};

}  // namespace scree::kernels
