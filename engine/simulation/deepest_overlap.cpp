// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/deepest_overlap.hpp"

#include <algorithm>

namespace scree::simulation {

std::optional<DeepestOverlap> deepest_overlap(const model::Snapshot& snapshot) {
    const auto radius_of = [&](std::uint64_t id) {
        const auto found = std::lower_bound(snapshot.id.begin(), snapshot.id.end(), id);
        return snapshot.radius[std::size_t(found - snapshot.id.begin())];
    };
    DeepestOverlap deepest;
    for (const model::ContactRecord& contact : snapshot.contacts) {
        if (contact.gap >= 0.0) continue;
        double radius = radius_of(contact.id_a);
        if (contact.boundary < 0) radius = std::min(radius, radius_of(contact.id_b));
        const double relative = -contact.gap / (2.0 * radius);
        if (relative > deepest.relative)
            deepest = {contact.id_a, contact.id_b, contact.boundary, relative, std::uint64_t(snapshot.step),
                       snapshot.time};
    }
    if (!(deepest.relative > 0.0)) return std::nullopt;
    return deepest;
}

}  // namespace scree::simulation
