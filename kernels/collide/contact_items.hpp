// SPDX-License-Identifier: BSD-3-Clause
// Narrow phase for spheres: who touches whom, counted and filled by the same generator.
#pragma once

#include "kernels/collide/boundary_set.hpp"
#include "kernels/collide/contact_law.hpp"
#include "kernels/collide/grid.hpp"

namespace scree::kernels {

/// A contact as geometry finds it; A is the finder.
struct FoundContact {
    Index partner;    ///< Slot of B; -1 for a boundary.
    Index boundary;   ///< Boundary index; -1 for a body.
    Vector3d normal;  ///< From A to B.
    double gap;
    double lever_a, lever_b;
    Vector3d wall_velocity;  ///< At the contact point, for boundaries.
    bool moving;
};

struct CollisionView {
    Grid grid;
    BoundaryView boundaries;
    const double* position;
    const float* extent;
    double step;
    /// Rows of four: free velocity, agitation [m/s]; null: extents alone decide which gaps are contacts.
    const float* motion = nullptr;

    /// Whether a gap that extents reach may close in the step. Bodies that fly side by side keep their distance: what
    /// counts is their relative velocity, and what contacts may do to it: see HitItem.
    [[nodiscard]] SCREE_HD bool may_close(Index i, Index j, double gap, double slack) const {
        if (motion == nullptr) return true;
        const float* a = motion + std::int64_t(4) * i;
        const float* b = motion + std::int64_t(4) * j;
        const Vector3d u{double(b[0]) - double(a[0]), double(b[1]) - double(a[1]), double(b[2]) - double(a[2])};
        return gap <= slack + step * (norm(u) + double(a[3]) + double(b[3]));
    }
};

/// Share of the radius that bodies may be pushed within a step and still be seen by their neighbours.
inline constexpr double margin_slack = 0.01;

/// Calls emit(FoundContact) for each contact that body i finds: boundaries in part order, then bodies in cell order.
template <class Emit>
SCREE_HD void find_contacts(const CollisionView& view, Index i, const Emit& emit) {
    const Vector3d center = center_of(view.position, i);
    const double radius = radius_of(view.position, i);
    const double margin = larger(double(view.extent[i]) - radius, 0.0);

    for (Index k = 0; k < view.boundaries.part_count; ++k) {
        const BoundaryPart& part = view.boundaries.parts[k];
        const BoundaryPose& pose = view.boundaries.poses[part.boundary];
        if (pose.active == 0) continue;
        const Vector3d local = to_boundary_frame(pose, center);
        const double reach = pose.moving != 0 ? margin + view.step * norm(velocity_at(pose, center)) : margin;
        const auto report = [&](double distance, Vector3d local_normal) {
            const Vector3d normal = to_world_axes(pose, local_normal);
            const Vector3d wall = pose.moving != 0 ? velocity_at(pose, center + distance * normal) : Vector3d{0, 0, 0};
            emit(FoundContact{-1, part.boundary, normal, distance - radius, distance, 0.0, wall, pose.moving != 0});
        };
        if (part.kind == PartKind::mesh) {
            MeshContacts found;
            find_mesh_contacts(view.boundaries.meshes[part.mesh], local, radius, radius + reach, found);
            for (int c = 0; c < found.count; ++c) report(found.distance[c], Vector3d{0, 0, 0} - found.normal[c]);
        } else {
            const NearestPoint nearest = nearest_on_part(part, local, radius);
            if (nearest.found && nearest.distance - radius <= reach) report(nearest.distance, nearest.normal);
        }
    }

    for_each_candidate(view.grid, view.position, view.extent, i, [&](Index j) {
        const Vector3d d = view.grid.periodic.nearest_image(center_of(view.position, j) - center);
        const double other = radius_of(view.position, j);
        const double reach = double(view.extent[i]) + double(view.extent[j]);
        const double squared = dot(d, d);
        if (squared > reach * reach) return;
        const double distance = square_root(squared);
        const double gap = distance - radius - other;
        if (!view.may_close(i, j, gap, margin_slack * (radius + other))) return;
        // Coincident centres have no direction: any will do, the same for both.
        const Vector3d normal = distance > 0.0 ? (1.0 / distance) * d : Vector3d{0, 0, 1};
        emit(FoundContact{j, -1, normal, gap, radius + 0.5 * gap, other + 0.5 * gap, {0, 0, 0}, false});
    });
}

/// Extent = radius + margin. The margin lets contacts be found that may close within the step: the way of the body
/// alone in h, and `slack` of the radius for what it may be pushed.
template <class R>
struct ExtentItem {
    const double* position;
    const R* velocity;
    const R* free_velocity;
    float* extent;
    double step, slack;
    double envelope;  ///< Fixed margin [m] instead, when not negative.
    SCREE_HD void operator()(Index i) const {
        const double radius = radius_of(position, i);
        double margin = envelope;
        if (envelope < 0.0) {
            const R* v = velocity + std::int64_t(8) * i;
            const R* f = free_velocity + std::int64_t(8) * i;
            const Vector3d before{double(v[0]), double(v[1]), double(v[2])};
            const Vector3d after{double(f[0]), double(f[1]), double(f[2])};
            margin = slack * radius + step * larger(norm(before), norm(after));
        }
        extent[i] = float((radius + margin) * (1.0 + 1e-6));
    }
};

/// The velocity part of the motion rows; the agitation stays.
template <class R>
struct MotionItem {
    const R* free_velocity;
    float* motion;
    SCREE_HD void operator()(Index i) const {
        for (int k = 0; k < 3; ++k) motion[std::int64_t(4) * i + k] = float(free_velocity[std::int64_t(8) * i + k]);
    }
};

/// hit[i] = the largest speed at which body i meets another surface within the step, as free motion has it. What others
/// stop in this step is new to the bodies that fly along with it: without this they would run into it unseen.
template <class R>
struct HitItem {
    CollisionView view;
    const R* free_velocity;
    float* hit;  ///< 0 before.
    SCREE_HD void operator()(Index i) const {
        const HitItem& self = *this;
        const Vector3d own = velocity_of(i);
        find_contacts(view, i, [&](const FoundContact& c) {
            const Vector3d other = c.partner < 0 ? c.wall_velocity : self.velocity_of(c.partner);
            const double approach = dot(own - other, c.normal);
            if (!(approach * self.view.step > c.gap) || !(approach > 0.0)) return;
            raise_to(self.hit + i, float(approach));
            if (c.partner >= 0) raise_to(self.hit + c.partner, float(approach));
        });
    }
    SCREE_HD Vector3d velocity_of(Index body) const {
        const R* v = free_velocity + std::int64_t(8) * body;
        return {double(v[0]), double(v[1]), double(v[2])};
    }
};

/// maxima: [0] speed of free motion [m/s], [1] 1 / radius [1/m].
template <class R>
struct FlightItem {
    const double* position;
    const R* free_velocity;
    SCREE_HD void operator()(Index i, Accumulator<double, 0, 2>& acc) const {
        const R* v = free_velocity + std::int64_t(8) * i;
        acc.max[0] = larger(acc.max[0], norm(Vector3d{double(v[0]), double(v[1]), double(v[2])}));
        acc.max[1] = larger(acc.max[1], 1.0 / radius_of(position, i));
    }
};

/// Agitation: what contacts did to the body in the last step, or may do in this one; rebounds take up to twice a hit.
struct AgitateItem {
    const float* hit;
    float* motion;
    SCREE_HD void operator()(Index i) const {
        float& agitation = motion[std::int64_t(4) * i + 3];
        agitation = larger(agitation, 2.0F * hit[i]);
    }
};

template <class R>
struct CountContactsItem {
    CollisionView view;
    const R* inverse_mass;
    Index* count;       ///< Contacts that i finds.
    Index* wall_count;  ///< Of these, with moving walls.
    SCREE_HD void operator()(Index i) const {
        Index found = 0, moving = 0;
        const bool fixed = inverse_mass[2 * std::int64_t(i)] <= R(0);
        const R* masses = inverse_mass;
        find_contacts(view, i, [&](const FoundContact& c) {
            if (fixed && (c.partner < 0 || masses[2 * std::int64_t(c.partner)] <= R(0))) return;
            ++found;
            if (c.moving) ++moving;
        });
        count[i] = found;
        if (wall_count != nullptr) wall_count[i] = moving;
    }
};

/// The last step's contacts, for the warm start: grouped by finder, in today's slots.
template <class R>
struct OldContacts {
    const Index* a_start = nullptr;  ///< [bodies + 1]; null when there are none.
    const Index* partner = nullptr;  ///< Slot of B, or -1 - boundary.
    const R* g = nullptr;            ///< tiled, 3 fields
    const R* m = nullptr;            ///< tiled; null without rolling rows
};

template <class R, int W>
SCREE_HD Vector3<R> impulse_of(const R* fields, Index c) {
    return {fields[tiled<W, 3>(c, 0)], fields[tiled<W, 3>(c, 1)], fields[tiled<W, 3>(c, 2)]};
}

/// Finds the old contact of i with `key` (slot or -1 - boundary). Of several with one mesh: the one whose impulse
/// points most along `normal`. A pair found by the other body last time is matched with the sign turned.
template <class R, int W>
SCREE_HD void match_old(const OldContacts<R>& old, Index i, Index key, Vector3<R> normal, Vector3<R>& g,
                        Vector3<R>& m) {
    g = {R(0), R(0), R(0)};
    m = g;
    if (old.a_start == nullptr) return;
    R best = R(0);
    Index found = -1;
    R sign = R(1);
    for (Index c = old.a_start[i]; c < old.a_start[i + 1]; ++c) {
        if (old.partner[c] != key) continue;
        const R along = dot(impulse_of<R, W>(old.g, c), normal);
        if (found < 0 || along > best) {
            best = along;
            found = c;
        }
    }
    if (found < 0 && key >= 0)
        for (Index c = old.a_start[key]; c < old.a_start[key + 1]; ++c)
            if (old.partner[c] == i) {
                found = c;
                sign = R(-1);
            }
    if (found < 0) return;
    g = sign * impulse_of<R, W>(old.g, found);
    if (old.m != nullptr) m = sign * impulse_of<R, W>(old.m, found);
}

template <class R, int W>
struct FillContactsItem {
    CollisionView view;
    ContactSettings settings;
    const PairLaw<R>* laws;  ///< [materials x materials]
    Index materials;
    const Index* material;
    const R* inverse_mass;
    const R* velocity;  ///< Before the step.
    R* free_velocity;   ///< Body rows in; moving-wall rows out.
    const Index* a_start;
    const Index* wall_start;
    Index bodies;
    OldContacts<R> old;
    R* rows;
    R* rolling;   ///< null when no pair resists rolling
    R* cohesion;  ///< Cohesive impulse c h [N s] per contact; null when no pair is cohesive
    R* offset;    ///< Tangential offset of impacts, tiled, 3 fields; null when no pair rebounds tangentially
    Index* body_a;
    Index* body_b;
    Index* partner;  ///< Slot of B, or -1 - boundary.
    R* delay;        ///< Time into the step at which the impulse acts [s], or push_out_mark.
    R* g;            ///< Warm start.
    R* m;

    /// maxima: overlap [m], overlap / smaller diameter, delay [s].
    SCREE_HD void operator()(Index i, Accumulator<double, 0, 3>& acc) const {
        const bool fixed = inverse_mass[2 * std::int64_t(i)] <= R(0);
        const FillContactsItem& self = *this;
        Index c = a_start[i];
        Index wall_row = bodies + 1 + (wall_start != nullptr ? wall_start[i] : 0);
        find_contacts(view, i, [&](const FoundContact& found) {
            const Index j = found.partner;
            if (fixed && (j < 0 || self.inverse_mass[2 * std::int64_t(j)] <= R(0))) return;
            const double diameter =
                2.0 * (j < 0 ? radius_of(self.view.position, i)
                             : smaller(radius_of(self.view.position, i), radius_of(self.view.position, j)));
            acc.max[0] = larger(acc.max[0], -found.gap);
            acc.max[1] = larger(acc.max[1], -found.gap / diameter);
            self.write(c, i, found, wall_row);
            acc.max[2] = larger(acc.max[2], double(self.delay[c]));
            if (found.moving) ++wall_row;
            ++c;
        });
    }

    SCREE_HD void write(Index c, Index i, FoundContact found, Index wall_row) const {
        const Index j = found.partner;
        const bool enduring = start_from_old(c, i, found);
        if (j >= 0) meet(i, found);
        Index b = j;
        Index other_material = 0;
        if (j < 0) {
            b = found.moving ? wall_row : bodies;
            other_material = Index(view.boundaries.poses[found.boundary].material);
            if (found.moving) {
                R* row = free_velocity + std::int64_t(8) * wall_row;
                row[0] = R(found.wall_velocity.x);
                row[1] = R(found.wall_velocity.y);
                row[2] = R(found.wall_velocity.z);
                for (int k = 3; k < 8; ++k) row[k] = R(0);
                const BoundaryPose& pose = view.boundaries.poses[found.boundary];
                for (int k = 0; k < 3; ++k) row[4 + k] = R(pose.angular_velocity[k]);
            }
        } else {
            other_material = material[j];
        }
        const PairLaw<R>& law = laws[std::int64_t(material[i]) * materials + other_material];

        ContactRow<R> row;
        row.n = {R(found.normal.x), R(found.normal.y), R(found.normal.z)};
        row.lever_a = R(found.lever_a);
        row.lever_b = R(found.lever_b);
        row.friction = law.friction;
        const R mass_a = inverse_mass[2 * std::int64_t(i)], inertia_a = inverse_mass[2 * std::int64_t(i) + 1];
        const R mass_b = j < 0 ? R(0) : inverse_mass[2 * std::int64_t(j)];
        const R inertia_b = j < 0 ? R(0) : inverse_mass[2 * std::int64_t(j) + 1];

        const double wall_n = dot(found.wall_velocity, found.normal);
        const double before = (j < 0 ? wall_n : normal_speed(velocity, j, row.n)) - normal_speed(velocity, i, row.n);
        const double after =
            (j < 0 ? wall_n : normal_speed(free_velocity, j, row.n)) - normal_speed(free_velocity, i, row.n);
        const ContactBias bias = contact_bias(settings, found.gap, before, after, double(law.restitution),
                                              double(law.stiffness), double(law.cohesion), enduring);
        row.bias = R(bias.bias);
        row.compliance = R(bias.compliance);
        delay[c] = R(bias.delay);
        row.inv_dn = R(1) / (mass_a + mass_b + row.compliance);
        row.inv_dt =
            R(1) / (mass_a + mass_b + row.lever_a * row.lever_a * inertia_a + row.lever_b * row.lever_b * inertia_b);
        store(c, row);
        if (offset != nullptr) store_vector<W>(offset, c, impact_offset(i, found, b, row, bias, law));
        body_a[c] = i;
        body_b[c] = b;
        if (rolling != nullptr) {
            store_field<W, RollingField::count>(rolling, c, RollingField::rolling, law.rolling);
            store_field<W, RollingField::count>(rolling, c, RollingField::spinning, law.spinning);
            store_field<W, RollingField::count>(rolling, c, RollingField::inv_d, R(1) / (inertia_a + inertia_b));
        }
        if (cohesion != nullptr) {
            const bool holds =
                cohesive(settings, found.gap, double(law.stiffness), double(law.cohesion), radius_of(view.position, i));
            cohesion[c] = holds ? law.cohesion * R(settings.step) : R(0);
        }
    }

    /// Writes the partner and what the contact starts from; whether it carried an impulse in the last step.
    SCREE_HD bool start_from_old(Index c, Index i, const FoundContact& found) const {
        const Index key = found.partner < 0 ? -1 - found.boundary : found.partner;
        partner[c] = key;
        Vector3<R> old_g, old_m;
        match_old<R, W>(old, i, key, {R(found.normal.x), R(found.normal.y), R(found.normal.z)}, old_g, old_m);
        store_vector<W>(g, c, old_g);
        if (rolling != nullptr) store_vector<W>(m, c, old_m);
        return old_g.x != R(0) || old_g.y != R(0) || old_g.z != R(0);
    }

    /// Turns the contact of two apart bodies that meet within the step, if nothing else pushes them, into that of the
    /// moment tau in which they do: its normal, arms equal to the radii, and the gap that closes linearly at tau. With
    /// the impulse acting at tau (see contact_bias) the impact is exact, and it conserves angular momentum.
    SCREE_HD void meet(Index i, FoundContact& found) const {
        if (!(found.gap > 0.0)) return;
        const R* a = free_velocity + std::int64_t(8) * i;
        const R* b = free_velocity + std::int64_t(8) * found.partner;
        const Vector3d u{double(b[0]) - double(a[0]), double(b[1]) - double(a[1]), double(b[2]) - double(a[2])};
        const double distance = found.lever_a + found.lever_b, contact = distance - found.gap;
        const Vector3d d = distance * found.normal;
        const double along = dot(d, u), squared = dot(u, u);
        const double excess = found.gap * (distance + contact);  // |d|^2 - contact^2
        const double discriminant = along * along - squared * excess;
        if (!(along < 0.0) || !(discriminant >= 0.0)) return;
        const double tau = excess / (square_root(discriminant) - along);
        if (!(tau <= settings.step)) return;
        const Vector3d met = d + tau * u;
        found.normal = (1.0 / norm(met)) * met;
        found.lever_a -= 0.5 * found.gap;
        found.lever_b -= 0.5 * found.gap;
        found.gap = larger(-tau * dot(u, found.normal), 0.0);
    }

    /// e_t u_t- of an impact: the tangential part of the relative velocity before the step.
    SCREE_HD Vector3<R> impact_offset(Index i, const FoundContact& found, Index b, const ContactRow<R>& row,
                                      const ContactBias& bias, const PairLaw<R>& law) const {
        if (!bias.impact || !(law.tangential_restitution > R(0))) return {R(0), R(0), R(0)};
        R va[8], vb[8];
        RowsOfEight<R>::gather(velocity, &i, va);
        // Walls have their rows among the free velocities.
        RowsOfEight<R>::gather(found.partner >= 0 ? velocity : free_velocity, &b, vb);
        const Vector3<R> u = relative_velocity(row, va, vb).u;
        return law.tangential_restitution * (u - dot(u, row.n) * row.n);
    }

    SCREE_HD void store(Index c, const ContactRow<R>& row) const {
        const R values[RowField::count] = {row.n.x,  row.n.y,      row.n.z,    row.lever_a, row.lever_b,
                                           row.bias, row.friction, row.inv_dn, row.inv_dt,  row.compliance};
        for (int f = 0; f < RowField::count; ++f) store_field<W, RowField::count>(rows, c, f, values[f]);
    }
    SCREE_HD static double normal_speed(const R* velocity_rows, Index body, Vector3<R> n) {
        const R* v = velocity_rows + std::int64_t(8) * body;
        return double(v[0]) * double(n.x) + double(v[1]) * double(n.y) + double(v[2]) * double(n.z);
    }
};

/// Inert rows that fill the last tile: ground against ground, pushed apart.
template <class R, int W>
struct PaddingItem {
    Index first, ground;
    R* rows;
    R* rolling;
    R* offset;
    R* g;
    R* m;
    Index* body_a;
    Index* body_b;
    SCREE_HD void operator()(Index k) const {
        const Index c = first + k;
        const R values[RowField::count] = {R(0), R(0), R(1), R(0), R(0), R(1), R(0), R(1), R(1), R(0)};
        for (int f = 0; f < RowField::count; ++f) store_field<W, RowField::count>(rows, c, f, values[f]);
        const Vector3<R> zero{R(0), R(0), R(0)};
        store_vector<W>(g, c, zero);
        if (offset != nullptr) store_vector<W>(offset, c, zero);
        body_a[c] = ground;
        body_b[c] = ground;
        if (rolling == nullptr) return;
        store_vector<W>(m, c, zero);
        store_field<W, RollingField::count>(rolling, c, RollingField::rolling, R(0));
        store_field<W, RollingField::count>(rolling, c, RollingField::spinning, R(0));
        store_field<W, RollingField::count>(rolling, c, RollingField::inv_d, R(1));
    }
};

}  // namespace scree::kernels
