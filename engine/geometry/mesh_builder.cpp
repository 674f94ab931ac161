// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/mesh_builder.hpp"

#include "engine/model/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::geometry {

bool is_degenerate(model::Vec3 a, model::Vec3 b, model::Vec3 c) {
    // Scaled to edges of about 1 first (differences of halves, so that they cannot overflow): no product overflows or
    // underflows whatever the unit of the file is.
    std::array<model::Vec3, 3> edges{0.5 * b - 0.5 * a, 0.5 * c - 0.5 * b, 0.5 * a - 0.5 * c};
    double size = 0.0;
    for (const model::Vec3& e : edges) size = std::max({size, std::abs(e.x), std::abs(e.y), std::abs(e.z)});
    if (!(size > 0.0)) return true;
    double longest = 0.0;
    for (model::Vec3& e : edges) {
        e = {e.x / size, e.y / size, e.z / size};
        longest = std::max(longest, dot(e, e));
    }
    return norm(cross(edges[0], edges[1])) <= 1e-12 * longest;
}

void MeshBuilder::add(model::Vec3 a, model::Vec3 b, model::Vec3 c) {
    if (is_degenerate(a, b, c)) {
        ++mesh_.degenerate_dropped;
        return;
    }
    const std::uint32_t i = index_of(a), j = index_of(b), k = index_of(c);
    mesh_.triangles.push_back({i, j, k});
}

std::uint32_t MeshBuilder::index_of(model::Vec3 corner) {
    const model::Vec3 v{corner.x + 0.0, corner.y + 0.0, corner.z + 0.0};  // -0 + 0 is +0
    const Key key{std::bit_cast<std::uint64_t>(v.x), std::bit_cast<std::uint64_t>(v.y),
                  std::bit_cast<std::uint64_t>(v.z)};
    if (mesh_.vertices.size() >= std::numeric_limits<std::uint32_t>::max()) {
        throw model::Error(model::ErrorKind::input, "mesh has more than 4294967295 vertices");
    }
    const auto [entry, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(v);
    return entry->second;
}

model::MeshShape MeshBuilder::take() {
    index_.clear();
    return std::exchange(mesh_, {});
}

}  // namespace scree::geometry
