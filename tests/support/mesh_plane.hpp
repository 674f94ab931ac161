// SPDX-License-Identifier: BSD-3-Clause
// The square |x|, |y| <= 1 m of the plane z = 0 as a mesh.
#pragma once

#include "engine/model/boundary.hpp"

#include <cstdint>

namespace scree::test {

/// In cells of 1/16 m, whose diagonals alternate.
[[nodiscard]] inline model::MeshShape meshed_square() {
    constexpr std::uint32_t cells = 32;
    model::MeshShape mesh;
    for (std::uint32_t j = 0; j <= cells; ++j)
        for (std::uint32_t i = 0; i <= cells; ++i)
            mesh.vertices.push_back({2.0 * i / cells - 1.0, 2.0 * j / cells - 1.0, 0.0});
    for (std::uint32_t j = 0; j < cells; ++j)
        for (std::uint32_t i = 0; i < cells; ++i) {
            const std::uint32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
            if ((i + j) % 2 == 0) {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({a, d, c});
            } else {
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({b, d, c});
            }
        }
    return mesh;
}

}  // namespace scree::test
