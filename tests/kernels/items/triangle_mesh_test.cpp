// SPDX-License-Identifier: BSD-3-Clause
// Spheres against triangle meshes: nearest points, the hierarchy against all triangles, and the rule for shared edges.
#include "kernels/items/triangle_mesh.hpp"

#include "tests/support/mesh_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace scree::kernels {
namespace {

using test::mesh_of;
using test::Triangle;

MeshContacts contacts_with(const MeshData& mesh, Vector3d center, double radius, double margin = 0.0) {
    MeshContacts found;
    find_mesh_contacts(test::view_of(mesh), center, radius, radius + margin, found);
    return found;
}
std::vector<Triangle> joined(std::vector<Triangle> a, const std::vector<Triangle>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST(NearestOnTriangle, IsTheNearestOfAllItsPoints) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    const auto vector = [&] { return Vector3d{both(random), both(random), both(random)}; };
    for (int k = 0; k < 300; ++k) {
        Triangle t{vector(), vector(), vector()};
        if (k % 5 == 0) t[2] = t[0] + 0.5 * (t[1] - t[0]) + 1e-6 * vector();  // a sliver
        const Vector3d p = vector();
        const Vector3d found = nearest_on_triangle(p, t[0], t[1], t[2]);
        double best = 1e300;
        for (int i = 0; i <= 60; ++i)
            for (int j = 0; j <= 60 - i; ++j)
                best = std::min(best, norm(t[0] + (i / 60.0) * (t[1] - t[0]) + (j / 60.0) * (t[2] - t[0]) - p));
        EXPECT_LE(norm(found - p), best + 1e-9);  // slivers lose digits: 1e-16 / 1e-6 and some
        // No sample is further from the true point than a spacing, 2 sqrt(3) / 60.
        EXPECT_GE(norm(found - p), best - 0.06);
        // The point is in the triangle: its barycentric areas add up.
        const double area = norm(cross(t[1] - t[0], t[2] - t[0]));
        const double parts = norm(cross(t[0] - found, t[1] - found)) + norm(cross(t[1] - found, t[2] - found)) +
                             norm(cross(t[2] - found, t[0] - found));
        EXPECT_NEAR(parts, area, 1e-8);
    }
}

TEST(MeshPlane, IsTheAnalyticPlaneAcrossEdgesAndVertices) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> unit(0.0, 1.0), both(-1.0, 1.0);
    for (unsigned seed = 0; seed < 8; ++seed) {
        const Vector3d corner{both(random), both(random), both(random)}, w{both(random), both(random), both(random)};
        Vector3d u{both(random), both(random), both(random)};
        u = (1.0 / norm(u)) * u;
        Vector3d normal = cross(u, w);
        normal = (1.0 / norm(normal)) * normal;
        const Vector3d v = cross(normal, u);
        const auto triangles = test::tessellated(corner, u, v, 12, seed);
        const MeshData mesh = mesh_of(triangles);
        for (int k = 0; k < 400; ++k) {
            const double radius = 0.02 + 0.1 * unit(random), height = (0.05 + 0.95 * unit(random)) * radius;
            Vector3d foot = corner + (0.2 + 0.6 * unit(random)) * u + (0.2 + 0.6 * unit(random)) * v;
            const Triangle& t = triangles[random() % triangles.size()];
            const Vector3d middle = t[0] - corner;
            const bool inner =
                dot(middle, u) > 0.15 && dot(middle, u) < 0.85 && dot(middle, v) > 0.15 && dot(middle, v) < 0.85;
            if (inner && k % 3 == 0) foot = t[0];                        // above a vertex
            if (inner && k % 3 == 1) foot = t[0] + 0.4 * (t[1] - t[0]);  // above an edge
            const double side = k % 2 == 0 ? 1.0 : -1.0;
            const MeshContacts found = contacts_with(mesh, foot + (side * height) * normal, radius);
            ASSERT_EQ(found.count, 1) << "seed " << seed << " case " << k;
            // Coordinates of size 1 and roundings of 1e-16; the normal divides them by a height of at least 1e-3.
            EXPECT_NEAR(found.distance[0], height, 2e-15);
            EXPECT_NEAR(norm(found.normal[0] - side * normal), 0.0, 1e-12);
        }
    }
}

/// Two unit squares that meet in the y axis at the given angle to the horizontal: one along +x, one along -x.
MeshData ridge(double angle, int cells) {
    const Vector3d right{std::cos(angle), 0, std::sin(angle)}, left{-std::cos(angle), 0, std::sin(angle)};
    return mesh_of(joined(test::tessellated({0, 0, 0}, right, {0, 1, 0}, cells, 1),
                          test::tessellated({0, 0, 0}, left, {0, 1, 0}, cells, 2)));
}

TEST(MeshEdge, ConcaveGivesOneContactPerFace) {
    for (const double angle : {0.3, 0.8, 1.2}) {
        const MeshData mesh = ridge(angle, 5);
        const double radius = 0.1;
        // On the symmetry plane, touching both faces with an overlap of a hundredth.
        const MeshContacts found = contacts_with(mesh, {0, 0.43, 0.99 * radius / std::cos(angle)}, radius);
        ASSERT_EQ(found.count, 2) << angle;
        for (int k = 0; k < 2; ++k) {
            EXPECT_NEAR(found.distance[k], 0.99 * radius, 1e-15);
            EXPECT_NEAR(found.normal[k].z, std::cos(angle), 1e-13);
        }
        EXPECT_NEAR(found.normal[0].x, -found.normal[1].x, 1e-13);
    }
}

TEST(MeshEdge, ConvexGivesOneContact) {
    for (const double angle : {-0.3, -0.8, -1.2}) {
        const MeshData mesh = ridge(angle, 5);
        std::mt19937 random(4);
        std::uniform_real_distribution<double> both(-1.0, 1.0);
        for (int k = 0; k < 50; ++k) {
            // Above the edge, between the normals of the two faces.
            const double lean = both(random) * 0.95 * std::abs(angle), height = 0.09;
            const MeshContacts found =
                contacts_with(mesh, {height * std::sin(lean), 0.5 + 0.3 * both(random), height * std::cos(lean)}, 0.1);
            ASSERT_EQ(found.count, 1);
            EXPECT_NEAR(found.distance[0], height, 1e-15);
            EXPECT_NEAR(found.normal[0].x, std::sin(lean), 1e-13);
        }
    }
}

TEST(MeshCorner, OfABoxGivesThreeContacts) {
    const MeshData mesh = mesh_of(joined(test::tessellated({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 4, 1),
                                         joined(test::tessellated({0, 0, 0}, {0, 1, 0}, {0, 0, 1}, 4, 2),
                                                test::tessellated({0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 4, 3))));
    EXPECT_EQ(contacts_with(mesh, {0.097, 0.098, 0.099}, 0.1).count, 3);
    EXPECT_EQ(contacts_with(mesh, {0.5, 0.098, 0.099}, 0.1).count, 2);
    EXPECT_EQ(contacts_with(mesh, {0.5, 0.5, 0.099}, 0.1).count, 1);
    EXPECT_EQ(contacts_with(mesh, {0.5, 0.5, 0.101}, 0.1).count, 0);
    EXPECT_EQ(contacts_with(mesh, {0.5, 0.5, 0.101}, 0.1, 0.002).count, 1);
}

TEST(MeshDrum, HoldsASphereByOneFacetOrTheTwoAtAnEdge) {
    // A drum of radius 1 about y with 64 facets, seen from inside by a small sphere.
    constexpr int facets = 64;
    std::vector<Triangle> triangles;
    const auto vertex = [](int k, double y) {
        const double phi = 2.0 * std::numbers::pi * k / facets;
        return Vector3d{std::cos(phi), y, std::sin(phi)};
    };
    for (int k = 0; k < facets; ++k) {
        triangles.push_back({vertex(k, -1), vertex(k + 1, -1), vertex(k + 1, 1)});
        triangles.push_back({vertex(k, -1), vertex(k + 1, 1), vertex(k, 1)});
    }
    const MeshData mesh = mesh_of(triangles);
    const double radius = 0.05, inner = std::cos(std::numbers::pi / facets);
    for (int k = 0; k < 1000; ++k) {
        const double phi = 2.0 * std::numbers::pi * k / 1000.0, from_axis = inner - 0.999 * radius;
        const MeshContacts found =
            contacts_with(mesh, {from_axis * std::cos(phi), 0.1, from_axis * std::sin(phi)}, radius);
        // Towards an edge the wall is further away, by up to 1 - inner = .024 radius.
        EXPECT_LE(found.count, 2) << k;
        for (int c = 0; c < found.count; ++c) {
            EXPECT_LE(found.distance[c], radius);
            EXPECT_GE(found.distance[c], 0.999 * radius - 1e-12);
        }
    }
    const MeshContacts at_edge = contacts_with(mesh, {(1.0 - 1.0 * radius), 0.1, 0.0}, radius);
    EXPECT_EQ(at_edge.count, 2);
}

TEST(MeshSoup, DoublesAndOrientationsAddNoContacts) {
    auto triangles = test::tessellated({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 6, 1);
    auto turned = triangles;
    for (Triangle& t : turned) std::swap(t[0], t[1]);
    const MeshData mesh = mesh_of(joined(joined(triangles, turned), triangles));
    std::mt19937 random(8);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int k = 0; k < 100; ++k)
        EXPECT_EQ(contacts_with(mesh, {0.2 + 0.6 * unit(random), 0.2 + 0.6 * unit(random), 0.04}, 0.05).count, 1);
}

TEST(MeshContacts, OfACentreOnTheMeshHaveTheFacesNormal) {
    const MeshData mesh = mesh_of({{Vector3d{0, 0, 0}, Vector3d{1, 0, 0}, Vector3d{0, 1, 0}}});
    const MeshContacts found = contacts_with(mesh, {0.25, 0.25, 0.0}, 0.1);
    ASSERT_EQ(found.count, 1);
    EXPECT_EQ(found.distance[0], 0.0);
    EXPECT_EQ(found.normal[0].z, 1.0);
}

TEST(MeshContacts, EqualTheRuleAppliedToAllTriangles) {
    std::mt19937 random(9);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    const auto vector = [&](double size) {
        return Vector3d{size * both(random), size * both(random), size * both(random)};
    };
    std::vector<Triangle> soup;
    for (int k = 0; k < 600; ++k) {
        const Vector3d middle = vector(1.0);
        soup.push_back({middle + vector(0.2), middle + vector(0.2), middle + vector(0.2)});
    }
    const MeshData mesh = mesh_of(soup);
    int seen = 0, most = 0;
    for (int k = 0; k < 500; ++k) {
        const Vector3d center = vector(1.1);
        const double radius = 0.05 + 0.1 * std::abs(both(random)), reach = 1.2 * radius;
        const MeshContacts found = contacts_with(mesh, center, radius, 0.2 * radius);
        // Nearest first; each further point must lie in front of the tangent planes of those before.
        std::vector<Vector3d> points;
        for (;;) {
            double best = reach;
            Vector3d nearest{};
            bool any = false;
            for (const Triangle& t : soup) {
                const Vector3d offset = nearest_on_triangle(center, t[0], t[1], t[2]) - center;
                bool in_front = norm(offset) < best;
                for (const Vector3d& p : points)
                    in_front = in_front && dot(offset - p, (-1.0 / norm(p)) * p) > 1e-7 * radius;
                if (in_front) any = true, best = norm(offset), nearest = offset;
            }
            if (!any || points.size() == std::size_t(MeshContacts::capacity)) break;
            points.push_back(nearest);
        }
        ASSERT_EQ(found.count, int(points.size())) << "case " << k;
        for (int c = 0; c < found.count; ++c) EXPECT_NEAR(found.distance[c], norm(points[std::size_t(c)]), 1e-14);
        seen += found.count;
        most = std::max(most, found.count);
    }
    EXPECT_GT(seen, 200);  // the test saw contacts at all, and several at once
    EXPECT_GT(most, 2);
}

}  // namespace
}  // namespace scree::kernels
