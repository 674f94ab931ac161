// SPDX-License-Identifier: BSD-3-Clause
// The phases of GranularStep but for the solve.
#pragma once

#include "kernels/step/granular_step.hpp"

namespace scree::kernels {

template <class Backend, class R>
void GranularStep<Backend, R>::upload_bodies(const WorldDescription& world) {
    const Index n = Index(world.id.size());
    bodies_.count = n;
    bodies_.position.assign(world.position);
    bodies_.orientation.assign(world.orientation);
    std::vector<R> velocity = rows_of_velocity(world);
    velocity.resize(velocity.size() + 8, R(0));
    bodies_.velocity.assign(velocity);
    bodies_.inverse_mass.assign(transfer::converted<R>(world.inverse_mass));
    bodies_.material.assign(world.material);
    bodies_.id.assign(world.id);
    motion_.assign(std::vector<float>(std::size_t(n) * 4, 0.0f));
}

template <class Backend, class R>
double GranularStep<Backend, R>::set_free_velocity() {
    const double h = model_.settings.step;
    const auto& g = world_.gravity;
    free_velocity_.resize_discard((Size(bodies_.count) + 1) * 8);
    backend_.for_each(bodies_.count + 1, FreeVelocityItem<R>{bodies_.velocity.data(),
                                                             bodies_.inverse_mass.data(),
                                                             free_velocity_.data(),
                                                             {R(h * g[0]), R(h * g[1]), R(h * g[2])},
                                                             bodies_.count});
    if (bodies_.count == 0 && joints_.any()) joints_.locate(backend_, bodies_);  // all are gone
    if (!parts_.any()) {
        if (bodies_.wrench.size() == 0) return 0.0;
        const AppliedWrenchItem<R> applied{bodies_.wrench.data(), bodies_.inverse_mass.data(), free_velocity_.data(),
                                           h};
        return backend_.template reduce<double, 1, 0>(bodies_.count, applied).sum[0];
    }
    bodies_.inertia_rows.resize_discard(Size(bodies_.count) * InertiaRow::size);
    const double work =
        backend_
            .template reduce<double, 1, 0>(
                bodies_.count, FreeRotationItem<R>{bodies_.orientation.data(), bodies_.inertia.data(),
                                                   bodies_.wrench.size() > 0 ? bodies_.wrench.data() : nullptr,
                                                   bodies_.velocity.data(), bodies_.inverse_mass.data(),
                                                   free_velocity_.data(), bodies_.inertia_rows.data(), h})
            .sum[0];
    if (!joints_.any()) return work;
    joints_.locate(backend_, bodies_);
    return work + joints_.move_free(backend_, bodies_, free_velocity_.data(), world_.periodic, h);
}

template <class Backend, class R>
Grid GranularStep<Backend, R>::build_grid() {
    backend_.for_each(bodies_.count, MotionItem<R>{free_velocity_.data(), motion_.data()});
    colliders_ = parts_.any() ? parts_.place(backend_, bodies_, free_velocity_.data(), motion_.data(), world_.periodic,
                                             model_.settings.step)
                              : Colliders<R>{bodies_.count, bodies_.position.data(), bodies_.velocity.data(),
                                             free_velocity_.data(), motion_.data()};
    const Colliders<R>& c = colliders_;
    extent_.resize_discard(c.count);
    backend_.for_each(c.count, ExtentItem<R>{c.position, c.velocity, c.free_velocity, extent_.data(),
                                             model_.settings.step, margin_slack, world_.envelope});
    if (parts_.any()) backend_.for_each(c.count, MotionItem<R>{c.free_velocity, c.motion});
    return grid_builder_.build(backend_, c.position, extent_.data(), c.count, world_.periodic,
                               NeighbourSearch<Backend>::scratch_bytes(c.count),
                               NeighbourSearch<Backend>::scratch_pieces);
}

template <class Backend, class R>
void GranularStep<Backend, R>::reorder(const Grid& grid) {
    Array<Index, Backend> order;
    if (parts_.any()) {
        parts_.order_bodies(backend_, grid.order, bodies_.count, order);
    } else {
        order.resize_discard(bodies_.count);
        Memory<Backend>::copy(order.data(), grid.order, std::size_t(bodies_.count) * sizeof(Index));
    }
    permute(order.data(), bodies_.count);
}

template <class Backend, class R>
CollisionView GranularStep<Backend, R>::colliders_of_step() const {
    const float* motion = world_.envelope < 0.0 ? colliders_.motion : nullptr;
    return {{}, boundaries_.view(), world_.periodic, colliders_.position, extent_.data(), model_.settings.step, motion};
}

template <class Backend, class R>
CollisionView GranularStep<Backend, R>::find_neighbours(const Grid& grid) {
    const Colliders<R>& c = colliders_;
    CollisionView view = colliders_of_step();
    const float* motion = view.motion;
    neighbour_search_.begin(scratch_, c.count);
    NeighbourSearchView search{grid, view.boundaries, c.position, view.step};
    // Extents alone decide, which needs one search. Where bodies fly far in a step that would be most pairs: then those
    // that may close count, first as the last step left the bodies, then again when hits are known.
    const double few = motion != nullptr ? 16.0 * c.count + 1e5 : largest_index;
    const bool crowded = !neighbour_search_.find(backend_, search, few, view.neighbours);
    const auto find_those_that_close = [&] {
        search.motion = motion;
        if (!neighbour_search_.find(backend_, search, largest_index, view.neighbours))
            throw NumericalError("more than 2^31 pairs of bodies may touch in this step: time.step is too long");
    };
    if (crowded) find_those_that_close();
    if (motion != nullptr && c.count > 0 && agitate(view) && crowded) find_those_that_close();
    return view;
}

template <class Backend, class R>
bool GranularStep<Backend, R>::agitate(const CollisionView& view) {
    const Colliders<R>& c = colliders_;
    // At rest no hit reaches past the slack that all pairs have.
    const auto flight = backend_.template reduce<double, 0, 2>(c.count, FlightItem<R>{c.position, c.free_velocity});
    if (!view.boundaries.any_moving && 4.0 * flight.max[0] * model_.settings.step * flight.max[1] < margin_slack)
        return false;
    const double harmless = margin_slack / (4.0 * model_.settings.step * flight.max[1]);
    hit_.resize_discard(c.count);  // not in the scratch: grid and neighbours lie there
    backend_.for_each(c.count, ScaleItem<float>{hit_.data(), 0.0F});
    backend_.for_each(c.count, HitItem<R>{view, c.free_velocity, hit_.data(), harmless});
    backend_.for_each(c.count, AgitateItem{hit_.data(), c.motion});
    return true;
}

template <class Backend, class R>
typename ContactSet<Backend, R>::Overlap GranularStep<Backend, R>::find_contacts(const CollisionView& view) {
    if (!parts_.any()) return contacts_.build(backend_, scratch_, view, model_, bodies_, free_velocity_, solution_);
    return contacts_.build(backend_, scratch_, part_search(view), model_, bodies_, parts_, pairs_, free_velocity_,
                           solution_);
}

template <class Backend, class R>
PartSearch GranularStep<Backend, R>::part_search(const CollisionView& view) {
    return {view,
            parts_.parts().data(),
            parts_.placed(),
            parts_.shapes(),
            bodies_.id.data(),
            {joints_.any() ? joints_.view().member_of_slot : nullptr, joints_.apart_start(), joints_.apart()}};
}

template <class Backend, class R>
bool GranularStep<Backend, R>::hold_back(const R* delay, StepReport& report) {
    if (!parts_.any() || pairs_.pairs() == 0) return false;
    holds_.resize_discard(bodies_.count);
    backend_.for_each(bodies_.count, FillItem<std::uint64_t>{holds_.data(), 0});
    solved_motion_.resize_discard(Size(bodies_.count) * SolvedMotion::size);
    with_row_kind(row_kind(false, true), [&](auto kind) {
        backend_.for_each(bodies_.count, SolvedMotionItem<R, W, decltype(kind)::value>{
                                             problem(), solution_.g.data(), delay, bodies_.velocity.data(),
                                             model_.settings.step, solved_motion_.data()});
    });
    const SolvedPairs solved{
        part_search(colliders_of_step()), {solved_motion_.data()}, bodies_.position.data(), pairs_.finder(),
        pairs_.partner().data(),          pairs_.axis().data(),    model_.settings.step};
    const auto sums = backend_.template reduce<double, 1, 0>(pairs_.pairs(), HoldBackItem{solved, holds_.data()});
    report.held_back = std::int64_t(sums.sum[0]);
    if (report.held_back == 0) return false;
    left_out_.resize_discard(Size(bodies_.count) * 6);
    backend_.for_each(bodies_.count, LeftOutItem{solved, holds_.data(), left_out_.data()});
    backend_.for_each(bodies_.count, LandItem<R>{solved, holds_.data(), bodies_.orientation.data(),
                                                 bodies_.inertia.data(), bodies_.velocity.data(), left_out_.data()});
    return true;
}

template <class Backend, class R>
bool GranularStep<Backend, R>::wake_by_contacts() {
    if (sleepers_.count() == 0) return false;
    return sleepers_.template wake_by_contacts<W>(backend_, bodies_, problem(), contacts_.count(),
                                                  model_.any_cohesion ? contacts_.cohesion().data() : nullptr);
}

template <class Backend, class R>
void GranularStep<Backend, R>::fall_asleep() {
    ContactDownload contacts;
    download(contacts);
    std::vector<Index> member;
    if (joints_.any()) member = joints_.member_of_slot(bodies_.count);
    sleepers_.fall_asleep(backend_, bodies_, motion_.data(), contacts, poses_, model_.settings.step,
                          [&](Index slot) { return !member.empty() && member[std::size_t(slot)] >= 0; });
}

template <class Backend, class R>
void GranularStep<Backend, R>::keep_start() {
    if (!parts_.any()) return;
    const Size reals = Size(contacts_.rows_of_velocity()) * 8;
    start_velocity_.resize_discard(reals);
    Memory<Backend>::copy(start_velocity_.data(), free_velocity_.data(), std::size_t(reals) * sizeof(R));
    Memory<Backend>::copy(start_velocity_.data(), bodies_.velocity.data(), std::size_t(bodies_.count) * 8 * sizeof(R));
}

template <class Backend, class R>
void GranularStep<Backend, R>::account(StepReport& report) {
    report.has_work_by_law = true;
    const Index contacts = contacts_.count();
    if (contacts == 0) return;
    const ConeProblem<R, W> problem = this->problem();
    const bool rigid = model_.settings.feedback == Feedback::rigid;
    const bool anything_driven =
        prescribed_.size() > 0 || fixed_bodies_move_ ||
        std::any_of(poses_.begin(), poses_.end(), [](const BoundaryPose& pose) { return pose.moving != 0; });
    StartOfStep<R> start{start_velocity_.data()};
    if (!parts_.any()) {
        const double h = model_.settings.step;
        const auto& g = world_.gravity;
        start = {velocity_without_contacts().data(), {R(h * g[0]), R(h * g[1]), R(h * g[2])}};
    }
    scratch_.begin(std::size_t(problem.contacts) * sizeof(R), 1);
    R* const squared = scratch_.template take<R>(problem.contacts);
    const auto sums = with_row_kind(problem.kind(), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        const ResidualItem<R, W, K> solved{problem, bodies_.velocity.data(), solution_.g.data(),
                                           has_rolling<K> ? solution_.m.data() : nullptr};
        const ContactAccountItem<R, W, K> item{solved,
                                               start,
                                               model_.any_cohesion ? contacts_.cohesion().data() : nullptr,
                                               rigid ? contacts_.marks() : nullptr,
                                               bodies_.inverse_mass.data(),
                                               anything_driven,
                                               squared,
                                               contacts,
                                               impact_limit_.blended()};
        return backend_.template reduce_tiles<R, AccountSum::count, 1>(problem.contacts, item);
    });
    const double* of = sums.sum;
    report.work = {of[AccountSum::normal],  of[AccountSum::impact],   of[AccountSum::friction],
                   of[AccountSum::rolling], of[AccountSum::spinning], of[AccountSum::cohesion],
                   of[AccountSum::driven]};
    report.complementarity_gap = of[AccountSum::gap];
    const double product = of[AccountSum::impulse] * velocity_scale_;
    report.complementarity_relative = product > 0.0 ? of[AccountSum::gap] / product : 0.0;
    report.worst = {};
    if (!(sums.max[0] > 0.0)) return;
    const auto place =
        backend_.template reduce<double, 0, 1>(contacts, FirstLargestItem<R>{squared, R(sums.max[0]), contacts});
    if (!(place.max[0] > 0.0)) return;
    names_.resize_discard(2);
    backend_.for_each(1, NameContactItem{contacts_.body_a().data(), contacts_.partner().data(), bodies_.id.data(),
                                         contacts - Index(place.max[0]), names_.data()});
    std::array<Index, 2> names{};
    names_.copy_to(names);
    report.worst = {names[0], names[1], std::sqrt(sums.max[0])};
}

template <class Backend, class R>
void GranularStep<Backend, R>::advance(StepReport& report, double step, const R* delay) {
    const ConeProblem<R, W> problem = this->problem();
    const double* left_out = step > 0.0 && hold_back(delay, report) ? left_out_.data() : nullptr;
    const auto sums = with_row_kind(row_kind(false, problem.inertia != nullptr), [&](auto kind) {
        const auto& g = world_.gravity;
        const double h = model_.settings.step;
        return backend_.template reduce<double, 8, 1>(
            bodies_.count,
            AdvanceItem<R, W, decltype(kind)::value>{problem,
                                                     solution_.g.data(),
                                                     delay,
                                                     bodies_.position.data(),
                                                     bodies_.orientation.data(),
                                                     bodies_.velocity.data(),
                                                     velocity_without_contacts().data(),
                                                     bodies_.inverse_mass.data(),
                                                     bodies_.inertia.data(),
                                                     motion_.data(),
                                                     world_.periodic,
                                                     step,
                                                     left_out,
                                                     {g[0], g[1], g[2]},
                                                     contacts_.any_impact(),
                                                     parts_.any() ? start_velocity_.data() : nullptr,
                                                     {double(R(h * g[0])), double(R(h * g[1])), double(R(h * g[2]))},
                                                     h});
    });
    report.kinetic_translation = sums.sum[0];
    report.kinetic_rotation = sums.sum[1];
    report.force_work = sums.sum[7];
    report.contact_work = sums.sum[2] - sums.sum[7];
    report.turning_work = sums.sum[4];
    report.gravity_work += sums.sum[5];
    report.gravity_momentum = sums.sum[6];
    report.speed_max = sums.max[0];
    if (sums.sum[3] > 0.0)
        throw NumericalError(std::to_string(std::int64_t(sums.sum[3])) + " bodies have a state that is not a number");
}

template <class Backend, class R>
void GranularStep<Backend, R>::remove_bodies(StepReport& report) {
    if (outlets_.size() == 0 || bodies_.count == 0) return;
    const Index n = bodies_.count;
    taken_.resize_discard(n);
    const auto sums = backend_.template reduce<double, 1, 0>(
        n, OutletItem{bodies_.position.data(), outlets_.data(), Index(outlets_.size()), taken_.data()});
    report.removed = std::int64_t(sums.sum[0]);
    if (report.removed == 0) return;
    const auto& g = world_.gravity;
    const auto lost =
        backend_.template reduce<double, 3, 0>(n, RemovedEnergyItem<R>{taken_.data(),
                                                                       bodies_.position.data(),
                                                                       bodies_.orientation.data(),
                                                                       bodies_.velocity.data(),
                                                                       bodies_.inverse_mass.data(),
                                                                       parts_.any() ? bodies_.inertia.data() : nullptr,
                                                                       {g[0], g[1], g[2]}});
    report.removed_kinetic = lost.sum[0];
    report.removed_potential = lost.sum[1];
    report.removed_momentum = lost.sum[2];
    std::vector<Index> taken(std::size_t(n), 0), id(std::size_t(n), 0);
    taken_.copy_to(taken);
    bodies_.id.copy_to(id);
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i] > 0) removed_.push_back({id[i], taken[i] - 1});
    Array<Index, Backend> order;
    order.resize_discard(n);
    scratch_.begin(std::size_t(n + 1) * sizeof(Index), 1);
    Index* place = scratch_.template take<Index>(n + 1);
    backend_.for_each(n, KeepItem{taken_.data(), place});
    const Index left = backend_.exclusive_scan(place, n);
    backend_.for_each(n, CompactItem{taken_.data(), place, order.data()});
    permute(order.data(), left);
    sleepers_.recount(left);
}

/// New slot i takes the body of old slot from[i]; bodies that no slot takes are gone. Contacts follow their finder.
template <class Backend, class R>
void GranularStep<Backend, R>::permute(const Index* from, Index count) {
    const Index old_count = bodies_.count;
    const auto move = [&](auto& array, int width) {
        using T = std::remove_pointer_t<decltype(array.data())>;
        std::remove_reference_t<decltype(array)> moved;
        moved.resize_discard(Size(count) * width);
        backend_.for_each(count, PermuteRowsItem<T>{array.data(), moved.data(), from, width});
        backend_.synchronize();
        array.swap(moved);
    };
    move(bodies_.position, 4);
    move(bodies_.orientation, 4);
    move(bodies_.velocity, 8);
    move(bodies_.inverse_mass, 2);
    move(bodies_.material, 1);
    move(bodies_.id, 1);
    move(motion_, 4);
    sleepers_.permute(move);
    if (free_velocity_.size() >= Size(old_count) * 8) move(free_velocity_, 8);
    if (bodies_.wrench.size() > 0) move(bodies_.wrench, 6);
    if (parts_.any()) {
        move(bodies_.inertia, 6);
        parts_.permute(backend_, from, count);
    }
    bodies_.count = count;
    // Contacts of parts are looked up by where the parts were.
    if (!contacts_.has_contacts() || parts_.any()) return;

    Array<Index, Backend> to, a_start, partner;
    Array<R, Backend> g, m;
    to.resize_discard(old_count);
    a_start.resize_discard(count + 1);
    backend_.for_each(old_count, FillItem<Index>{to.data(), -1});
    backend_.for_each(count, InverseItem{from, to.data()});
    backend_.for_each(count, ContactCountItem{from, contacts_.a_start().data(), a_start.data()});
    const Index contacts = backend_.exclusive_scan(a_start.data(), count);
    partner.resize_discard(contacts);
    g.resize_discard(Size(padded(contacts, W)) * 3);
    if (model_.any_rolling) m.resize_discard(Size(padded(contacts, W)) * 3);
    backend_.for_each(count, MoveContactsItem<R, W>{from, to.data(), contacts_.a_start().data(),
                                                    contacts_.partner().data(), solution_.g.data(),
                                                    model_.any_rolling ? solution_.m.data() : nullptr, a_start.data(),
                                                    partner.data(), g.data(), model_.any_rolling ? m.data() : nullptr});
    backend_.synchronize();
    contacts_.a_start().swap(a_start);
    contacts_.partner().swap(partner);
    solution_.g.swap(g);
    solution_.m.swap(m);
    contacts_.adopt(contacts);
}

}  // namespace scree::kernels
