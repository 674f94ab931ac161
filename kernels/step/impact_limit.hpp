// SPDX-License-Identifier: BSD-3-Clause
// Impacts do not make energy.
//
// Newton's law prescribes the normal velocities after an impact. With friction, or where several impacts act on a body
// at once, such velocities may cost more than the bodies have: a bar that lands on its end while it turns can be asked
// to leave faster than it came. What contacts may do is judged by clusters, bodies that contacts with an impulse
// connect: inside one, energy passes from contact to contact (a ball between two others gets all that it has at one of
// its contacts). A cluster that rebounds and wins energy
// by the work of its contacts (WorkView) keeps as much of its rebounds as leaves it what it had: the step is solved
// once more with e = 0 in that cluster, whose impulses gamma_0 lose energy by any law of friction, and the impulses are
//     gamma(s) = gamma_0 + s (gamma_1 - gamma_0),    0 <= s <= 1,
// where gamma_1 are those with e. They lie in the cones, no contact approaches, and rebounds are s e. The energy is
// quadratic in s; s is the largest without a gain. One body at one point so has the largest restitution up to e that
// its tangential impulse admits; spheres and central impacts never win and keep e.
//
// Steps without rebounds pay nothing; steps with rebounds one pass over the contacts, and labels of clusters where some
// contact does positive work.
#pragma once

#include "kernels/parallel/array.hpp"
#include "kernels/step/impact_limit_items.hpp"
#include "kernels/step/step_items.hpp"

namespace scree::kernels {

template <class Backend, class R>
class ImpactLimit {
public:
    static constexpr int W = Backend::tile;
    /// Plastic solves of a step: one that makes neighbours touch may show that these won energy, too.
    static constexpr int most_rounds = 8;
    /// Times that shares are corrected by what they do: when impulses act changes a little with them.
    static constexpr int most_corrections = 12;

    /// Where the rebounds of the step are: rows, rebounds and offsets as ContactSet has them.
    void begin(R* rows, R* rebound, R* offset) {
        rebounds_ = {rows, rebound, offset, nullptr, nullptr, nullptr};
        rounds_ = 0;
    }

    /// In a step without rebounds.
    void skip() { rounds_ = 0; }
    /// Per contact of the step, whether its impulse is a mean of two solutions, which solves neither's law of friction;
    /// null where none is.
    [[nodiscard]] const Index* blended() const { return rounds_ > 0 ? blended_.data() : nullptr; }

    /// Number of rebounding clusters that won energy by the impulses `solved`.
    template <RowKind K>
    [[nodiscard]] std::int64_t find(Backend& backend, const WorkView<R, W, K>& view, Index contacts,
                                    const SolvedImpulses<R>& solved) {
        if (judge<K>(backend, view, contacts, solved) == 0.0) return 0;
        const Index bodies = view.problem.bodies;
        make_room(bodies);
        Index* const label = labels_of_round();
        ClusterEnergy* const energy = energies_of_round();
        backend.for_each(bodies, OwnLabelItem{label});
        connect<K>(backend, view, contacts, solved.g, nullptr, label);
        const ClusterSums<2> sums = add_work<K>(backend, view, contacts, label);
        backend.for_each(bodies, FillItem<float>{rebounding_.data(), 0.0F});
        backend.for_each(contacts, ReboundingItem<R, W, K>{view, rebounds_, label, rebounding_.data()});
        const auto won =
            backend.template reduce<double, 1, 0>(bodies, ClusterEnergyItem{label, sums, rebounding_.data(), energy});
        return std::int64_t(won.sum[0]);
    }

    /// Takes the rebounds of the clusters that find() found out of the rows. The first time: keeps the impulses.
    template <RowKind K>
    void take_rebounds(Backend& backend, const WorkView<R, W, K>& view, Index contacts,
                       const SolvedImpulses<R>& solved) {
        if (rounds_ == 0) {
            keep_impulses<K>(view.problem, solved, with_);
            bias_.resize_discard(contacts);
            rebound_.resize_discard(contacts);
            taken_.resize_discard(contacts);
            if (rebounds_.offset != nullptr) offset_.resize_discard(Size(view.problem.contacts) * 3);
            rebounds_.bias = bias_.data();
            rebounds_.of_impact = rebound_.data();
            rebounds_.offset_of_impact = offset_.data();
            backend.for_each(contacts, KeepReboundItem<R, W>{rebounds_, taken_.data()});
        }
        backend.for_each(
            contacts, TakeReboundItem<R, W, K>{view, rebounds_, labels_of_round(), energies_of_round(), taken_.data()});
        ++rounds_;
    }
    [[nodiscard]] bool may_go_on() const { return rounds_ < most_rounds; }

    /// From the plastic impulses to those that neither win nor lose. `set_velocities()` makes the velocities of the
    /// impulses in g and m.
    template <RowKind K, class SetVelocities>
    void blend(Backend& backend, const WorkView<R, W, K>& view, Index contacts, const SolvedImpulses<R>& solved, R* g,
               R* m, const SetVelocities& set_velocities) {
        const Index bodies = view.problem.bodies;
        keep_impulses<K>(view.problem, solved, without_);
        blended_.resize_discard(contacts);
        const SolvedImpulses<R> plastic = without_.template view<K>(), rebounding = with_.template view<K>();
        Index* const joined = joined_.data();
        Memory<Backend>::copy(joined, label_.data(), std::size_t(bodies) * sizeof(Index));
        connect<K>(backend, view, contacts, rebounding.g, plastic.g, joined);
        const ClusterSums<4> sums{largest_.data(), sums_.data()};
        backend.for_each(bodies, ClearSumsItem<4>{sums});
        for (const bool adds : {false, true}) {
            backend.for_each(contacts, ClusterBlendItem<R, W, K>{view, plastic, rebounding, joined, sums, adds});
            backend.for_each(bodies, JoinEnergyItem{energy_.data(), joined, sums, adds});
        }
        backend.for_each(bodies, ReboundModelItem{joined, sums, model_.data()});
        for (int k = 0;; ++k) {
            backend.for_each(contacts, BlendItem<R, W, K>{view, rebounds_, taken_.data(), joined, model_.data(),
                                                          plastic, rebounding, g, m, blended_.data()});
            set_velocities();
            if (k > most_corrections) return;
            if (k == most_corrections) {
                backend.for_each(bodies, SettleShareItem{model_.data()});
                continue;
            }
            (void)judge<K>(backend, view, contacts, solved);
            const CorrectShareItem correct{add_work<K>(backend, view, contacts, joined), model_.data()};
            if (backend.template reduce<double, 1, 0>(bodies, correct).sum[0] == 0.0) return;
        }
    }

    [[nodiscard]] std::size_t bytes() const {
        return label_.bytes() + other_label_.bytes() + joined_.bytes() + taken_.bytes() + blended_.bytes() +
               largest_.bytes() + rebounding_.bytes() + sums_.bytes() + energy_.bytes() + other_energy_.bytes() +
               model_.bytes() + works_.bytes() + with_.bytes() + without_.bytes() + bias_.bytes() + rebound_.bytes() +
               offset_.bytes();
    }

private:
    /// Copies of impulses.
    struct Kept {
        Array<R, Backend> g, m, velocity;
        template <RowKind K>
        [[nodiscard]] SolvedImpulses<R> view() const {
            return {g.data(), has_rolling<K> ? m.data() : nullptr, velocity.data()};
        }
        [[nodiscard]] std::size_t bytes() const { return g.bytes() + m.bytes() + velocity.bytes(); }
    };

    // What the first round found stays for blend(); later rounds only tell which rebounds go, too.
    [[nodiscard]] Index* labels_of_round() { return rounds_ == 0 ? label_.data() : other_label_.data(); }
    [[nodiscard]] ClusterEnergy* energies_of_round() { return rounds_ == 0 ? energy_.data() : other_energy_.data(); }

    void make_room(Index bodies) {
        for (Array<Index, Backend>* labels : {&label_, &other_label_, &joined_}) labels->resize_discard(bodies);
        for (Array<float, Backend>* floats : {&largest_, &rebounding_}) floats->resize_discard(bodies);
        for (Array<ClusterEnergy, Backend>* energies : {&energy_, &other_energy_}) energies->resize_discard(bodies);
        sums_.resize_discard(Size(bodies) * 4);
        model_.resize_discard(bodies);
    }
    template <RowKind K>
    static void keep_impulses(const ConeProblem<R, W>& problem, const SolvedImpulses<R>& solved, Kept& kept) {
        const auto keep = [](Array<R, Backend>& to, const R* from, Size reals) {
            to.resize_discard(reals);
            Memory<Backend>::copy(to.data(), from, std::size_t(reals) * sizeof(R));
        };
        keep(kept.g, solved.g, Size(problem.contacts) * 3);
        if (has_rolling<K>) keep(kept.m, solved.m, Size(problem.contacts) * 3);
        keep(kept.velocity, solved.velocity, Size(problem.rows_of_velocity) * 8);
    }
    /// The work of every contact: works_. Number of contacts whose work is positive.
    template <RowKind K>
    double judge(Backend& backend, const WorkView<R, W, K>& view, Index contacts, const SolvedImpulses<R>& solved) {
        works_.resize_discard(contacts);
        return backend.template reduce<double, 1, 0>(contacts, GainItem<R, W, K>{view, solved, works_.data()}).sum[0];
    }
    /// The sums of works_ by clusters.
    template <RowKind K>
    ClusterSums<2> add_work(Backend& backend, const WorkView<R, W, K>& view, Index contacts, const Index* label) {
        const ClusterSums<2> sums{largest_.data(), sums_.data()};
        backend.for_each(view.problem.bodies, ClearSumsItem<2>{sums});
        for (const bool adds : {false, true})
            backend.for_each(contacts, ClusterWorkItem<R, W, K>{view, works_.data(), label, sums, adds});
        return sums;
    }
    /// Until nothing changes: the labels of all bodies that contacts or joints connect are those of their roots.
    template <RowKind K>
    static void connect(Backend& backend, const WorkView<R, W, K>& view, Index contacts, const R* g, const R* other_g,
                        Index* label) {
        const IslandView& islands = view.problem.islands;
        for (;;) {
            double changes =
                backend.template reduce<double, 1, 0>(contacts, ConnectItem<R, W, K>{view, g, other_g, {label}}).sum[0];
            if (islands.member_of_slot != nullptr)
                changes +=
                    backend.template reduce<double, 1, 0>(islands.islands, ConnectIslandItem{islands, {label}}).sum[0];
            if (changes == 0.0) return;
            backend.for_each(view.problem.bodies, FollowLabelItem{label});
        }
    }

    Rebounds<R, W> rebounds_{};
    int rounds_ = 0;
    Array<Index, Backend> label_, other_label_;  ///< Clusters of the first round, of later ones.
    Array<Index, Backend> joined_;               ///< Clusters by the impulses with and without rebounds.
    Array<Index, Backend> taken_;                ///< Contacts whose rebounds were taken out.
    Array<Index, Backend> blended_;              ///< See blended().
    Array<float, Backend> largest_, rebounding_;
    Array<std::int64_t, Backend> sums_;
    Array<ClusterEnergy, Backend> energy_, other_energy_;
    Array<ReboundModel, Backend> model_;
    Array<JudgedWork, Backend> works_;  ///< Per contact.
    Kept with_, without_;
    Array<R, Backend> bias_, rebound_, offset_;  ///< As the impacts' law has them.
};

}  // namespace scree::kernels
