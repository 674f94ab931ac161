// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bvh.hpp"

#include "engine/geometry/random_stream.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::geometry {
namespace {

using model::MeshShape;
using model::Vec3;

void add_triangle(MeshShape& mesh, Vec3 a, Vec3 b, Vec3 c) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({first, first + 1, first + 2});
}

Vec3 random_point(RandomStream& random, double size) {
    const double x = random.between(-size, size), y = random.between(-size, size), z = random.between(-size, size);
    return {x, y, z};
}

MeshShape random_mesh(std::size_t count, double size, double edge, std::uint64_t seed) {
    RandomStream random(seed);
    MeshShape mesh;
    for (std::size_t t = 0; t < count; ++t) {
        const Vec3 p = random_point(random, size);
        add_triangle(mesh, p, p + random_point(random, edge), p + random_point(random, edge));
    }
    return mesh;
}

/// Distance from a point to a triangle: to the plane where the foot is inside, else to the closest edge.
double distance_to_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
    const auto to_segment = [&](Vec3 s, Vec3 e) {
        const Vec3 d = e - s;
        const double square = dot(d, d);
        const double t = square > 0.0 ? std::clamp(dot(p - s, d) / square, 0.0, 1.0) : 0.0;
        return norm(p - s - t * d);
    };
    const Vec3 n = normalized(cross(b - a, c - a));
    const bool inside = norm(n) > 0.5 && dot(cross(b - a, p - a), n) >= 0.0 && dot(cross(c - b, p - b), n) >= 0.0 &&
                        dot(cross(a - c, p - c), n) >= 0.0;
    if (inside) return std::abs(dot(p - a, n));
    return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

bool touches(const MeshShape& mesh, std::uint32_t t, Vec3 center, double radius) {
    const auto& v = mesh.triangles[t];
    return distance_to_triangle(center, mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]) <= radius;
}

/// Triangles within `radius` of `center`, found through the tree.
std::vector<std::uint32_t> query(const MeshShape& mesh, const Bvh& tree, Vec3 center, double radius) {
    std::vector<std::uint32_t> found;
    if (tree.nodes.empty()) return found;
    std::vector<std::int32_t> open{0};
    while (!open.empty()) {
        const BvhNode& node = tree.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        double square = 0.0;
        const double p[3] = {center.x, center.y, center.z};
        for (int k = 0; k < 3; ++k) {
            const double d = std::max({node.lower[k] - p[k], p[k] - node.upper[k], 0.0});
            square += d * d;
        }
        if (square > radius * radius) continue;
        if (node.count == 0) {
            open.push_back(node.left_or_first);
            open.push_back(node.left_or_first + 1);
            continue;
        }
        for (std::int32_t i = 0; i < node.count; ++i) {
            const std::uint32_t t = tree.order[static_cast<std::size_t>(node.left_or_first + i)];
            if (touches(mesh, t, center, radius)) found.push_back(t);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Checks invariants 1 to 4 of bvh.hpp; returns the depth.
int check_invariants(const MeshShape& mesh, const Bvh& tree) {
    std::vector<int> seen(mesh.triangles.size(), 0), visits(tree.nodes.size(), 0);
    struct Open {
        std::size_t node;
        int depth;
    };
    std::vector<Open> open{{0, 0}};
    int deepest = 0;
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        ++visits[index];
        deepest = std::max(deepest, depth);
        const BvhNode& node = tree.nodes[index];
        if (node.count == 0) {
            const auto left = static_cast<std::size_t>(node.left_or_first);
            EXPECT_GT(left, index);
            EXPECT_LT(left + 1, tree.nodes.size());
            if (left <= index || left + 1 >= tree.nodes.size()) return -1;
            for (const std::size_t child : {left, left + 1}) {
                for (int k = 0; k < 3; ++k) {
                    EXPECT_LE(node.lower[k], tree.nodes[child].lower[k]);
                    EXPECT_GE(node.upper[k], tree.nodes[child].upper[k]);
                }
                open.push_back({child, depth + 1});
            }
            continue;
        }
        EXPECT_LE(node.count, bvh_leaf_size);
        for (std::int32_t i = 0; i < node.count; ++i) {
            const std::uint32_t t = tree.order.at(static_cast<std::size_t>(node.left_or_first + i));
            ++seen.at(t);
            for (const std::uint32_t v : mesh.triangles[t]) {
                const double p[3] = {mesh.vertices[v].x, mesh.vertices[v].y, mesh.vertices[v].z};
                for (int k = 0; k < 3; ++k) {
                    EXPECT_LE(static_cast<double>(node.lower[k]), p[k]);
                    EXPECT_GE(static_cast<double>(node.upper[k]), p[k]);
                }
            }
        }
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; }));
    EXPECT_LE(deepest, bvh_max_depth);
    return deepest;
}

void expect_queries_equal_brute_force(const MeshShape& mesh, double size, double radius, std::uint64_t seed) {
    const Bvh tree = build_bvh(mesh);
    check_invariants(mesh, tree);
    RandomStream random(seed);
    for (int q = 0; q < 100; ++q) {
        const Vec3 center = random_point(random, size);
        const double r = radius * random.unit();
        std::vector<std::uint32_t> expected;
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            if (touches(mesh, t, center, r)) expected.push_back(t);
        }
        EXPECT_EQ(query(mesh, tree, center, r), expected);
    }
}

TEST(GeometryBvh, MeshWithoutTrianglesHasNoNodes) {
    const Bvh tree = build_bvh({});
    EXPECT_TRUE(tree.nodes.empty());
    EXPECT_TRUE(tree.order.empty());
}

TEST(GeometryBvh, OneTriangleIsOneLeafWithItsBox) {
    MeshShape mesh;
    add_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 2, -3});
    const Bvh tree = build_bvh(mesh);
    ASSERT_EQ(tree.nodes.size(), 1U);
    EXPECT_EQ(tree.nodes[0].count, 1);
    EXPECT_EQ(tree.nodes[0].left_or_first, 0);
    EXPECT_EQ(tree.nodes[0].lower[2], -3.0F);
    EXPECT_EQ(tree.nodes[0].upper[1], 2.0F);
}

TEST(GeometryBvh, NodeIsThirtyTwoBytes) { EXPECT_EQ(sizeof(BvhNode), 32U); }

TEST(GeometryBvh, QueriesEqualBruteForceOnRandomMeshes) {
    for (const std::size_t count : {2U, 5U, 33U, 1000U}) {
        expect_queries_equal_brute_force(random_mesh(count, 1.0, 0.2, count), 1.2, 0.3, count);
    }
}

TEST(GeometryBvh, QueriesEqualBruteForceWithOneHugeAmongSmallTriangles) {
    MeshShape mesh = random_mesh(500, 1.0, 0.02, 7);
    add_triangle(mesh, {-100, -100, 0}, {100, -100, 0}, {0, 200, 0.5});
    expect_queries_equal_brute_force(mesh, 1.2, 0.2, 8);
}

TEST(GeometryBvh, QueriesEqualBruteForceOnAFlatGrid) {
    MeshShape mesh;
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 20; ++j) {
            const double x = 0.1 * i - 1, y = 0.1 * j - 1;
            add_triangle(mesh, {x, y, 0}, {x + 0.1, y, 0}, {x, y + 0.1, 0});
            add_triangle(mesh, {x + 0.1, y, 0}, {x + 0.1, y + 0.1, 0}, {x, y + 0.1, 0});
        }
    }
    expect_queries_equal_brute_force(mesh, 1.0, 0.4, 9);
}

TEST(GeometryBvh, CoincidentTrianglesAreHalved) {
    MeshShape mesh;
    for (int t = 0; t < 3000; ++t) add_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    const Bvh tree = build_bvh(mesh);
    EXPECT_LE(check_invariants(mesh, tree), 11);  // 3000 / 2^10 < 4
    expect_queries_equal_brute_force(mesh, 1.0, 1.0, 10);
}

TEST(GeometryBvh, TrianglesWithoutAreaAreKept) {
    RandomStream random(3);
    MeshShape mesh;
    for (int t = 0; t < 200; ++t) {
        const Vec3 p = random_point(random, 1.0), q = random_point(random, 1.0);
        if (t % 2 == 0) add_triangle(mesh, p, p, p);
        if (t % 2 == 1) add_triangle(mesh, p, q, 0.5 * (p + q));
    }
    expect_queries_equal_brute_force(mesh, 1.0, 0.5, 11);
}

TEST(GeometryBvh, DepthIsBoundedWhereSurfaceAreaSplitsArePoor) {
    // Each triangle is 32 times as far out as the last: every binned split peels off very few of them.
    MeshShape mesh;
    for (int t = -190; t < 190; ++t) {
        const double x = std::ldexp(1.0, 5 * t);
        for (int copy = 0; copy < 8; ++copy) add_triangle(mesh, {x, 0, 0}, {x, x, 0}, {x, 0, x});
    }
    const Bvh tree = build_bvh(mesh);
    EXPECT_GT(check_invariants(mesh, tree), 24);  // the case does reach the median splits
}

TEST(GeometryBvh, CoordinatesBeyondFloatAreContained) {
    MeshShape mesh;
    for (int t = 0; t < 20; ++t) add_triangle(mesh, {1e300, 0, t * 1.0}, {-1e300, 1, 0}, {0, 1e-300, 1e308});
    const Bvh tree = build_bvh(mesh);
    check_invariants(mesh, tree);
    EXPECT_EQ(tree.nodes[0].upper[2], std::numeric_limits<float>::infinity());
}

TEST(GeometryBvh, SameMeshGivesSameTree) {
    const MeshShape mesh = random_mesh(2000, 1.0, 0.1, 5);
    const Bvh a = build_bvh(mesh), b = build_bvh(mesh);
    EXPECT_EQ(a.order, b.order);
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) EXPECT_EQ(a.nodes[i].left_or_first, b.nodes[i].left_or_first);
}

TEST(GeometryBvh, MissingVertexAndNanAreErrors) {
    MeshShape mesh;
    mesh.path = "part.stl";
    add_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    mesh.triangles.push_back({0, 1, 3});
    EXPECT_NE(test::error_of([&] { static_cast<void>(build_bvh(mesh)); }).message().find("part.stl"),
              std::string::npos);
    mesh.triangles.pop_back();
    mesh.vertices[1].y = std::nan("");
    EXPECT_EQ(test::error_of([&] { static_cast<void>(build_bvh(mesh)); }).kind(), model::ErrorKind::input);
}

TEST(GeometryBvh, OfBoxesEachLiesInOneLeafThatHoldsIt) {
    RandomStream random(9);
    std::vector<Extent> boxes(1000);
    for (Extent& box : boxes) box.add(random_point(random, 5.0), random.between(0.0, 0.5));
    const Bvh tree = build_box_bvh(boxes);
    std::vector<int> seen(boxes.size(), 0);
    for (const BvhNode& node : tree.nodes)
        for (std::int32_t k = node.left_or_first; k < node.left_or_first + node.count; ++k) {
            const std::uint32_t b = tree.order[static_cast<std::size_t>(k)];
            ++seen[b];
            EXPECT_LE(node.lower[0], boxes[b].lower.x);
            EXPECT_GE(node.upper[2], boxes[b].upper.z);
        }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    EXPECT_TRUE(build_box_bvh({}).nodes.empty());
    boxes[7].upper.y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)build_box_bvh(boxes), model::Error);
}

}  // namespace
}  // namespace scree::geometry
