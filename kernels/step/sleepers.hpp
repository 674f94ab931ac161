// SPDX-License-Identifier: BSD-3-Clause
// Sleeping islands: bodies at rest that bear on one another fall asleep together, and wake together when anything moves
// that touches one of them.
//
// A sleeper is a fixed body: it has no inverse mass, no velocity, and no contacts with what is fixed. An island is what
// contacts with an impulse connect; it sleeps when each of its bodies has been still long enough and one of them bears
// on what is fixed, or nothing pulls. It wakes, and the step begins again, in the step in which
//  * an awake body will press on it, or presses on it when the impulses are known, or a cohesive contact holds one;
//  * a moving wall or a prescribed body comes near;
//  * a boundary appears or goes.
// Bodies that joints hold do not sleep, nor does what touches them.
//
// Invariants
//  1. label[i] = 0 awake, else 1 + the smallest id of its island at the time it fell asleep.
//  2. own_inverse_mass holds what bodies weigh awake, in slot order; fixed bodies have zero there, too.
//  3. Loads of sleepers on boundaries, that no contact tells any more, are kept as they were.
#pragma once

#include "kernels/step/sleep_items.hpp"
#include "kernels/step/step_engine.hpp"
#include "kernels/step/step_items.hpp"
#include "kernels/step/transfer_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace scree::kernels {

template <class Backend, class R>
class Sleepers {
public:
    /// Steps between looks for islands at rest.
    static constexpr std::int64_t interval = 10;

    void assign(const WorldDescription& world, const BodyState<Backend, R>& bodies) {
        speed_ = world.sleep_speed;
        time_ = world.sleep_time;
        const auto& g = world.gravity;
        weightless_ = g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0;
        set_pulled(!world.wrench.empty());
        if (!enabled()) return;
        own_inverse_mass_.assign(transfer::to_host(bodies.inverse_mass, Size(bodies.count) * 2));
        label_.assign(std::vector<Index>(std::size_t(bodies.count), 0));
        still_.assign(std::vector<float>(std::size_t(bodies.count), 0.0F));
        labels_ = 2;
        for (const Index id : world.id) labels_ = std::max(labels_, Index(id + 2));
    }
    /// Bodies behind those that are there; `largest_id` of all.
    void append(std::span<const R> inverse_mass, Index largest_id) {
        if (!enabled()) return;
        own_inverse_mass_.append(inverse_mass);
        label_.append(std::vector<Index>(inverse_mass.size() / 2, 0));
        still_.append(std::vector<float>(inverse_mass.size() / 2, 0.0F));
        labels_ = std::max(labels_, largest_id + 2);
    }
    [[nodiscard]] bool enabled() const { return speed_ > 0.0; }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] double mass() const { return mass_; }  ///< Of the sleepers [kg].

    /// After a step of `step` [s] that ended as number `number`: whether to look for islands at rest.
    [[nodiscard]] bool watch(Backend& backend, const BodyState<Backend, R>& bodies, double step, std::int64_t number) {
        if (!enabled()) return false;
        backend.for_each(bodies.count, StillItem<R>{bodies.velocity.data(), bodies.inverse_mass.data(),
                                                    bodies.position.data(), still_.data(), speed_, step});
        if (number % interval != 0) return false;
        const TiredItem tired{label_.data(), still_.data(), time_};
        return backend.template reduce<double, 1, 0>(bodies.count, tired).sum[0] > 0.0;
    }

    /// Looks for islands at rest in the contacts of the last step. `held(slot)`: joints hold the body.
    template <class Held>
    void fall_asleep(Backend& backend, BodyState<Backend, R>& bodies, float* motion, const ContactDownload& contacts,
                     std::span<const BoundaryPose> poses, double step, const Held& held) {
        const auto n = std::size_t(bodies.count);
        const auto still = transfer::to_host(still_, bodies.count);
        auto label = transfer::to_host(label_, bodies.count);
        const auto id = transfer::to_host(bodies.id, bodies.count);
        const auto own = transfer::to_host(own_inverse_mass_, Size(bodies.count) * 2);
        const auto velocity = transfer::to_host(bodies.velocity, Size(bodies.count) * 8);
        const auto is_free = [&](std::size_t i) { return own[2 * i] > R(0); };
        const auto moves = [&](std::size_t i) {
            return std::any_of(velocity.begin() + std::ptrdiff_t(8 * i), velocity.begin() + std::ptrdiff_t(8 * i + 8),
                               [](R v) { return v != R(0); });
        };
        std::vector<std::size_t> root(n);
        std::iota(root.begin(), root.end(), std::size_t(0));
        const auto find = [&](std::size_t i) {
            while (root[i] != i) i = root[i] = root[root[i]];
            return i;
        };
        std::vector<char> restless(n, 0), borne(n, floats_ ? 1 : 0);
        for (std::size_t i = 0; i < n; ++i)
            restless[i] = !is_free(i) || label[i] > 0 || double(still[i]) < time_ || held(Index(i)) ? 1 : 0;
        const auto bears = [&](std::size_t c) {
            return contacts.gap[c] <= 0.0 || contacts.impulse[3 * c] != 0.0 || contacts.impulse[3 * c + 1] != 0.0 ||
                   contacts.impulse[3 * c + 2] != 0.0;
        };
        for (std::size_t c = 0; c < contacts.a.size(); ++c) {
            if (!bears(c)) continue;
            const auto a = std::size_t(contacts.a[c]);
            if (contacts.partner[c] < 0) {
                if (poses[std::size_t(-1 - contacts.partner[c])].moving != 0) restless[a] = 1;
                borne[a] = 1;
                continue;
            }
            const auto b = std::size_t(contacts.partner[c]);
            if (is_free(a) && is_free(b))
                root[std::max(find(a), find(b))] = std::min(find(a), find(b));
            else if (moves(is_free(a) ? b : a))
                restless[is_free(a) ? a : b] = 1;
            if (!is_free(a) || label[a] > 0) borne[b] = 1;
            if (!is_free(b) || label[b] > 0) borne[a] = 1;
        }
        std::vector<char> stays(n, 0), bears_on_ground(n, 0);
        std::vector<Index> smallest(n, labels_);
        for (std::size_t i = 0; i < n; ++i) {
            if (!is_free(i)) continue;
            if (restless[i] != 0) stays[find(i)] = 1;
            if (borne[i] != 0) bears_on_ground[find(i)] = 1;
            smallest[find(i)] = std::min(smallest[find(i)], Index(id[i] + 1));
        }
        std::vector<char> fell(n, 0);
        std::int64_t fallen = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (!is_free(i) || label[i] > 0 || stays[find(i)] != 0 || bears_on_ground[find(i)] == 0) continue;
            label[i] = smallest[find(i)];
            fell[i] = 1;
            ++fallen;
            mass_ += 1.0 / double(own[2 * i]);
        }
        if (fallen == 0) return;
        count_ += fallen;
        fresh_ = loads_.size();
        keep_loads(contacts, transfer::to_host(bodies.position, Size(bodies.count) * 4), label, fell, step);
        label_.assign(label);
        backend.for_each(bodies.count,
                         FallAsleepItem<R>{label_.data(), bodies.velocity.data(), bodies.inverse_mass.data(), motion});
    }

    /// Wakes what moving walls and prescribed bodies come near; whether anything woke. `view` is of `colliders` bodies,
    /// or parts, fresh from the neighbour search.
    bool wake_by_motion(Backend& backend, BodyState<Backend, R>& bodies, const CollisionView& view, Index colliders,
                        const BodyPart* parts) {
        if (count_ == 0) return false;
        clear_flags(backend);
        backend.for_each(colliders, WakeByMotionItem<R>{view, parts, bodies.velocity.data(), label_.data(),
                                                        bodies.inverse_mass.data(), woken_.data()});
        return wake_labels(backend, bodies, woken_.data());
    }
    /// The same for what awake bodies press on or pull, by the contacts of this step.
    template <int W>
    bool wake_by_contacts(Backend& backend, BodyState<Backend, R>& bodies, const ConeProblem<R, W>& problem,
                          Index contacts, const R* cohesion) {
        if (count_ == 0) return false;
        clear_flags(backend);
        with_row_kind(row_kind(false, problem.inertia != nullptr), [&](auto kind) {
            backend.for_each(contacts, WakeByContactItem<R, W, decltype(kind)::value>{problem, cohesion, label_.data(),
                                                                                      woken_.data()});
        });
        return wake_labels(backend, bodies, woken_.data());
    }
    /// The same for sleepers that took an impulse in the solve.
    template <int W>
    bool wake_by_impulses(Backend& backend, BodyState<Backend, R>& bodies, const ConeProblem<R, W>& problem,
                          Index contacts, const R* g) {
        if (count_ == 0) return false;
        clear_flags(backend);
        backend.for_each(contacts, WakeByImpulseItem<R, W>{problem.body_a, problem.body_b, g, problem.bodies,
                                                           label_.data(), woken_.data()});
        return wake_labels(backend, bodies, woken_.data());
    }
    /// At the start of a step: wakes all, and lets nobody be tired, when a boundary appeared or went since the last.
    void look_at(Backend& backend, BodyState<Backend, R>& bodies, std::span<const BoundaryPose> poses) {
        std::vector<std::int32_t> active;
        for (const BoundaryPose& pose : poses) active.push_back(pose.active);
        const bool changed = !active_.empty() && active != active_;
        active_ = std::move(active);
        fresh_ = loads_.size();
        if (changed) backend.for_each(bodies.count, FillItem<float>{still_.data(), 0.0F});
        if (changed && count_ > 0) (void)wake_labels(backend, bodies, nullptr);
    }

    /// Whether forces are applied to some body.
    void set_pulled(bool pulled) { floats_ = weightless_ && !pulled; }
    /// Wakes the islands of these bodies, of which none is tired any more.
    void wake(Backend& backend, BodyState<Backend, R>& bodies, std::span<const Index> ids) {
        if (!enabled() || ids.empty()) return;
        std::vector<char> is_meant(std::size_t(labels_), 0);  // by id
        for (const Index id : ids) is_meant[std::size_t(id)] = 1;
        const auto id = transfer::to_host(bodies.id, bodies.count);
        const auto label = transfer::to_host(label_, bodies.count);
        auto still = transfer::to_host(still_, bodies.count);
        std::vector<Index> woken(std::size_t(labels_), 0);
        for (std::size_t i = 0; i < id.size(); ++i) {
            if (is_meant[std::size_t(id[i])] == 0) continue;
            still[i] = 0.0F;
            if (label[i] > 0) woken[std::size_t(label[i])] = 1;
        }
        still_.assign(still);
        woken_.assign(woken);
        if (count_ > 0) (void)wake_labels(backend, bodies, woken_.data());
    }

    void add_loads(std::vector<BoundaryLoad>& loads, std::span<const BoundaryPose> poses) const {
        // What fell asleep at the end of this step is among its contacts.
        for (const KeptLoad& kept : std::span(loads_).first(std::min(fresh_, loads_.size()))) {
            BoundaryLoad& load = loads[std::size_t(kept.boundary)];
            const Vector3d t = cross(kept.point - vector_of(poses[std::size_t(kept.boundary)].reference), kept.force);
            const double values[6] = {kept.force.x, kept.force.y, kept.force.z, t.x, t.y, t.z};
            for (std::size_t k = 0; k < 3; ++k) {
                load.force[k] += values[k];
                load.torque[k] += values[3 + k];
            }
        }
    }
    /// Masses as they are awake, and the free velocity with which contact forces hold a sleeper.
    void describe(BodyDownload& bodies, double step, const std::array<double, 3>& gravity,
                  const std::vector<double>& wrench) const {
        if (!enabled()) return;
        bodies.inverse_mass =
            transfer::converted<double>(transfer::to_host(own_inverse_mass_, Size(bodies.inverse_mass.size())));
        const auto label = transfer::to_host(label_, Size(bodies.id.size()));
        for (std::size_t i = 0; i < label.size(); ++i)
            for (std::size_t k = 0; k < 3 && label[i] > 0; ++k) {
                const double pulled = wrench.empty() ? 0.0 : wrench[6 * i + k] * bodies.inverse_mass[2 * i];
                bodies.free_velocity[6 * i + k] = step * (gravity[k] + pulled);
            }
    }

    /// New slot i is old slot from[i], see GranularStep::permute.
    template <class Move>
    void permute(const Move& move) {
        if (!enabled()) return;
        move(own_inverse_mass_, 2);
        move(label_, 1);
        move(still_, 1);
    }

    /// Numbers of the state, and back. `bodies` have their own masses before restore().
    [[nodiscard]] std::vector<double> memory(Index bodies) const {
        if (!enabled()) return {};
        std::vector<double> numbers{double(count_), mass_, double(active_.size()), double(loads_.size())};
        numbers.insert(numbers.end(), active_.begin(), active_.end());
        for (const KeptLoad& l : loads_)
            numbers.insert(numbers.end(), {double(l.label), double(l.boundary), l.force.x, l.force.y, l.force.z,
                                           l.point.x, l.point.y, l.point.z});
        for (const Index l : transfer::to_host(label_, bodies)) numbers.push_back(double(l));
        for (const float s : transfer::to_host(still_, bodies)) numbers.push_back(double(s));
        return numbers;
    }
    /// Whether the numbers are those of this many bodies.
    bool restore(Backend& backend, BodyState<Backend, R>& bodies, float* motion, std::span<const double> numbers) {
        if (!enabled()) return true;
        const auto n = std::size_t(bodies.count);
        if (numbers.size() < 4) return false;
        const auto flags = std::size_t(numbers[2]), kept = std::size_t(numbers[3]);
        if (numbers.size() != 4 + flags + 8 * kept + 2 * n) return false;
        count_ = std::int64_t(numbers[0]);
        mass_ = numbers[1];
        const double* at = numbers.data() + 4;
        active_.clear();
        for (std::size_t k = 0; k < flags; ++k) active_.push_back(std::int32_t(*at++));
        loads_.clear();
        for (std::size_t k = 0; k < kept; ++k, at += 8)
            loads_.push_back({Index(at[0]), Index(at[1]), {at[2], at[3], at[4]}, {at[5], at[6], at[7]}});
        fresh_ = loads_.size();
        std::vector<Index> label;
        std::vector<float> still;
        for (std::size_t i = 0; i < n; ++i) label.push_back(Index(at[i]));
        for (std::size_t i = 0; i < n; ++i) still.push_back(float(at[n + i]));
        own_inverse_mass_.assign(transfer::to_host(bodies.inverse_mass, Size(n) * 2));
        label_.assign(label);
        still_.assign(still);
        backend.for_each(bodies.count,
                         FallAsleepItem<R>{label_.data(), bodies.velocity.data(), bodies.inverse_mass.data(), motion});
        return true;
    }
    /// Own masses of the bodies, for save().
    [[nodiscard]] std::vector<double> own_masses(Index bodies) const {
        return transfer::converted<double>(transfer::to_host(own_inverse_mass_, Size(bodies) * 2));
    }

    /// Outlets took bodies, sleepers maybe among them. Called after permute().
    void recount(Index bodies) {
        if (count_ == 0) return;
        const auto label = transfer::to_host(label_, bodies);
        const auto own = transfer::to_host(own_inverse_mass_, Size(bodies) * 2);
        count_ = 0;
        mass_ = 0.0;
        for (std::size_t i = 0; i < label.size(); ++i) {
            if (label[i] == 0) continue;
            ++count_;
            mass_ += 1.0 / double(own[2 * i]);
        }
    }

    [[nodiscard]] std::size_t bytes() const {
        return own_inverse_mass_.bytes() + label_.bytes() + still_.bytes() + woken_.bytes();
    }

private:
    struct KeptLoad {
        Index label = 0, boundary = 0;
        Vector3d force, point;  ///< [N], [m]
    };

    void keep_loads(const ContactDownload& contacts, const std::vector<double>& position,
                    const std::vector<Index>& label, const std::vector<char>& fell, double step) {
        for (std::size_t c = 0; c < contacts.a.size(); ++c) {
            const auto a = std::size_t(contacts.a[c]);
            if (contacts.partner[c] >= 0 || fell[a] == 0) continue;
            const auto row = [c](const std::vector<double>& v) {
                return Vector3d{v[3 * c], v[3 * c + 1], v[3 * c + 2]};
            };
            const Vector3d point = contacts.point.empty() ? center_of(position.data(), Index(a)) +
                                                                contacts.lever_a[c] * row(contacts.normal)
                                                          : row(contacts.point);
            loads_.push_back({label[a], Index(-1 - contacts.partner[c]), (1.0 / step) * row(contacts.impulse), point});
        }
    }
    void clear_flags(Backend& backend) {
        woken_.resize_discard(labels_);
        backend.for_each(labels_, FillItem<Index>{woken_.data(), 0});
    }
    bool wake_labels(Backend& backend, BodyState<Backend, R>& bodies, const Index* woken) {
        const auto sums = backend.template reduce<double, 2, 0>(
            bodies.count,
            WakeItem<R>{woken, own_inverse_mass_.data(), label_.data(), still_.data(), bodies.inverse_mass.data()});
        if (sums.sum[0] == 0.0) return false;
        count_ -= std::int64_t(sums.sum[0]);
        mass_ = count_ == 0 ? 0.0 : mass_ - sums.sum[1];
        const auto flags = woken != nullptr ? transfer::to_host(woken_, labels_) : std::vector<Index>{};
        fresh_ = loads_.size();
        std::erase_if(loads_, [&](const KeptLoad& l) { return flags.empty() || flags[std::size_t(l.label)] != 0; });
        return true;
    }

    double speed_ = 0.0, time_ = 0.0;
    bool weightless_ = false;
    bool floats_ = false;  ///< Nothing pulls on any body.
    Index labels_ = 0;
    std::int64_t count_ = 0;
    double mass_ = 0.0;
    Array<R, Backend> own_inverse_mass_;
    Array<Index, Backend> label_, woken_;
    Array<float, Backend> still_;
    std::vector<KeptLoad> loads_;
    std::size_t fresh_ = 0;  ///< Loads from here on are those of the last step.
    std::vector<std::int32_t> active_;
};

}  // namespace scree::kernels
