// SPDX-License-Identifier: BSD-3-Clause
// From the contacts of parts to the rows of the cone problem.
#pragma once

#include "kernels/collide/contact_items.hpp"
#include "kernels/collide/part_search.hpp"
#include "kernels/cone/cone_problem.hpp"

namespace scree::kernels {

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

    /// maxima: overlap [m], overlap / smaller diameter, delay [s], rebound [m/s], 1 where anything meets.
    SCREE_HD void operator()(Index k, Accumulator<double, 0, 5>& acc) const {
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
            acc.max[3] = larger(acc.max[3], fill.rebound_of(c));
            acc.max[4] = larger(acc.max[4], fill.rebound[c] >= R(0) ? 1.0 : 0.0);
        }
    }

private:
    /// Whether the contact took the row of a moving wall.
    SCREE_HD bool write(Index c, Index k, Index p, Index q, const PairContact<R>& found, Index wall_row) const {
        const Index i = search.parts[p].body, j = q < 0 ? -1 : search.parts[q].body;
        const Vector3d center = center_of(body_position, i);
        const Vector3d arm{double(found.arm.x), double(found.arm.y), double(found.arm.z)};
        const double time = double(found.time);
        const double by_forces = forced(i, found.normal) - (q < 0 ? 0.0 : forced(j, found.normal));
        const Vector3d normal{double(found.normal.x), double(found.normal.y), double(found.normal.z)};
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
            if (moving)
                fill.write_wall_velocity(wall_row, boundary,
                                         velocity_at(pose, center + time * free_velocity_of(i) + arm));
            fill.partner[c] = -1 - boundary;
        } else {
            Vector3d d = search.view.periodic.nearest_image(center_of(body_position, j) - center);
            if (time > 0.0)
                d += time * (free_velocity_of(j) - free_velocity_of(i));
            else  // apart: to the point of B that will lie on that of A
                d += (0.0 - larger(double(found.gap), 0.0)) * normal;
            row.arm_b = {R(arm.x - d.x), R(arm.y - d.y), R(arm.z - d.z)};
            other_material = fill.material[j];
            fill.partner[c] = j;
        }
        const PairLaw<R>& law = fill.laws[std::int64_t(fill.material[i]) * fill.materials + other_material];
        row.friction = law.friction;
        ContactSpeeds speeds;
        speeds.gap = double(found.gap);
        speeds.enduring = start_from_old(c, k, found.feature);
        speeds.after = normal_speed(fill.free_velocity, fill.free_velocity, i, b, row);
        // What forces made of it in this step. Spins that change because bodies turn are no force: a rebound that made
        // up for their lag gained energy.
        speeds.before = speeds.after + by_forces;
        if (q >= 0 && found.gap > R(0) && !(time > 0.0)) {
            let_points_meet(row, speeds, j, i, normal);
            speeds.after = normal_speed(fill.free_velocity, fill.free_velocity, i, b, row);
            speeds.before = speeds.after + by_forces;
        }
        row.lever_a = norm(row.arm_a);
        row.lever_b = norm(row.arm_b);
        fill.complete(c, i, j, b, law, row, speeds, inverse_inertia(i, j, row));
        const R values[ArmField::count] = {row.arm_a.x, row.arm_a.y, row.arm_a.z,
                                           row.arm_b.x, row.arm_b.y, row.arm_b.z};
        for (int f = 0; f < ArmField::count; ++f) store_field<W, ArmField::count>(arms, c, f, values[f]);
        gap[c] = found.gap;
        feature[c] = found.feature;
        return moving;
    }

    /// Of two bodies apart: moves the arms, which end on the bodies' own surfaces, to where these are one point when
    /// the impulse acts, so that angular momentum is kept. That is the moment of an impact, the start of the step else.
    SCREE_HD void let_points_meet(ArmRow<R>& row, const ContactSpeeds& speeds, Index j, Index i,
                                  Vector3d normal) const {
        Vector3d way = speeds.gap * normal;
        if (is_impact(fill.settings, speeds.gap, speeds.before, speeds.after, speeds.enduring))
            way += (speeds.gap / -speeds.after) * (free_velocity_of(j) - free_velocity_of(i));
        const Vector3<R> half{R(0.5 * way.x), R(0.5 * way.y), R(0.5 * way.z)};
        row.arm_a += half;
        row.arm_b += R(-1) * half;
    }

    SCREE_HD Vector3d free_velocity_of(Index body) const {
        const R* v = fill.free_velocity + std::int64_t(8) * body;
        return {double(v[0]), double(v[1]), double(v[2])};
    }
    /// Change of a body's velocity by forces, along n [m/s].
    SCREE_HD double forced(Index body, Vector3<R> n) const {
        const R *f = fill.free_velocity + std::int64_t(8) * body, *v = fill.velocity + std::int64_t(8) * body;
        return (double(f[0]) - double(v[0])) * double(n.x) + (double(f[1]) - double(v[1])) * double(n.y) +
               (double(f[2]) - double(v[2])) * double(n.z);
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
