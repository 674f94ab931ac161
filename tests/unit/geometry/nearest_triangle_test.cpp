// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/nearest_triangle.hpp"

#include "engine/geometry/tessellate.hpp"
#include "kernels/items/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace scree::geometry {
namespace {

using model::Vec3;

kernels::Vector3d of(Vec3 v) { return {v.x, v.y, v.z}; }

TEST(NearestTriangle, IsThatOfALookAtAll) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> draw(-1.0, 1.0);
    model::MeshShape mesh;
    for (std::uint32_t k = 0; k < 300; ++k) {
        const Vec3 at{draw(random), draw(random), draw(random)};
        for (int corner = 0; corner < 3; ++corner)
            mesh.vertices.push_back(at + 0.1 * Vec3{draw(random), draw(random), draw(random)});
        mesh.triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
    }
    const NearestTriangle nearest(mesh);
    for (int look = 0; look < 1000; ++look) {
        const Vec3 p{1.5 * draw(random), 1.5 * draw(random), 1.5 * draw(random)};
        const auto squared = [&](std::size_t k) {
            const auto& [a, b, c] = mesh.triangles[k];
            const kernels::Vector3d offset =
                kernels::nearest_on_triangle(of(p), of(mesh.vertices[a]), of(mesh.vertices[b]), of(mesh.vertices[c])) -
                of(p);
            return kernels::dot(offset, offset);
        };
        std::size_t expected = 0;
        for (std::size_t k = 1; k < mesh.triangles.size(); ++k)
            if (squared(k) < squared(expected)) expected = k;
        EXPECT_EQ(nearest.find(p), expected);
    }
}

TEST(NearestTriangle, OfSeveralTakesTheFirst) {
    model::MeshShape square;
    square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    const NearestTriangle nearest(square);
    EXPECT_EQ(nearest.find({0.5, 0.5, 1}), 0U);
    EXPECT_EQ(nearest.find({0.2, 0.8, 1}), 1U);
    EXPECT_FALSE(nearest.find({std::numeric_limits<double>::quiet_NaN(), 0, 0}));
    EXPECT_FALSE(NearestTriangle(model::MeshShape{}).find({0, 0, 0}));
}

}  // namespace
}  // namespace scree::geometry
