// SPDX-License-Identifier: BSD-3-Clause
// The axis-aligned, possibly infinite box of a probe.
#pragma once

#include "engine/model/error.hpp"
#include "engine/model/probe.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace scree::measure {

/// Lower faces belong to the box, upper ones do not, so that adjacent boxes count each body once.
[[nodiscard]] inline bool contains(const model::ProbeBox& box, model::Vec3 p) {
    return p.x >= box.lower.x && p.y >= box.lower.y && p.z >= box.lower.z && p.x < box.upper.x && p.y < box.upper.y &&
           p.z < box.upper.z;
}

/// Index of the item of a scene that a probe targets by name; throws model::Error (input) that lists the names.
template <class Named>
[[nodiscard]] std::size_t target_index(const model::Probe& probe, const std::vector<Named>& items, const char* kind) {
    std::string names;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].name == probe.target) return i;
        names += (i > 0 ? ", " : "") + items[i].name;
    }
    throw model::Error(model::ErrorKind::input,
                       "probe " + probe.name + ": there is no " + kind + " named '" + probe.target + "'",
                       names.empty() ? std::string("the scene has none") : "known: " + names);
}

}  // namespace scree::measure
