// SPDX-License-Identifier: BSD-3-Clause
// Thread bodies of the contacts of parts: pairs to look at, their manifolds, and the rows of the cone problem.
#pragma once

#include "kernels/collide/body_parts.hpp"
#include "kernels/collide/contact_items.hpp"
#include "kernels/collide/shapes/find_manifold.hpp"
#include "kernels/collide/shapes/mesh_contacts.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"
#include "kernels/cone/cone_problem.hpp"

namespace scree::kernels {

/// A contact of a pair of parts as the narrow phase left it, from the finder's side.
template <class R>
struct PairContact {
    Vector3<R> normal;  ///< From the finder to its partner.
    Vector3<R> arm;     ///< From the centre of the finder's body [m].
    R gap;              ///< [m]
    Index feature;      ///< See ManifoldPoint.
};

/// The pairs of a step: those of part p are start[p] .. start[p + 1] - 1.
template <class R>
struct PairView {
    const Index* start = nullptr;          ///< [parts + 1]; null when there are none.
    const Index* partner = nullptr;        ///< Part, or -1 - boundary part.
    const float* axis = nullptr;           ///< Rows of three: separating direction, from the body with the smaller id.
    const Index* contact_start = nullptr;  ///< [pairs + 1]
    const Index* feature = nullptr;        ///< [contacts]
    const R* g = nullptr;                  ///< Impulses, tiled, 3 fields.
    const R* m = nullptr;                  ///< Moments; null without rolling rows.
};

/// Where a pair was in the last step's lists. The other part may have been its finder then.
struct OldPair {
    Index place = -1;
    bool turned = false;
};

/// `previous` maps parts to those of the last step.
template <class R>
SCREE_HD OldPair find_old_pair(const PairView<R>& old, const Index* previous, Index part, Index partner) {
    if (old.start == nullptr) return {};
    const Index own = previous[part], other = partner < 0 ? partner : previous[partner];
    if (own < 0 || (partner >= 0 && other < 0)) return {};
    for (Index k = old.start[own]; k < old.start[own + 1]; ++k)
        if (old.partner[k] == other) return {k, false};
    if (partner >= 0)
        for (Index k = old.start[other]; k < old.start[other + 1]; ++k)
            if (old.partner[k] == own) return {k, true};
    return {};
}

/// What the pairs of a step are found from.
struct PartSearch {
    CollisionView view;  ///< Of the parts.
    const BodyPart* parts;
    const PlacedShape* placed;
    ShapeView shapes;
    const Index* id;  ///< Of bodies.

    /// Calls emit(partner) for each pair of part p that may touch within the step.
    template <class R, class Emit>
    SCREE_HD void for_each_pair(const R* inverse_mass, Index p, const Emit& emit) const {
        const Index body = parts[p].body;
        const bool fixed = inverse_mass[2 * std::int64_t(body)] <= R(0);
        const Index* neighbours = view.neighbours.of(p);
        for (Index k = 0; k < view.neighbours.count[p]; ++k) {
            const Index j = neighbours[k];
            if (j < 0) {
                if (!fixed) emit(j);
                continue;
            }
            const Index other = parts[j].body;
            if (other == body || (fixed && inverse_mass[2 * std::int64_t(other)] <= R(0))) continue;
            const double radii = radius_of(view.position, p) + radius_of(view.position, j);
            const Vector3d d = view.periodic.nearest_image(center_of(view.position, j) - center_of(view.position, p));
            if (norm(d) - radii > reach(p, j)) continue;
            emit(j);
        }
    }

    /// Largest gap that is a contact [m].
    [[nodiscard]] SCREE_HD double reach(Index p, Index j) const {
        const double own = radius_of(view.position, p), margin = larger(double(view.extent[p]) - own, 0.0);
        if (j < 0) {
            const BoundaryPose& pose = view.boundaries.poses[view.boundaries.parts[-1 - j].boundary];
            double speed = view.motion != nullptr ? double(view.motion[std::int64_t(4) * p + 3]) : 0.0;
            if (pose.moving != 0)
                speed +=
                    norm(velocity_at(pose, center_of(view.position, p))) + own * norm(vector_of(pose.angular_velocity));
            return margin + view.step * speed;
        }
        const double other = radius_of(view.position, j);
        if (view.motion == nullptr) return margin + larger(double(view.extent[j]) - other, 0.0);
        const float* a = view.motion + std::int64_t(4) * p;
        const float* b = view.motion + std::int64_t(4) * j;
        const Vector3d u{double(b[0]) - double(a[0]), double(b[1]) - double(a[1]), double(b[2]) - double(a[2])};
        return margin_slack * (own + other) + view.step * (norm(u) + double(a[3]) + double(b[3]));
    }
};

template <class R>
struct PairCountItem {
    PartSearch search;
    const R* inverse_mass;
    Index* count;
    SCREE_HD void operator()(Index p) const {
        Index found = 0;
        search.for_each_pair(inverse_mass, p, [&](Index) { ++found; });
        count[p] = found;
    }
};

/// Lists the pairs and the room that their contacts may take.
template <class R>
struct FillPairsItem {
    PartSearch search;
    const R* inverse_mass;
    const Index* start;
    Index* finder;
    Index* partner;
    Index* room;
    SCREE_HD void operator()(Index p) const {
        Index at = start[p];
        search.for_each_pair(inverse_mass, p, [&](Index j) {
            finder[at] = p;
            partner[at] = j;
            room[at] = j < 0 ? WallContacts::capacity : Manifold::capacity;
            ++at;
        });
    }
};

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

/// Contacts of the finders: a_start of bodies from the starts of parts and pairs.
struct BodyStartItem {
    const Index* part_start;
    const Index* pair_start;
    const Index* contact_start;
    Index* a_start;
    SCREE_HD void operator()(Index i) const { a_start[i] = contact_start[pair_start[part_start[i]]]; }
};

/// Thread k: the rows of the contacts of pair k. `fill` has the laws and the rows' places.
template <class R, int W>
struct FillShapeContactsItem {
    FillContactsItem<R, W> fill;
    PartSearch search;
    PairView<R> old;
    const double* body_position;
    const R* inertia;  ///< Rows of InertiaRow.
    const Index* finder;
    const Index* partner;
    const Index* room;
    const OldPair* old_pair;
    const PairContact<R>* contacts;
    const Index* contact_start;
    const Index* wall_start;  ///< null when no wall moves
    R* arms;
    R* gap;
    Index* feature;

    /// maxima: overlap [m], overlap / smaller diameter, delay [s].
    SCREE_HD void operator()(Index k, Accumulator<double, 0, 3>& acc) const {
        const Index p = finder[k], q = partner[k];
        const double diameter =
            2.0 * (q < 0 ? radius_of(search.view.position, p)
                         : smaller(radius_of(search.view.position, p), radius_of(search.view.position, q)));
        Index wall_row = fill.bodies + 1 + (wall_start != nullptr ? wall_start[k] : 0);
        for (Index c = contact_start[k]; c < contact_start[k + 1]; ++c) {
            const PairContact<R>& found = contacts[room[k] + (c - contact_start[k])];
            acc.max[0] = larger(acc.max[0], 0.0 - double(found.gap));
            acc.max[1] = larger(acc.max[1], 0.0 - double(found.gap) / diameter);
            if (write(c, k, p, q, found, wall_row)) ++wall_row;
            acc.max[2] = larger(acc.max[2], double(fill.delay[c]));
        }
    }

private:
    /// Whether the contact took the row of a moving wall.
    SCREE_HD bool write(Index c, Index k, Index p, Index q, const PairContact<R>& found, Index wall_row) const {
        const Index i = search.parts[p].body, j = q < 0 ? -1 : search.parts[q].body;
        const Vector3d center = center_of(body_position, i);
        const Vector3d arm{double(found.arm.x), double(found.arm.y), double(found.arm.z)};
        ArmRow<R> row;
        row.n = found.normal;
        row.arm_a = found.arm;
        row.arm_b = {R(0), R(0), R(0)};
        Index b = j, other_material = 0;
        bool moving = false;
        if (q < 0) {
            const Index boundary = Index(search.view.boundaries.parts[-1 - q].boundary);
            const BoundaryPose& pose = search.view.boundaries.poses[boundary];
            moving = pose.moving != 0;
            b = moving ? wall_row : fill.bodies;
            other_material = Index(pose.material);
            if (moving) fill.write_wall_velocity(wall_row, boundary, velocity_at(pose, center + arm));
            fill.partner[c] = -1 - boundary;
        } else {
            const Vector3d d = search.view.periodic.nearest_image(center_of(body_position, j) - center);
            row.arm_b = {R(arm.x - d.x), R(arm.y - d.y), R(arm.z - d.z)};
            other_material = fill.material[j];
            fill.partner[c] = j;
        }
        row.lever_a = norm(row.arm_a);
        row.lever_b = norm(row.arm_b);
        const PairLaw<R>& law = fill.laws[std::int64_t(fill.material[i]) * fill.materials + other_material];
        row.friction = law.friction;
        ContactSpeeds speeds;
        speeds.gap = double(found.gap);
        speeds.enduring = start_from_old(c, k, found.feature);
        // Walls have their rows among the free velocities, and the ground its own.
        speeds.before = normal_speed(fill.velocity, q < 0 ? fill.free_velocity : fill.velocity, i, b, row);
        speeds.after = normal_speed(fill.free_velocity, fill.free_velocity, i, b, row);
        fill.complete(c, i, j, b, law, row, speeds, inverse_inertia(i, j, row));
        const R values[ArmField::count] = {row.arm_a.x, row.arm_a.y, row.arm_a.z,
                                           row.arm_b.x, row.arm_b.y, row.arm_b.z};
        for (int f = 0; f < ArmField::count; ++f) store_field<W, ArmField::count>(arms, c, f, values[f]);
        gap[c] = found.gap;
        feature[c] = found.feature;
        return moving;
    }

    SCREE_HD static double normal_speed(const R* of_a, const R* of_b, Index i, Index b, const ArmRow<R>& row) {
        R va[8], vb[8];
        RowsOfEight<R>::gather(of_a, &i, va);
        RowsOfEight<R>::gather(of_b, &b, vb);
        return double(dot(relative_velocity(row, va, vb).u, row.n));
    }

    /// Writes what the contact starts from; whether it carried an impulse in the last step.
    SCREE_HD bool start_from_old(Index c, Index k, Index own_feature) const {
        Vector3<R> g{R(0), R(0), R(0)}, m = g;
        const OldPair before = old_pair[k];
        if (before.place >= 0)
            for (Index o = old.contact_start[before.place]; o < old.contact_start[before.place + 1]; ++o) {
                if (old.feature[o] != own_feature) continue;
                const R sign = before.turned ? R(-1) : R(1);
                g = sign * impulse_of<R, W>(old.g, o);
                if (old.m != nullptr) m = sign * impulse_of<R, W>(old.m, o);
                break;
            }
        store_vector<W>(fill.g, c, g);
        if (fill.rolling != nullptr) store_vector<W>(fill.m, c, m);
        return g.x != R(0) || g.y != R(0) || g.z != R(0);
    }

    SCREE_HD ContactInertia<R> inverse_inertia(Index i, Index j, const ArmRow<R>& row) const {
        const Vector3d n{double(row.n.x), double(row.n.y), double(row.n.z)};
        const Vector3d side = size_of(n.x) < 0.6 ? Vector3d{1, 0, 0} : Vector3d{0, 1, 0};
        Vector3d u = cross(n, side);
        u = (1.0 / norm(u)) * u;
        const Vector3d w = cross(n, u);
        double nn = 0.0, uu = 0.0, ww = 0.0, uw = 0.0, squares = 0.0;
        const auto add = [&](Index body, Vector3<R> arm_of_body) {
            if (body < 0) return;
            const double inverse_mass = double(fill.inverse_mass[2 * std::int64_t(body)]);
            if (!(inverse_mass > 0.0)) return;
            double inverse[6];
            const R* tensor = inertia + std::int64_t(InertiaRow::size) * body + InertiaRow::inverse;
            for (int k = 0; k < 6; ++k) {
                inverse[k] = double(tensor[k]);
                squares += (k < 3 ? 1.0 : 2.0) * inverse[k] * inverse[k];
            }
            const Vector3d arm{double(arm_of_body.x), double(arm_of_body.y), double(arm_of_body.z)};
            const Vector3d rn = cross(arm, n), ru = cross(arm, u), rw = cross(arm, w);
            const Vector3d turned_u = times(inverse, ru);
            nn += inverse_mass + dot(rn, times(inverse, rn));
            uu += inverse_mass + dot(ru, turned_u);
            ww += inverse_mass + dot(rw, times(inverse, rw));
            uw += dot(rw, turned_u);
        };
        add(i, row.arm_a);
        add(j, row.arm_b);
        const double half = 0.5 * (uu - ww);
        return {R(nn), R(0.5 * (uu + ww) + square_root(half * half + uw * uw)), R(square_root(squares))};
    }
};

/// Arms of the inert rows that fill the last tile.
template <class R, int W>
struct ArmPaddingItem {
    Index first;
    R* arms;
    SCREE_HD void operator()(Index k) const {
        for (int f = 0; f < ArmField::count; ++f) store_field<W, ArmField::count>(arms, first + k, f, R(0));
    }
};

}  // namespace scree::kernels
