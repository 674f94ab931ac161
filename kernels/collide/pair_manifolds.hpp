// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of parts: what the pairs of a step touch with.
//
// Contacts are those of the step's start, but of pairs that are apart and come near by more than a share of what is
// thin about them: these touch elsewhere, and with another face, than they show at the start. Their contacts are those
// of the moment at which the free motions touch or pass nearest, with the gaps that close linearly until then (the
// rule of FillContactsItem::meet() for spheres).
#pragma once

#include "kernels/collide/pair_sweep.hpp"

namespace scree::kernels {

/// Thread k: the contacts of pair k.
template <class R>
struct ManifoldItem {
    PartSearch search;
    PairView<R> old;
    const Index* previous;
    const double* body_position;
    const R* free_velocity;  ///< Of bodies, rows of eight.
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
    /// Pairs that come nearer by less than this share of their thinness are looked at in the frame of the start.
    static constexpr double slow = 0.25;
    static constexpr int most_looks = 24;

    [[nodiscard]] SCREE_HD const BoundaryPose& pose_of(Index part) const {
        const BoundaryView& boundaries = search.view.boundaries;
        return boundaries.poses[boundaries.parts[part].boundary];
    }
    [[nodiscard]] SCREE_HD bool moves(Index part) const { return pose_of(part).moving != 0; }

    SCREE_HD void put(Index at, Vector3d center, Vector3d normal, const ManifoldPoint& point, double gap,
                      double time) const {
        const Vector3d arm = point.point - center;
        contacts[at] = {
            {R(normal.x), R(normal.y), R(normal.z)}, {R(arm.x), R(arm.y), R(arm.z)}, R(gap), point.feature, R(time)};
    }
    [[nodiscard]] SCREE_HD Vector3d center_of_body(Index p) const {
        const Vector3d place = search.placed[p].position;
        return place - search.view.periodic.nearest_image(place - center_of(body_position, search.parts[p].body));
    }

    /// Shapes are taken in the order of their bodies' ids, so that features do not depend on who found whom.
    SCREE_HD Index of_bodies(Index k, Index p, Index j, Vector3d& direction) const {
        const PlacedShape& a = search.placed[p];
        PlacedShape b = search.placed[j];
        b.position = a.position + search.view.periodic.nearest_image(b.position - a.position);
        const bool swapped = search.id[search.parts[p].body] > search.id[search.parts[j].body];
        Manifold found;
        find_manifold(search.shapes, swapped ? b : a, swapped ? a : b, search.reach(p, j), direction, found);
        if (found.count > 0 && found.point[0].gap > 0.0) {
            const Index swept = of_meeting(k, p, j, found.point[0].gap, direction);
            if (swept >= 0) return swept;
        }
        const Vector3d center = center_of_body(p);
        const Vector3d normal = (swapped ? -1.0 : 1.0) * found.normal;
        for (int n = 0; n < found.count; ++n) {
            // Apart: on the finder, where the other's point will be when they meet.
            found.point[n].point += (-0.5 * larger(found.point[n].gap, 0.0)) * normal;
            put(room[k] + n, center, normal, found.point[n], found.point[n].gap, 0.0);
        }
        return found.count;
    }

    SCREE_HD Index of_wall(Index k, Index p, Index part, Vector3d& direction) const {
        if (pose_of(part).active == 0) return 0;
        WallContacts found;
        find_part_contacts(search, part, search.placed[p], search.reach(p, -1 - part), direction, found);
        double least = 1.0;
        for (int n = 0; n < found.count; ++n) least = n == 0 ? found.point[n].gap : smaller(least, found.point[n].gap);
        if (found.count > 0 && least > 0.0) {
            const Index swept = of_meeting(k, p, -1 - part, least, direction);
            if (swept >= 0) return swept;
        }
        const Vector3d center = center_of_body(p);
        for (int n = 0; n < found.count; ++n) {
            lay_on_wall(found, n);
            put(room[k] + n, center, found.normal[n], found.point[n], found.point[n].gap, 0.0);
        }
        return found.count;
    }
    /// A wall's contacts lie on the wall, as those of spheres do; where they are apart, on the body, where the wall
    /// will be when they meet.
    SCREE_HD static void lay_on_wall(WallContacts& found, int n) {
        found.point[n].point += (-0.5 * size_of(found.point[n].gap)) * found.normal[n];
    }

    /// The contacts of a pair that is apart by `gap`, in the frame in which it meets; -1: that of the start will do.
    SCREE_HD_CALL Index of_meeting(Index k, Index p, Index j, double gap, Vector3d& direction) const {
        PairSweep pair(search, p, j, body_position);
        if (gap < slow * pair.thinness) return -1;
        const double h = search.view.step;
        const auto way = [&](Index body, int first) {
            const R* v = free_velocity + std::int64_t(8) * body + first;
            return Vector3d{h * double(v[0]), h * double(v[1]), h * double(v[2])};
        };
        const Index i = search.parts[p].body;
        pair.move(way(i, 0), way(i, 4));
        if (j < 0)
            pair.move_wall(h);
        else
            pair.move_other(way(search.parts[j].body, 0), way(search.parts[j].body, 4));
        const double closing = pair.closing();
        if (!(closing > slow * pair.thinness) || !(closing > gap)) return -1;

        const double goal = 1e-3 * pair.thinness;
        WallContacts found;
        const Sweep sweep = advance_to_touch(
            [&](double share) {
                pair.contacts_at(share, direction, found);
                return pair.look(found, share, -0.5 * goal);
            },
            goal, most_looks);
        if (sweep.nearest <= 0.0) return -1;
        pair.contacts_at(sweep.nearest, direction, found);
        const double time = sweep.nearest * h;
        const Vector3d center = pair.motion.center_at(sweep.nearest);
        for (int n = 0; n < found.count; ++n) {
            const Vector3d point = found.point[n].point;
            const Vector3d approach = pair.motion.way + cross(pair.motion.turn, point - center) - pair.other.way -
                                      cross(pair.other.turn, point - pair.other.center_at(sweep.nearest));
            // Free motion closes this much until then, so much more is open at the start.
            const double its_gap = found.point[n].gap;
            const double opened = its_gap + sweep.nearest * dot(approach, found.normal[n]);
            if (j < 0) lay_on_wall(found, n);
            put(room[k] + n, center, found.normal[n], found.point[n], larger(opened, smaller(its_gap, 0.0)), time);
        }
        return found.count;
    }
};

}  // namespace scree::kernels
