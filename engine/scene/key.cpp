// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/key.hpp"

#include "engine/scene/tables.hpp"

namespace scree::scene {

const KeyInfo* ObjectInfo::find(std::string_view name) const {
    for (const auto& key : keys) {
        if (key.name == name) return &key;
    }
    return nullptr;
}

std::vector<std::string> ObjectInfo::names() const {
    std::vector<std::string> out;
    out.reserve(keys.size());
    for (const auto& key : keys) out.push_back(key.name);
    return out;
}

const ObjectInfo& orientation_keys() {
    static const ObjectInfo object{"orientation",
                                   "A rotation by an angle about an axis.",
                                   {{.name = "axis",
                                     .meaning = "Direction of the axis; any length but zero.",
                                     .required = true,
                                     .type = ValueType::directions,
                                     .length = 3},
                                    {.name = "angle",
                                     .meaning = "Angle, right-hand rule about `axis`.",
                                     .dimension = Dimension::angle,
                                     .required = true}}};
    return object;
}

const ObjectInfo& scene_keys() { return scene_table().about; }

}  // namespace scree::scene
