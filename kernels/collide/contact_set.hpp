// SPDX-License-Identifier: BSD-3-Clause
// The contact set of a step: exact two-pass lists, ordered by finder, matched with the last step, and the
// body -> contact lists that the cone solver gathers through.
//
// Invariants
//  1. Counted before filled: no capacity can be too small, nothing is dropped.
//  2. Contacts of finder i are a_start[i] .. a_start[i + 1] - 1; b_list holds the contacts of partner j in ascending
//     order. Both orders follow from the state alone, so sums are repeatable.
#pragma once

#include "kernels/collide/part_pairs.hpp"
#include "kernels/cone/cone_solver.hpp"
#include "kernels/parallel/scratch.hpp"

#include <utility>

namespace scree::kernels {

/// Keys of the sort by partner: the row of B; contacts with walls sort to the end.
struct PartnerKeyItem {
    const Index* partner;
    std::uint64_t* keys;
    Index* values;
    Index bodies;
    SCREE_HD void operator()(Index c) const {
        keys[c] = std::uint64_t(partner[c] >= 0 ? partner[c] : bodies);
        values[c] = c;
    }
};

/// Laws and settings of the contacts, constant over a run.
template <class Backend, class R>
struct ContactModel {
    ContactSettings settings;
    Array<PairLaw<R>, Backend> laws;
    Index materials = 0;
    R friction_max = R(0);  ///< Of all pairs.
    bool any_rolling = false;
    bool any_cohesion = false;
    bool any_tangential = false;  ///< Some pair has tangential restitution.
};

template <class Backend, class R>
class ContactSet {
public:
    static constexpr int W = Backend::tile;

    /// Largest overlap of the contacts [m], and relative to the smaller diameter.
    struct Overlap {
        double largest = 0.0, relative = 0.0;
    };

    /// Finds all contacts of the bodies as they are. `free_velocity` grows by the rows of moving walls.
    /// `solution` holds the impulses of the last step's contacts on entry and the warm start of these on return.
    Overlap build(Backend& backend, Scratch<Backend>& scratch, const CollisionView& view,
                  const ContactModel<Backend, R>& model, const BodyState<Backend, R>& bodies,
                  Array<R, Backend>& free_velocity, ConeSolution<Backend, R>& solution) {
        const Index n = bodies.count;
        keep_old(solution);
        OldContacts<R> old;
        if (has_old_)
            old = {old_a_start_.data(), old_partner_.data(), solution.spare_g.data(),
                   model.any_rolling ? solution.spare_m.data() : nullptr};

        a_start_.resize_discard(Size(n) + 1);
        // Velocity rows of moving walls are counted only where there are any.
        if (view.boundaries.any_moving) wall_start_.resize_discard(Size(n) + 1);
        Index* wall_start = view.boundaries.any_moving ? wall_start_.data() : nullptr;
        backend.for_each(n, CountContactsItem<R>{view, bodies.inverse_mass.data(), a_start_.data(), wall_start});
        count_ = backend.exclusive_scan(a_start_.data(), n);
        make_room(n, wall_start != nullptr ? backend.exclusive_scan(wall_start, n) : 0, model, free_velocity, solution);
        auto fill = fill_item(view, model, bodies, free_velocity, solution);
        fill.wall_start = wall_start;
        fill.old = old;
        return finish(backend, scratch, n, backend.template reduce<double, 0, 5>(n, fill), fill);
    }

    /// The same for bodies with parts; `pairs` keeps what the parts' contacts were.
    Overlap build(Backend& backend, Scratch<Backend>& scratch, const PartSearch& search,
                  const ContactModel<Backend, R>& model, const BodyState<Backend, R>& bodies,
                  BodyParts<Backend, R>& parts, PartPairs<Backend, R>& pairs, Array<R, Backend>& free_velocity,
                  ConeSolution<Backend, R>& solution) {
        const Index n = bodies.count;
        keep_old(solution);
        pairs.find(backend, search, bodies, parts, free_velocity.data(), solution.spare_g.data(),
                   model.any_rolling ? solution.spare_m.data() : nullptr);
        count_ = pairs.count();
        a_start_.resize_discard(Size(n) + 1);
        pairs.start_of_bodies(backend, parts, n, a_start_.data());
        make_room(n, pairs.wall_rows(), model, free_velocity, solution);
        const Index total = padded(count_, W);
        arms_.resize_discard(Size(total) * ArmField::count);
        gap_.resize_discard(count_);
        const auto fill = fill_item(search.view, model, bodies, free_velocity, solution);
        const auto overlap = backend.template reduce<double, 0, 5>(
            pairs.pairs(), pairs.template fill_item<W>(fill, search, bodies, arms_.data(), gap_.data()));
        backend.for_each(total - count_, ArmPaddingItem<R, W>{count_, arms_.data()});
        parts.remember(backend);
        return finish(backend, scratch, n, overlap, fill);
    }

    [[nodiscard]] ConeProblem<R, W> problem(const BodyState<Backend, R>& bodies, const Array<R, Backend>& free_velocity,
                                            const ContactModel<Backend, R>& model, bool coulomb) const {
        ConeProblem<R, W> p;
        p.contacts = padded(count_, W);
        p.bodies = bodies.count;
        p.rows_of_velocity = rows_of_velocity_;
        p.rows = rows_.data();
        p.rolling = model.any_rolling ? rolling_.data() : nullptr;
        p.body_a = body_a_.data();
        p.body_b = body_b_.data();
        p.a_start = a_start_.data();
        p.b_start = b_start_.data();
        p.b_list = b_list_.data();
        p.inverse_mass = bodies.inverse_mass.data();
        p.free_velocity = free_velocity.data();
        p.offset = model.any_tangential ? offset_.data() : nullptr;
        if (bodies.has_shapes()) {
            p.arms = arms_.data();
            p.inertia = bodies.inertia_rows.data();
        }
        p.coulomb = coulomb;
        p.friction_max = model.friction_max;
        return p;
    }

    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] Index rows_of_velocity() const { return rows_of_velocity_; }
    [[nodiscard]] const Array<R, Backend>& rows() const { return rows_; }
    [[nodiscard]] Array<R, Backend>& rows() { return rows_; }
    /// Per contact, time into the step at which its impulse acts [s]; null when all act at once.
    [[nodiscard]] const R* delay() const { return any_delay_ ? delay_.data() : nullptr; }
    [[nodiscard]] const R* marks() const { return delay_.data(); }
    [[nodiscard]] bool any_impact() const { return any_impact_; }
    /// Whether anything rebounds in this step, and by how much, see ContactBias::rebound.
    [[nodiscard]] bool any_rebound() const { return any_rebound_; }
    [[nodiscard]] Array<R, Backend>& rebound() { return rebound_; }
    [[nodiscard]] const Array<R, Backend>& arms() const { return arms_; }
    /// With arms: at the start of the step [m].
    [[nodiscard]] const Array<R, Backend>& gap() const { return gap_; }
    [[nodiscard]] const Array<R, Backend>& cohesion() const { return cohesion_; }
    [[nodiscard]] const Array<R, Backend>& offset() const { return offset_; }
    [[nodiscard]] Array<R, Backend>& offset() { return offset_; }
    [[nodiscard]] Array<Index, Backend>& a_start() { return a_start_; }
    [[nodiscard]] Array<Index, Backend>& partner() { return partner_; }
    [[nodiscard]] const Array<Index, Backend>& body_a() const { return body_a_; }
    [[nodiscard]] const Array<Index, Backend>& body_b() const { return body_b_; }
    /// Lists that were set from outside (restart, re-sorting) are those of the last step.
    void adopt(Index count) {
        count_ = count;
        has_old_ = true;
        has_rows_ = false;
    }
    void forget() { has_old_ = has_rows_ = false; }
    [[nodiscard]] bool has_contacts() const { return has_old_; }
    /// false after adopt(): the rows are not those of the present slots.
    [[nodiscard]] bool has_rows() const { return has_rows_; }
    [[nodiscard]] std::size_t bytes() const {
        return rows_.bytes() + arms_.bytes() + gap_.bytes() + rolling_.bytes() + cohesion_.bytes() + offset_.bytes() +
               body_a_.bytes() + body_b_.bytes() + partner_.bytes() + delay_.bytes() + rebound_.bytes() +
               old_partner_.bytes() + a_start_.bytes() + old_a_start_.bytes() + wall_start_.bytes() + b_start_.bytes() +
               b_list_.bytes();
    }

private:
    void keep_old(ConeSolution<Backend, R>& solution) {
        std::swap(a_start_, old_a_start_);
        std::swap(partner_, old_partner_);
        std::swap(solution.g, solution.spare_g);
        std::swap(solution.m, solution.spare_m);
    }
    void make_room(Index bodies, Index wall_rows, const ContactModel<Backend, R>& model,
                   Array<R, Backend>& free_velocity, ConeSolution<Backend, R>& solution) {
        const Index total = padded(count_, W);
        rows_of_velocity_ = bodies + 1 + wall_rows;
        rows_.resize_discard(Size(total) * RowField::count);
        body_a_.resize_discard(total);
        body_b_.resize_discard(total);
        partner_.resize_discard(count_);
        delay_.resize_discard(count_);
        rebound_.resize_discard(count_);
        solution.g.resize_discard(Size(total) * 3);
        if (model.any_rolling) {
            rolling_.resize_discard(Size(total) * RollingField::count);
            solution.m.resize_discard(Size(total) * 3);
        }
        if (model.any_cohesion) cohesion_.resize_discard(total);
        if (model.any_tangential) offset_.resize_discard(Size(total) * 3);
        free_velocity.resize_keep(Size(rows_of_velocity_) * 8);
    }
    [[nodiscard]] FillContactsItem<R, W> fill_item(const CollisionView& view, const ContactModel<Backend, R>& model,
                                                   const BodyState<Backend, R>& bodies,
                                                   Array<R, Backend>& free_velocity,
                                                   ConeSolution<Backend, R>& solution) {
        return {view,
                model.settings,
                model.laws.data(),
                model.materials,
                bodies.material.data(),
                bodies.inverse_mass.data(),
                bodies.velocity.data(),
                free_velocity.data(),
                a_start_.data(),
                nullptr,
                bodies.count,
                {},
                rows_.data(),
                model.any_rolling ? rolling_.data() : nullptr,
                model.any_cohesion ? cohesion_.data() : nullptr,
                model.any_tangential ? offset_.data() : nullptr,
                rebound_.data(),
                body_a_.data(),
                body_b_.data(),
                partner_.data(),
                delay_.data(),
                solution.g.data(),
                model.any_rolling ? solution.m.data() : nullptr};
    }
    Overlap finish(Backend& backend, Scratch<Backend>& scratch, Index bodies, const Reduction<0, 5>& overlap,
                   const FillContactsItem<R, W>& fill) {
        backend.for_each(padded(count_, W) - count_,
                         PaddingItem<R, W>{count_, bodies, fill.rows, fill.rolling, fill.offset, fill.g, fill.m,
                                           fill.body_a, fill.body_b});
        list_partners(backend, scratch, bodies);
        has_old_ = true;
        has_rows_ = true;
        any_delay_ = overlap.max[2] > 0.0;
        any_rebound_ = overlap.max[3] > 0.0;
        any_impact_ = overlap.max[4] > 0.0;
        return {overlap.max[0], overlap.max[1]};
    }
    void list_partners(Backend& backend, Scratch<Backend>& scratch, Index bodies) {
        b_start_.resize_discard(Size(bodies) + 1);
        b_list_.resize_discard(count_);
        scratch.begin(std::size_t(count_) * (2 * sizeof(std::uint64_t) + sizeof(Index)), 3);
        auto* keys = scratch.template take<std::uint64_t>(count_);
        auto* other_keys = scratch.template take<std::uint64_t>(count_);
        auto* other_values = scratch.template take<Index>(count_);
        int bits = 1;
        while (bits < 31 && (bodies >> bits) > 0) ++bits;
        backend.for_each(count_, PartnerKeyItem{partner_.data(), keys, b_list_.data(), bodies});
        backend.sort_pairs(keys, b_list_.data(), other_keys, other_values, count_, bits);
        backend.for_each(count_ + 1, BucketItem{keys, b_start_.data(), count_, bodies, 0});
    }

    Index count_ = 0;
    Index rows_of_velocity_ = 0;
    bool has_old_ = false;
    bool has_rows_ = false;
    bool any_delay_ = false;
    bool any_rebound_ = false;
    bool any_impact_ = false;
    Array<R, Backend> delay_, rebound_;
    Array<R, Backend> rows_, rolling_, cohesion_, offset_, arms_, gap_;
    Array<Index, Backend> body_a_, body_b_, partner_, old_partner_;
    Array<Index, Backend> a_start_, old_a_start_, wall_start_, b_start_, b_list_;
};

}  // namespace scree::kernels
