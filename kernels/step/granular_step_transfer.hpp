// SPDX-License-Identifier: BSD-3-Clause
// Downloads, readouts, save and restore of GranularStep.
#pragma once

#include "kernels/step/granular_step.hpp"

namespace scree::kernels {

namespace transfer {

template <class T, class Backend>
std::vector<T> to_host(const Array<T, Backend>& array, Size size) {
    std::vector<T> host(static_cast<std::size_t>(size));
    array.copy_to(std::span<T>(host));
    return host;
}
/// Rows of eight to rows of six: (v, w).
template <class R>
std::vector<double> six_of_eight(const std::vector<R>& rows, std::size_t count) {
    std::vector<double> six(6 * count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            six[6 * i + k] = double(rows[8 * i + k]);
            six[6 * i + 3 + k] = double(rows[8 * i + 4 + k]);
        }
    return six;
}
/// A tiled array of three fields to rows of three.
template <int W, class R>
std::vector<double> rows_of_three(const std::vector<R>& fields, std::size_t count) {
    std::vector<double> rows(3 * count);
    for (std::size_t c = 0; c < count; ++c)
        for (int k = 0; k < 3; ++k)
            rows[3 * c + std::size_t(k)] = double(fields[std::size_t(tiled<W, 3>(Index(c), k))]);
    return rows;
}
template <int W, class R>
std::vector<R> fields_of_three(const std::vector<double>& rows, Index count) {
    std::vector<R> fields(std::size_t(padded(count, W)) * 3, R(0));
    for (Index c = 0; c < count; ++c)
        for (int k = 0; k < 3; ++k)
            fields[std::size_t(tiled<W, 3>(c, k))] = R(rows[3 * std::size_t(c) + std::size_t(k)]);
    return fields;
}
template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
    return std::vector<To>(from.begin(), from.end());
}

}  // namespace transfer

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
    std::vector<R> cohesion;
    if (model_.any_cohesion) cohesion = transfer::to_host(contacts_.cohesion(), Index(count));
    const auto position = transfer::to_host(bodies_.position, bodies_.count * 4);
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
std::vector<BoundaryLoad> GranularStep<Backend, R>::boundary_loads() {
    std::vector<BoundaryLoad> loads(world_.boundaries);
    if (!contacts_.has_rows()) return loads;
    const double h = model_.settings.step;
    for (std::size_t b = 0; b < loads.size() && b < poses_.size(); ++b) {
        if (poses_[b].active == 0) continue;
        const auto& reference = poses_[b].reference;
        const auto sums = backend_.template reduce<double, 6, 0>(
            contacts_.count(), BoundaryLoadItem<R, W>{contacts_.rows().data(),
                                                      solution_.g.data(),
                                                      model_.any_cohesion ? contacts_.cohesion().data() : nullptr,
                                                      contacts_.body_a().data(),
                                                      contacts_.partner().data(),
                                                      bodies_.position.data(),
                                                      Index(b),
                                                      {reference[0], reference[1], reference[2]},
                                                      1.0 / h,
                                                      h});
        for (std::size_t k = 0; k < 3; ++k) {
            loads[b].force[k] = sums.sum[k];
            loads[b].torque[k] = sums.sum[3 + k];
        }
    }
    return loads;
}

template <class Backend, class R>
double GranularStep<Backend, R>::unbalanced_force() {
    if (!contacts_.has_rows() || contacts_.count() == 0) return 0.0;
    const double inverse_step = 1.0 / model_.settings.step;
    const auto& g = world_.gravity;
    const auto net =
        backend_.template reduce<double, 2, 0>(bodies_.count, NetForceItem<R>{bodies_.velocity.data(),
                                                                              velocity_without_contacts().data(),
                                                                              bodies_.inverse_mass.data(),
                                                                              inverse_step,
                                                                              {g[0], g[1], g[2]}});
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
    s.inverse_mass = transfer::converted<double>(transfer::to_host(bodies_.inverse_mass, n * 2));
    s.material = transfer::to_host(bodies_.material, n);
    s.id = transfer::to_host(bodies_.id, n);
    s.motion = transfer::to_host(motion_, n * 4);
    s.solver_memory = solver_->memory();
    s.has_contacts = contacts_.has_contacts();
    if (!s.has_contacts) return s;
    const Index contacts = contacts_.count();
    s.a_start = transfer::to_host(contacts_.a_start(), n + 1);
    s.partner = transfer::to_host(contacts_.partner(), contacts);
    s.g = transfer::rows_of_three<W>(transfer::to_host(solution_.g, padded(contacts, W) * 3), std::size_t(contacts));
    if (model_.any_rolling)
        s.m =
            transfer::rows_of_three<W>(transfer::to_host(solution_.m, padded(contacts, W) * 3), std::size_t(contacts));
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
    if (!s.has_contacts) return;
    const auto contacts = Index(s.partner.size());
    contacts_.a_start().assign(s.a_start);
    contacts_.partner().assign(s.partner);
    solution_.g.assign(transfer::fields_of_three<W, R>(s.g, contacts));
    if (model_.any_rolling) solution_.m.assign(transfer::fields_of_three<W, R>(s.m, contacts));
    contacts_.adopt(contacts);
}

}  // namespace scree::kernels
