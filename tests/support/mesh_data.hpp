// SPDX-License-Identifier: BSD-3-Clause
// Triangle meshes for tests, with the simplest correct hierarchy: median splits, boxes rounded outwards.
#pragma once

#include "kernels/collide/boundary_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace scree::test {

using kernels::Index;
using kernels::Vector3d;
using Triangle = std::array<Vector3d, 3>;

namespace mesh {

inline double coordinate(Vector3d v, int axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

inline void split(std::vector<Triangle>& triangles, std::size_t begin, std::size_t end, std::size_t node,
                  kernels::MeshData& mesh) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    kernels::MeshNode box{{infinity, infinity, infinity},
                          {-infinity, -infinity, -infinity},
                          std::int32_t(begin),
                          std::int32_t(end - begin)};
    for (std::size_t t = begin; t < end; ++t)
        for (const Vector3d& v : triangles[t])
            for (int k = 0; k < 3; ++k) {
                box.lower[k] = std::min(box.lower[k], std::nextafter(float(coordinate(v, k)), -infinity));
                box.upper[k] = std::max(box.upper[k], std::nextafter(float(coordinate(v, k)), infinity));
            }
    if (end - begin > 2) {
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis]) axis = k;
        const std::size_t middle = (begin + end) / 2;
        const auto key = [axis](const Triangle& t) {
            return coordinate(t[0], axis) + coordinate(t[1], axis) + coordinate(t[2], axis);
        };
        std::nth_element(triangles.begin() + std::ptrdiff_t(begin), triangles.begin() + std::ptrdiff_t(middle),
                         triangles.begin() + std::ptrdiff_t(end),
                         [&](const Triangle& a, const Triangle& b) { return key(a) < key(b); });
        const std::size_t child = mesh.nodes.size();
        mesh.nodes.resize(child + 2);
        box.first = std::int32_t(child);
        box.count = 0;
        split(triangles, begin, middle, child, mesh);
        split(triangles, middle, end, child + 1, mesh);
    }
    mesh.nodes[node] = box;
}

}  // namespace mesh

inline kernels::MeshData mesh_of(std::vector<Triangle> triangles) {
    kernels::MeshData result;
    result.nodes.resize(1);
    mesh::split(triangles, 0, triangles.size(), 0, result);
    for (const Triangle& t : triangles)
        for (const Vector3d& v : t) result.triangles.insert(result.triangles.end(), {v.x, v.y, v.z});
    return result;
}
inline kernels::MeshView view_of(const kernels::MeshData& mesh) {
    return {mesh.nodes.data(), mesh.triangles.data(), Index(mesh.triangles.size() / 9)};
}

/// A rectangle from `corner` along `u` and `v` as n x n cells of two triangles each: inner vertices moved within the
/// plane, diagonals and orientations at random.
inline std::vector<Triangle> tessellated(Vector3d corner, Vector3d u, Vector3d v, int n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> both(-0.3, 0.3);
    std::vector<Vector3d> vertex;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const bool inner = i > 0 && i < n && j > 0 && j < n;
            const double s = (i + (inner ? both(random) : 0.0)) / n, t = (j + (inner ? both(random) : 0.0)) / n;
            vertex.push_back(corner + s * u + t * v);
        }
    std::vector<Triangle> triangles;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const auto at = [&](int x, int y) { return vertex[std::size_t((j + y) * (n + 1) + i + x)]; };
            Triangle pair[2] = {{at(0, 0), at(1, 0), at(1, 1)}, {at(0, 0), at(1, 1), at(0, 1)}};
            if (random() % 2 == 0) {
                pair[0] = {at(0, 0), at(1, 0), at(0, 1)};
                pair[1] = {at(1, 0), at(1, 1), at(0, 1)};
            }
            for (Triangle& t : pair) {
                if (random() % 2 == 0) std::swap(t[1], t[2]);
                triangles.push_back(t);
            }
        }
    return triangles;
}

}  // namespace scree::test
