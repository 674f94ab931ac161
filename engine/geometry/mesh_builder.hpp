// SPDX-License-Identifier: BSD-3-Clause
// Collects triangles given by their corners into a welded mesh.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/math.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace scree::geometry {

/// True when the height of the triangle is below 1e-12 of its longest edge: rounding of the coordinates alone makes
/// exactly collinear corners that crooked, and such a triangle has no usable normal.
[[nodiscard]] bool is_degenerate(model::Vec3 a, model::Vec3 b, model::Vec3 c);

/// Welds corners with exactly equal coordinates (-0 equals 0) in order of appearance; drops degenerate triangles.
class MeshBuilder {
public:
    /// Corners must be finite.
    void add(model::Vec3 a, model::Vec3 b, model::Vec3 c);

    /// Triangles offered so far, dropped ones included.
    [[nodiscard]] std::size_t offered() const { return mesh_.triangles.size() + mesh_.degenerate_dropped; }

    /// The mesh; the builder is empty afterwards.
    [[nodiscard]] model::MeshShape take();

private:
    using Key = std::array<std::uint64_t, 3>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t hash = 0;
            for (const std::uint64_t word : key) {
                hash = (std::rotl(hash, 23) ^ word) * 0x9E3779B97F4A7C15ULL;
                hash ^= hash >> 29U;
            }
            return static_cast<std::size_t>(hash);
        }
    };

    std::uint32_t index_of(model::Vec3 corner);

    model::MeshShape mesh_;
    std::unordered_map<Key, std::uint32_t, KeyHash> index_;
};

}  // namespace scree::geometry
