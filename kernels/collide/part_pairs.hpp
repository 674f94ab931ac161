// SPDX-License-Identifier: BSD-3-Clause
// The pairs of parts that may touch, their manifolds, and what of them the next step starts from: separating
// directions, and which impulse acted at which feature.
#pragma once

#include "kernels/collide/pair_manifolds.hpp"
#include "kernels/collide/shape_contact_items.hpp"

#include <utility>

namespace scree::kernels {

template <class Backend, class R>
class PartPairs {
public:
    /// Finds the pairs and their contacts. Lists of the last step stay until the
    /// next call; `old_g`, `old_m` are its impulses (null: none).
    void find(Backend& backend, const PartSearch& search, const BodyState<Backend, R>& bodies,
              const BodyParts<Backend, R>& parts, const R* free_velocity, const R* old_g, const R* old_m) {
        std::swap(start_, old_start_);
        std::swap(partner_, old_partner_);
        std::swap(axis_, old_axis_);
        std::swap(contact_start_, old_contact_start_);
        std::swap(feature_, old_feature_);
        old_ = {};
        if (has_old_)
            old_ = {old_start_.data(),
                    old_partner_.data(),
                    old_axis_.data(),
                    old_contact_start_.data(),
                    old_feature_.data(),
                    old_g,
                    old_m};
        const R* inverse_mass = bodies.inverse_mass.data();
        const Index n = parts.count();
        start_.resize_discard(Size(n) + 1);
        backend.for_each(n, PairCountItem<R>{search, inverse_mass, start_.data()});
        pairs_ = backend.exclusive_scan(start_.data(), n);
        finder_.resize_discard(pairs_);
        partner_.resize_discard(pairs_);
        room_.resize_discard(Size(pairs_) + 1);
        backend.for_each(
            n, FillPairsItem<R>{search, inverse_mass, start_.data(), finder_.data(), partner_.data(), room_.data()});
        const Index room = backend.exclusive_scan(room_.data(), pairs_);
        contacts_.resize_discard(room);
        axis_.resize_discard(Size(pairs_) * 3);
        old_pair_.resize_discard(pairs_);
        contact_start_.resize_discard(Size(pairs_) + 1);
        const bool any_moving = search.view.boundaries.any_moving;
        if (any_moving) wall_start_.resize_discard(Size(pairs_) + 1);
        Index* wall_start = any_moving ? wall_start_.data() : nullptr;
        backend.for_each(pairs_,
                         ManifoldItem<R>{search, old_, parts.previous(), bodies.position.data(), free_velocity,
                                         finder_.data(), partner_.data(), room_.data(), axis_.data(), old_pair_.data(),
                                         contacts_.data(), contact_start_.data(), wall_start});
        count_ = backend.exclusive_scan(contact_start_.data(), pairs_);
        wall_rows_ = wall_start != nullptr ? backend.exclusive_scan(wall_start, pairs_) : 0;
        feature_.resize_discard(count_);
        has_old_ = true;
    }

    [[nodiscard]] Index pairs() const { return pairs_; }
    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] Index wall_rows() const { return wall_rows_; }
    [[nodiscard]] const Index* finder() const { return finder_.data(); }

    void start_of_bodies(Backend& backend, const BodyParts<Backend, R>& parts, Index bodies, Index* a_start) const {
        backend.for_each(bodies + 1,
                         BodyStartItem{parts.start().data(), start_.data(), contact_start_.data(), a_start});
    }
    template <int W>
    [[nodiscard]] FillShapeContactsItem<R, W> fill_item(const FillContactsItem<R, W>& fill, const PartSearch& search,
                                                        const BodyState<Backend, R>& bodies, R* arms, R* gap) {
        return {fill,
                search,
                old_,
                bodies.position.data(),
                bodies.inertia_rows.data(),
                finder_.data(),
                partner_.data(),
                room_.data(),
                old_pair_.data(),
                contacts_.data(),
                contact_start_.data(),
                search.view.boundaries.any_moving ? wall_start_.data() : nullptr,
                arms,
                gap,
                feature_.data()};
    }

    void forget() { has_old_ = false; }
    [[nodiscard]] bool has_pairs() const { return has_old_; }
    /// For save and restore: the lists of the last step.
    [[nodiscard]] Array<Index, Backend>& start() { return start_; }
    [[nodiscard]] Array<Index, Backend>& partner() { return partner_; }
    [[nodiscard]] Array<float, Backend>& axis() { return axis_; }
    [[nodiscard]] Array<Index, Backend>& contact_start() { return contact_start_; }
    [[nodiscard]] Array<Index, Backend>& feature() { return feature_; }
    void adopt(Index pairs) {
        pairs_ = pairs;
        has_old_ = true;
    }

    [[nodiscard]] std::size_t bytes() const {
        return start_.bytes() + partner_.bytes() + axis_.bytes() + contact_start_.bytes() + feature_.bytes() +
               old_start_.bytes() + old_partner_.bytes() + old_axis_.bytes() + old_contact_start_.bytes() +
               old_feature_.bytes() + finder_.bytes() + room_.bytes() + wall_start_.bytes() + old_pair_.bytes() +
               contacts_.bytes();
    }

private:
    Index pairs_ = 0, count_ = 0, wall_rows_ = 0;
    bool has_old_ = false;
    PairView<R> old_;
    Array<Index, Backend> start_, partner_, contact_start_, feature_;
    Array<Index, Backend> old_start_, old_partner_, old_contact_start_, old_feature_;
    Array<float, Backend> axis_, old_axis_;
    Array<Index, Backend> finder_, room_, wall_start_;
    Array<OldPair, Backend> old_pair_;
    Array<PairContact<R>, Backend> contacts_;
};

}  // namespace scree::kernels
