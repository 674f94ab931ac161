// SPDX-License-Identifier: BSD-3-Clause
// From found contacts to the rows of the cone problem: counted, filled and matched with those of the last step.
#pragma once

#include "kernels/collide/contact_law.hpp"
#include "kernels/collide/found_contacts.hpp"

namespace scree::kernels {

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

/// Finds the old contact of i with `key` (slot or -1 - boundary). Of those with one boundary, whose faces are not told
/// apart: the one whose impulse is nearest in angle to `normal`, if friction can have turned it that far and `turned`
/// (tangent of what normals turn in a step) besides; others are another face's. `cohesive` [N s] is what a cohesive
/// contact may be pulled by. A pair found by the other body last time is matched with the sign turned.
template <class R, int W>
SCREE_HD void match_old(const OldContacts<R>& old, Index i, Index key, Vector3<R> normal, R friction, R cohesive,
                        Vector3<R>& g, Vector3<R>& m) {
    constexpr R turned = R(0.25);
    g = {R(0), R(0), R(0)};
    m = g;
    if (old.a_start == nullptr) return;
    R steepest = friction + turned;
    Index found = -1;
    R sign = R(1);
    for (Index c = old.a_start[i]; c < old.a_start[i + 1]; ++c) {
        if (old.partner[c] != key) continue;
        if (key >= 0) {
            found = c;
            break;
        }
        const Vector3<R> impulse = impulse_of<R, W>(old.g, c);
        const R along = dot(impulse, normal), pressed = along + cohesive;
        if (!(pressed > R(0))) continue;
        const R slope = norm(impulse - along * normal) / pressed;
        if (slope > steepest) continue;
        steepest = slope;
        found = c;
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

/// What a contact's law is applied to.
struct ContactSpeeds {
    double gap = 0.0;       ///< [m]
    double before = 0.0;    ///< Normal relative velocity before the step [m/s].
    double after = 0.0;     ///< The same of free motion.
    bool enduring = false;  ///< Carried an impulse in the last step.
};
/// Relative velocity that an impulse at the contact makes: along the normal, at most along a tangent [1/kg], and the
/// relative spin that a moment makes [1/(kg m^2)].
template <class R>
struct ContactInertia {
    R normal, tangential, rotational;
};

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
    R* rebound;   ///< See ContactBias, per contact; no_impact where nothing meets.
    Index* body_a;
    Index* body_b;
    Index* partner;  ///< Slot of B, or -1 - boundary.
    R* delay;        ///< Time into the step at which the impulse acts [s], or push_out_mark.
    R* g;            ///< Warm start.
    R* m;

    /// maxima: overlap [m], overlap / smaller diameter, delay [s], rebound [m/s], 1 where anything meets.
    SCREE_HD void operator()(Index i, Accumulator<double, 0, 5>& acc) const {
        const bool fixed = inverse_mass[2 * std::int64_t(i)] <= R(0);
        const FillContactsItem& self = *this;
        Index c = a_start[i];
        Index wall_row = bodies + 1 + (wall_start != nullptr ? wall_start[i] : 0);
        find_contacts(view, i, [&](FoundContact& found) {
            const Index j = found.partner;
            if (fixed && (j < 0 || self.inverse_mass[2 * std::int64_t(j)] <= R(0))) return;
            const double diameter =
                2.0 * (j < 0 ? radius_of(self.view.position, i)
                             : smaller(radius_of(self.view.position, i), radius_of(self.view.position, j)));
            acc.max[0] = larger(acc.max[0], -found.gap);
            acc.max[1] = larger(acc.max[1], -found.gap / diameter);
            self.write(c, i, found, wall_row);
            acc.max[2] = larger(acc.max[2], double(self.delay[c]));
            acc.max[3] = larger(acc.max[3], self.rebound_of(c));
            acc.max[4] = larger(acc.max[4], self.rebound[c] >= R(0) ? 1.0 : 0.0);
            if (found.moving) ++wall_row;
            ++c;
        });
    }

    /// Changes `found` to the frame that the row is in.
    SCREE_HD void write(Index c, Index i, FoundContact& found, Index wall_row) const {
        const Index j = found.partner;
        const Index other_material = j < 0 ? Index(view.boundaries.poses[found.boundary].material) : Index(material[j]);
        const PairLaw<R>& law = laws[std::int64_t(material[i]) * materials + other_material];
        const bool enduring = start_from_old(c, i, found, law);
        Index b = j;
        if (j >= 0) {
            meet(i, found);
        } else {
            found.lever_a -= larger(found.gap, 0.0);  // of the moment at which they meet
            b = found.moving ? wall_row : bodies;
            if (found.moving) write_wall_velocity(wall_row, found.boundary, found.wall_velocity);
        }

        ContactRow<R> row;
        row.n = {R(found.normal.x), R(found.normal.y), R(found.normal.z)};
        row.lever_a = R(found.lever_a);
        row.lever_b = R(found.lever_b);
        row.friction = law.friction;
        const R mass_a = inverse_mass[2 * std::int64_t(i)], inertia_a = inverse_mass[2 * std::int64_t(i) + 1];
        const R mass_b = j < 0 ? R(0) : inverse_mass[2 * std::int64_t(j)];
        const R inertia_b = j < 0 ? R(0) : inverse_mass[2 * std::int64_t(j) + 1];

        const double wall_n = dot(found.wall_velocity, found.normal);
        ContactSpeeds speeds;
        speeds.gap = found.gap;
        speeds.before = (j < 0 ? wall_n : normal_speed(velocity, j, row.n)) - normal_speed(velocity, i, row.n);
        speeds.after = (j < 0 ? wall_n : normal_speed(free_velocity, j, row.n)) - normal_speed(free_velocity, i, row.n);
        speeds.enduring = enduring;
        const ContactInertia<R> inverse{
            mass_a + mass_b,
            mass_a + mass_b + row.lever_a * row.lever_a * inertia_a + row.lever_b * row.lever_b * inertia_b,
            inertia_a + inertia_b};
        complete(c, i, j, b, law, row, speeds, inverse);
    }

    /// Writes the row c of a contact between i and j (row b of the velocities), whose normal, arms and friction are
    /// set.
    template <class Row>
    SCREE_HD void complete(Index c, Index i, Index j, Index b, const PairLaw<R>& law, Row& row,
                           const ContactSpeeds& speeds, const ContactInertia<R>& inverse) const {
        const double alpha = damping_time(settings, law, inverse.normal);
        const ContactBias bias =
            contact_bias(settings, speeds.gap, speeds.before, speeds.after, double(law.restitution),
                         double(law.stiffness), double(law.cohesion), alpha, speeds.enduring);
        row.bias = R(bias.bias);
        row.compliance = R(bias.compliance);
        delay[c] = R(bias.delay);
        rebound[c] = bias.impact ? R(bias.rebound) : R(no_impact);
        row.inv_dn = R(1) / (inverse.normal + row.compliance);
        row.inv_dt = R(1) / inverse.tangential;
        store(c, row);
        if (offset != nullptr) store_vector<W>(offset, c, impact_offset(i, j, b, row, bias, law));
        body_a[c] = i;
        body_b[c] = b;
        if (rolling != nullptr) {
            store_field<W, RollingField::count>(rolling, c, RollingField::rolling, law.rolling);
            store_field<W, RollingField::count>(rolling, c, RollingField::spinning, law.spinning);
            store_field<W, RollingField::count>(rolling, c, RollingField::inv_d, R(1) / inverse.rotational);
        }
        if (cohesion != nullptr) {
            const bool holds = cohesive(settings, speeds.gap, double(law.stiffness), double(law.cohesion),
                                        radius_of(view.position, i));
            cohesion[c] = holds ? law.cohesion * R(settings.step) : R(0);
        }
    }

    /// What the laws of impacts add to the velocity of contact c, along the normal or along a tangent [m/s].
    [[nodiscard]] SCREE_HD double rebound_of(Index c) const {
        const double normal = double(rebound[c]);
        return offset == nullptr ? normal : larger(normal, double(norm(impulse_of<R, W>(offset, c))));
    }

    /// The row of velocities of a moving wall at a contact.
    SCREE_HD void write_wall_velocity(Index wall_row, Index boundary, Vector3d at_contact) const {
        R* row = free_velocity + std::int64_t(8) * wall_row;
        row[0] = R(at_contact.x);
        row[1] = R(at_contact.y);
        row[2] = R(at_contact.z);
        for (int k = 3; k < 8; ++k) row[k] = R(0);
        const BoundaryPose& pose = view.boundaries.poses[boundary];
        for (int k = 0; k < 3; ++k) row[4 + k] = R(pose.angular_velocity[k]);
    }

    /// Writes the partner and what the contact starts from; whether it carried an impulse in the last step.
    SCREE_HD bool start_from_old(Index c, Index i, const FoundContact& found, const PairLaw<R>& law) const {
        const Index key = found.partner < 0 ? -1 - found.boundary : found.partner;
        partner[c] = key;
        Vector3<R> old_g, old_m;
        match_old<R, W>(old, i, key, {R(found.normal.x), R(found.normal.y), R(found.normal.z)}, law.friction,
                        law.cohesion * R(settings.step), old_g, old_m);
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
    template <class Row>
    SCREE_HD Vector3<R> impact_offset(Index i, Index j, Index b, const Row& row, const ContactBias& bias,
                                      const PairLaw<R>& law) const {
        if (!bias.impact || !(law.tangential_restitution > R(0))) return {R(0), R(0), R(0)};
        R va[8], vb[8];
        RowsOfEight<R>::gather(velocity, &i, va);
        // Walls have their rows among the free velocities.
        RowsOfEight<R>::gather(j >= 0 ? velocity : free_velocity, &b, vb);
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
