// SPDX-License-Identifier: BSD-3-Clause
// Which parts may touch within a step, and where a pair was in the last step's lists.
#pragma once

#include "kernels/collide/body_parts.hpp"
#include "kernels/collide/found_contacts.hpp"
#include "kernels/collide/shapes/manifold.hpp"

namespace scree::kernels {

/// A contact of a pair of parts as the narrow phase left it, from the finder's side.
template <class R>
struct PairContact {
    Vector3<R> normal;  ///< From the finder to its partner.
    Vector3<R> arm;     ///< From the centre of the finder's body [m].
    R gap;              ///< [m]
    Index feature;      ///< See ManifoldPoint.
    R time = R(0);      ///< Into the step, of the free motion that normal and arm are of [s].
};

/// The pairs of a step: those of part p are start[p] .. start[p + 1] - 1.
template <class R>
struct PairView {
    const Index* start = nullptr;          ///< [parts + 1]; null when there are none.
    const Index* partner = nullptr;        ///< Part, or -1 - boundary part.
    const float* axis = nullptr;           ///< Rows of three: separating direction, from the body with the smaller id.
    const Index* contact_start = nullptr;  ///< [pairs + 1]
    const Index* feature = nullptr;        ///< [contacts]
    const R* g = nullptr;                  ///< Impulses, tiled, 3 fields.
    const R* m = nullptr;                  ///< Moments; null without rolling rows.
};

/// Where a pair was in the last step's lists. The other part may have been its finder then.
struct OldPair {
    Index place = -1;
    bool turned = false;
};

/// `previous` maps parts to those of the last step.
template <class R>
SCREE_HD OldPair find_old_pair(const PairView<R>& old, const Index* previous, Index part, Index partner) {
    if (old.start == nullptr) return {};
    const Index own = previous[part], other = partner < 0 ? partner : previous[partner];
    if (own < 0 || (partner >= 0 && other < 0)) return {};
    for (Index k = old.start[own]; k < old.start[own + 1]; ++k)
        if (old.partner[k] == other) return {k, false};
    if (partner >= 0)
        for (Index k = old.start[other]; k < old.start[other + 1]; ++k)
            if (old.partner[k] == own) return {k, true};
    return {};
}

/// Bodies that a joint keeps from colliding.
struct JointNeighbours {
    const Index* member_of_slot = nullptr;  ///< See IslandView; null: no joints.
    const Index* start = nullptr;           ///< By member: its entries in `list`.
    const Index* list = nullptr;

    [[nodiscard]] SCREE_HD bool apart(Index body, Index other) const {
        return member_of_slot != nullptr && holds_apart(body, other);
    }

private:
    [[nodiscard]] SCREE_HD_CALL bool holds_apart(Index body, Index other) const {
        const Index m = member_of_slot[body], o = member_of_slot[other];
        if (m < 0 || o < 0) return false;
        for (Index k = start[m]; k < start[m + 1]; ++k)
            if (list[k] == o) return true;
        return false;
    }
};

/// What the pairs of a step are found from.
struct PartSearch {
    CollisionView view;  ///< Of the parts.
    const BodyPart* parts;
    const PlacedShape* placed;
    ShapeView shapes;
    const Index* id;  ///< Of bodies.
    JointNeighbours jointed{};

    /// Calls emit(partner) for each pair of part p that may touch within the step.
    template <class R, class Emit>
    SCREE_HD void for_each_pair(const R* inverse_mass, Index p, const Emit& emit) const {
        if (parts[p].collides == 0) return;
        const Index body = parts[p].body;
        const bool fixed = inverse_mass[2 * std::int64_t(body)] <= R(0);
        const Index* neighbours = view.neighbours.of(p);
        for (Index k = 0; k < view.neighbours.count[p]; ++k) {
            const Index j = neighbours[k];
            if (j < 0) {
                if (!fixed) emit(j);
                continue;
            }
            const Index other = parts[j].body;
            if (other == body || parts[j].collides == 0 || (fixed && inverse_mass[2 * std::int64_t(other)] <= R(0)))
                continue;
            const double radii = radius_of(view.position, p) + radius_of(view.position, j);
            const Vector3d d = view.periodic.nearest_image(center_of(view.position, j) - center_of(view.position, p));
            if (norm(d) - radii > reach(p, j) || jointed.apart(body, other)) continue;
            emit(j);
        }
    }

    /// Largest gap that is a contact [m].
    [[nodiscard]] SCREE_HD double reach(Index p, Index j) const {
        const double own = radius_of(view.position, p), margin = larger(double(view.extent[p]) - own, 0.0);
        if (j < 0) {
            const BoundaryPose& pose = view.boundaries.poses[view.boundaries.parts[-1 - j].boundary];
            double speed = view.motion != nullptr ? double(view.motion[std::int64_t(4) * p + 3]) : 0.0;
            if (pose.moving != 0)
                speed +=
                    norm(velocity_at(pose, center_of(view.position, p))) + own * norm(vector_of(pose.angular_velocity));
            return margin + view.step * speed;
        }
        const double other = radius_of(view.position, j);
        if (view.motion == nullptr) return margin + larger(double(view.extent[j]) - other, 0.0);
        const float* a = view.motion + std::int64_t(4) * p;
        const float* b = view.motion + std::int64_t(4) * j;
        const Vector3d u{double(b[0]) - double(a[0]), double(b[1]) - double(a[1]), double(b[2]) - double(a[2])};
        return margin_slack * (own + other) + view.step * (norm(u) + double(a[3]) + double(b[3]));
    }
};

template <class R>
struct PairCountItem {
    PartSearch search;
    const R* inverse_mass;
    Index* count;
    SCREE_HD void operator()(Index p) const {
        Index found = 0;
        search.for_each_pair(inverse_mass, p, [&](Index) { ++found; });
        count[p] = found;
    }
};

/// Lists the pairs and the room that their contacts may take.
template <class R>
struct FillPairsItem {
    PartSearch search;
    const R* inverse_mass;
    const Index* start;
    Index* finder;
    Index* partner;
    Index* room;
    SCREE_HD void operator()(Index p) const {
        Index at = start[p];
        search.for_each_pair(inverse_mass, p, [&](Index j) {
            finder[at] = p;
            partner[at] = j;
            room[at] = j < 0 ? WallContacts::capacity : Manifold::capacity;
            ++at;
        });
    }
};

}  // namespace scree::kernels
