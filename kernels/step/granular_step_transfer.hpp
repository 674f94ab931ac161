// SPDX-License-Identifier: BSD-3-Clause
// Downloads, readouts, save and restore of GranularStep.
#pragma once

#include "kernels/step/granular_step.hpp"
#include "kernels/step/transfer_rows.hpp"

namespace scree::kernels {

template <class Backend, class R>
void GranularStep<Backend, R>::download(BodyDownload& out) {
    const Size n = bodies_.count;
    out.position = transfer::to_host(bodies_.position, n * 4);
    out.orientation = transfer::to_host(bodies_.orientation, n * 4);
    out.velocity = transfer::six_of_eight(transfer::to_host(bodies_.velocity, n * 8), std::size_t(n));
    const auto& free = velocity_without_contacts();
    out.free_velocity =
        free.size() >= n * 8 ? transfer::six_of_eight(transfer::to_host(free, n * 8), std::size_t(n)) : out.velocity;
    out.inverse_mass = transfer::converted<double>(transfer::to_host(bodies_.inverse_mass, n * 2));
    out.material = transfer::to_host(bodies_.material, n);
    out.id = transfer::to_host(bodies_.id, n);
    const double h = model_.settings.step;
    const auto wrench = transfer::to_host(bodies_.wrench, bodies_.wrench.size() > 0 ? n * 6 : 0);
    sleepers_.describe(out, h, world_.gravity, wrench);
    if (!parts_.any() || bodies_.inertia_rows.size() < n * InertiaRow::size) return;
    // What contacts did, with the inertia that their impulses saw.
    const auto inertia = transfer::to_host(bodies_.inertia_rows, n * InertiaRow::size);
    const double inverse_step = 1.0 / h;
    out.load.assign(std::size_t(n) * 6, 0.0);
    for (std::size_t i = 0; i < std::size_t(n) && step_ > 0; ++i) {
        if (out.inverse_mass[2 * i] <= 0.0) continue;
        double change[6], tensor[6];
        for (std::size_t k = 0; k < 6; ++k) {
            change[k] = inverse_step * (out.velocity[6 * i + k] - out.free_velocity[6 * i + k]);
            tensor[k] = double(inertia[InertiaRow::size * i + InertiaRow::tensor + k]);
        }
        const Vector3d torque = times(tensor, Vector3d{change[3], change[4], change[5]});
        const double values[6] = {change[0] / out.inverse_mass[2 * i],
                                  change[1] / out.inverse_mass[2 * i],
                                  change[2] / out.inverse_mass[2 * i],
                                  torque.x,
                                  torque.y,
                                  torque.z};
        std::copy_n(values, 6, out.load.begin() + std::ptrdiff_t(6 * i));
    }
    if (joints_.any()) joints_.subtract_answers(out.load, model_.settings.step);
}

template <class Backend, class R>
void GranularStep<Backend, R>::download(PlaceDownload& out) {
    const Size n = bodies_.count;
    out.position = transfer::to_host(bodies_.position, n * 4);
    out.orientation = transfer::to_host(bodies_.orientation, parts_.any() ? n * 4 : 0);
    out.id = transfer::to_host(bodies_.id, n);
}

template <class Backend, class R>
void GranularStep<Backend, R>::append(const WorldDescription& more) {
    const auto added = Index(more.id.size()), before = bodies_.count;
    if (added == 0) return;
    // What is looked up by id later.
    const auto join = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    for (BodyPart part : more.body_parts) {
        part.body += Index(world_.id.size());
        world_.body_parts.push_back(part);
    }
    join(world_.id, more.id);
    join(world_.inverse_mass, more.inverse_mass);
    join(world_.inertia, more.inertia);
    for (std::vector<double>* wrench : {&world_.wrench, &applied_})
        if (!wrench->empty()) wrench->resize(6 * world_.id.size(), 0.0);
    joints_.know_ids_to(more.id.back());
    place_of_prescribed_.resize_discard(0);
    if (before == 0) {
        // None is there to be kept.
        contacts_.forget();
        pairs_.forget();
        free_velocity_.resize_discard(0);
        upload_bodies(more);
        if (!more.body_parts.empty()) assign_parts();
        assign_wrenches();
        sleepers_.assign(world_, bodies_);
        return;
    }
    std::vector<R> velocity = rows_of_velocity(more), inverse = transfer::converted<R>(more.inverse_mass);
    const auto extend = [&](auto& array, Size width, const auto& rows) {
        array.resize_keep(before * width);
        array.append(rows);
    };
    extend(bodies_.position, 4, more.position);
    extend(bodies_.orientation, 4, more.orientation);
    extend(bodies_.velocity, 8, velocity);
    extend(bodies_.inverse_mass, 2, inverse);
    extend(bodies_.material, 1, more.material);
    extend(bodies_.id, 1, more.id);
    extend(motion_, 4, std::vector<float>(std::size_t(added) * 4, 0.0F));
    if (free_velocity_.size() >= Size(before) * 8) extend(free_velocity_, 8, velocity);
    if (parts_.any()) {
        std::vector<BodyPart> parts = more.body_parts;
        for (BodyPart& part : parts) part.body += before;
        parts_.append(parts, added);
        extend(bodies_.inertia, 6, more.inertia);
    }
    if (bodies_.wrench.size() > 0) extend(bodies_.wrench, 6, std::vector<double>(std::size_t(added) * 6, 0.0));
    sleepers_.append(inverse, more.id.back());
    bodies_.count = before + added;
    if (!contacts_.has_contacts()) return;
    // They have no contacts yet, and those that are there keep their places.
    contacts_.a_start().resize_keep(Size(before) + 1);
    contacts_.a_start().append(std::vector<Index>(std::size_t(added), contacts_.count()));
    contacts_.adopt(contacts_.count());
}

template <class Backend, class R>
void GranularStep<Backend, R>::download(ContactDownload& out) {
    const auto count = std::size_t(contacts_.has_rows() ? contacts_.count() : 0);
    out = {};
    if (count == 0) return;
    const auto rows = transfer::to_host(contacts_.rows(), Size(padded(Index(count), W)) * RowField::count);
    out.a = transfer::to_host(contacts_.body_a(), Index(count));
    out.partner = transfer::to_host(contacts_.partner(), Index(count));
    out.impulse = transfer::rows_of_three<W>(transfer::to_host(solution_.g, Size(padded(Index(count), W)) * 3), count);
    if (model_.any_rolling)
        out.moment =
            transfer::rows_of_three<W>(transfer::to_host(solution_.m, Size(padded(Index(count), W)) * 3), count);
    std::vector<R> cohesion;
    if (model_.any_cohesion) cohesion = transfer::to_host(contacts_.cohesion(), Index(count));
    const auto position = transfer::to_host(bodies_.position, bodies_.count * 4);
    std::vector<R> arms, gaps;
    if (parts_.any()) {
        arms = transfer::to_host(contacts_.arms(), Size(padded(Index(count), W)) * ArmField::count);
        gaps = transfer::to_host(contacts_.gap(), Index(count));
        out.point.resize(3 * count);
    }
    out.normal.resize(3 * count);
    out.lever_a.resize(count);
    out.gap.resize(count);
    for (std::size_t c = 0; c < count; ++c) {
        const ContactRow<R> row = load_row<R, W>(rows.data(), Index(c));
        const double n[3] = {double(row.n.x), double(row.n.y), double(row.n.z)};
        for (std::size_t k = 0; k < 3; ++k) {
            out.normal[3 * c + k] = n[k];
            if (!cohesion.empty()) out.impulse[3 * c + k] -= double(cohesion[c]) * n[k];
        }
        out.lever_a[c] = double(row.lever_a);
        if (parts_.any()) {
            out.gap[c] = double(gaps[c]);
            const Vector3d point = center_of(position.data(), out.a[c]) + arm_of_a<R, W>(arms.data(), Index(c), row);
            out.point[3 * c] = point.x;
            out.point[3 * c + 1] = point.y;
            out.point[3 * c + 2] = point.z;
            continue;
        }
        // lever_a = radius + gap (walls) or radius + gap / 2 (bodies).
        const double radius = position[4 * std::size_t(out.a[c]) + 3];
        out.gap[c] = (out.partner[c] < 0 ? 1.0 : 2.0) * (double(row.lever_a) - radius);
    }
}

template <class Backend, class R>
void GranularStep<Backend, R>::download(ProblemDownload& out) {
    const auto count = std::size_t(contacts_.has_rows() ? contacts_.count() : 0);
    out = {};
    out.bodies = bodies_.count;
    const Size n = bodies_.count;
    out.inverse_mass = transfer::converted<double>(transfer::to_host(bodies_.inverse_mass, n * 2));
    const Size rows_of_velocity = count > 0 ? contacts_.rows_of_velocity() : n;
    out.rolling = model_.any_rolling;
    out.jointed = joints_.any();
    const auto free =
        transfer::to_host(free_velocity_.size() >= n * 8 ? free_velocity_ : bodies_.velocity, rows_of_velocity * 8);
    out.free_velocity = transfer::six_of_eight(free, std::size_t(n));
    if (count == 0) return;
    const auto rows = transfer::to_host(contacts_.rows(), Size(padded(Index(count), W)) * RowField::count);
    out.a = transfer::to_host(contacts_.body_a(), Index(count));
    out.b = transfer::to_host(contacts_.body_b(), Index(count));
    out.impulse = transfer::rows_of_three<W>(transfer::to_host(solution_.g, Size(padded(Index(count), W)) * 3), count);
    if (model_.any_tangential)
        out.offset =
            transfer::rows_of_three<W>(transfer::to_host(contacts_.offset(), Size(padded(Index(count), W)) * 3), count);
    if (parts_.any()) {
        const auto inertia = transfer::to_host(bodies_.inertia_rows, n * InertiaRow::size);
        for (std::size_t i = 0; i < std::size_t(n); ++i)
            for (std::size_t k = 0; k < 6; ++k)
                out.inverse_inertia.push_back(double(inertia[InertiaRow::size * i + InertiaRow::inverse + k]));
        const auto arms = transfer::to_host(contacts_.arms(), Size(padded(Index(count), W)) * ArmField::count);
        for (Index c = 0; c < Index(count); ++c)
            for (int f = 0; f < 3; ++f) {
                out.arm_a.push_back(double(arms[std::size_t(tiled<W, ArmField::count>(c, ArmField::ax + f))]));
                out.arm_b.push_back(double(arms[std::size_t(tiled<W, ArmField::count>(c, ArmField::bx + f))]));
            }
    }
    for (std::size_t c = 0; c < count; ++c) {
        const ContactRow<R> row = load_row<R, W>(rows.data(), Index(c));
        out.normal.insert(out.normal.end(), {double(row.n.x), double(row.n.y), double(row.n.z)});
        out.lever_a.push_back(double(row.lever_a));
        out.lever_b.push_back(double(row.lever_b));
        out.bias.push_back(double(row.bias));
        out.friction.push_back(double(row.friction));
        out.compliance.push_back(double(row.compliance));
        for (std::size_t k = 0; k < 3; ++k)
            out.wall_velocity.push_back(out.b[c] >= n ? double(free[8 * std::size_t(out.b[c]) + k]) : 0.0);
        if (out.b[c] >= n) out.b[c] = -1;
    }
}

template <class Backend, class R>
std::vector<BoundaryLoad> GranularStep<Backend, R>::boundary_loads(std::span<const std::size_t> of) {
    std::vector<BoundaryLoad> loads(world_.boundaries), asleep(world_.boundaries);
    if (!poses_.empty()) sleepers_.add_loads(asleep, poses_);
    const double h = model_.settings.step;
    for (const std::size_t b : of) {
        loads[b] = asleep[b];
        if (b >= poses_.size() || poses_[b].active == 0 || !contacts_.has_rows()) continue;
        const auto& reference = poses_[b].reference;
        const auto sums = backend_.template reduce<double, 6, 0>(
            contacts_.count(), BoundaryLoadItem<R, W>{contacts_.rows().data(),
                                                      solution_.g.data(),
                                                      model_.any_rolling ? solution_.m.data() : nullptr,
                                                      model_.any_cohesion ? contacts_.cohesion().data() : nullptr,
                                                      contacts_.body_a().data(),
                                                      contacts_.partner().data(),
                                                      parts_.any() ? contacts_.arms().data() : nullptr,
                                                      bodies_.position.data(),
                                                      Index(b),
                                                      {reference[0], reference[1], reference[2]},
                                                      1.0 / h,
                                                      h});
        for (std::size_t k = 0; k < 3; ++k) {
            loads[b].force[k] += sums.sum[k];
            loads[b].torque[k] += sums.sum[3 + k];
        }
    }
    return loads;
}

template <class Backend, class R>
double GranularStep<Backend, R>::unbalanced_force() {
    if (!contacts_.has_rows() || contacts_.count() == 0) return 0.0;
    const double inverse_step = 1.0 / model_.settings.step;
    const auto& g = world_.gravity;
    const auto net = backend_.template reduce<double, 2, 0>(
        bodies_.count, NetForceItem<R>{bodies_.velocity.data(),
                                       velocity_without_contacts().data(),
                                       bodies_.inverse_mass.data(),
                                       inverse_step,
                                       {g[0], g[1], g[2]},
                                       bodies_.wrench.size() > 0 ? bodies_.wrench.data() : nullptr});
    const auto contact = backend_.template reduce<double, 2, 0>(
        contacts_.count(), ContactForceItem<R, W>{solution_.g.data(), contacts_.rows().data(),
                                                  model_.any_cohesion ? contacts_.cohesion().data() : nullptr});
    if (net.sum[1] <= 0.0 || contact.sum[0] <= 0.0) return 0.0;
    return (net.sum[0] / net.sum[1]) / (contact.sum[0] / contact.sum[1] * inverse_step);
}

template <class Backend, class R>
EngineState GranularStep<Backend, R>::save() {
    const Size n = bodies_.count;
    EngineState s;
    s.step = step_;
    s.position = transfer::to_host(bodies_.position, n * 4);
    s.orientation = transfer::to_host(bodies_.orientation, n * 4);
    s.velocity = transfer::converted<double>(transfer::to_host(bodies_.velocity, n * 8));
    if (free_velocity_.size() >= n * 8)
        s.free_velocity = transfer::converted<double>(transfer::to_host(free_velocity_, n * 8));
    s.inverse_mass = sleepers_.enabled() ? sleepers_.own_masses(bodies_.count)
                                         : transfer::converted<double>(transfer::to_host(bodies_.inverse_mass, n * 2));
    s.memory = sleepers_.memory(bodies_.count);
    s.material = transfer::to_host(bodies_.material, n);
    s.id = transfer::to_host(bodies_.id, n);
    s.motion = transfer::to_host(motion_, n * 4);
    s.solver_memory = solver_->memory();
    s.has_contacts = contacts_.has_contacts();
    if (joints_.any()) s.joints = joints_.memory();
    if (!s.has_contacts) return s;
    const Index contacts = contacts_.count();
    s.a_start = transfer::to_host(contacts_.a_start(), n + 1);
    s.partner = transfer::to_host(contacts_.partner(), contacts);
    s.g = transfer::rows_of_three<W>(transfer::to_host(solution_.g, padded(contacts, W) * 3), std::size_t(contacts));
    if (model_.any_rolling)
        s.m =
            transfer::rows_of_three<W>(transfer::to_host(solution_.m, padded(contacts, W) * 3), std::size_t(contacts));
    if (parts_.any()) {
        const Index pairs = pairs_.pairs();
        s.pair_start = transfer::to_host(pairs_.start(), Size(parts_.count()) + 1);
        s.pair_partner = transfer::to_host(pairs_.partner(), pairs);
        s.pair_contacts = transfer::to_host(pairs_.contact_start(), Size(pairs) + 1);
        s.pair_axis = transfer::to_host(pairs_.axis(), Size(pairs) * 3);
        s.feature = transfer::to_host(pairs_.feature(), contacts);
    }
    return s;
}

template <class Backend, class R>
void GranularStep<Backend, R>::restore(const EngineState& s) {
    step_ = s.step;
    bodies_.count = Index(s.id.size());
    bodies_.position.assign(s.position);
    bodies_.orientation.assign(s.orientation);
    bodies_.velocity.assign(transfer::converted<R>(s.velocity));
    free_velocity_.assign(transfer::converted<R>(s.free_velocity));
    bodies_.inverse_mass.assign(transfer::converted<R>(s.inverse_mass));
    bodies_.material.assign(s.material);
    bodies_.id.assign(s.id);
    motion_.assign(s.motion);
    solver_->restore(s.solver_memory);
    contacts_.forget();
    pairs_.forget();
    if (parts_.any()) assign_parts();
    applied_.clear();
    assign_wrenches();
    sleepers_.set_pulled(bodies_.wrench.size() > 0);
    if (joints_.any() && !joints_.restore(backend_, bodies_, s.joints))
        throw NumericalError("the checkpoint holds the state of other joints");
    if (!sleepers_.restore(backend_, bodies_, motion_.data(), s.memory))
        throw NumericalError("the checkpoint holds no state of sleeping bodies: its scene had no `sleep`");
    if (!s.has_contacts) return;
    const auto contacts = Index(s.partner.size());
    contacts_.a_start().assign(s.a_start);
    contacts_.partner().assign(s.partner);
    solution_.g.assign(transfer::fields_of_three<W, R>(s.g, contacts));
    if (model_.any_rolling) solution_.m.assign(transfer::fields_of_three<W, R>(s.m, contacts));
    contacts_.adopt(contacts);
    if (!parts_.any()) return;
    pairs_.start().assign(s.pair_start);
    pairs_.partner().assign(s.pair_partner);
    pairs_.contact_start().assign(s.pair_contacts);
    pairs_.axis().assign(s.pair_axis);
    pairs_.feature().assign(s.feature);
    pairs_.adopt(Index(s.pair_partner.size()));
    parts_.remember(backend_);
}

template <class Backend, class R>
std::vector<std::size_t> GranularStep<Backend, R>::places_by_id() const {
    std::vector<std::size_t> place_of(world_.id.size() + 1, 0);
    for (std::size_t i = 0; i < world_.id.size(); ++i) place_of[std::size_t(world_.id[i])] = i;
    return place_of;
}

/// Parts and inertia of the bodies in their slots, from those of the world by id.
template <class Backend, class R>
void GranularStep<Backend, R>::assign_parts() {
    const auto id = transfer::to_host(bodies_.id, bodies_.count);
    std::vector<std::size_t> first(world_.id.size() + 1, 0);
    for (const BodyPart& part : world_.body_parts) ++first[std::size_t(part.body) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    const std::vector<std::size_t> place_of = places_by_id();
    std::vector<BodyPart> parts;
    std::vector<double> inertia;
    for (std::size_t slot = 0; slot < id.size(); ++slot) {
        const std::size_t i = place_of[std::size_t(id[slot])];
        for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
            parts.push_back(world_.body_parts[k]);
            parts.back().body = Index(slot);
        }
        const auto at = std::ptrdiff_t(6 * i);
        inertia.insert(inertia.end(), world_.inertia.begin() + at, world_.inertia.begin() + at + 6);
    }
    parts_.assign(world_.shapes, parts, bodies_.count);
    bodies_.inertia.assign(inertia);
}

/// The same for the wrenches, those of the world and those applied.
template <class Backend, class R>
void GranularStep<Backend, R>::assign_wrenches() {
    std::vector<double> rows;
    if (!world_.wrench.empty() || !applied_.empty()) {
        const auto id = transfer::to_host(bodies_.id, bodies_.count);
        const std::vector<std::size_t> place_of = places_by_id();
        rows.assign(6 * id.size(), 0.0);
        for (const std::vector<double>* wrench : {&world_.wrench, &applied_})
            for (std::size_t k = 0; k < rows.size() && !wrench->empty(); ++k)
                rows[k] += (*wrench)[6 * place_of[std::size_t(id[k / 6])] + k % 6];
    }
    bodies_.wrench.assign(rows);
}

template <class Backend, class R>
void GranularStep<Backend, R>::apply(std::span<const AppliedWrench> wrenches) {
    const std::vector<std::size_t> place_of = places_by_id();
    std::vector<Index> changed;
    applied_.resize(6 * world_.id.size(), 0.0);
    for (const AppliedWrench& wrench : wrenches) {
        const double now[6] = {wrench.force[0],  wrench.force[1],  wrench.force[2],
                               wrench.torque[0], wrench.torque[1], wrench.torque[2]};
        double* row = applied_.data() + 6 * place_of[std::size_t(wrench.id)];
        if (std::equal(now, now + 6, row)) continue;
        std::copy_n(now, 6, row);
        changed.push_back(wrench.id);
    }
    if (std::all_of(applied_.begin(), applied_.end(), [](double value) { return value == 0.0; })) applied_.clear();
    if (changed.empty()) return;
    assign_wrenches();
    sleepers_.set_pulled(bodies_.wrench.size() > 0);
    sleepers_.wake(backend_, bodies_, changed);
}

template <class Backend, class R>
void GranularStep<Backend, R>::impose(std::span<const ImposedVelocity> velocities) {
    std::vector<Index> changed;
    for (const ImposedVelocity& imposed : velocities) changed.push_back(imposed.id);
    sleepers_.wake(backend_, bodies_, changed);
    std::vector<const ImposedVelocity*> of(world_.id.size() + 1, nullptr);  // by id
    for (const ImposedVelocity& imposed : velocities) of[std::size_t(imposed.id)] = &imposed;
    const auto id = transfer::to_host(bodies_.id, bodies_.count);
    auto rows = transfer::to_host(bodies_.velocity, Size(bodies_.count) * 8);
    for (std::size_t i = 0; i < id.size(); ++i) {
        const ImposedVelocity* imposed = of[std::size_t(id[i])];
        for (std::size_t k = 0; k < 3 && imposed != nullptr; ++k) {
            rows[8 * i + k] = R(imposed->velocity[k]);
            rows[8 * i + 4 + k] = R(imposed->angular_velocity[k]);
        }
    }
    bodies_.velocity.assign(rows);
}

template <class Backend, class R>
void GranularStep<Backend, R>::prescribe(std::span<const PrescribedBody> bodies) {
    if (place_of_prescribed_.size() == 0 && !bodies.empty()) {
        Index largest = 0;
        for (const Index id : world_.id) largest = id > largest ? id : largest;
        std::vector<Index> places(std::size_t(largest) + 1, -1);
        for (std::size_t k = 0; k < bodies.size(); ++k) places[std::size_t(bodies[k].id)] = Index(k);
        place_of_prescribed_.assign(places);
    }
    prescribed_.assign(bodies);
}

template <class Backend, class R>
void GranularStep<Backend, R>::assign_joints() {
    if (world_.joints.frames.empty()) return;
    Index largest = 0;
    for (const Index id : world_.id) largest = id > largest ? id : largest;
    std::vector<bool> is_fixed(std::size_t(largest) + 1, true);
    for (std::size_t i = 0; i < world_.id.size(); ++i)
        is_fixed[std::size_t(world_.id[i])] = !(world_.inverse_mass[2 * i] > 0.0);
    joints_.assign(backend_, world_.joints, is_fixed, bodies_);
}

}  // namespace scree::kernels
